// Files that are sent to the panel: each takes its place, and the bytes that it may put on disk, before its first byte
// is read (`places.ts`). What comes is spooled into a file of the process that takes it (`spool.ts`), and its row gets
// length and digest once it is on disk.
import type { Readable } from "node:stream";
import { lock, type Committer, type Draft, type Reader, type Unit } from "../db/index.ts";
import { Refusal, type Caller } from "../http/index.ts";
import type { Clock } from "../lib/clock.ts";
import { arriving } from "./arriving.ts";
import {
  announced,
  holdsPlace,
  IN_USE,
  LEFT,
  lostPlace,
  putUploads,
  refuseCrowd,
  refuseLarge,
  ROW,
  uploadsIn,
  withUntil,
  type Purpose,
} from "./places.ts";
import type { Spool, Spooled } from "./spool.ts";
import { UploadsRows, type Upload } from "./upload.entity.ts";

/** What is reserved at a time where nobody said how much comes. */
const QUANTUM = 8 * 1024 * 1024;
/** How long a sender that says nothing is taken for alive, and how often it says something. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** Between looks for what was left. */
const LOOK_MS = 5000;
/** The sequence of ids (`Upload.job`). */
const IDS = "jobs";

export interface UploadsDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  readonly spool: Spool;
  /** Something is done again later. */
  readonly onError: (error: unknown) => void;
}

/** An upload that has its place. */
export interface Sending {
  /** The file's, and that of the job that is to be started with it. */
  readonly id: number;
  /**
   * Spools all that comes. `look` gets each piece before it is written, and may throw: what is refused by its first
   * bytes is not read to its end. Throws 413 for too much, 408 for what comes too slowly or lost its place, 429 where
   * there is no room among all files, and 503 `disk_full`; no file stays then.
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

  /**
   * `contentLength`: as the sender announces it. Throws 413 for too much, 429 where there is no place, and 503
   * `disk_full`.
   */
  async begin(
    { adminId, base }: Pick<Caller, "adminId" | "base">,
    purpose: Purpose,
    contentLength: string | undefined,
  ): Promise<Sending> {
    const bytes = announced(contentLength, purpose) ?? QUANTUM;
    await this.#deps.spool.requireRoom(bytes);
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
    if (!holdsPlace(uploads, job)) throw lostPlace();
    putUploads(draft, withUntil(uploads, job, IN_USE));
  }

  /** Nothing uses it from this draft on: it is forgotten soon after, and its bytes are free then. */
  ended(draft: Draft, job: number): void {
    const uploads = uploadsIn(draft);
    if (uploads.some((each) => each.job === job)) putUploads(draft, withUntil(uploads, job, LEFT));
  }

  /** Whatever is being sent was sent to a process that is dead: before this one, the only one, takes any. */
  async giveUpAll(): Promise<void> {
    await this.#change("uploads.dead", (_, uploads) => [
      uploads.map((each) => (each.until === IN_USE ? each : { ...each, until: LEFT })),
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

  /** Forgets files that nobody sends and nothing uses, whichever panel took them. */
  async sweep(): Promise<void> {
    const { reads, clock, onError } = this.#deps;
    const row = await reads.find(UploadsRows, ROW);
    for (const { job, until } of row?.uploads ?? [])
      // One that cannot be forgotten now keeps no other one.
      if (until !== IN_USE && until <= clock.now()) await this.#forget(job, false).catch(onError);
    await this.sweepFiles();
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
        // What cannot be forgotten now is found by a look later: what was answered is answered all the same.
        await this.#forget(id, true).catch(onError);
      },
    };
  }

  async #spool(
    id: number,
    { limit }: Purpose,
    pieces: AsyncIterable<Uint8Array>,
    look: ((piece: Uint8Array) => void) | undefined,
    reserve: (bytes: number) => Promise<void>,
  ): Promise<Spooled> {
    let came = 0;
    const growing = await this.#deps.spool.begin(id);
    let file: Spooled;
    try {
      for await (const piece of pieces) {
        came += piece.length;
        if (came > limit) throw new Refusal("too_large");
        await reserve(came);
        look?.(piece);
        await growing.write(piece);
      }
      file = await growing.finish();
    } finally {
      // At once and not with its row: a database on a full disk writes again only then.
      await growing.abandon();
    }
    const { length, sha256 } = file;
    await this.#change("uploads.arrived", (_, uploads) => {
      if (!holdsPlace(uploads, id)) throw lostPlace();
      return [uploads.map((each) => (each.job === id ? { ...each, bytes: length, sha256 } : each)), undefined];
    });
    return file;
  }

  #renew(job: number, purpose: Purpose, more: number): Promise<void> {
    return this.#change("uploads.renew", (draft, uploads) => {
      const mine = uploads.find((each) => each.job === job);
      if (!mine || mine.until === LEFT) throw lostPlace();
      // It is in use already and needs no lease.
      if (mine.until === IN_USE) return [uploads, undefined];
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
      if (mine.until === IN_USE || (mine.until > draft.now && !given)) return [uploads, false];
      return [withUntil(uploads, job, LEFT), true];
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
        if (after !== uploads) putUploads(draft, after);
        return answer;
      },
    };
    return this.#deps.commits.submit(unit);
  }
}

/** A file as its row says it; undefined: all of it never came, or it is forgotten. */
export async function spooledFile(reads: Reader, id: number): Promise<Spooled | undefined> {
  const upload = (await reads.find(UploadsRows, ROW))?.uploads.find(({ job }) => job === id);
  return upload?.sha256 === undefined ? undefined : { id, length: upload.bytes, sha256: upload.sha256 };
}
