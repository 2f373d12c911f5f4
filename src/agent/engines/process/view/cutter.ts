// Disconnects users who lost their access: taking a user off an engine alone lets their running connections go on.
// Logs lose lines when many connections come at once, so the log alone does not tell all of them. What does tell is
// their counter: while it grows, they are still in. So a removed user is watched, and as long as they move bytes,
// connections that nobody is known to own are cut.
import { engineUserName, parseEngineUserName } from "../../../../protocol/plan.ts";
import type { DesiredState, DriverContext } from "../../contract/driver.ts";
import type { EnginesInView, ListeningInbound } from "./engines-in-view.ts";
import { hasUdp } from "./evidence.ts";
import type { LiveView } from "./live-view.ts";

/** When to look after a removal, in milliseconds since the last look: a removed user is out within five seconds. */
const LOOKS_MS = [400, 500, 500, 700, 700, 700, 700];
const LATER_LOOKS_MS = 5000;
/** Engines themselves end a connection that was idle for five minutes; one that moved is found by its bytes. */
const WATCH_MS = 330_000;

interface Watched {
  readonly until: number;
  /** Bytes at the last look. */
  bytes: number | undefined;
  /** Looks at which they were found moving bytes. */
  hits: number;
}

export class Cutter {
  readonly #view: LiveView;
  readonly #engines: EnginesInView;
  readonly #context: Pick<DriverContext, "log" | "now">;
  readonly #watched = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;
  #look = 0;
  #stopped = false;

  constructor(view: LiveView, engines: EnginesInView, context: Pick<DriverContext, "log" | "now">) {
    this.#view = view;
    this.#engines = engines;
    this.#context = context;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** Closes what these engine users (`<user>.<inbound>`) have open, and watches those who are removed for more. */
  async disconnectUsers(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await this.#view.cutUsers(new Set(names));
    this.#watch(names);
  }

  /**
   * Disconnects users that no engine should serve: an agent may have died between taking a user off and cutting what
   * they had open.
   */
  async disconnectUnknown(): Promise<void> {
    try {
      const names = await this.#view.openNames();
      await this.disconnectUsers(names.filter((name) => !this.#engines.carried(name)));
    } catch (error) {
      this.#warn(error);
    }
  }

  /**
   * Users removed from inbounds whose connections the engine does not tell apart: only watching finds out whether they
   * have any.
   */
  async watchAnonymous(desired: DesiredState): Promise<void> {
    const open = this.#engines.inbounds().filter((inbound) => inbound.anonymous);
    if (open.length === 0) return;
    // Learns which users had traffic at all: the last reading may be older than their first byte.
    await this.#engines.read(2000);
    const inboundIds = new Set(open.map((inbound) => inbound.id));
    const counted = [...this.#engines.total().keys()].flatMap((name) => parseEngineUserName(name) ?? []);
    const gone = counted.filter(({ userId, inboundId }) => inboundIds.has(inboundId) && !desired.users.has(userId));
    this.#watch(gone.map(({ userId, inboundId }) => engineUserName(userId, inboundId)));
  }

  /**
   * Ends the connections of inbounds that are gone, whichever process carries them. `before`: what was open, on its
   * ports of that time.
   */
  async disconnectInbounds(before: readonly ListeningInbound[]): Promise<void> {
    const now = this.#engines.inbounds().filter(({ open }) => open);
    const gone = before.filter(({ id }) => !now.some((inbound) => inbound.id === id));
    if (gone.length === 0) return;
    const inUse = new Set(now.flatMap(({ localPorts }) => localPorts));
    const ports = gone.flatMap(({ localPorts }) => localPorts).filter((port) => !inUse.has(port));
    await this.#view.cutPorts(new Set(ports), new Set(gone.map(({ id }) => id)));
  }

  #watch(names: readonly string[]): void {
    if (names.length === 0) return;
    const until = this.#context.now() + WATCH_MS;
    for (const name of names) this.#watched.set(name, { until, bytes: this.#watched.get(name)?.bytes, hits: 0 });
    this.#watchLog();
    this.#look = 0;
    this.#schedule();
  }

  /** A process that has not heard of the removal yet lets them in again; so does a QUIC connection that goes on. */
  #watchLog(): void {
    this.#view.watch(new Set(this.#watched.keys()), (names) => {
      const gone = [...names].filter((name) => this.#watched.has(name) && !this.#engines.carried(name));
      this.#seenAgain(gone).catch((error: unknown) => this.#warn(error));
    });
  }

  async #seenAgain(names: readonly string[]): Promise<void> {
    if (names.length === 0 || this.#stopped) return;
    await this.#view.cutUsers(new Set(names));
    for (const name of names) await this.#reopenFor(name);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#stopped || this.#watched.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#look += 1;
      this.#lookAfter()
        .catch((error: unknown) => this.#warn(error))
        .finally(() => this.#schedule());
    }, LOOKS_MS[this.#look] ?? LATER_LOOKS_MS);
    this.#timer.unref();
  }

  async #lookAfter(): Promise<void> {
    const before = this.#watched.size;
    for (const [name, { until }] of this.#watched)
      if (this.#engines.carried(name) || this.#context.now() > until) this.#watched.delete(name);
    if (this.#watched.size < before) this.#watchLog();
    await this.#view.cutUsers(new Set(this.#watched.keys()));
    await this.#engines.read(2000);
    const total = this.#engines.total();
    for (const [name, watched] of this.#watched) {
      const { up, down } = total.get(name) ?? { up: 0, down: 0 };
      const grew = watched.bytes !== undefined && up + down > watched.bytes;
      watched.bytes = up + down;
      if (!grew) continue;
      watched.hits += 1;
      // Connections that were open during the cut must not count as continuing: the next look starts from scratch.
      watched.bytes = undefined;
      await this.#cutMore(name, watched.hits);
    }
  }

  /** They move bytes on a connection that no log line named. */
  async #cutMore(name: string, hits: number): Promise<void> {
    const user = parseEngineUserName(name);
    if (!user || (await this.#reopenFor(name))) return;
    const anonymous = this.#anonymousAmong(user.inboundId);
    // First what comes from where they are known to be; if that was not all, whatever has no known owner.
    if (anonymous.size > 0) await this.#view.cutUnaccounted(user.userId, anonymous, true);
    else await this.#view.cutUnaccounted(user.userId, new Set([user.inboundId]), hits > 1);
  }

  /**
   * Where a flow cannot be dropped, an inbound over UDP is opened again: that ends their connection, and everybody
   * else's on it.
   */
  async #reopenFor(name: string): Promise<boolean> {
    const id = parseEngineUserName(name)?.inboundId;
    const inbound = this.#engines.inbounds().find((open) => open.id === id);
    if (
      !inbound ||
      !hasUdp(inbound) ||
      inbound.networks.includes("tcp") ||
      this.#engines.portMap ||
      !this.#engines.keepsQuicUsers
    )
      return false;
    await this.#engines.reopen(inbound.id);
    return true;
  }

  /**
   * Users of anonymous inbounds are counted together, so each of those may be the one; empty for an inbound that is
   * none.
   */
  #anonymousAmong(inboundId: number): Set<number> {
    const open = this.#engines.inbounds().filter((inbound) => inbound.anonymous);
    return new Set(open.some(({ id }) => id === inboundId) ? open.map(({ id }) => id) : []);
  }

  #warn(error: unknown): void {
    this.#context.log("warn", "removed users could not be looked after", { error: String(error) });
  }
}
