// A process's way to a database server that others use too, as the PostgreSQL store has it: several sessions, row
// locks, and a network between that delays, loses and breaks.
import { lockKey, type Lock } from "../../src/db/row-writes.ts";
import { OutcomeUnknown, StoreContention, StoreUnavailable } from "../../src/db/errors.ts";
import type { CommitLog, Session, Sql, StatementResult, Statements, Store, WriteSet } from "../../src/db/store.ts";
import type { Row } from "../../src/db/table.ts";
import type { Owner, Schedule } from "./schedule.ts";
import type { Server, Transaction } from "./server.ts";

/**
 * How long a lost commit is asked after, and how often. The PostgreSQL store asks for half a minute; less here, so that
 * giving up is no rarity.
 */
const SETTLE_MS = 2000;
const ASK_MS = 200;
/** Longest time until a client notices that its connection is gone. */
const NOTICED_MS = 3000;
const HINT_MS = 40;
const EMPTY_NOTE = JSON.stringify({ rows: {}, facts: {} });
/** Statements that carry `for update skip locked` on PostgreSQL. */
const SKIP_LOCKED: ReadonlySet<string> = new Set(["effect.renew", "effect.release"]);

interface Reply<T> {
  ok(value: T): void;
  fail(error: Error): void;
}

export class SharedStore implements Store {
  readonly dialect = "sqlite";
  readonly sessions = 4;
  readonly exclusiveStatements = false;
  readonly log: CommitLog;
  readonly #server: Server;
  readonly #owner: Owner;
  readonly #listeners = new Set<() => void>();
  #hinting = false;

