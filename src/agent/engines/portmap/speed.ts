// Speed limits of users for engines that have none: the kernel polices the TCP connections that are known to be a
// user's. UDP is not limited: QUIC under a dropping limit stalls.
import PQueue from "p-queue";
import type { Log } from "../../problem-log.ts";
import { netAdmin } from "../../net-admin/index.ts";
import type { LimitedSession, SpeedTable } from "../../net-admin/nft/speed-table.ts";

/** A new connection is free of its user's limit for at most this long. */
const LOOK_EVERY_MS = 1000;
const PATIENCE_MS = 30_000;

export interface SpeedLimitsOptions {
  /** The driver's directory: its table is found again by it. */
  readonly directory: string;
  /** Connections that are open now. Asked each second while anybody has a limit, else never. */
  readonly sessions: () => Promise<readonly LimitedSession[]>;
  readonly log: Log;
  readonly everyMs?: number;
}

/**
 * Limits that the kernel keeps for as long as this object renews them. A user's connections share one limit, one for
 * each direction.
 */
export class SpeedLimits {
  readonly #options: SpeedLimitsOptions;
  readonly #table: SpeedTable;
  #limits: ReadonlyMap<number, number> = new Map();
  #timer: NodeJS.Timeout | undefined;
  /** One step at a time. */
  readonly #steps = new PQueue({ concurrency: 1 });
  #failedAt: number | undefined;
  /** On a busy machine a look may take longer than the time between two. */
  #looking = false;

  constructor(options: SpeedLimitsOptions) {
    this.#options = options;
    this.#table = netAdmin().speedTable(options.directory);
  }

  /**
   * Makes these the limits, in bytes per second and direction by user; who is not in it, or has 0, has none. Open
   * connections are taken over at once.
   */
  async set(limits: ReadonlyMap<number, number>): Promise<void> {
    this.#limits = new Map([...limits].filter(([, rate]) => rate > 0));
    this.#failedAt = undefined;
    await this.#renew();
    clearInterval(this.#timer);
    this.#timer =
      this.#limits.size === 0
        ? undefined
        : setInterval(() => this.#look(), this.#options.everyMs ?? LOOK_EVERY_MS).unref();
  }

  /** Takes all limits back. */
  async remove(): Promise<void> {
    this.detach();
    this.#limits = new Map();
    await this.#steps.add(() => this.#table.takeAway());
  }

  /** Lets go of the limits and leaves them as they are: open connections keep them until the next agent looks. */
  detach(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    if (this.#looking || (this.#failedAt !== undefined && performance.now() - this.#failedAt < PATIENCE_MS)) return;
    this.#looking = true;
    this.#renew()
      .catch((error: unknown) => {
        this.#failedAt = performance.now();
        this.#options.log("warn", "speed limits could not be renewed", { error: String(error) });
      })
      .finally(() => (this.#looking = false));
  }

  async #renew(): Promise<void> {
    await this.#steps.add(async () => {
      if (this.#limits.size === 0) return this.#table.takeAway();
      return this.#table.hold(this.#limits, await this.#options.sessions());
    });
  }
}
