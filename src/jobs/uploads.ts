// Files of records that are sent for a job: each takes its place, and the bytes that it may put on disk, before its
// first byte is read (rule jobs.import.8). All panels decide on one row.
//
// Invariants:
// - What lies staged was reserved before, for as long as it lies there: of one account, and of all together, it is
//   bounded, whatever process dies at whatever moment.
// - Whoever sends holds its place by a lease. What nobody renews any more loses its place at once, and its bytes when
//   its records are away.
import { lock, type Committer, type Draft, type Reader, type Unit } from "../db/index.ts";
import { Refusal, type Caller } from "../http/index.ts";
import type { Clock } from "../lib/clock.ts";
import { JobRows, UploadsRows, type Upload } from "./job.entity.ts";
import type { StagedLines } from "./staged-lines.ts";

const MIB = 1024 * 1024;
/** Uploads at a time: of one account, of all accounts but main admins, of all. */
const PLACES = { account: 4, others: 24, all: 32 } as const;
/** Bytes that wait on disk: of one account, of all. */
const BYTES = { account: 2048 * MIB, all: 8192 * MIB } as const;
/** What is reserved at a time where nobody said how much comes. */
const QUANTUM = 8 * MIB;
/** How long a sender that says nothing is taken for alive, and how often it says something. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** Between looks for what was left. */
const LOOK_MS = 5000;
const RETRY_SECONDS = 5;
const ROW = 1;
/** In place of `until`: nobody sends it any more and no job has it; its records are being deleted. */
const LEFT = -1;

export interface UploadsDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  readonly lines: StagedLines;
}

/** An upload that has its place. */
export interface Sending {
  /** The job that is to be started with it. */
  readonly job: number;
  /** So many bytes came: reserves what they need. Throws 429 where there is no room for them. */
  came(bytes: number): Promise<void>;
  /** Its job was started, or it is of no use: the place is free, and what no job has is forgotten. */
  end(): Promise<void>;
}

export class Uploads {
  readonly #deps: UploadsDeps;
  readonly #onError: (error: unknown) => void;

  constructor(deps: UploadsDeps, onError: (error: unknown) => void = () => {}) {
    this.#deps = deps;
    this.#onError = onError;
  }

