// The dispatcher: finds subscribers with due deliveries, takes the lease on them, and keeps their queues going (rules
// events.delivery).
//
// One process at a time sends to a subscriber (a lease row, 15 s), which is what keeps order; several processes share
// out the subscribers. The truth is the table: a poll finds what is due, commits of this process only bring the look
// forward, and nothing is held that a restart would lose.
import PQueue from "p-queue";
import type { Committed, Committer, Reader } from "../db/index.ts";
import type { SignalTable } from "../lib/signal-table.ts";
import type { Signal, Signals } from "../lib/signals.ts";
import { EVENT } from "../runtime/index.ts";
import { attempt, type AttemptDeps, type Outcome } from "./attempt.ts";
import { DeliveryRows, type DeliveryRow } from "./delivery.entity.ts";
import { recordAttempt } from "./delivery.commands.ts";
import {
  claimSubscribers,
  dueDeliveries,
  dueSubscribers,
  putOff,
  releaseSubscribers,
  type DueDelivery,
} from "./due.queries.ts";
import type { Log } from "./log.ts";
import { SubscriberQueue, type Sent } from "./subscriber-queue.ts";
import type { Subscribers } from "./subscribers.ts";
import { WebhookRows } from "./webhook.entity.ts";

export interface DispatcherDeps extends AttemptDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly subscribers: Subscribers;
  /** Names this process in leases; another one after every start where there may be several processes. */
  readonly owner: string;
  /** [0, 1): the spread of retries. */
  readonly random: () => number;
  readonly log: Log;
  /** Hears of attempts, and of how many wait. */
  readonly signals: Signals;
}

