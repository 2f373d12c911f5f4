// `ipLimit` on engines that know no such thing: sessions from more sources than a user may have are found, so that they
// can be closed.
import type { PlanUser } from "../../../../protocol/plan.ts";
import { sourceKey } from "../../../../lib/addresses.ts";
import { isSilent, type LiveSession } from "./liveness.ts";
import { type AgentNotice, noticeOf, hostNotice, itemPlace } from "../../../notices.ts";
import { reason } from "../../../../protocol/notices/index.ts";

/**
 * Limits the sources of each user. The sources that came first stay, or with `newest` those that came last. An IPv6
 * source is its /64. A source uses no place while all its connections are silent, and they are not closed either: it
 * may be asleep. When it speaks again, it counts as a new source, and may be one too many.
 */
export class IpLimits {
  readonly #newest: () => boolean;
  #limits: ReadonlyMap<number, number> = new Map();
  /** Sources by user that were let in and still have something open. */
  readonly #admitted = new Map<number, Set<string>>();

  constructor(newest: () => boolean = () => false) {
    this.#newest = newest;
  }

  /** Users that have a limit, and theirs. */
  set(limits: ReadonlyMap<number, number>): void {
    this.#limits = limits;
    for (const userId of this.#admitted.keys()) if (!limits.has(userId)) this.#admitted.delete(userId);
  }

  /** Whether a connection of this user from there may be one too many. */
  questions(userId: number, address: string): boolean {
    return this.#limits.has(userId) && this.#admitted.get(userId)?.has(sourceKey(address)) !== true;
  }

  /** The sessions that are too many, among all sessions that live now. */
  excess(sessions: readonly LiveSession[]): LiveSession[] {
    if (this.#limits.size === 0) return [];
    const byUser = new Map<number, LiveSession[]>();
    for (const session of sessions) {
      const { userId } = session.row;
      if (!this.#limits.has(userId)) continue;
      const list = byUser.get(userId);
      if (list) list.push(session);
      else byUser.set(userId, [session]);
    }
    for (const userId of this.#admitted.keys()) if (!byUser.has(userId)) this.#admitted.delete(userId);
    return [...byUser].flatMap(([userId, list]) => this.#excessOf(userId, list));
  }

  #excessOf(userId: number, sessions: readonly LiveSession[]): LiveSession[] {
    const limit = this.#limits.get(userId) ?? 0;
    const inOrder = sessions
      .toSorted((a, b) => a.order - b.order)
      .map((session) => ({ session, prefix: sourceKey(session.address) }));
    const open = new Set(inOrder.filter(({ session }) => !isSilent(session)).map(({ prefix }) => prefix));
    const before = [...(this.#admitted.get(userId) ?? [])].filter((prefix) => open.has(prefix));
    // In the order in which they came in, for those who were let in before.
    const inTurn = [...new Set([...before, ...open])];
    const admitted = new Set(this.#newest() ? inTurn.slice(-limit) : inTurn.slice(0, limit));
    this.#admitted.set(userId, admitted);
    return inOrder.filter(({ prefix }) => open.has(prefix) && !admitted.has(prefix)).map(({ session }) => session);
  }
}

/**
 * How connections can be cut where an engine runs. `able`: by their socket; `lists`: by the engine's own list;
 * `portMap`: by dropping datagrams.
 */
export interface Means {
  readonly able: boolean;
  readonly lists: boolean;
  readonly portMap: boolean;
}

/** One notice for whatever keeps limits from being held on these inbounds; none while no user has a limit. */
export function ipLimitWarnings(
  users: ReadonlyMap<number, PlanUser>,
  inbounds: readonly {
    readonly tag: string;
    readonly networks: readonly ("tcp" | "udp")[];
    readonly anonymous: boolean;
  }[],
  means: Means,
): AgentNotice[] {
  if (![...users.values()].some(({ ipLimit }) => ipLimit > 0)) return [];
  if (!means.able && !means.lists) return [hostNotice("ip_limit_unheld")];
  return inbounds.flatMap(({ tag, networks, anonymous }) => {
    if (anonymous) return [noticeOf(itemPlace("inbound", tag), reason("ip_limit_anonymous"))];
    if (networks.includes("udp") && !means.portMap && !means.lists)
      return [noticeOf(itemPlace("inbound", tag), reason("ip_limit_udp"))];
    return [];
  });
}
