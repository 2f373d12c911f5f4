// Limits of users that process engines do not know themselves: `ipLimit` held by closing, `speedLimit` by the kernel's
// policing.
import type { PlanUser } from "../../../../protocol/plan.ts";
import type { DriverContext } from "../../contract/driver.ts";
import { speedLimitObjection, SpeedLimits } from "../../portmap/index.ts";
import type { CompiledInbound } from "../dialect.ts";
import { ipLimitWarnings, type Means } from "../view/ip-limits.ts";
import type { LiveView } from "../view/live-view.ts";
import { type AgentNotice, hostNotice } from "../../../notices.ts";

export class UserLimits {
  readonly #context: DriverContext;
  readonly #view: LiveView;
  readonly #sessions: boolean;
  readonly #speed: SpeedLimits;
  /** Why speeds cannot be limited here. Asked when somebody first has a limit. */
  #objection: Promise<string | undefined> | undefined;
  #refusal: string | undefined;
  #limited = 0;
  #forgotten = false;

  /** `sessions`: connections can be told apart here. */
  constructor(context: DriverContext, view: LiveView, sessions: boolean) {
    this.#context = context;
    this.#view = view;
    this.#sessions = sessions;
    this.#speed = new SpeedLimits({
      directory: context.directory,
      sessions: async () => view.peers(),
      log: (level, message, fields) => context.log(level, message, fields),
    });
  }

  /** Holds these users' limits from now on. A limit that cannot be set is a warning, never an error. */
  async set(users: ReadonlyMap<number, PlanUser>): Promise<void> {
    this.#view.setIpLimits(users);
    const limits = new Map<number, number>();
    for (const { id, speedLimit } of users.values()) if (speedLimit > 0) limits.set(id, speedLimit);
    const before = this.#limited;
    this.#limited = limits.size;
    if (limits.size === 0 && before === 0) return this.#forget();
    this.#objection ??= speedLimitObjection();
    this.#refusal = await this.#objection;
    if (this.#refusal !== undefined || !this.#sessions) return;
    try {
      await this.#speed.set(limits);
    } catch (error) {
      this.#refusal = error instanceof Error ? error.message : String(error);
      this.#context.log("warn", "speed limits could not be set", { error: this.#refusal });
    }
  }

  warnings(users: ReadonlyMap<number, PlanUser>, inbounds: readonly CompiledInbound[], means: Means): AgentNotice[] {
    return [...ipLimitWarnings(users, inbounds, means), ...this.#speedWarnings(inbounds)];
  }

  detach(): void {
    this.#speed.detach();
  }

  async remove(): Promise<void> {
    if (this.#objection !== undefined && this.#refusal === undefined) await this.#speed.remove();
  }

  /** An agent before this one may have left limits in the kernel that nobody has any more. */
  async #forget(): Promise<void> {
    if (this.#forgotten) return;
    this.#forgotten = true;
    // Where nft may not or is not there, there is nothing to forget.
    await this.#speed
      .set(new Map())
      .catch((error: unknown) => this.#context.log("debug", "no speed limits to take back", { error: String(error) }));
  }

  #speedWarnings(inbounds: readonly CompiledInbound[]): AgentNotice[] {
    if (this.#limited === 0) return [];
    if (this.#refusal !== undefined) return [hostNotice("speed_limit_unheld", this.#limited, this.#refusal)];
    if (!this.#sessions) return [hostNotice("speed_limit_anonymous", this.#limited)];
    const unheld = inbounds.filter(({ anonymous, networks }) => anonymous || networks.includes("udp"));
    if (unheld.length === 0) return [];
    return [hostNotice("speed_limit_partly", this.#limited, ...unheld.map(({ tag }) => tag))];
  }
}