const POLL_MS = 1000;
const LEASE_MS = 15_000;
/** Renewed when less than this is left: several polls may fail before a lease is lost. */
const RENEW_MS = 10_000;
/** Maximum number of parallel requests to all subscribers. */
const REQUESTS = 256;

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #queues = new Map<number, SubscriberQueue>();
  readonly #requests = new PQueue({ concurrency: REQUESTS });
  readonly #ending = new AbortController();
  readonly #attempts: Signal<SignalTable["webhook.attempt"]>;
  readonly #depths: Signal<SignalTable["webhook.depth"]>;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#attempts = deps.signals.of("webhook.attempt");
    this.#depths = deps.signals.of("webhook.depth");
  }

  /** Begins to poll and to follow commits. */
  start(): void {
    this.#timer ??= setInterval(() => this.#look(), POLL_MS);
    this.#look();
  }

  /** Aborts running requests without counting them as failed, and releases the leases. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.idle();
    if (this.#queues.size === 0) return;
    this.#queues.clear();
    const { commits, reads, owner, log } = this.#deps;
    try {
      await releaseSubscribers(commits, reads, owner);
    } catch (error) {
      log.warn({ err: error }, "leases on webhooks could not be given up; they run out by themselves");
    }
  }

  /** Looks once for what is due, and resolves when everything found was sent or put off. For tests and for a drain. */
  async poll(): Promise<void> {
    this.#look();
    await this.idle();
  }

  /** Resolves when nothing is being looked for or sent. */
  async idle(): Promise<void> {
    do {
      await this.#looking;
      await Promise.all([...this.#queues.values()].map((queue) => queue.idle()));
    } while (this.#looking);
  }

  /** Follows commits: a new delivery is sent at once, a webhook that was switched on goes on. Only while started. */
  follow({ changes, facts, remote }: Committed): void {
    if (!this.#timer) return;
    // Another process's deliveries are not told of one by one; whose turn it is to send them, the look tells.
    if (remote && facts.has(EVENT)) this.#look();
    for (const { table, after } of changes) {
      if (table === WebhookRows.name) this.#look();
      else if (table === DeliveryRows.name && after?.["state"] === "pending") this.#wake(Number(after["subscriberId"]));
    }
  }

  #wake(subscriberId: number): void {
    const queue = this.#queues.get(subscriberId);
    if (queue && queue.leaseUntil > this.#deps.now()) queue.wake();
    else this.#look();
  }

  #look(): void {
    this.#lookAgain = true;
    this.#looking ??= this.#lookUntilDone().finally(() => {
      this.#looking = undefined;
    });
  }

  async #lookUntilDone(): Promise<void> {
    while (this.#lookAgain && !this.#ending.signal.aborted) {
      this.#lookAgain = false;
      try {
        await this.#lookOnce();
      } catch (error) {
        // The next poll tries again; until then no new request starts.
        this.#deps.log.warn({ err: error }, "due deliveries could not be read");
      }
    }
  }

  async #lookOnce(): Promise<void> {
    const { commits, reads, owner } = this.#deps;
    const now = this.#deps.now();
    this.#forget();
    const ids = await dueSubscribers(reads, owner, now);
    const claimable = ids.filter((id) => (this.#queues.get(id)?.leaseUntil ?? 0) < now + RENEW_MS);
    if (claimable.length > 0) {
      const until = now + LEASE_MS;
      for (const id of await claimSubscribers(commits, reads, { ids: claimable, owner, now, until }))
        this.#queueOf(id).leaseUntil = until;
    }
    for (const id of ids) {
      const queue = this.#queues.get(id);
      if (queue && queue.leaseUntil > now) queue.wake();
    }
  }

  /** Lets go of the queues of webhooks that were deleted. */
  #forget(): void {
    for (const id of this.#queues.keys()) if (!this.#deps.subscribers.get(id)) this.#queues.delete(id);
  }

  #queueOf(subscriberId: number): SubscriberQueue {
    const known = this.#queues.get(subscriberId);
    if (known) return known;
    const { commits, reads, now, log } = this.#deps;
    const queue: SubscriberQueue = new SubscriberQueue({
      due: (busy, limit) => dueDeliveries(reads, subscriberId, now(), busy, limit),
      putOff: (deliveries) => putOff(commits, reads, deliveries),
      send: (delivery) =>
        this.#inTurn(() => this.#send(subscriberId, delivery, () => this.#mayRun(subscriberId, queue))),
      mayRun: () => this.#mayRun(subscriberId, queue),
      onError: (error) => log.warn({ err: error, webhook: subscriberId }, "due deliveries could not be read"),
    });
    this.#queues.set(subscriberId, queue);
    return queue;
  }

  #mayRun(subscriberId: number, queue: SubscriberQueue): boolean {
    const enabled = this.#deps.subscribers.get(subscriberId)?.enabled === true;
    return enabled && queue.leaseUntil > this.#deps.now() && !this.#ending.signal.aborted;
  }

  /** Sends when there is a place, and tells at each change how many wait. */
  async #inTurn(send: () => Promise<Sent>): Promise<Sent> {
    const sent = this.#requests.add(send);
    this.#tellDepth();
    try {
      return await sent;
    } finally {
      this.#tellDepth();
    }
  }

  #tellDepth(): void {
    if (this.#depths.heard) this.#depths.tell({ waiting: this.#requests.size, running: this.#requests.pending });
  }

  async #send(subscriberId: number, delivery: DueDelivery, mayRun: () => boolean): Promise<Sent> {
    const webhook = this.#deps.subscribers.get(subscriberId);
    if (!webhook || !mayRun()) return "halted";
    const begun = this.#attempts.begun();
    const outcome = await attempt(this.#deps, webhook, delivery, this.#ending.signal);
    const ended = outcome ? await this.#record(subscriberId, delivery, outcome) : "halted";
    if (begun !== undefined)
      this.#attempts.tell({
        webhookId: subscriberId,
        ended,
        status: outcome?.status ?? 0,
        ms: this.#attempts.since(begun),
      });
    return ended === "dead" ? "failed" : ended;
  }

  /** Records what came of an attempt. */
  async #record(subscriberId: number, delivery: DueDelivery, outcome: Outcome): Promise<Sent | "dead"> {
    let recorded: DeliveryRow | undefined;
    try {
      const chance = this.#deps.random();
      recorded = await recordAttempt(this.#deps.commits, {
        deliveryId: delivery.id,
        subscriberId,
        attempts: delivery.attempts,
        outcome,
        chance,
      });
    } catch (error) {
      // It stays pending as it was and is sent again: at least once.
      this.#deps.log.warn(
        { err: error, webhook: subscriberId, delivery: delivery.id },
        "the outcome of a delivery could not be recorded",
      );
      return "halted";
    }
    if (recorded?.state === "dead") {
      this.#deps.log.warn(
        { webhook: subscriberId, delivery: delivery.id, error: recorded.lastError },
        "a delivery was given up",
      );
      return "dead";
    }
    return outcome.delivered ? "sent" : "failed";
  }
}
