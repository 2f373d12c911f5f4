// Sends the deliveries of one subscriber: different subjects in parallel, the deliveries of one subject in order.
//
// Invariants: at most one lane works on a subject; a lane ends at its first delivery that was not delivered; nothing is
// sent without a valid lease.
import PQueue from "p-queue";
import type { DueDelivery } from "./due.queries.ts";

/**
 * `sent`: go on. `failed`: recorded, to be tried later. `halted`: nothing was recorded (no lease, no subscriber, no
 * database); only the next poll tries again.
 */
export type Sent = "sent" | "failed" | "halted";

export interface QueueDeps {
  /** Deliveries that are due, without those of the subjects given. */
  due(busy: ReadonlySet<string>, limit: number): Promise<readonly DueDelivery[]>;
  putOff(deliveries: readonly DueDelivery[]): Promise<void>;
  /** Sends one and records what came of it. Never rejects. */
  send(delivery: DueDelivery): Promise<Sent>;
  /** Whether this process may send to the subscriber now. */
  mayRun(): boolean;
  onError(error: unknown): void;
}

/** Lanes of one subscriber at once; fewer while its last attempt failed, so that a dead receiver costs little. */
const LANES = 8;
const LANES_WHILE_FAILING = 2;
const BATCH = 64;

export class SubscriberQueue {
  /** Unix milliseconds until which this process may send; kept by the dispatcher. */
  leaseUntil = 0;
  readonly #deps: QueueDeps;
  readonly #lanes = new PQueue({ concurrency: LANES });
  readonly #busy = new Set<string>();
  #again = false;
  #filling: Promise<void> | undefined;

  constructor(deps: QueueDeps) {
    this.#deps = deps;
  }

  /** Something may be due. Calls while it is being looked for become one more look. */
  wake(): void {
    this.#again = true;
    this.#filling ??= this.#fill()
      .catch((error: unknown) => this.#deps.onError(error))
      .finally(() => {
        this.#filling = undefined;
        if (this.#again && this.#deps.mayRun()) this.wake();
      });
  }

  /** Resolves when nothing is being looked for or sent. */
  async idle(): Promise<void> {
    while (this.#filling || this.#busy.size > 0) {
      await this.#filling;
      await this.#lanes.onIdle();
    }
  }

  async #fill(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      await this.#lanes.onSizeLessThan(1);
      if (!this.#deps.mayRun()) return;
      const due = await this.#deps.due(this.#busy, BATCH);
      const { ready, held } = sortOut(due);
      await this.#deps.putOff(held);
      for (const lane of Map.groupBy(ready, ({ subject }) => subject).values()) this.#open(lane);
      if (due.length === BATCH) this.#again = true;
    }
  }

  #open(lane: readonly DueDelivery[]): void {
    const [first] = lane;
    if (!first) return;
    this.#busy.add(first.subject);
    void this.#lanes.add(async () => {
      const last = await this.#run(lane);
      this.#busy.delete(first.subject);
      // What was raised on this subject meanwhile was left out of every look.
      if (last !== "halted") this.wake();
    });
  }

  async #run(lane: readonly DueDelivery[]): Promise<Sent> {
    for (const delivery of lane) {
      const sent = await this.#deps.send(delivery);
      if (sent !== "halted") this.#lanes.concurrency = sent === "sent" ? LANES : LANES_WHILE_FAILING;
      if (sent !== "sent") return sent;
    }
    return "sent";
  }
}

/**
 * Splits off what an earlier delivery of its subject holds back, unless that one is about to be sent in the same lane.
 * The rest in order.
 */
function sortOut(due: readonly DueDelivery[]): { ready: DueDelivery[]; held: DueDelivery[] } {
  const ids = new Set(due.map(({ id }) => id));
  const isHeld = ({ blocker }: DueDelivery): boolean => blocker !== undefined && !ids.has(blocker.id);
  return {
    ready: due.filter((delivery) => !isHeld(delivery)).toSorted((a, b) => a.raisedAt - b.raisedAt || a.id - b.id),
    held: due.filter(isHeld),
  };
}
