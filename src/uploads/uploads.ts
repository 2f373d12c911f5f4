// Files that are sent to the panel: each takes its place, and the bytes that it may put on disk, before its first byte
// is read (rule jobs.import.8). All panels decide on one row. What comes is spooled into a file of the process that
// takes it (`spool.ts`).
//
// Invariants:
// - What lies on disk was reserved before, for as long as it lies there: of one account and purpose, and of all
//   together, it is bounded, whatever process dies at whatever moment.
// - Whoever sends holds its place by a lease. What nobody renews any more loses its place at once, and its bytes when
//   its file is away.
// - A file counts once its row has its digest: it is synced before.
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { lock, type Committer, type Draft, type Reader, type Unit } from "../db/index.ts";
import { Refusal, type Caller } from "../http/index.ts";
import type { Clock } from "../lib/clock.ts";
import { arriving } from "./arriving.ts";
import type { Spool } from "./spool.ts";
import { UploadsRows, type Upload } from "./upload.entity.ts";

const MIB = 1024 * 1024;
/** Uploads at a time: of one account, of all accounts but main admins, of all. */
const PLACES = { account: 4, others: 24, all: 32 } as const;
/** Bytes that wait on disk, of all accounts and purposes. */
const ALL_BYTES = 8192 * MIB;
/** What is reserved at a time where nobody said how much comes. */
const QUANTUM = 8 * MIB;
/** How long a sender that says nothing is taken for alive, and how often it says something. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** Between looks for what was left. */
const LOOK_MS = 5000;
const RETRY_SECONDS = 5;
const ROW = 1;
/** In place of `until`: nobody sends it any more and nothing uses it; it is being deleted. */
const LEFT = -1;
/** The sequence of ids (`Upload.job`). */
const IDS = "jobs";
/** What files of older versions are for. */
const FIRST_PURPOSE = "accounts";

/** What a file is sent for. */
export interface Purpose {
  readonly name: string;
  /** Bytes of one file, and those of one account's files that wait on disk. */
  readonly limit: number;
  readonly account: number;
}

export interface UploadsDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  readonly spool: Spool;
  /** Something is done again later. */
  readonly onError: (error: unknown) => void;
}

/** A file that is whole and on disk. */
export interface Spooled {
  readonly id: number;
  readonly length: number;
  readonly sha256: string;
}

/** An upload that has its place. */
export interface Sending {
  /** The file's, and that of the job that is to be started with it. */
  readonly id: number;
  /**
   * Spools all that comes. `look` gets each piece before it is written, and may throw: what is refused by its first
   * bytes is not read to its end. Throws 413 for too much, 408 for what comes too slowly or lost its place, 429 where
   * there is no room among all files, and 503 `disk_full`.
   */
  take(stream: Readable, look?: (piece: Uint8Array) => void): Promise<Spooled>;
  /** It is in use from now on, or of no use: the place is free, and a file that nothing uses is forgotten. */
  end(): Promise<void>;
}

export class Uploads {
  readonly #deps: UploadsDeps;
  readonly #alsoForget: ((id: number) => Promise<void>)[] = [];

  constructor(deps: UploadsDeps) {
    this.#deps = deps;
  }

  /** What somebody made of a file is forgotten with it. Called before anything is sent. */
  alsoForget(forget: (id: number) => Promise<void>): void {
    this.#alsoForget.push(forget);
  }

