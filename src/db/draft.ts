// The changes of one command, recorded as plain data, and the overlay through which the commands of one batch see each
// other's changes.
import { NeedLocks, UniqueConflict } from "./errors.ts";
import { Facts, type Fact } from "./facts.ts";
import { lock, lockKey, type KeyedWrite, type Lock, type Purge, type RowChange } from "./row-writes.ts";
import type { Statement } from "./store.ts";
import type { Entity, Key, Row, Table, Tables } from "./table.ts";

/** Rows that a batch loaded, and what its commands made of them so far. */
export class Overlay {
  readonly tables: Tables;
  /** Loaded rows by lock key; null = does not exist. A key that is absent was not locked. */
  readonly #loaded: Map<string, Row | null>;
  readonly #current = new Map<string, Row | null>();
  readonly writes = new Map<string, KeyedWrite>();
  readonly purges: Purge[] = [];
  readonly statements: Statement[] = [];
  readonly facts = new Facts();

  constructor(tables: Tables, loaded: Map<string, Row | null>) {
    this.tables = tables;
    this.#loaded = loaded;
  }

  get(key: string): Row | null | undefined {
    const current = this.#current.get(key);
    return current === undefined ? this.#loaded.get(key) : current;
  }

  isEmpty(): boolean {
    return this.writes.size === 0 && this.purges.length === 0 && this.statements.length === 0;
  }

  /** Takes over what a command recorded. Several writes to one row become one. */
  merge(draft: Draft): void {
    for (const purge of draft.purges) this.#mergePurge(purge);
    for (const write of draft.writes) this.#mergeWrite(write);
    for (const [key, row] of draft.current) this.#current.set(key, row);
    for (const statement of draft.statements)
      if (statement.once !== true || !this.statements.includes(statement)) this.statements.push(statement);
    this.facts.addAll(draft.facts);
  }

  /** Rows as they were and are now, for those that were locked or inserted. */
  changes(): RowChange[] {
    const changes: RowChange[] = [];
    for (const [key, write] of this.writes) {
      // What the row is now only the database knows.
      if (write.op === "add") continue;
      const before = this.#loaded.get(key) ?? undefined;
      const after = write.op === "delete" ? undefined : (this.#current.get(key) ?? undefined);
      changes.push({ table: write.table.name, id: write.id, before, after });
    }
    return changes;
  }

  /** A purge runs before the other writes, so writes of this batch that it matches go with it. */
  #mergePurge(purge: Purge): void {
    for (const [key, write] of this.writes) {
      if (
        (write.op === "insert" || write.op === "upsert") &&
        write.table === purge.table &&
        matches(write.row, purge.where)
      )
        this.writes.delete(key);
    }
    this.purges.push(purge);
  }

  #mergeWrite(write: KeyedWrite): void {
    const { key } = write;
    const earlier = this.writes.get(key);
    if (!earlier) {
      this.writes.set(key, write);
      return;
    }
    this.writes.delete(key);
    if (write.op === "add" && earlier.op === "add") {
      const { row, isSomething } = addedUp(write.table, earlier.row, write.row);
      if (isSomething) this.writes.set(key, { ...write, row });
    } else if (write.op === "add" || earlier.op === "add") {
      throw new Error(`rows of ${write.table.name} are either added to or written`);
    } else if (write.op === "update") {
      if (earlier.op === "update") this.writes.set(key, { ...earlier, patch: { ...earlier.patch, ...write.patch } });
      else if (earlier.op !== "delete") this.writes.set(key, { ...earlier, row: { ...earlier.row, ...write.patch } });
    } else if (earlier.op === "insert" && write.op === "delete") {
      // Never on disk: nothing to do. A row of the same key that was there before would have refused the insert.
    } else if (earlier.op === "insert" && write.op === "upsert") {
      this.writes.set(key, { ...write, op: "insert" });
    } else if (earlier.op === "delete" && write.op === "insert") {
      this.writes.set(key, { ...write, op: "upsert" });
    } else {
      this.writes.set(key, write);
    }
  }
}

function matches(row: Row, where: Readonly<Row>): boolean {
  return Object.entries(where).every(([property, value]) => row[property] === value);
}

