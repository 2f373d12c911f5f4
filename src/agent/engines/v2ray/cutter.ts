// Ends what somebody has open who lost his access: taking a user off an engine alone lets his running connections go on.
// v2ray's access log loses lines when many connections come at once, so the log alone does not tell all of them. What does tell is his counter: while it
// grows, he is still in. So a removed user is watched, and as long as he moves bytes, connections that nobody is known to own are cut.
import { engineUserName, parseEngineUserName } from "../../../protocol/plan.ts";
import type { DesiredState, DriverContext } from "../driver.ts";
import type { LiveView } from "../process/live-view.ts";
import type { EngineSet } from "./engine-set.ts";

/** When to look after a removal, in milliseconds since the last look: a removed user is out within five seconds. */
const LOOKS_MS = [400, 500, 500, 700, 700, 700, 700];
const LATER_LOOKS_MS = 5000;
/** v2ray itself ends a connection that was idle for five minutes; one that moved is found by its bytes. */
const WATCH_MS = 330_000;

interface Watched {
  readonly until: number;
  /** Bytes at the last look. */
  bytes: number | undefined;
  /** Looks at which he was found moving bytes. */
  hits: number;
}

export class Cutter {
  readonly #view: LiveView;
  readonly #engines: EngineSet;
  readonly #able: boolean;
  readonly #context: DriverContext;
  readonly #watched = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;
  #look = 0;
  #stopped = false;

  /** `able`: the machine lets connections be cut; otherwise nothing is done. */
  constructor(view: LiveView, engines: EngineSet, able: boolean, context: DriverContext) {
    this.#view = view;
    this.#engines = engines;
    this.#able = able;
    this.#context = context;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** Closes what these engine users (`<user>.<inbound>`) have open, and watches those who are removed for more. */
  async users(names: readonly string[]): Promise<void> {
    if (names.length === 0 || !this.#able) return;
    await this.#view.cutUsers(new Set(names));
    this.#watch(names);
  }

  /** Users removed from inbounds whose connections v2ray does not tell apart: only watching finds out whether they have any. */
  async anonymous(desired: DesiredState): Promise<void> {
    const open = this.#engines.serving?.inbounds.filter((inbound) => inbound.anonymous) ?? [];
    if (!this.#able || open.length === 0) return;
    // Who has had traffic at all: the last reading may be older than his first byte.
    await this.#engines.read(2000);
    const inboundIds = open.map((inbound) => inbound.id);
    const counted = [...this.#engines.total().keys()].flatMap((name) => parseEngineUserName(name) ?? []);
    const gone = counted.filter(({ userId, inboundId }) => inboundIds.includes(inboundId) && !desired.users.has(userId));
    this.#watch(gone.map(({ userId, inboundId }) => engineUserName(userId, inboundId)));
  }

  /** Connections of an inbound that is gone would be nobody's: no later removal of their user could find them. `before`: ports that were open. */
  async closedPorts(before: ReadonlySet<number>): Promise<void> {
    const open = new Set(this.#engines.serving?.inbounds.map((inbound) => inbound.port));
    if (this.#able) await this.#view.cutPorts([...before].filter((port) => !open.has(port)));
  }

  #watch(names: readonly string[]): void {
    if (names.length === 0) return;
    const until = this.#context.now() + WATCH_MS;
    for (const name of names) this.#watched.set(name, { until, bytes: this.#watched.get(name)?.bytes, hits: 0 });
    this.#look = 0;
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#stopped || this.#watched.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#look += 1;
      this.#lookAfter()
        .catch((error: unknown) => this.#context.log("warn", "removed users could not be looked after", { error: String(error) }))
        .finally(() => this.#schedule());
    }, LOOKS_MS[this.#look] ?? LATER_LOOKS_MS);
    this.#timer.unref();
  }

  async #lookAfter(): Promise<void> {
    const { serving } = this.#engines;
    for (const [name, { until }] of this.#watched)
      if (serving?.carried.has(name) || this.#context.now() > until) this.#watched.delete(name);
    await this.#view.cutUsers(new Set(this.#watched.keys()));
    await this.#engines.read(2000);
    const total = this.#engines.total();
    for (const [name, watched] of this.#watched) {
      const { up, down } = total.get(name) ?? { up: 0, down: 0 };
      const grew = watched.bytes !== undefined && up + down > watched.bytes;
      watched.bytes = up + down;
      if (!grew) continue;
      watched.hits += 1;
      // What was under way while it was cut must not count as going on: the next look is a new beginning.
      watched.bytes = undefined;
      const user = parseEngineUserName(name);
      if (!user) continue;
      const anonymous = this.#anonymousAmong(user.inboundId);
      // First what comes from where he is known to be; if that was not all, whatever has no known owner.
      if (anonymous.size > 0) await this.#view.cutUnaccounted(user.userId, anonymous, true);
      else await this.#view.cutUnaccounted(user.userId, new Set([user.inboundId]), watched.hits > 1);
    }
  }

  /** Users of anonymous inbounds are counted together, so each of those may be the one; empty for an inbound that is none. */
  #anonymousAmong(inboundId: number): Set<number> {
    const open = this.#engines.serving?.inbounds.filter((inbound) => inbound.anonymous) ?? [];
    return new Set(open.some(({ id }) => id === inboundId) ? open.map(({ id }) => id) : []);
  }
}
