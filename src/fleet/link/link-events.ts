// Sends the events of a linked agent to the node's chart: it runs the desired state, with these warnings, or its engine
// refuses. Each event is sent once, and again when it changes.
import type { Clock } from "../../lib/clock.ts";
import { plainLine } from "../../protocol/said-text.ts";
import type { Send } from "../../runtime/index.ts";
import type { LedgerRefused } from "./ledgers.ts";
import type { Notice } from "../records/notice.schema.ts";
import { codedNotices, keptNotices, notice } from "../records/notices.ts";
import { Paced } from "./paced.ts";

/** Warnings that change faster are sent at this pace; only the latest is sent. */
const WARNINGS_PACE_MS = 10_000;
/** What an engine says of a configuration may name several items. */
const REFUSAL_BYTES = 900;
/** A connection that served for so long was a good one; earlier failures no longer count. */
export const TRUSTED_MS = 600_000;

export interface LinkEventsOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly send: Send;
  /** Whether events of this link still concern the node: another process may hold it now. */
  readonly held: () => boolean;
  /** What the engine fails with, whatever configuration it was given. */
  readonly engineFailure: () => string | undefined;
}

export class LinkEvents {
  readonly #options: LinkEventsOptions;
  readonly #warnings: Paced<readonly Notice[]>;
  /** The warnings that the chart got with the last event that the agent runs the desired state. */
  #told: string | undefined;
  #syncedAt: number | undefined;
  /** The agent's warnings as it said them last, and one of ours. */
  #said: readonly Notice[] = [];
  #refusedLedger: Notice | undefined;

  constructor(options: LinkEventsOptions) {
    this.#options = options;
    this.#warnings = new Paced(options.clock, WARNINGS_PACE_MS, (warnings) => void this.#tell(warnings));
  }

  /** The chart knows that the agent runs what is wanted. */
  get told(): boolean {
    return this.#told !== undefined;
  }

  /** Milliseconds since it was told first. */
  get servedMs(): number {
    return this.#syncedAt === undefined ? 0 : this.#options.clock.now() - this.#syncedAt;
  }

  /** The agent runs what is wanted. */
  synced(said: readonly Notice[]): void {
    this.#said = said;
    const failure = this.#options.engineFailure();
    if (failure !== undefined) return this.refused(failure);
    const warnings = this.#refusedLedger === undefined ? said : [this.#refusedLedger, ...said];
    if (this.#told === undefined) void this.#tell(warnings);
    else if (this.#warnings.waiting || this.#told !== textOf(keptNotices(warnings))) this.#warnings.offer(warnings);
  }

  /** The engine does not carry what is wanted. The link goes on; the chart says when the engine is asked again. */
  refused(message: string): void {
    const { held, random, send } = this.#options;
    if (!held()) return;
    this.#warnings.stop();
    this.#told = undefined;
    const steady = this.#syncedAt !== undefined && this.servedMs >= TRUSTED_MS;
    void send({ type: "link.refused", message: plainLine(message, REFUSAL_BYTES), jitter: random(), steady });
  }

  /** A ledger that is refused is said on the node, for as long as the connection lasts. */
  ledgerRefused({ most, message }: LedgerRefused): void {
    if (this.#refusedLedger !== undefined) return;
    this.#refusedLedger = notice("ledgers", [most], message);
    if (this.told) this.synced(this.#said);
  }

  /** The connection is over. */
  stop(): void {
    this.#warnings.stop();
    this.#refusedLedger = undefined;
  }

  async #tell(said: readonly Notice[]): Promise<void> {
    const { clock, held, send } = this.#options;
    const notices = keptNotices(said);
    const text = textOf(notices);
    if (this.#told === text || !held()) return;
    const type = this.#told === undefined ? "link.synced" : "link.warned";
    this.#told = text;
    this.#syncedAt ??= clock.now();
    await send({ type, warnings: notices.map(({ detail }) => detail), notices: codedNotices(notices) });
  }
}

function textOf(notices: readonly Notice[]): string {
  return JSON.stringify(notices);
}
