// The usage ledger: what the engine's counters say was used, in numbered batches, each kept on disk until the panel has
// acknowledged it (rules agents.ledger).
//
// Invariants, at every instant, whichever process is killed:
// - A batch's rows and the counter values they were taken from are one append: both are on disk or neither is.
// - A batch that may have been sent never changes again. Only the newest batch grows, while it has not been sent in
//   this process's life; what an earlier process left is taken as sent.
// - Bytes that could not be written are kept in `unsaved` and counted from there, not read again.
import { rename } from "node:fs/promises";
import PQueue from "p-queue";
import type { UsageBatch } from "../protocol/messages.ts";
import { engineUserName, parseEngineUserName } from "../protocol/plan.ts";
import { Batch } from "./batch.ts";
import type { Delta } from "./batch.ts";
import type { CounterReading } from "./engines/contract/driver.ts";
import { LedgerRecord } from "./ledger-records.ts";
import type { UseRecord } from "./ledger-records.ts";
import { RecordLog } from "./record-log.ts";
import type { OpenRecordFile } from "./record-log.ts";

const COMPACT_BYTES = 4 << 20;
const ROWS_PER_RECORD = 20_000;

export interface LedgerOptions {
  readonly path: string;
  /** A fresh UUID; asked once for every new ledger file. */
  readonly newBootId: () => string;
  readonly openFile?: OpenRecordFile;
  readonly onProblem?: (problem: string, error?: unknown) => void;
  /** The file is rewritten when it has grown by this much beyond its last rewrite. */
  readonly compactBytes?: number;
}

interface Counter {
  readonly userId: number;
  readonly inboundId: number;
  up: number;
  down: number;
}

/** Counted, not on disk yet: bytes, and the counter values that they lead to. */
interface Unsaved extends Delta {
  readonly counterUp: number;
  readonly counterDown: number;
}

export class Ledger {
  readonly #options: LedgerOptions;
  readonly #log: RecordLog;
  readonly #queue = new PQueue({ concurrency: 1 });
  #bootId = "";
  #acknowledged = 0;
  #seq = 0;
  #instance = "";
  #counters = new Map<string, Counter>();
  readonly #batches = new Map<number, Batch>();
  /** The newest batch while it may still grow. */
  #growing: Batch | undefined;
  /** An append to the newest batch is running: the batch must not be sent. */
  #writing = false;
  #unsaved = new Map<string, Unsaved>();
  /** Unix second of the reading before. */
  #readAt = 0;
  /** The file was damaged: the first reading only sets the counters, since what was counted before is unknown. */
  #rebase = false;
  #rewrittenSize = 0;

  private constructor(options: LedgerOptions, log: RecordLog) {
    this.#options = options;
    this.#log = log;
  }

