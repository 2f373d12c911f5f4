// Enters accounts that an older version left into a table which newer versions keep: a few hundred at a time, in the
// background, each step one commit that moves its mark. If the panel stops in between, it continues where it was.
// Accounts that are created or changed meanwhile are entered by their own commits.
import { setTimeout as pause } from "node:timers/promises";
import { lock, sql, UniqueConflict, type Committer, type Draft, type Entity, type Reader } from "../db/index.ts";
import { UserRows, type UserRow } from "./records/user.entity.ts";

const ROW = 1;
/** Accounts of a step: its commit takes some milliseconds. */
const STEP = 200;
/** Between steps, so that others' changes find room. */
const PAUSE_MS = 10;
/** After one that failed. */
const RETRY_MS = 1000;
/** `upTo` when every account is entered: new ones enter themselves. */
const ALL = Number.MAX_SAFE_INTEGER;

/** The table of the mark; it has one row. */
interface Mark {
  id: number;
  /** Accounts up to this id are entered. */
  upTo: number;
}

export interface EntryWalkDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  /** Name of the commits. */
  readonly name: string;
  readonly mark: Entity<Mark>;
  readonly enter: (draft: Draft, rows: readonly Readonly<UserRow>[]) => void;
  /** A step that failed is taken again. */
  readonly onError: (error: unknown) => void;
}

export class EntryWalk {
  readonly #deps: EntryWalkDeps;
  #complete = false;
  readonly #ending = new AbortController();

  constructor(deps: EntryWalkDeps) {
    this.#deps = deps;
  }

  /** Enters what is left. Resolves when all are, or when it was stopped. */
  async run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      let wait = PAUSE_MS;
      try {
        if (await this.step()) return;
      } catch (error) {
        // A new account entered the same one meanwhile, or the database is away.
        if (!(error instanceof UniqueConflict)) this.#deps.onError(error);
        wait = RETRY_MS;
      }
      // Ended early by `stop` alone.
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  stop(): void {
    this.#ending.abort();
  }

  /** Enters the next accounts; true when there are none left. Another process that enters them too does no harm. */
  async step(): Promise<boolean> {
    const { commits, reads, mark, name, enter } = this.#deps;
    const from = await this.upTo();
    if (from === undefined) return true;
    const rows = await reads.query<{ id: number | string }>(
      sql`select id from users where id > ${from} order by id limit ${STEP}`,
    );
    const ids = rows.map(({ id }) => Number(id));
    await commits.submit({
      name,
      locks: [lock(mark, ROW), ...ids.map((id) => lock(UserRows, id, "read"))],
      decide(draft) {
        if ((draft.find(mark, ROW)?.upTo ?? 0) !== from) return;
        enter(draft, draft.findAll(UserRows, ids, "read"));
        draft.upsert(mark, { id: ROW, upTo: ids.at(-1) ?? ALL });
      },
    });
    return ids.length === 0;
  }

  /** Accounts up to this id are entered; undefined: all are. Asks the database until then only. */
  async upTo(): Promise<number | undefined> {
    if (this.#complete) return undefined;
    const upTo = (await this.#deps.reads.find(this.#deps.mark, ROW))?.upTo ?? 0;
    this.#complete = upTo === ALL;
    return this.#complete ? undefined : upTo;
  }
}