  /** `contentLength`: as the sender announces it. Throws 413 for too much, and 429 where there is no place. */
  async begin(
    { adminId, base }: Pick<Caller, "adminId" | "base">,
    purpose: Purpose,
    contentLength: string | undefined,
  ): Promise<Sending> {
    const bytes = announced(contentLength, purpose) ?? QUANTUM;
    const id = await this.#change("uploads.begin", (draft, uploads) => {
      const job = draft.nextId(IDS);
      const wanted = { job, account: adminId, main: base === "sudo", purpose: purpose.name, bytes };
      refuseCrowd(uploads, wanted, draft.now);
      refuseLarge(uploads, wanted, purpose);
      return [[...uploads, { ...wanted, until: draft.now + LEASE_MS }], job];
    });
    return this.#sending(id, purpose, bytes);
  }

  /** What the file was sent for begins in this draft. Throws 408 where its place was lost meanwhile. */
  started(draft: Draft, job: number): void {
    const uploads = uploadsIn(draft);
    if (!uploads.some((each) => each.job === job && each.until !== LEFT)) throw lost();
    put(
      draft,
      uploads.map((each) => (each.job === job ? { ...each, until: 0 } : each)),
    );
  }

  /** Nothing uses it from this draft on: it is forgotten soon after, and its bytes are free then. */
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

  /** Deletes the files of this process's directory that no row names: what a process left that died. */
  async sweepFiles(): Promise<void> {
    const { reads, spool } = this.#deps;
    // Read before the row: whoever writes a file has its place in the row before.
    const files = await spool.ids();
    if (files.size === 0) return;
    const row = await reads.find(UploadsRows, ROW);
    const known = new Set((row?.uploads ?? []).map(({ job }) => job));
    for (const id of files) if (!known.has(id)) await spool.remove(id);
  }

  /** Looks from now on for what was left. Returns the way to stop. */
  watch(): () => Promise<void> {
    let stop: () => void = () => {};
    let looking = Promise.resolve();
    let stopped = false;
    const look = (): void => {
      looking = this.sweep()
        .catch(this.#deps.onError)
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

  /** Forgets files that nobody sends any more, and those that nothing uses any more. */
  async sweep(): Promise<void> {
    const { reads, clock } = this.#deps;
    const row = await reads.find(UploadsRows, ROW);
    for (const { job, until } of row?.uploads ?? [])
      if (until !== 0 && until <= clock.now()) await this.#forget(job, false);
  }

  #sending(id: number, purpose: Purpose, reserved: number): Sending {
    const { clock, onError } = this.#deps;
    let [has, over] = [reserved, false];
    let renewal: () => void = () => {};
    let renewing = Promise.resolve();
    const renew = (): void => {
      renewing = this.#renew(id, purpose, 0)
        .catch(onError)
        .then(() => {
          if (!over) renewal = clock.after(RENEW_MS, renew);
        });
    };
    renewal = clock.after(RENEW_MS, renew);
    return {
      id,
      take: (stream, look) =>
        this.#spool(id, purpose, arriving(stream), look, async (bytes) => {
          while (bytes > has) {
            await this.#renew(id, purpose, QUANTUM);
            has += QUANTUM;
          }
        }),
      end: async () => {
        over = true;
        renewal();
        await renewing;
        await this.#forget(id, true);
      },
    };
  }

  async #spool(
    id: number,
    { limit }: Purpose,
    pieces: AsyncIterable<Uint8Array>,
    look: ((piece: Uint8Array) => void) | undefined,
    came: (bytes: number) => Promise<void>,
  ): Promise<Spooled> {
    const digest = createHash("sha256");
    let length = 0;
    const file = await this.#deps.spool.begin(id);
    try {
      for await (const piece of pieces) {
        length += piece.length;
        if (length > limit) throw new Refusal("too_large");
        await came(length);
        look?.(piece);
        digest.update(piece);
        await file.write(piece);
      }
      await file.finish();
    } finally {
      await file.close();
    }
    const sha256 = digest.digest("hex");
    await this.#change("uploads.arrived", (_, uploads) => {
      if (!uploads.some(({ job, until }) => job === id && until !== LEFT)) throw lost();
      return [uploads.map((each) => (each.job === id ? { ...each, bytes: length, sha256 } : each)), undefined];
    });
    return { id, length, sha256 };
  }

  #renew(job: number, purpose: Purpose, more: number): Promise<void> {
    return this.#change("uploads.renew", (draft, uploads) => {
      const mine = uploads.find((each) => each.job === job);
      if (!mine || mine.until === LEFT) throw lost();
      // It is in use already: nothing is renewed any more.
      if (mine.until === 0) return [uploads, undefined];
      const others = uploads.filter((each) => each !== mine);
      if (more > 0) refuseLarge(others, { ...mine, bytes: mine.bytes + more }, purpose);
      return [[...others, { ...mine, bytes: mine.bytes + more, until: draft.now + LEASE_MS }], undefined];
    });
  }

  /** Unless it is in use. `given`: its sender itself gives it up, however long its lease. */
  async #forget(job: number, given: boolean): Promise<void> {
    const left = await this.#change("uploads.leave", (draft, uploads) => {
      const mine = uploads.find((each) => each.job === job);
      // Its place was lost: what was written since then is of nobody.
      if (!mine) return [uploads, true];
      if (mine.until === 0 || (mine.until > draft.now && !given)) return [uploads, false];
      return [uploads.map((each) => (each === mine ? { ...mine, until: LEFT } : each)), true];
    });
    if (!left) return;
    for (const forget of this.#alsoForget) await forget(job);
    await this.#deps.spool.remove(job);
    await this.#change("uploads.end", (_, uploads) => {
      const others = uploads.filter((each) => each.job !== job);
      return [others.length === uploads.length ? uploads : others, undefined];
    });
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

function refuseLarge(uploads: readonly Upload[], { account, bytes }: Wanted, purpose: Purpose): void {
  const own = uploads.filter((each) => each.account === account && (each.purpose ?? FIRST_PURPOSE) === purpose.name);
  if (sum(own) + bytes > purpose.account) throw noRoom(`${purpose.account / MIB} MiB of this account's files wait`);
  if (sum(uploads) + bytes > ALL_BYTES) throw noRoom(`${ALL_BYTES / MIB} MiB of files wait`);
}

/** The bytes that a body will have. Throws 413 where they are too many. */
function announced(contentLength: string | undefined, { limit }: Purpose): number | undefined {
  if (contentLength === undefined || !/^\d{1,15}$/.test(contentLength)) return undefined;
  const bytes = Number(contentLength);
  if (bytes > limit) throw new Refusal("too_large");
  return bytes;
}

const sum = (uploads: readonly Upload[]): number => uploads.reduce((all, { bytes }) => all + bytes, 0);

function noRoom(message: string): Refusal {
  return new Refusal("rate_limited", { message: `${message}: wait for one to end`, retryAfter: RETRY_SECONDS });
}

function lost(): Refusal {
  return new Refusal("request_timeout", { message: "the file lost its place: nothing was heard of it for too long" });
}