  /**
   * Opens or begins the ledger. A damaged file (not merely an unfinished append) is set aside and a new ledger begun:
   * traffic is rather lost than counted twice.
   */
  static async open(options: LedgerOptions): Promise<Ledger> {
    const opened = await RecordLog.open(options.path, options.openFile);
    const records = opened.records.map((record) => LedgerRecord.safeParse(record));
    if (opened.damaged || records.some((record) => !record.success)) {
      await opened.log.close();
      await rename(options.path, `${options.path}.damaged`);
      options.onProblem?.(
        "the usage ledger was damaged and is begun anew; traffic since the last acknowledged batch may be lost",
      );
      const fresh = new Ledger(options, (await RecordLog.open(options.path, options.openFile)).log);
      fresh.#rebase = true;
      await fresh.#begin();
      return fresh;
    }
    const ledger = new Ledger(options, opened.log);
    if (opened.cut > 0) options.onProblem?.(`an unfinished append of ${opened.cut} bytes was cut off the usage ledger`);
    for (const record of records) if (record.success) ledger.#replay(record.data);
    if (ledger.#bootId === "") await ledger.#begin();
    ledger.#rewrittenSize = opened.log.size;
    return ledger;
  }

  get bootId(): string {
    return this.#bootId;
  }

  /** Highest batch that the panel has acknowledged. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Batches on disk that wait for the panel. */
  get waiting(): number {
    return this.#batches.size;
  }

  /** Whether counted traffic is not on disk, because the disk refuses it. */
  get behind(): boolean {
    return this.#unsaved.size > 0;
  }

  /**
   * Counts a reading taken at `at` (Unix seconds) and writes it down. Resolves to what was new in it. Never rejects for
   * a disk that refuses: the next reading tries again.
   */
  async record(reading: CounterReading, at: number): Promise<readonly Delta[]> {
    return this.#queue.add(async () => {
      const deltas = this.#count(reading, at);
      await this.#save(at);
      return deltas;
    });
  }

  /** The oldest waiting batch, which from now on may not change; undefined when there is none that may be sent. */
  next(): UsageBatch | undefined {
    const [batch] = this.#batches.values();
    if (batch === undefined || this.#log.torn || (this.#writing && batch === this.#growing)) return undefined;
    if (batch === this.#growing) this.#growing = undefined;
    return batch.message(this.#bootId);
  }

  /**
   * The panel has every batch up to `seq` on its disk: they are dropped. Numbers beyond the last batch are taken as the
   * last.
   */
  async acknowledge(seq: number): Promise<void> {
    await this.#queue.add(async () => {
      const upTo = Math.min(seq, this.#seq);
      if (upTo <= this.#acknowledged) return;
      this.#acknowledged = upTo;
      for (const batch of this.#batches.keys()) if (batch <= upTo) this.#batches.delete(batch);
      if (this.#growing !== undefined && this.#growing.seq <= upTo) this.#growing = undefined;
      // Losing this record is harmless: the batch is sent again and the panel, which has it, acknowledges again.
      await this.#attempt("the acknowledgement", () => this.#log.append([{ t: "ack", seq: upTo }]));
      await this.#compact();
    });
  }

  async close(): Promise<void> {
    await this.#queue.onIdle();
    await this.#log.close();
  }

  #count(reading: CounterReading, at: number): readonly Delta[] {
    const deltas: Delta[] = [];
    if (reading.instance !== this.#instance) {
      this.#live(reading.instance);
      // Unsaved usage belongs to the former life; in the new one these counters are zero.
      for (const [name, row] of this.#unsaved) this.#unsaved.set(name, { ...row, counterUp: 0, counterDown: 0 });
    }
    for (const [name, { up, down }] of reading.users) {
      const parsed = parseEngineUserName(name);
      if (parsed === undefined) continue;
      const counter = this.#counters.get(name);
      // A counter below its last value started again: all it says is new.
      const began = counter === undefined || up < counter.up || down < counter.down;
      const delta = { ...parsed, up: began ? up : up - counter.up, down: began ? down : down - counter.down, at };
      if (counter === undefined) this.#counters.set(name, { ...parsed, up, down });
      else {
        counter.up = up;
        counter.down = down;
      }
      if ((delta.up === 0 && delta.down === 0) || this.#rebase) continue;
      deltas.push(delta);
      const waiting = this.#unsaved.get(name);
      this.#unsaved.set(name, {
        ...delta,
        up: delta.up + (waiting?.up ?? 0),
        down: delta.down + (waiting?.down ?? 0),
        counterUp: up,
        counterDown: down,
      });
    }
    return deltas;
  }

  async #save(at: number): Promise<void> {
    const from = this.#readAt === 0 ? at : this.#readAt;
    if (this.#rebase) {
      this.#rebase = false;
      this.#rebase = !(await this.#attempt("the counters", () => this.#rewrite()));
      this.#readAt = at;
      return;
    }
    const rows = [...this.#unsaved.values()];
    for (let start = 0; start < rows.length; start += ROWS_PER_RECORD) {
      if (!(await this.#saveRows(rows.slice(start, start + ROWS_PER_RECORD), from, at))) return;
    }
    this.#readAt = at;
    await this.#compact();
  }

  async #saveRows(rows: readonly Unsaved[], from: number, at: number): Promise<boolean> {
    const grow = this.#growing?.takes(rows.length, at) ? this.#growing : undefined;
    const batch = grow ?? new Batch(this.#seq + 1, from, at);
    const record: UseRecord = {
      t: "use",
      seq: batch.seq,
      from,
      to: at,
      instance: this.#instance,
      rows: rows.map((row) => [row.userId, row.inboundId, row.up, row.down, row.at, row.counterUp, row.counterDown]),
    };
    this.#writing = true;
    const written = await this.#attempt("usage", () => this.#log.append([record]));
    this.#writing = false;
    if (!written) return false;
    this.#seq = batch.seq;
    this.#batches.set(batch.seq, batch);
    this.#growing = batch;
    batch.cover(from, at);
    for (const row of rows) {
      batch.add(row);
      this.#unsaved.delete(engineUserName(row.userId, row.inboundId));
    }
    return true;
  }

  async #compact(): Promise<void> {
    if (this.#log.size < 2 * this.#rewrittenSize + (this.#options.compactBytes ?? COMPACT_BYTES)) return;
    // Counters in memory may be ahead of the disk; written down without their bytes they would lose them.
    if (this.#unsaved.size > 0) return;
    await this.#attempt("the rewritten ledger", () => this.#rewrite());
  }

  async #rewrite(): Promise<void> {
    await this.#log.rewrite(this.#snapshot());
    this.#rewrittenSize = this.#log.size;
  }

  *#snapshot(): Iterable<LedgerRecord> {
    yield {
      t: "head",
      version: 1,
      bootId: this.#bootId,
      acknowledged: this.#acknowledged,
      seq: this.#seq,
      rebase: this.#rebase,
    };
    const counters = [...this.#counters.values()];
    for (let start = 0; start < counters.length; start += ROWS_PER_RECORD) {
      const part = counters.slice(start, start + ROWS_PER_RECORD);
      yield {
        t: "life",
        instance: this.#instance,
        counters: part.map(({ userId, inboundId, up, down }) => [userId, inboundId, up, down]),
      };
    }
    for (const batch of this.#batches.values()) {
      const { seq, from, to, rows } = batch.message(this.#bootId);
      for (let start = 0; start < rows.length; start += ROWS_PER_RECORD)
        yield { t: "wait", seq, from, to, rows: rows.slice(start, start + ROWS_PER_RECORD) };
    }
  }

  async #begin(): Promise<void> {
    this.#bootId = this.#options.newBootId();
    await this.#rewrite();
  }

  /**
   * Carries one record of the file into memory. Runs only while opening, so every batch it makes is left alone
   * afterwards.
   */
  #replay(record: LedgerRecord): void {
    switch (record.t) {
      case "head":
        this.#bootId = record.bootId;
        this.#acknowledged = record.acknowledged;
        this.#seq = record.seq;
        this.#rebase = record.rebase;
        return;
      case "life":
        this.#live(record.instance);
        for (const [userId, inboundId, up, down] of record.counters)
          this.#counters.set(engineUserName(userId, inboundId), { userId, inboundId, up, down });
        return;
      case "use":
        this.#live(record.instance);
        for (const [userId, inboundId, , , , up, down] of record.rows)
          this.#counters.set(engineUserName(userId, inboundId), { userId, inboundId, up, down });
        this.#refill(record.seq, record.from, record.to, record.rows);
        this.#readAt = record.to;
        return;
      case "wait":
        return this.#refill(record.seq, record.from, record.to, record.rows);
      case "ack":
        this.#acknowledged = record.seq;
        for (const seq of this.#batches.keys()) if (seq <= record.seq) this.#batches.delete(seq);
    }
  }

  #live(instance: string): void {
    if (instance === this.#instance) return;
    this.#instance = instance;
    this.#counters = new Map();
  }

  #refill(
    seq: number,
    from: number,
    to: number,
    rows: readonly (readonly [number, number, number, number, number, ...number[]])[],
  ): void {
    this.#seq = Math.max(this.#seq, seq);
    const batch = this.#batches.get(seq) ?? new Batch(seq, from, to);
    this.#batches.set(seq, batch);
    batch.cover(from, to);
    for (const [userId, inboundId, up, down, at] of rows) batch.add({ userId, inboundId, up, down, at });
  }

  async #attempt(what: string, write: () => Promise<void>): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      this.#options.onProblem?.(`${what} could not be written to ${this.#options.path}`, error);
      return false;
    }
  }
}
