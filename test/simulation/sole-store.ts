// A process's way to a database file that is its own, as the SQLite store has it: reads at once, one writer that
// carries out one transaction after the other.
import { lockKey } from "../../src/db/row-writes.ts";
import { StoreContention, StoreUnavailable } from "../../src/db/errors.ts";
import type { Session, Sql, StatementResult, Statements, Store } from "../../src/db/store.ts";
import type { Row } from "../../src/db/table.ts";
import type { Owner } from "./schedule.ts";
import type { Server } from "./server.ts";

export class SoleStore implements Store {
  readonly dialect = "sqlite";
  readonly sessions = 3;
  readonly exclusiveStatements = true;
  readonly #server: Server;
  readonly #owner: Owner;
  /** Until when the writer is busy. */
  #busyUntil = 0;
  /** What the writer has not carried out yet, oldest first. */
  readonly #queue: (() => void)[] = [];

  constructor(server: Server, owner: Owner) {
    this.#server = server;
    this.#owner = owner;
  }

  begin(): Session {
    const { database } = this.#server;
    return {
      load: async (locks) => {
        if (this.#fails("failedLoad")) throw new StoreUnavailable("the database does not answer");
        return new Map(locks.map((wanted) => [lockKey(wanted), database.row(wanted)]));
      },
      finish: (writes) => this.#write("finish", () => database.write(writes, this.#owner.name, undefined)),
      abandon: async () => {},
    };
  }

  execute(made: Statements): Promise<StatementResult[]> {
    return this.#write("execute", () => {
      const statements = typeof made === "function" ? made() : made;
      return this.#server.database.execute(statements, this.#owner.name, undefined, false);
    });
  }

  async read(sql: Sql): Promise<Row[]> {
    if (this.#fails("failedRead")) throw new StoreUnavailable("the database does not answer");
    return this.#server.database.read(sql);
  }

  reserve(sequence: string, count: number): Promise<number> {
    const text =
      "insert into id_blocks (name, next) values (?, 1 + ?) on conflict (name) do update set next = next + ? returning next - ? as first";
    return this.#write("reserve", () => {
      if (this.#fails("failedReserve")) throw new StoreUnavailable("the database cannot be written");
      return (
        this.#server.database.read<{ first: number }>({ text, values: [sequence, count, count, count] })[0]?.first ?? 0
      );
    });
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  /**
   * The process is killed, and its writer with it: what the writer was at is on disk, or is not; what waited is not.
   */
  die(): void {
    const current = this.#queue.shift();
    this.#queue.length = 0;
    if (current && this.#server.chance.happens(0.5)) current();
  }

  #write<T>(label: string, work: () => T): Promise<T> {
    const { schedule, chance, faults } = this.#server;
    const takes = chance.between(faults.latency.from, faults.latency.to) * (chance.happens(faults.spike) ? 100 : 1);
    this.#busyUntil = Math.max(this.#busyUntil, schedule.now) + takes;
    return new Promise((resolve, reject) => {
      const carryOut = () => {
        try {
          if (this.#fails("refused")) throw new StoreUnavailable("the database cannot be written: disk full");
          if (this.#fails("contention")) throw new StoreContention("the database is busy");
          resolve(work());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      this.#queue.push(carryOut);
      schedule.after(
        this.#busyUntil - schedule.now,
        label,
        () => {
          this.#queue.splice(this.#queue.indexOf(carryOut), 1);
          carryOut();
        },
        this.#owner,
      );
    });
  }

  #fails(what: "refused" | "contention" | "failedLoad" | "failedRead" | "failedReserve"): boolean {
    const { chance, faults } = this.#server;
    return faults[what] > 0 && chance.happens(faults[what]);
  }
}
