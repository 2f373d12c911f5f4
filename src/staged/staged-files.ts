// Programs by kind, name, architecture and version, for whoever runs or hands them on: agents, engines, releases.
//
// Invariants:
// - A row is written after its content is on disk, and on a shared database in rows too: what is listed can be had from
//   every panel, whichever process died when.
// - Content is read against its digest before a process uses it for the first time. Rows are what operators see; a
//   signature was checked by whoever adds the file.
// - What no row names is deleted an hour after it was last written, on disk and in the database. Content is named
//   within half of that time or not at all, and nothing is swept in a directory while something is written there.
// - Parts that a database lost are written again by a panel that has the content.
import { lock, sql, type Committer, type Draft, type Lock, type Reader } from "../db/index.ts";
import { Refusal } from "../http/index.ts";
import type { Clock } from "../lib/clock.ts";
import { compareVersions } from "../lib/version-order.ts";
import { ContentFiles, type Content } from "./content.ts";
import { ContentRows } from "./content-rows.ts";
import { StagedFileRows, type StagedFileRow, type StagedKind } from "./staged.entity.ts";

const MIB = 1024 * 1024;
/** Bytes of one file. */
const MOST: Readonly<Record<StagedKind, number>> = { agent: 256 * MIB, engine: 256 * MIB, release: 512 * MIB };
/** Bytes of all of them. */
const ALL_BYTES = 8192 * MIB;
/** How long content may wait for its row. */
const WAITS_MS = 3_600_000;
const NAMED_WITHIN_MS = WAITS_MS / 2;
/** Names become parts of ids and of file names of others. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/;

export interface StagedKey {
  readonly kind: StagedKind;
  readonly name: string;
  readonly arch: string;
  readonly version: string;
}

/** Content that waits for its name. */
export interface Taken extends Content {
  /** Unix milliseconds. */
  readonly at: number;
}

export interface StagedFilesDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  /** `<data>/staged`. */
  readonly directory: string;
  /** Several panels share the database. */
  readonly shared: boolean;
}

export class StagedFiles {
  readonly #deps: StagedFilesDeps;
  readonly #files: ContentFiles;
  readonly #rows: ContentRows | undefined;
  /** Content that is being fetched, by digest: those who ask meanwhile wait for it. */
  readonly #fetching = new Map<string, Promise<string>>();
  /** Writers of this directory, and its sweep: never both. */
  #writing = 0;
  #sweeping: Promise<void> | undefined;

  constructor(deps: StagedFilesDeps) {
    this.#deps = deps;
    this.#files = new ContentFiles(deps.directory);
    this.#rows = deps.shared ? new ContentRows(deps) : undefined;
  }

