// Records that came as a file for a job and wait for their turn (rule jobs.import.2). What was sent lies in a file of
// the process that took it (`uploads/`).
//
// Where one panel is alone with its database, a job reads its records from that file when their turn comes. Where
// several panels share a database, any of them may go on with a job, on any machine: the records go into rows, by
// parts, before the request is answered, and the file goes. Parts of records and not of bytes, since a step then reads
// what it needs by one key, whoever does it, and what is done is deleted in the step's own commit.
import { sql, sweepRows, type Draft, type Reader, type SweepStore } from "../db/index.ts";
import { spooledFile, type Spool, type Spooled } from "../uploads/index.ts";
import type { FramedLines } from "./framed-lines.ts";
import { JobPartRows } from "./job.entity.ts";

/** Parts that are deleted in one commit. */
const AT_ONCE = 16;
/** Records of a part, and bytes of the file after which a part ends. */
const PART_RECORDS = 500;
const PART_BYTES = 256 * 1024;

/** A record: its id, and what it says. */
export type StagedRecord = readonly [id: number, ...said: unknown[]];

/** Makes records of a file's text, piece by piece. Each file is read by a new one. */
export interface RecordReader {
  push(text: string): readonly StagedRecord[];
  end(): readonly StagedRecord[];
}

export interface StagedLines {
  /** Resolves when every panel that may go on with the job finds the records. Throws 409 for a damaged file. */
  take(file: Spooled, reader: () => RecordReader): Promise<void>;
  /** The part with the first record behind `cursor`; undefined: there is none. Throws 409 for a damaged file. */
  after(job: number, cursor: number, reader: () => RecordReader): Promise<readonly StagedRecord[] | undefined>;
  /** In this draft all up to the record `last` are done. */
  done(draft: Draft, job: number, last: number): void;
  forget(job: number): Promise<void>;
}

export class LineRows implements StagedLines {
  readonly #store: SweepStore;
  readonly #spool: Spool;

  constructor(store: SweepStore, spool: Spool) {
    this.#store = store;
    this.#spool = spool;
  }

  async take(file: Spooled, reader: () => RecordReader): Promise<void> {
    for await (const part of partsOf(this.#spool.read(file), reader())) await this.add(file.id, part);
    await this.#spool.remove(file.id);
  }

  async add(jobId: number, content: readonly StagedRecord[]): Promise<void> {
    await this.#store.commits.submit({
      name: "jobs.stage",
      locks: [],
      decide: (draft) => {
        const id = draft.nextId(JobPartRows.name);
        draft.insert(JobPartRows, { id, jobId, sort: "staged", last: lastOf(content), content: [...content] });
      },
    });
  }

  async after(job: number, cursor: number): Promise<readonly StagedRecord[] | undefined> {
    const [part] = await this.#store.reads.rows(
      JobPartRows,
      sql`select * from job_parts where job_id = ${job} and sort = 'staged' and last > ${cursor} order by last limit 1`,
    );
    return part?.content as readonly StagedRecord[] | undefined;
  }

  done(draft: Draft, jobId: number, last: number): void {
    draft.purge(JobPartRows, { jobId, sort: "staged", last });
  }

  async forget(job: number): Promise<void> {
    await sweepRows(this.#store, {
      name: "jobs.unstage",
      table: "job_parts",
      ids: sql`select id from job_parts where job_id = ${job} and sort = 'staged' order by last`,
      atOnce: AT_ONCE,
    });
  }
}

/** How far a file was read. */
interface Reading {
  readonly rest: AsyncGenerator<readonly StagedRecord[], undefined>;
  /** The last record before `part`. */
  before: number;
  part: readonly StagedRecord[] | undefined;
}

/** For a panel that is alone with its database. */
export class LineFiles implements StagedLines {
  readonly #reads: Reader;
  readonly #spool: Spool;
  /** What older versions staged, as files and as rows. */
  readonly #older: FramedLines;
  readonly #rows: LineRows;
  readonly #readings = new Map<number, Reading>();

  constructor(reads: Reader, spool: Spool, older: FramedLines, rows: LineRows) {
    this.#reads = reads;
    this.#spool = spool;
    this.#older = older;
    this.#rows = rows;
  }

  /** It is there already. */
  async take(): Promise<void> {}

  async after(job: number, cursor: number, reader: () => RecordReader): Promise<readonly StagedRecord[] | undefined> {
    let reading = this.#readings.get(job);
    // A new process, or a cursor before what is kept: the file is read from its beginning.
    if (!reading || cursor < reading.before) {
      reading = await this.#begun(job, reader);
      if (!reading) return (await this.#older.after(job, cursor)) ?? this.#rows.after(job, cursor);
      this.#readings.set(job, reading);
    }
    try {
      while (reading.part && lastOf(reading.part) <= cursor) {
        reading.before = lastOf(reading.part);
        reading.part = await following(reading.rest);
      }
      return reading.part;
    } catch (error) {
      // A reading that failed in the middle would look like one at its end: the next try begins at the beginning.
      this.#readings.delete(job);
      throw error;
    }
  }

  /** Reads all of the file first: what a disk lost is known before a record counts. */
  async #begun(job: number, reader: () => RecordReader): Promise<Reading | undefined> {
    const file = await spooledFile(this.#reads, job);
    if (!file) return undefined;
    for await (const piece of this.#spool.read(file)) void piece;
    const rest = partsOf(this.#spool.read(file), reader());
    return { rest, before: 0, part: await following(rest) };
  }

  done(draft: Draft, job: number, last: number): void {
    this.#rows.done(draft, job, last);
  }

  async forget(job: number): Promise<void> {
    this.#readings.delete(job);
    this.#older.forget(job);
    await this.#rows.forget(job);
  }
}

async function following(rest: Reading["rest"]): Promise<readonly StagedRecord[] | undefined> {
  const { done, value } = await rest.next();
  return done === true ? undefined : value;
}

/** The records in order, some at a time. */
async function* partsOf(
  pieces: AsyncIterable<Uint8Array>,
  reader: RecordReader,
): AsyncGenerator<readonly StagedRecord[], undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [waiting, bytes]: [StagedRecord[], number] = [[], 0];
  for await (const piece of pieces) {
    waiting.push(...reader.push(decoder.decode(piece, { stream: true })));
    bytes += piece.length;
    while (waiting.length >= PART_RECORDS || (waiting.length > 0 && bytes >= PART_BYTES)) {
      yield waiting.slice(0, PART_RECORDS);
      waiting = waiting.slice(PART_RECORDS);
      if (waiting.length === 0) bytes = 0;
    }
  }
  waiting.push(...reader.push(decoder.decode()), ...reader.end());
  for (; waiting.length > 0; waiting = waiting.slice(PART_RECORDS)) yield waiting.slice(0, PART_RECORDS);
}

function lastOf(part: readonly StagedRecord[]): number {
  return part.at(-1)?.[0] ?? 0;
}