  /** `others`: the stores of the other processes that may listen. */
  constructor(server: Server, owner: Owner, others: () => Iterable<SharedStore>) {
    this.#server = server;
    this.#owner = owner;
    const { database } = server;
    this.log = {
      join: () =>
        this.#call("join", (reply) => {
          const last = database.log(owner.name, EMPTY_NOTE);
          reply.ok({ position: String(last), last });
        }),
      since: (position, until) =>
        this.#call("since", (reply) => {
          if (this.#fails("failedRead")) return reply.fail(unavailable());
          const end = until === undefined ? database.lastNote : Number(until);
          const notes = database.notes.filter(
            ({ id, boot }) => id > Number(position) && id <= end && boot !== owner.name,
          );
          const first = database.notes[0]?.id ?? 0;
          reply.ok({
            notes: notes.map(({ note }) => note),
            position: until ?? String(end),
            first,
            last: database.lastNote,
          });
        }),
      prune: (before) =>
        this.#call("prune", (reply) => {
          database.notes = database.notes.filter(({ id }) => id >= before);
          reply.ok();
        }),
      hint: () => {
        if (this.#hinting) return;
        this.#hinting = true;
        this.#schedule.after(
          HINT_MS,
          "hint",
          () => {
            this.#hinting = false;
            if (this.#server.chance.happens(0.7)) for (const other of others()) other.#hear();
          },
          owner,
        );
      },
      listen: (heard) => {
        this.#listeners.add(heard);
        return () => this.#listeners.delete(heard);
      },
    };
  }

  get #schedule(): Schedule {
    return this.#server.schedule;
  }

  begin(): Session {
    let transaction: Transaction | undefined;
    return {
      load: (locks) => {
        const begun = this.#server.begin(this.#owner);
        transaction = begun;
        return this.#call("load", (reply) => this.#load(begun, locks, reply));
      },
      finish: (writes, note) => {
        const begun = transaction;
        if (!begun) return Promise.reject(new Error("finish before load"));
        return this.#call(
          "finish",
          (reply) => this.#finish(begun, writes, note, reply),
          () => this.#lookUp(begun, false),
        );
      },
      abandon: () => {
        const begun = transaction;
        if (!begun) return Promise.resolve();
        return this.#call<void>(
          "abandon",
          (reply) => {
            this.#server.end(begun);
            reply.ok();
          },
          async () => this.#server.end(begun),
        );
      },
    };
  }

  execute(made: Statements, note?: string): Promise<StatementResult[]> {
    const { database } = this.#server;
    // No statement here looks at the clock: it may be made before the rows that it waits for are free.
    const statements = typeof made === "function" ? made() : made;
    const skipLocked = statements.some(({ label }) => SKIP_LOCKED.has(label));
    const tables = skipLocked
      ? []
      : statements.flatMap(({ text }) =>
          [...text.matchAll(/(?:update|insert into|delete from)\s+"?(\w+)/g)].map(([, name]) => name ?? ""),
        );
    return this.#call("execute", (reply) => {
      if (this.#fails("refused")) return reply.fail(unavailable());
      if (this.#fails("contention")) return reply.fail(new StoreContention("the database gave way"));
      this.#server.whenFree(tables, () => {
        if (this.#server.refuses) return reply.fail(unavailable());
        try {
          const results = database.execute(statements, this.#owner.name, note, skipLocked);
          if (this.#fails("lostAnswer")) void this.#settled(true).then(() => reply.ok(results), reply.fail);
          else reply.ok(results);
        } catch (error) {
          reply.fail(asError(error));
        }
      });
    });
  }

  read(sql: Sql): Promise<Row[]> {
    return this.#call("read", (reply) => {
      if (this.#fails("failedRead")) return reply.fail(unavailable());
      try {
        reply.ok(this.#server.database.read(sql));
      } catch (error) {
        reply.fail(asError(error));
      }
    });
  }

  reserve(sequence: string, count: number): Promise<number> {
    const text =
      "insert into id_blocks (name, next) values (?, 1 + ?) on conflict (name) do update set next = next + ? returning next - ? as first";
    return this.#call("reserve", (reply) => {
      const lost = this.#fails("failedReserve");
      // A reservation whose answer is lost leaves a gap.
      if (lost && this.#server.chance.happens(0.5)) return reply.fail(unavailable());
      const [row] = this.#server.database.read<{ first: number }>({ text, values: [sequence, count, count, count] });
      if (!row || lost) reply.fail(unavailable());
      else reply.ok(row.first);
    });
  }

  async ping(): Promise<void> {
    await this.read({ text: "select 1", values: [] });
  }

  async close(): Promise<void> {}

  #hear(): void {
    for (const heard of this.#listeners) this.#schedule.after(this.#latency(), "heard", heard, this.#owner);
  }

  #load(transaction: Transaction, locks: readonly Lock[], reply: Reply<Map<string, Row | null>>): void {
    const server = this.#server;
    const fail = (error: Error) => {
      server.end(transaction);
      reply.fail(error);
    };
    if (transaction.broken || this.#fails("failedLoad")) return fail(unavailable());
    if (this.#fails("contention")) return fail(new StoreContention("the database gave way"));
    const rows = new Map<string, Row | null>(locks.map((wanted) => [lockKey(wanted), null]));
    transaction.onBreak = () => fail(unavailable());
    this.#select(transaction, locks, rows, fail, () => {
      // Rows that are not there are locked by their names, and looked for again: see `LOCK_ABSENT` of the PostgreSQL
      // store.
      const absent = locks.filter(
        (wanted) => wanted.mode === "write" && !this.#isOwned(wanted.table) && rows.get(lockKey(wanted)) === null,
      );
      const ordered = absent.toSorted((a, b) => (a.key < b.key ? -1 : 1));
      server.lockAll(
        transaction,
        ordered,
        ({ key }) => `absent ${key}`,
        (granted) => {
          if (!granted) return fail(new StoreContention("deadlock"));
          this.#select(transaction, ordered, rows, fail, () => {
            transaction.onBreak = () => {};
            server.idle(transaction);
            reply.ok(rows);
          });
        },
      );
    });
  }

  /**
   * Locks rows and reads them into `rows`: one statement per table, which sees the rows that are there when it begins,
   * and leaves out those that are deleted while it waits.
   */
  #select(
    transaction: Transaction,
    locks: readonly Lock[],
    rows: Map<string, Row | null>,
    fail: (error: Error) => void,
    done: () => void,
  ): void {
    const { database } = this.#server;
    const groups = groupsOf(locks, (table) => this.#isOwned(table));
    const next = (index: number): void => {
      const group = groups[index];
      if (!group) return done();
      const found = group.filter((wanted) => database.exists(wanted));
      const deaths = found.map((wanted) => database.deathsOf(lockKey(wanted)));
      this.#server.lockAll(transaction, found, lockKey, (granted) => {
        if (!granted) return fail(new StoreContention("deadlock"));
        for (const [at, wanted] of found.entries()) {
          if (database.deathsOf(lockKey(wanted)) === deaths[at]) rows.set(lockKey(wanted), database.row(wanted));
        }
        next(index + 1);
      });
    };
    next(0);
  }

  #isOwned(table: string): boolean {
    return this.#server.database.tables.named(table).owned;
  }

  #finish(transaction: Transaction, writes: WriteSet, note: string | undefined, reply: Reply<void>): void {
    const server = this.#server;
    transaction.cancelIdle();
    const answer = (committed: boolean) => {
      void this.#lookUp(transaction, committed).then(() => reply.ok(), reply.fail);
    };
    if (transaction.broken) return answer(false);
    const fail = (error: Error) => {
      server.end(transaction);
      reply.fail(error);
    };
    if (this.#fails("refused")) return fail(unavailable());
    if (this.#fails("contention")) return fail(new StoreContention("the database gave way"));
    transaction.onBreak = () => answer(false);
    const wanted: Lock[] = writes.writes
      .flatMap((write) =>
        write.op === "purge" ? [] : [{ table: write.table.name, id: write.id, key: write.key, mode: "write" as const }],
      )
      .filter((each) => !server.locks.holds(transaction, lockKey(each)) && server.database.exists(each));
    server.lockAll(transaction, wanted, lockKey, (granted) => {
      transaction.onBreak = () => {};
      if (!granted) return fail(new StoreContention("deadlock"));
      const lost = this.#fails("lostAnswer");
      if (lost && server.chance.happens(0.5)) {
        server.break(transaction);
        return answer(false);
      }
      try {
        server.database.write(writes, this.#owner.name, note);
      } catch (error) {
        return fail(asError(error));
      }
      if (lost) {
        server.break(transaction);
        return answer(true);
      }
      server.end(transaction);
      if (server.chance.happens(server.faults.fallsInCommit)) server.fall(server.chance.between(100, 2 * SETTLE_MS));
      if (server.refuses) return answer(true);
      reply.ok();
    });
  }

  /** A commit whose answer was lost: the server is asked until it says what became of it. */
  async #lookUp(transaction: Transaction, committed: boolean): Promise<void> {
    this.#server.break(transaction);
    await this.#settled(committed);
    if (!committed) throw unavailable();
  }

  /** Resolves when the server said what became of a commit. Rejects with `OutcomeUnknown` when that takes long. */
  #settled(committed: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      let asked = 0;
      const { promise: settled, resolve: settle } = Promise.withResolvers<boolean>();
      let late = false;
      const ask = () => {
        if (this.#server.goneUntil() === undefined) {
          settle(committed);
          resolve();
          return;
        }
        if (++asked > SETTLE_MS / ASK_MS && !late) {
          late = true;
          reject(new OutcomeUnknown(settled));
        }
        this.#schedule.after(ASK_MS, "ask after a lost commit", ask, this.#owner);
      };
      // That a connection is gone is noticed late.
      const noticed = this.#server.chance.happens(0.5) ? this.#server.chance.between(0, NOTICED_MS) : this.#latency();
      this.#schedule.after(noticed, "ask after a lost commit", ask, this.#owner);
    });
  }

  /**
   * A question and its answer, each on its way for a while. `lost`: what becomes of it where the connection is refused;
   * the default is `StoreUnavailable`.
   */
  #call<T>(
    label: string,
    serve: (reply: Reply<T>) => void,
    lost: () => Promise<T | void> = () => Promise.reject(unavailable()),
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const back = (settle: () => void) =>
        this.#schedule.after(this.#latency(), `${label} answered`, settle, this.#owner);
      const reply: Reply<T> = { ok: (value) => back(() => resolve(value)), fail: (error) => back(() => reject(error)) };
      const arrive = () => {
        // What a killed process had sent arrives, or it does not.
        if (!this.#owner.alive && (label !== "finish" || this.#server.chance.happens(0.5))) return;
        const backAt = this.#server.goneUntil();
        if (backAt === undefined) serve(reply);
        else if (!this.#server.refuses) this.#schedule.after(backAt - this.#schedule.now, label, arrive);
        else void lost().then((value) => reply.ok(value as T), reply.fail);
      };
      this.#schedule.after(this.#latency(), `${this.#owner.name} ${label}`, arrive);
    });
  }

  #latency(): number {
    const { chance, faults } = this.#server;
    const usual = chance.between(faults.latency.from, faults.latency.to);
    return chance.happens(faults.spike) ? usual * 100 : usual;
  }

  #fails(what: "refused" | "contention" | "lostAnswer" | "failedLoad" | "failedRead" | "failedReserve"): boolean {
    const { chance, faults } = this.#server;
    return faults[what] > 0 && chance.happens(faults[what]);
  }
}

function unavailable(): StoreUnavailable {
  return new StoreUnavailable("the database does not answer");
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/**
 * Locks by table, owned tables last, rows in order within: one statement each. A table of which one row is written has
 * all its rows locked for writing.
 */
function groupsOf(locks: readonly Lock[], isOwned: (table: string) => boolean): Lock[][] {
  const groups = new Map<string, Lock[]>();
  for (const wanted of locks) groups.set(wanted.table, [...(groups.get(wanted.table) ?? []), wanted]);
  return [...groups]
    .toSorted(([a], [b]) => Number(isOwned(a)) - Number(isOwned(b)) || (a < b ? -1 : 1))
    .map(([, group]) => {
      const mode = group.some((wanted) => wanted.mode === "write") ? ("write" as const) : ("read" as const);
      return group.map((each) => ({ ...each, mode })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    });
}
