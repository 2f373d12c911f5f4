// Takes texts over from the queue into `user_texts`, and so into the index of parts of three letters: after the commits
// that changed them, many at once.
//
// Invariants:
// - A row leaves the queue in the transaction that indexes its text. A process that is killed at any moment loses none.
// - A search reads the queue too, so nobody waits for this: how far it has come changes what a search costs, never what
//   it finds.
// - Two processes that do it at once do no harm. The holder of a lease does it, so that they do not contend.
import { isToldByWatch, sql, type Committed, type Committer, type Reader, type Statement } from "../../db/index.ts";
import type { Cancel, Clock } from "../../lib/clock.ts";
import { idAmong } from "../records/id-among.ts";
import { UserRows } from "../records/user.entity.ts";
import { UserTextQueueRows } from "../records/text.entity.ts";

/** A text waits so long for others that come after it: one transaction a second is little beside any load. */
const PACE_MS = 1000;
/** Rows of a step. */
const ROWS = 500;
/**
 * Letters of a step, of texts that come and texts that go: each costs about a microsecond, and SQLite has one writer.
 */
const LETTERS = 48 * 1024;
/** Between two steps at least, and as long as the step took, so that others' changes find room. */
const REST_MS = 5;

export interface TextIndexingDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  /** Whether it is this process's to do. */
  readonly holds: () => boolean;
  /** A step that failed is taken again. */
  readonly onError: (error: unknown) => void;
}

export class TextIndexing {
  readonly #deps: TextIndexingDeps;
  #soon: { readonly at: number; readonly cancel: Cancel } | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;
  #unlisten: (() => void) | undefined;

  constructor(deps: TextIndexingDeps) {
    this.#deps = deps;
  }

  /** Takes over what waits, and from now on what commits leave. */
  start(): void {
    this.#unlisten = this.#deps.commits.onCommit((committed) => this.#follow(committed));
    this.wake();
  }

  /** Something may be waiting: at the start, after a commit, or since another process gave up the lease. */
  wake(): void {
    this.#within(PACE_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unlisten?.();
    this.#soon?.cancel();
    await this.#running;
  }

  /** Indexes the next texts. Resolves to the rows that it looked at, `waiting`, and whether `more` are left. */
  async step(): Promise<{ readonly waiting: number; readonly more: boolean }> {
    const { commits, reads } = this.#deps;
    const waiting = await reads.query<{ id: number | string; letters: number | string }>(
      sql`select q.id, length(q.text) + coalesce(length(t.text), 0) as letters
        from (select id, text from user_text_queue order by id limit ${ROWS}) q
        left join user_texts t on t.id = q.id order by q.id`,
      { scans: true, short: true },
    );
    const ids: number[] = [];
    let letters = 0;
    for (const row of waiting) {
      letters += Number(row.letters);
      if (ids.length > 0 && letters > LETTERS) break;
      ids.push(Number(row.id));
    }
    if (ids.length > 0) await commits.execute({ name: "texts.index", statements: takeOver(reads, ids) });
    return { waiting: waiting.length, more: waiting.length >= ROWS || waiting.length > ids.length };
  }

  /** A commit of another process tells of the accounts alone. */
  #follow({ changes, remote }: Committed): void {
    const table = remote ? UserRows.name : UserTextQueueRows.name;
    if (!this.#soon && changes.some((change) => change.table === table)) this.wake();
  }

  #within(ms: number): void {
    const { clock, holds } = this.#deps;
    const at = clock.now() + ms;
    if (this.#stopped || !holds() || (this.#soon && this.#soon.at <= at)) return;
    this.#soon?.cancel();
    const cancel = clock.after(ms, () => {
      this.#soon = undefined;
      if (this.#running) return this.#within(PACE_MS);
      this.#running = this.#round().finally(() => (this.#running = undefined));
    });
    this.#soon = { at, cancel };
  }

  async #round(): Promise<void> {
    const { clock, holds, onError } = this.#deps;
    if (!holds()) return;
    const began = clock.now();
    try {
      const { waiting, more } = await this.step();
      // A clock that was set forward during the step makes no long rest.
      const rest = Math.min(PACE_MS, Math.max(REST_MS, clock.now() - began));
      // What came meanwhile gathers; what a commit held on PostgreSQL is looked for again.
      if (waiting > 0) this.#within(more ? rest : PACE_MS);
    } catch (error) {
      if (!isToldByWatch(error)) onError(error);
      this.#within(PACE_MS);
    }
  }
}

/** The texts of these accounts are those that wait for them now. */
function takeOver(reads: Reader, ids: readonly number[]): Statement[] {
  if (reads.dialect === "sqlite") {
    const waiting = sql`select id, text from user_text_queue where ${idAmong(reads.dialect, "id", ids)}`;
    // One statement for all that come and one for all that go: the triggers write one piece of the index for each.
    return [
      reads.statement(
        "texts.come",
        sql`insert into user_texts (id, text) select id, text from (${waiting}) where text <> ''
          on conflict (id) do update set text = excluded.text where text <> excluded.text`,
      ),
      reads.statement(
        "texts.go",
        sql`delete from user_texts where id in (select id from (${waiting}) where text = '')`,
      ),
      reads.statement("texts.taken", sql`delete from user_text_queue where id in (select id from (${waiting}))`),
    ];
  }
  // What a commit is changing is left for later: neither waits for the other, and none of the two is lost.
  return [
    reads.statement(
      "texts.index",
      sql`with taken as (
          delete from user_text_queue where id in (
            select id from user_text_queue where ${idAmong(reads.dialect, "id", ids)} order by id for update skip locked
          ) returning id, text
        ), gone as (delete from user_texts where id in (select id from taken where text = ''))
        insert into user_texts as t (id, text) select id, text from taken where text <> '' order by id
          on conflict (id) do update set text = excluded.text where t.text <> excluded.text`,
    ),
  ];
}
