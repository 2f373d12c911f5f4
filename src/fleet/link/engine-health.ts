// Whether an agent's engine carries what the agent was told: one that fails for a while does not, although nothing is
// left to push.
import type { Cancel, Clock } from "../../lib/clock.ts";
import type { EngineReport } from "../../protocol/messages.ts";

/** A crashed engine is restarted immediately; this is not reported. */
const FAILING_MS = 5000;
/** One that comes and goes is asked again at the pace of the node's chart, not at its own. */
const WELL_AGAIN_MS = 60_000;

export interface EngineHealthPorts {
  readonly clock: Clock;
  readonly onFailing: (message: string) => void;
  readonly onWell: () => void;
}

export class EngineHealth {
  readonly #ports: EngineHealthPorts;
  /** What it says of its failure; undefined while it does not fail, or not for long yet. */
  #failure: string | undefined;
  #cancel: Cancel | undefined;
  #wellAt: number | undefined;

  constructor(ports: EngineHealthPorts) {
    this.#ports = ports;
  }

  get failure(): string | undefined {
    return this.#failure;
  }

  /** At the greeting: what fails then has been failing. */
  greeted(engine: EngineReport): void {
    this.#failure = failureOf(engine);
  }

  heard(engine: EngineReport): void {
    const failure = failureOf(engine);
    if (failure === undefined) this.#well();
    else if (this.#failure !== undefined) this.#failure = failure;
    else {
      this.#cancel ??= this.#ports.clock.after(FAILING_MS, () => {
        this.#failure = failure;
        this.#ports.onFailing(failure);
      });
    }
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#failure = undefined;
  }

  #well(): void {
    const failed = this.#failure !== undefined;
    this.stop();
    if (!failed) return;
    const now = this.#ports.clock.now();
    const often = this.#wellAt !== undefined && Math.abs(now - this.#wellAt) < WELL_AGAIN_MS;
    this.#wellAt = now;
    if (!often) this.#ports.onWell();
  }
}

/** What an engine says of its failure; undefined where it does not fail. */
export function failureOf({ state, message }: EngineReport): string | undefined {
  return state === "failed" ? message || "the engine fails and does not say why" : undefined;
}
