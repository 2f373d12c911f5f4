// An agent that an earlier version left running with more rights than it needs: when it may be replaced without cutting
// anybody off.
import type { Clock } from "../../lib/clock.ts";
import { userOf } from "../../lib/proc.ts";
import { enginesOf, isAnybodyConnected } from "./agent-connections.ts";
import type { AgentProcess } from "./agent-process.ts";
import { hasMoreRights, isAgentUser } from "./agent-user.ts";

/** How often it is looked who is connected, how long nobody must have been, and how long it may go on at most. */
const LOOK_MS = 2000;
const QUIET_MS = 6000;
const LATEST_MS = 6 * 3_600_000;

export interface HandoverOptions {
  readonly nodeId: number;
  readonly home: string;
  readonly clock: Clock;
  readonly log: (level: "info" | "warn" | "error", message: string, fields: Record<string, unknown>) => void;
  /** Whether another one could be confined. */
  readonly confines: () => Promise<boolean>;
}

export class Handover {
  readonly #options: HandoverOptions;
  readonly #since: number;
  /** Since when nobody was seen connected through it. */
  #quietSince: number | undefined;
  #lookedAt: number;
  #looking = false;

  constructor(options: HandoverOptions) {
    this.#options = options;
    this.#since = options.clock.now();
    this.#lookedAt = this.#since;
  }

  /** `replace` once nobody is connected through it; `keep` when there is no reason to, or no way. Never rejects. */
  async look(running: AgentProcess): Promise<"wait" | "replace" | "keep"> {
    const { clock, confines, log, nodeId } = this.#options;
    if (this.#looking || Math.abs(clock.now() - this.#lookedAt) < LOOK_MS) return "wait";
    // One that was found in the moment of its start was still becoming the user that it is now.
    if (!hasMoreRights(running.pid)) return "keep";
    this.#looking = true;
    try {
      if (!(await confines())) return "keep";
      if (this.#lookedAt === this.#since) this.#announce(running);
      const busy = await this.#isBusy(running);
      const now = clock.now();
      this.#lookedAt = now;
      this.#quietSince = busy ? undefined : (this.#quietSince ?? now);
      const quiet = this.#quietSince !== undefined && now - this.#quietSince >= QUIET_MS;
      if (!quiet && now - this.#since < LATEST_MS) return "wait";
      log("info", "a local agent that ran as root is replaced by one with a user of its own", {
        nodeId,
        somebodyWasConnected: busy,
      });
      return "replace";
    } catch (error) {
      log("warn", "it was not found out who is connected through a local agent", { nodeId, error: String(error) });
      return "wait";
    } finally {
      this.#looking = false;
    }
  }

  #announce({ pid }: AgentProcess): void {
    const rights = isAgentUser(userOf(pid) ?? 0)
      ? "may change the network of the whole machine"
      : "runs as root, with the rights of the panel";
    this.#options.log("warn", `a local agent ${rights}: it is replaced as soon as nobody is connected through it`, {
      nodeId: this.#options.nodeId,
      latestHours: LATEST_MS / 3_600_000,
    });
  }

  async #isBusy({ pid, listen }: AgentProcess): Promise<boolean> {
    const pids = [pid, ...enginesOf(this.#options.home)];
    return isAnybodyConnected(pids, Number(listen.slice(listen.lastIndexOf(":") + 1)));
  }
}
