// Records that came with a request and wait for their turn, in parts (rule jobs.import.2). Where several panels share a
// database any of them may go on with a job, so they are rows. Where one panel is alone with its file they lie beside
// it: the database would keep the room of what is deleted, a file gives it back.
import { mkdir, open, readdir, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { sql, sweepRows, type Draft, type SweepStore } from "../db/index.ts";
import { JobPartRows } from "./job.entity.ts";

/** Parts that are deleted in one commit. */
const AT_ONCE = 16;
/** Before each part of a file: its last record and its length, in as many bytes always. */
const HEAD_BYTES = 48;

export interface StagedLines {
  /** `last`: the largest id of a record in it. */
  add(job: number, content: readonly unknown[], last: number): Promise<void>;
  /** All of them are there. Resolves when they are on disk. */
  written(job: number): Promise<void>;
  /** The part with the first record behind `cursor`; undefined: there is none. */
  after(job: number, cursor: number): Promise<readonly unknown[] | undefined>;
  /** In this draft all up to the record `last` are done. */
  done(draft: Draft, job: number, last: number): void;
  forget(job: number): Promise<void>;
}

export class LineRows implements StagedLines {
  readonly #store: SweepStore;

  constructor(store: SweepStore) {
    this.#store = store;
  }

  async add(jobId: number, content: readonly unknown[], last: number): Promise<void> {
    await this.#store.commits.submit({
      name: "jobs.stage",
      locks: [],
      decide: (draft) => {
        const id = draft.nextId(JobPartRows.name);
        draft.insert(JobPartRows, { id, jobId, sort: "staged", last, content: [...content] });
      },
    });
  }

  async written(): Promise<void> {}

  async after(job: number, cursor: number): Promise<readonly unknown[] | undefined> {
    const [part] = await this.#store.reads.rows(
      JobPartRows,
      sql`select * from job_parts where job_id = ${job} and sort = 'staged' and last > ${cursor} order by last limit 1`,
    );
    return part?.content;
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

/** Files of a panel that is alone with its database. */
export class LineFiles implements StagedLines {
  readonly #directory: string;
  /** What an older version staged as rows. */
  readonly #rows: LineRows;
  readonly #writing = new Map<number, FileHandle>();
  /** Where the part was that was read last, by job. */
  readonly #places = new Map<number, number>();

  constructor(directory: string, rows: LineRows) {
    this.#directory = directory;
    this.#rows = rows;
  }

  async add(job: number, content: readonly unknown[], last: number): Promise<void> {
    let file = this.#writing.get(job);
    if (!file) {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      file = await open(this.#of(job), "w", 0o600);
      this.#writing.set(job, file);
    }
    const bytes = Buffer.from(JSON.stringify(content));
    const head = Buffer.from(`${last} ${bytes.length}`.padEnd(HEAD_BYTES));
    await file.appendFile(Buffer.concat([head, bytes]));
  }

  async written(job: number): Promise<void> {
    const file = this.#writing.get(job);
    await file?.sync();
    await this.#close(job);
    // The name is on disk when its directory is.
    const directory = await open(this.#directory);
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  }

  async after(job: number, cursor: number): Promise<readonly unknown[] | undefined> {
    const file = await opened(this.#of(job));
    if (!file) return this.#rows.after(job, cursor);
    try {
      const known = this.#places.get(job) ?? 0;
      return (await this.#find(file, job, known, cursor)) ?? undefined;
    } finally {
      await file.close();
    }
  }

  done(draft: Draft, job: number, last: number): void {
    this.#rows.done(draft, job, last);
  }

  async forget(job: number): Promise<void> {
    await this.#close(job);
    this.#places.delete(job);
    await rm(this.#of(job), { force: true });
    await this.#rows.forget(job);
  }

  /** Forgets those of all other jobs: what a process left that died. */
  async keepOnly(jobs: ReadonlySet<number>): Promise<void> {
    const names = await readdir(this.#directory).catch(absent);
    for (const name of names ?? []) {
      const job = Number(/^(\d{1,15})\.lines$/.exec(name)?.[1]);
      if (Number.isInteger(job) && !jobs.has(job)) await rm(this.#of(job), { force: true });
    }
  }

  #of(job: number): string {
    return join(this.#directory, `${job}.lines`);
  }

  async #close(job: number): Promise<void> {
    const file = this.#writing.get(job);
    this.#writing.delete(job);
    await file?.close();
  }

  /** From a known place on; a cursor that is behind it is looked for from the beginning. */
  async #find(file: FileHandle, job: number, from: number, cursor: number): Promise<readonly unknown[] | undefined> {
    let first = true;
    for (let at = from; ;) {
      const head = Buffer.alloc(HEAD_BYTES);
      const { bytesRead } = await file.read(head, 0, HEAD_BYTES, at);
      if (bytesRead < HEAD_BYTES) return undefined;
      const [last = 0, length = 0] = head.toString().trim().split(" ").map(Number);
      if (last > cursor && first && from > 0) return this.#find(file, job, 0, cursor);
      if (last > cursor) {
        const bytes = Buffer.alloc(length);
        await file.read(bytes, 0, length, at + HEAD_BYTES);
        return JSON.parse(bytes.toString()) as readonly unknown[];
      }
      // The next part is looked for from the last one that is done.
      this.#places.set(job, at);
      first = false;
      at += HEAD_BYTES + length;
    }
  }
}

async function opened(path: string): Promise<FileHandle | undefined> {
  return open(path, "r").catch(absent);
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
