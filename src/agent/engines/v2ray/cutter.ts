// Ends what somebody has open who lost his access: taking a user off an engine alone lets his running connections go on.
import { parseEngineUserName } from "../../../protocol/plan.ts";
import type { DesiredState, DriverContext } from "../driver.ts";
import type { LiveView } from "../process/live-view.ts";
import type { EngineSet } from "./engine-set.ts";

/** A connection that was being opened while its user was removed is found by a second look. */
const SECOND_LOOKS_MS = [700, 2500];

export class Cutter {
  readonly #view: LiveView;
  readonly #engines: EngineSet;
  readonly #able: boolean;
  readonly #context: DriverContext;
  readonly #looks = new Set<NodeJS.Timeout>();
  /** Users whose anonymous connections were cut already: a later change of another user must not cut the rest again. */
  readonly #cutBefore = new Set<number>();

  /** `able`: the machine lets connections be cut; otherwise nothing is done. */
  constructor(view: LiveView, engines: EngineSet, able: boolean, context: DriverContext) {
    this.#view = view;
    this.#engines = engines;
    this.#able = able;
    this.#context = context;
  }

  stop(): void {
    for (const look of this.#looks) clearTimeout(look);
    this.#looks.clear();
  }

  /** Closes what these engine users (`<user>.<inbound>`) have open, and looks again for what was being opened at the time. */
  async users(names: readonly string[]): Promise<void> {
    if (names.length === 0 || !this.#able) return;
    await this.#view.cutUsers(new Set(names));
    for (const after of SECOND_LOOKS_MS) {
      const look = setTimeout(() => {
        this.#looks.delete(look);
        const carried = this.#engines.serving?.carried;
        const out = new Set(names.filter((name) => !carried?.has(name)));
        this.#view
          .cutUsers(out)
          .catch((error: unknown) => this.#context.log("warn", "sessions of removed users could not be cut", { error: String(error) }));
      }, after);
      look.unref();
      this.#looks.add(look);
    }
  }

  /** Connections of an inbound that is gone would be nobody's: no later removal of their user could find them. `before`: ports that were open. */
  async closedPorts(before: ReadonlySet<number>): Promise<void> {
    const open = new Set(this.#engines.serving?.inbounds.map((inbound) => inbound.port));
    if (this.#able) await this.#view.cutPorts([...before].filter((port) => !open.has(port)));
  }

  /** Where v2ray does not say whose a connection is, a removed user who had traffic takes the others' open connections with him. */
  async anonymous(desired: DesiredState): Promise<void> {
    const anonymous = this.#engines.serving?.inbounds.filter((open) => open.anonymous) ?? [];
    if (anonymous.length === 0 || !this.#able) return;
    const inboundIds = new Set(anonymous.map((open) => open.id));
    for (const id of this.#cutBefore) if (desired.users.has(id)) this.#cutBefore.delete(id);
    await this.#engines.read(2000);
    let found = false;
    for (const name of this.#engines.total().keys()) {
      const user = parseEngineUserName(name);
      if (!user || !inboundIds.has(user.inboundId) || desired.users.has(user.userId) || this.#cutBefore.has(user.userId)) continue;
      this.#cutBefore.add(user.userId);
      found = true;
    }
    if (found) await this.#view.cutPorts(anonymous.map((open) => open.port));
  }
}
