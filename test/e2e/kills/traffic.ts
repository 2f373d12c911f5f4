// One user's downloads during kills, one after another, each a new connection; and when how much had arrived.
import { setTimeout as pause } from "node:timers/promises";
import type { ProxyClient } from "../client.ts";
import type { UserAnswer } from "../api.ts";
import type { Download } from "../download.ts";
import type { E2ePanel } from "../panel.ts";
import { startStopwatch } from "../../stopwatch.ts";

const MB = 1_000_000;
const SAMPLE_MS = 50;
/** After a connection that was cut or refused. */
const AGAIN_MS = 100;
const FIRST_MS = 10_000;

/** A download that did not come to its end. `at`: milliseconds of `performance.now`. */
export interface Cut {
  readonly at: number;
  readonly reason: string;
}

export class Traffic {
  readonly user: UserAnswer;
  readonly cuts: Cut[] = [];
  readonly #next: () => Download;
  readonly #run: Promise<void>;
  readonly #sampler: NodeJS.Timeout;
  /** What had arrived by then. */
  readonly #samples: { at: number; bytes: number }[] = [];
  #current: Download;
  #ended = 0;
  #longestGap = 0;
  #ending = false;

  /** Resolves when the first bytes have arrived. An engine that is exchanged for a new user refuses him until then. */
  static async of(panel: E2ePanel, user: UserAnswer): Promise<Traffic> {
    const client: ProxyClient = await panel.clientOf(user);
    const next = (): Download => panel.download(client, 4 * MB, MB);
    for (const elapsed = startStopwatch(); ;) {
      const first = next();
      if (await first.reached(1)) return new Traffic(user, first, next);
      if (elapsed() > FIRST_MS) await first.finished;
      await pause(AGAIN_MS);
    }
  }

  private constructor(user: UserAnswer, first: Download, next: () => Download) {
    this.user = user;
    this.#current = first;
    this.#next = next;
    this.#sampler = setInterval(() => this.#samples.push({ at: performance.now(), bytes: this.payload }), SAMPLE_MS);
    this.#run = this.#loop();
  }

  /** Bytes that arrived so far, those of cut downloads included. */
  get payload(): number {
    return this.#ended + this.#current.received;
  }

  /** The longest time between two pieces of one download, in milliseconds of a quiet machine. */
  get longestGap(): number {
    return this.#longestGap;
  }

  /** Bytes that arrived between two times of `performance.now`. */
  between(from: number, to: number): number {
    return this.#by(to) - this.#by(from);
  }

  /** When the first byte arrived after a time of `performance.now`; that time itself when none did. */
  nextAfter(at: number): number {
    const before = this.#by(at);
    return this.#samples.find((sample) => sample.at > at && sample.bytes > before)?.at ?? at;
  }

  /** Lets the last download finish. */
  async end(): Promise<void> {
    this.#ending = true;
    await this.#run;
    clearInterval(this.#sampler);
  }

  #by(at: number): number {
    return this.#samples.find((sample) => sample.at >= at)?.bytes ?? this.payload;
  }

  async #loop(): Promise<void> {
    for (;;) {
      const download = this.#current;
      const reason = await download.finished.then(
        () => undefined,
        (error: unknown) => String(error),
      );
      this.#longestGap = Math.max(this.#longestGap, download.longestGap);
      if (reason !== undefined) {
        this.cuts.push({ at: performance.now(), reason });
        await pause(AGAIN_MS);
      }
      if (this.#ending) return;
      // Both in one step: a sample in between would miss what the ended download brought.
      this.#ended += download.received;
      this.#current = this.#next();
    }
  }
}