  /** Takes content in; `add` names it within half an hour. Throws 413 and 503 `disk_full`; nothing stays then. */
  take(kind: StagedKind, source: AsyncIterable<Uint8Array>): Promise<Taken> {
    return this.#whileNotSwept(async () => {
      const content = await this.#files.write(source, MOST[kind]);
      const at = this.#deps.clock.now();
      await this.#rows?.write(content.sha256, this.#files.read(content.sha256));
      return { ...content, at };
    });
  }

  /** Rows that a change of these files needs. */
  locks(keys: readonly StagedKey[]): Lock[] {
    return keys.map((key) => lock(StagedFileRows, idOf(key)));
  }

  /**
   * Names content that was taken. The same again changes nothing. Throws 400 for a name that none can be, and 409 where
   * other content has the version (whoever runs it must know what it is by its version) or where it was taken too long
   * ago.
   */
  add(draft: Draft, key: StagedKey, { sha256, size, at }: Taken, signature = ""): StagedFileRow {
    for (const said of [key.name, key.arch, key.version])
      if (!NAME.test(said)) throw new Refusal("bad_request", { message: `${said} is no name of a staged file` });
    const id = idOf(key);
    if (draft.now - at > NAMED_WITHIN_MS) throw new Refusal("conflict", { message: `${id} came too long ago: again` });
    const there = draft.find(StagedFileRows, id);
    if (there && there.sha256 === sha256) return there;
    if (there) throw new Refusal("conflict", { message: `${id} is staged with other content: remove it first` });
    const { kind, name, arch, version } = key;
    const row = { id, kind, name, arch, version, size, sha256, signature, createdAt: draft.time };
    draft.insert(StagedFileRows, row);
    return row;
  }

  /** Throws 409 where no room is left for so many bytes more. Asked before content is taken. */
  async refuseMany(bytes: number): Promise<void> {
    const [row] = await this.#deps.reads.query(
      sql<{ bytes: number | string | null }>`select sum(size) as bytes from staged_files`,
    );
    if (Number(row?.bytes ?? 0) + bytes <= ALL_BYTES) return;
    throw new Refusal("conflict", { message: `${ALL_BYTES / MIB} MiB of files are staged: remove some first` });
  }

  /** False: it was not there. Its content goes with the next sweep, unless another file has it. */
  remove(draft: Draft, key: StagedKey): boolean {
    if (!draft.find(StagedFileRows, idOf(key))) return false;
    draft.delete(StagedFileRows, idOf(key));
    return true;
  }

  /** Newest first, by the order of their versions. */
  async list(kind: StagedKind, name?: string, arch?: string): Promise<readonly StagedFileRow[]> {
    const rows = await this.#deps.reads.rows(
      StagedFileRows,
      sql`select * from staged_files where kind = ${kind} order by id`,
    );
    return rows
      .filter((row) => (name === undefined || row.name === name) && (arch === undefined || row.arch === arch))
      .toSorted((one, other) => compareVersions(other.version, one.version));
  }

  /**
   * A file and where its content is in this process's data directory, fetched from the database where it lacks it.
   * Without a version: the newest. Undefined: none is staged. Rejects where its content is lost.
   */
  async open(
    kind: StagedKind,
    name: string,
    arch: string,
    version?: string,
  ): Promise<{ readonly file: StagedFileRow; readonly path: string } | undefined> {
    const found = await this.list(kind, name, arch);
    const file = version === undefined ? found[0] : found.find((each) => each.version === version);
    return file && { file, path: await this.#pathOf(file) };
  }

  /**
   * Deletes content that no row names, and what a kill left half written; and writes parts again that the database
   * lacks. While something is written it does nothing: it comes again.
   */
  async sweep(): Promise<void> {
    if (this.#writing > 0 || this.#sweeping) return;
    const sweeping = this.#sweep();
    // Its own caller hears how it ended; writers only wait for it.
    this.#sweeping = sweeping.catch(() => {});
    try {
      await sweeping;
    } finally {
      this.#sweeping = undefined;
    }
  }

  async #sweep(): Promise<void> {
    const { clock, reads } = this.#deps;
    const before = clock.now() - WAITS_MS;
    const named = await reads.query(
      sql<{ sha256: string; size: number | string }>`select distinct sha256, size from staged_files`,
    );
    const kept = new Map(named.map(({ sha256, size }) => [sha256, Number(size)]));
    await this.#files.sweep((sha256) => kept.has(sha256), before);
    if (!this.#rows) return;
    await this.#rows.sweep(before);
    const lengths = await this.#rows.lengths();
    for (const [sha256, size] of kept)
      if (lengths.get(sha256) !== size && (await this.#files.find({ sha256, size })) !== undefined)
        await this.#rows.write(sha256, this.#files.read(sha256));
  }

  async #whileNotSwept<T>(write: () => Promise<T>): Promise<T> {
    while (this.#sweeping) await this.#sweeping;
    this.#writing++;
    try {
      return await write();
    } finally {
      this.#writing--;
    }
  }

  #pathOf(file: StagedFileRow): Promise<string> {
    const running = this.#fetching.get(file.sha256);
    if (running) return running;
    const fetching = this.#whileNotSwept(() => this.#fetch(file)).finally(() => this.#fetching.delete(file.sha256));
    this.#fetching.set(file.sha256, fetching);
    return fetching;
  }

  async #fetch({ id, sha256, size }: StagedFileRow): Promise<string> {
    const there = await this.#files.find({ sha256, size });
    if (there !== undefined) return there;
    if (!this.#rows) throw new Error(`the content of ${id} is not in ${this.#deps.directory}: add the file again`);
    if (!(await this.#files.copy({ sha256, size }, this.#rows.read({ sha256, size }))))
      throw new Error(`the content of ${id} in the database is not what was added: add the file again`);
    return this.#files.pathOf(sha256);
  }
}

function idOf({ kind, name, arch, version }: StagedKey): string {
  return `${kind}/${name}/${arch}/${version}`;
}

/** This machine's, as files are named. */
export function ownArch(arch: string = process.arch): string {
  return arch === "x64" ? "amd64" : arch;
}