/** Two additions to one row as one; `isSomething`: they do not cancel each other out. */
function addedUp(table: Table, one: Row, other: Row): { readonly row: Row; readonly isSomething: boolean } {
  const row = { ...one };
  let isSomething = false;
  for (const { property } of table.numbers) {
    const sum = Number(one[property] ?? 0) + Number(other[property] ?? 0);
    row[property] = sum;
    if (sum !== 0) isSomething = true;
  }
  return { row, isSomething };
}

/** Gives ids from blocks that were reserved in advance. Throws `NeedIds` when a block is used up. */
export interface IdSource {
  next(sequence: string): number;
}

/**
 * The change of one command while it is being decided. Reading gives what earlier commands of the batch left; nothing
 * reaches the batch until `decide` returned. `decide` may run more than once (more locks, more ids, a batch that
 * failed), so it must not touch anything outside its draft.
 */
export class Draft {
  readonly writes: KeyedWrite[] = [];
  readonly purges: Purge[] = [];
  readonly statements: Statement[] = [];
  readonly current = new Map<string, Row | null>();
  readonly facts = new Facts();
  /** Unix milliseconds: the time of this change, the same for all that it writes. */
  readonly now: number;
  /**
   * Every running batch of this process has its own number. Batches that add to the same counters use it to write
   * separate rows, so no batch waits for another.
   */
  readonly session: number;
  /** Part of a change that tells of itself as a whole: it raises no events of its own. */
  readonly hushed: boolean;
  readonly #overlay: Pick<Overlay, "get" | "tables">;
  readonly #ids: IdSource;

  constructor(
    overlay: Pick<Overlay, "get" | "tables">,
    ids: IdSource,
    now: number,
    { session = 0, hushed = false }: { readonly session?: number; readonly hushed?: boolean } = {},
  ) {
    this.#overlay = overlay;
    this.#ids = ids;
    this.now = now;
    this.session = session;
    this.hushed = hushed;
  }