  /** `announced`: the bytes that will come, where it is known. Throws 429 where there is no place. */
  async begin({ adminId, base }: Pick<Caller, "adminId" | "base">, announced?: number): Promise<Sending> {
    const job = await this.#change("uploads.begin", (draft, uploads) => {
      const id = draft.nextId(JobRows.name);
      const wanted = { job: id, account: adminId, main: base === "sudo", bytes: announced ?? QUANTUM };
      refuseCrowd(uploads, wanted, draft.now);
      refuseLarge(uploads, wanted);
      return [[...uploads, { ...wanted, until: draft.now + LEASE_MS }], id];
    });
    return this.#sending(job, announced ?? QUANTUM);
  }

  /** The job of an upload is started in this draft. Throws 408 where its place was lost meanwhile. */
  started(draft: Draft, job: number): void {
    const uploads = uploadsIn(draft);
    if (!uploads.some((each) => each.job === job && each.until !== LEFT)) throw lost();
    put(
      draft,
      uploads.map((each) => (each.job === job ? { ...each, until: 0 } : each)),
    );
  }

  /** Its job has ended in this draft: what it did not come to is forgotten soon after, and its bytes are free then. */
  ended(draft: Draft, job: number): void {
    const uploads = uploadsIn(draft);
    if (uploads.some((each) => each.job === job))
      put(
        draft,
        uploads.map((each) => (each.job === job ? { ...each, until: LEFT } : each)),
      );
  }

  /** Whatever is being sent was sent to a process that is dead: before this one, the only one, takes any. */
  async giveUpAll(): Promise<void> {
    await this.#change("uploads.dead", (_, uploads) => [
      uploads.map((each) => (each.until === 0 ? each : { ...each, until: LEFT })),
      undefined,
    ]);
  }

  /** Jobs that have something staged, or may have. */
  async jobs(): Promise<ReadonlySet<number>> {
    const row = await this.#deps.reads.find(UploadsRows, ROW);
    return new Set((row?.uploads ?? []).map(({ job }) => job));
  }

  /** Looks from now on for what was left. Returns the way to stop. */
  watch(): () => Promise<void> {
    let stop: () => void = () => {};
    let looking = Promise.resolve();
    let stopped = false;
    const look = (): void => {
      looking = this.sweep()
        .catch(this.#onError)
        .then(() => {
          if (!stopped) stop = this.#deps.clock.after(LOOK_MS, look);
        });
    };
    look();
    return async () => {
      stopped = true;
      stop();
      await looking;
    };
  }

  /** Forgets what was staged by those that nobody sends any more, and by jobs that have ended. */
  async sweep(): Promise<void> {
    const { reads, clock } = this.#deps;
    const row = await reads.find(UploadsRows, ROW);
    for (const { job, until } of row?.uploads ?? [])
      if (until !== 0 && until <= clock.now()) await this.#forget(job, false);
  }

  #sending(job: number, reserved: number): Sending {
    let [bytes, has, over] = [0, reserved, false];
    let renewal: () => void = () => {};
    let renewing = Promise.resolve();
    const renew = (): void => {
      renewing = this.#renew(job, 0)
        .catch(this.#onError)
        .then(() => {
          if (!over) renewal = this.#deps.clock.after(RENEW_MS, renew);
        });
    };
    renewal = this.#deps.clock.after(RENEW_MS, renew);
    return {
      job,
      came: async (more) => {
        bytes += more;
        while (bytes > has) {
          await this.#renew(job, QUANTUM);
          has += QUANTUM;
        }
      },
      end: async () => {
        over = true;
        renewal();
        await renewing;
        await this.#forget(job, true);
      },
    };
  }

  #renew(job: number, more: number): Promise<void> {
    return this.#change("uploads.renew", (draft, uploads) => {
      const mine = uploads.find((each) => each.job === job);
      if (!mine || mine.until === LEFT) throw lost();
      // A job of its own is started already: nothing is renewed any more.
      if (mine.until === 0) return [uploads, undefined];
      const others = uploads.filter((each) => each !== mine);
      if (more > 0) refuseLarge(others, { ...mine, bytes: mine.bytes + more });
      return [[...others, { ...mine, bytes: mine.bytes + more, until: draft.now + LEASE_MS }], undefined];
    });
  }

  /** Unless a job has it. `given`: its sender itself gives it up, however long its lease. */
  async #forget(job: number, given: boolean): Promise<void> {
    const left = await this.#change("uploads.leave", (draft, uploads) => {
      const mine = uploads.find((each) => each.job === job);
      if (!mine || mine.until === 0 || (mine.until > draft.now && !given)) return [uploads, false];
      return [uploads.map((each) => (each === mine ? { ...mine, until: LEFT } : each)), true];
    });
    if (!left) return;
    await this.#deps.lines.forget(job);
    await this.#change("uploads.end", (_, uploads) => [uploads.filter((each) => each.job !== job), undefined]);
  }

  async #change<T>(
    name: string,
    decide: (draft: Draft, uploads: readonly Upload[]) => readonly [readonly Upload[], T],
  ): Promise<T> {
    const unit: Unit<T> = {
      name,
      locks: [lock(UploadsRows, ROW)],
      decide(draft) {
        const uploads = uploadsIn(draft);
        const [after, answer] = decide(draft, uploads);
        if (after !== uploads) put(draft, after);
        return answer;
      },
    };
    return this.#deps.commits.submit(unit);
  }
}

function uploadsIn(draft: Draft): readonly Upload[] {
  return draft.find(UploadsRows, ROW)?.uploads ?? [];
}

function put(draft: Draft, uploads: readonly Upload[]): void {
  draft.upsert(UploadsRows, { id: ROW, uploads });
}

type Wanted = Pick<Upload, "account" | "main" | "bytes">;

function refuseCrowd(uploads: readonly Upload[], { account, main }: Wanted, now: number): void {
  const sending = uploads.filter(({ until }) => until > now);
  if (sending.filter((each) => each.account === account).length >= PLACES.account)
    throw noRoom(`${PLACES.account} files of this account are being sent`);
  if (sending.length >= PLACES.all) throw noRoom(`${PLACES.all} files are being sent`);
  // One place or another is left for those who run the panel.
  if (!main && sending.filter((each) => !each.main).length >= PLACES.others)
    throw noRoom(`${PLACES.others} files are being sent`);
}

function refuseLarge(uploads: readonly Upload[], { account, bytes }: Wanted): void {
  const own = uploads.filter((each) => each.account === account);
  if (sum(own) + bytes > BYTES.account) throw noRoom(`${BYTES.account / MIB} MiB of this account's files wait`);
  if (sum(uploads) + bytes > BYTES.all) throw noRoom(`${BYTES.all / MIB} MiB of files wait`);
}

const sum = (uploads: readonly Upload[]): number => uploads.reduce((all, { bytes }) => all + bytes, 0);

function noRoom(message: string): Refusal {
  return new Refusal("rate_limited", { message: `${message}: wait for one to end`, retryAfter: RETRY_SECONDS });
}

function lost(): Refusal {
  return new Refusal("request_timeout", { message: "the file lost its place: nothing was heard of it for too long" });
}
