// Log lines about agents, at a rate that no agent decides: of each node a few a minute, then one that says how many
// were left out. It outlives links, since an agent can end those as well.
import type { Clock } from "../../lib/clock.ts";

/** Lines of one node in a minute. */
const LINES = 5;
const MINUTE_MS = 60_000;

type Log = (level: "warn", message: string, fields: Record<string, unknown>) => void;

export class ProblemLines {
  readonly #clock: Clock;
  readonly #log: Log;
  /** What was said and left out of each node in its minute; only of nodes that had problems in it. */
  readonly #minutes = new Map<number, { lines: number; left: number }>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  say(nodeId: number, problem: string, fields: Record<string, unknown> = {}): void {
    let minute = this.#minutes.get(nodeId);
    if (!minute) {
      this.#minutes.set(nodeId, (minute = { lines: 0, left: 0 }));
      this.#clock.after(MINUTE_MS, () => this.#end(nodeId));
    }
    if (minute.lines === LINES) minute.left++;
    else {
      minute.lines++;
      this.#log("warn", problem, { nodeId, ...fields });
    }
  }

  #end(nodeId: number): void {
    const minute = this.#minutes.get(nodeId);
    this.#minutes.delete(nodeId);
    if (minute && minute.left > 0)
      this.#log("warn", "more problems of an agent were not logged", { nodeId, count: minute.left });
  }
}