  /**
   * Decides a part of this change that may be refused alone: what `decide` recorded is taken over when it returns, and
   * forgotten when it throws. To the part, the row before the change is the one before the part.
   */
  attempt<T>(decide: (part: Draft) => T, { hushed = this.hushed } = {}): T {
    const { session, now } = this;
    const seen = { tables: this.#overlay.tables, get: (key: string) => this.#known(key) };
    const part = new Draft(seen, this.#ids, now, { session, hushed });
    const answer = decide(part);
    for (const { table, where } of part.purges) this.#purge(table, where);
    for (const write of part.writes) this.writes.push(write);
    for (const [key, row] of part.current) this.current.set(key, row);
    this.statements.push(...part.statements);
    this.facts.addAll(part.facts);
    return answer;
  }

  /** Unix seconds of this change. */
  get time(): number {
    return Math.floor(this.now / 1000);
  }

  /**
   * A locked row, or undefined when there is none. A row that was not locked is locked first and the command decided
   * again.
   */
  find<R extends object>(entity: Entity<R>, id: Key, mode: Lock["mode"] = "write"): Readonly<R> | undefined {
    const row = this.#known(lockKey({ table: entity.name, id }));
    if (row === undefined) throw new NeedLocks([lock(entity, id, mode)]);
    return row === null ? undefined : (row as R);
  }

  /** A locked row as it was before this change; undefined when there was none, or it was not locked. */
  before<R extends object>(entity: Entity<R>, id: Key): Readonly<R> | undefined {
    return (this.#overlay.get(lockKey({ table: entity.name, id })) ?? undefined) as R | undefined;
  }

  /**
   * Like `find` for several rows at once, so that missing locks cost one more round only. Rows that do not exist are
   * left out.
   */
  findAll<R extends object>(entity: Entity<R>, ids: readonly Key[], mode: Lock["mode"] = "write"): Readonly<R>[] {
    const missing: Lock[] = [];
    const rows: Readonly<R>[] = [];
    for (const id of ids) {
      try {
        const row = this.find(entity, id, mode);
        if (row) rows.push(row);
      } catch (error) {
        if (!(error instanceof NeedLocks)) throw error;
        missing.push(...error.locks);
      }
    }
    if (missing.length > 0) throw new NeedLocks(missing);
    return rows;
  }

  /** The next id of a sequence (by convention the table's name). */
  nextId(sequence: string): number {
    return this.#ids.next(sequence);
  }

  /** Throws `UniqueConflict` for a key that this command, or an earlier one of its batch, knows to be taken. */
  insert<R extends object>(entity: Entity<R>, row: R): void {
    const table = this.#overlay.tables.of(entity);
    if (!this.#put("insert", table, row as Row, true)) throw new UniqueConflict(entity.name, [table.key.property]);
  }

  /** Inserts, or replaces the row of that key; needs no lock. */
  upsert<R extends object>(entity: Entity<R>, row: R): void {
    this.#put("upsert", this.#overlay.tables.of(entity), row as Row, false);
  }

  /**
   * Adds a row's numbers to the stored row with its key, or inserts it. It needs no lock and does not read the row.
   * Such a table is written in no other way.
   */
  add<R extends object>(entity: Entity<R>, row: R): void {
    const table = this.#overlay.tables.of(entity);
    const id = (row as Row)[table.key.property] as Key;
    this.writes.push({ op: "add", table, id, key: lockKey({ table: table.name, id }), row: row as Row });
  }

  /** Changes properties of a row. Returns the row as it is now. */
  update<R extends object>(entity: Entity<R>, id: Key, patch: Partial<R>): Readonly<R> {
    const table = this.#overlay.tables.of(entity);
    const key = lockKey({ table: table.name, id });
    const row = this.#known(key);
    if (row === undefined) throw new NeedLocks([lock(entity, id)]);
    if (row === null) throw new Error(`no ${entity.name} ${id} to update`);
    const after: Row = { ...row, ...(patch as Row) };
    this.writes.push({ op: "update", table, id, key, patch });
    this.current.set(key, after);
    return after as R;
  }

  /**
   * Changes a record as a write of its own: its version (`updatedAt`) moves, and always forward. Returns the row as it
   * is now.
   */
  touch<R extends { readonly updatedAt: number }>(
    entity: Entity<R>,
    id: Key,
    patch: Partial<Omit<R, "updatedAt">> = {},
  ): Readonly<R> {
    const { updatedAt = 0 } = this.find(entity, id) ?? {};
    return this.update(entity, id, { ...patch, updatedAt: Math.max(this.time, updatedAt + 1) } as Partial<R>);
  }

  /** Deletes a row if it is there; needs no lock. */
  delete<R extends object>(entity: Entity<R>, id: Key): void {
    const table = this.#overlay.tables.of(entity);
    const key = lockKey({ table: table.name, id });
    this.writes.push({ op: "delete", table, id, key });
    this.current.set(key, null);
  }

  /**
   * Deletes all rows whose properties equal those of `where`. Only for tables that are owned by the locked row (its
   * timers, its effects).
   */
  purge<R extends object>(entity: Entity<R>, where: Partial<R>): void {
    this.#purge(this.#overlay.tables.of(entity), where);
  }

  /**
   * Changes rows set by set, in the same transaction and after everything else of it: rows that refer to a row which
   * goes, of which there may be any number. Nobody is told of these rows one by one: publish a fact.
   */
  alter(statement: Statement): void {
    this.statements.push(statement);
  }

  /**
   * Tells listeners of the commit something that rows do not say (a transition, an event). Published only if the batch
   * commits.
   */
  publish<V>(fact: Fact<V>, value: NoInfer<V>): void {
    this.facts.add(fact, value);
  }

  #purge(table: Table, where: Readonly<Row>): void {
    this.purges.push({ op: "purge", table, where });
    for (let index = this.writes.length - 1; index >= 0; index--) {
      const write = this.writes[index];
      if (
        write &&
        (write.op === "insert" || write.op === "upsert") &&
        write.table.name === table.name &&
        matches(write.row, where)
      ) {
        this.writes.splice(index, 1);
      }
    }
  }

  /** Undefined: never seen; null: known not to be there. */
  #known(key: string): Row | null | undefined {
    const own = this.current.get(key);
    return own === undefined ? this.#overlay.get(key) : own;
  }

  #put(op: "insert" | "upsert", table: Table, row: Row, fresh: boolean): boolean {
    const id = row[table.key.property] as Key;
    const key = lockKey({ table: table.name, id });
    if (fresh && this.#known(key)) return false;
    this.writes.push({ op, table, id, key, row });
    this.current.set(key, row);
    return true;
  }
}
