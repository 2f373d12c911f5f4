// Adds what was counted to the sums of its hours, passes hours on to days and days to months.
//
// Invariants:
// - What is taken from one place is added to the next in the same transaction: at every instant, whichever process is
//   killed, each byte that was counted is in the chunks or in the sums of its hour, and once in what a question reads
//   of its day.
// - A row that was passed on is in the sums above it. What is added to it later (a node told late) is added there too.
// - Sums are read before they are written. Each change counts up `traffic_turns`; who read before another process's
//   change writes nothing and begins again.
// - Every step is bounded by what it reads, and asks the tables what is to be done: nothing is remembered between two.
import { ExpectationFailed, sql, type Committer, type Reader, type Statement } from "../db/index.ts";
import { foldStatements, type Change, type Table } from "./fold-statements.ts";
import type { Part } from "./chunk-sums.ts";
import { dayDue, DAYS_FROM, hourDue } from "./open-periods.ts";
import { monthOf, quarterOf, type Periods } from "./periods.ts";
import { firstRow, inPeriod, kindOf, PERIOD, periodOf } from "./sum-rows.ts";
import { listOf, ownersOf } from "./stored.queries.ts";
import type { HistoryThread } from "./thread.ts";

export interface FoldDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly thread: HistoryThread;
  readonly periods: () => Periods;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Chunks of one step, each of at most 64 KiB. */
const CHUNKS = 64;
/** Rows that one step passes on. */
const ROWS = 256;

interface StoredRow {
  readonly id: number;
  readonly passed: boolean;
  readonly data: Uint8Array;
}

export class Fold {
  readonly #deps: FoldDeps;
  /** The hour that was noted as known last. */
  #noted = 0;

  constructor(deps: FoldDeps) {
    this.#deps = deps;
  }

  /** Everything that there is to do; `going`: false ends it after the step that runs. */
  async run(going: () => boolean): Promise<void> {
    while (going() && (await this.#step(() => this.#takeChunks()))) continue;
    if (going()) await this.#step(() => this.#noteHour());
    while (going() && (await this.#step(() => this.#passOn()))) continue;
  }

  /** True: there may be more to do. False also where another process was there first: it goes on. */
  async #step(work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ExpectationFailed) return false;
      throw error;
    }
  }

  /** Adds chunks to the sums of their hours, and to what was passed on of them. */
  async #takeChunks(): Promise<boolean> {
    const { reads, thread, periods, now } = this.#deps;
    const turn = await this.#turn();
    const found = await reads.query<{ id: number; data: Uint8Array }>(
      sql`select id, data from traffic_chunks order by id limit ${CHUNKS}`,
      { scans: true },
    );
    if (found.length === 0) return false;
    const chunks = found.map(({ data }) => data);
    const owners = await ownersOf(reads, await thread.do("accounts", { chunks }));
    const { zone } = periods();
    const parts = withFirstRows(await thread.do("parts", { chunks, owners, zone }));
    const hours = await this.#added("traffic_hours", parts);
    const late = parts.filter(({ id }) => hours.get(id)?.passed === true);
    const days = await this.#added(
      "traffic_days",
      late.map(({ id, data }) => ({ id: this.#dayRow(id), data })),
    );
    const months = await this.#added(
      "traffic_months",
      late
        .filter(({ id }) => days.get(this.#dayRow(id))?.passed === true && kindOf(id).monthly)
        .map(({ id, data }) => ({ id: monthRow(this.#dayRow(id)), data })),
    );
    const seconds = Math.floor(now() / 1000);
    await this.#commit("traffic.fold", turn, [
      ...this.#write("traffic_hours", hours),
      ...this.#write("traffic_days", days),
      ...this.#write("traffic_months", months),
      ...this.#open([...hours], "hour", seconds),
      ...this.#open([...days], "day", seconds),
      {
        ...reads.statement(
          "chunks",
          sql`delete from traffic_chunks where id in (${listOf(
            reads,
            found.map(({ id }) => id),
          )})`,
        ),
        rows: found.length,
      },
    ]);
    return found.length === CHUNKS;
  }

  /** The hour is known, even if nothing moves in it: the panel runs. */
  async #noteHour(): Promise<boolean> {
    const { periods, now } = this.#deps;
    const seconds = Math.floor(now() / 1000);
    const hour = periods().hourOf(quarterOf(seconds));
    if (this.#noted === hour) return false;
    const id = firstRow(hour);
    const turn = await this.#turn();
    const known = await this.#rows("traffic_hours", [id]);
    if (!known.has(id)) {
      const row = new Map([[id, { id, passed: false, data: new Uint8Array(0) }]]);
      await this.#commit("traffic.hour", turn, [
        ...this.#write("traffic_hours", row),
        ...this.#open([...row], "hour", seconds),
      ]);
    }
    this.#noted = hour;
    return false;
  }

  /** Passes on rows of the hour or day that has been due longest. */
  async #passOn(): Promise<boolean> {
    const { reads, now } = this.#deps;
    const seconds = Math.floor(now() / 1000);
    const turn = await this.#turn();
    const [due] = await reads.query<{ id: number }>(
      sql`select id from traffic_open where due_at <= ${seconds} order by due_at, id limit 1`,
    );
    if (!due) return false;
    const isDay = due.id >= DAYS_FROM;
    const from = isDay ? "traffic_days" : "traffic_hours";
    const period = isDay ? due.id - DAYS_FROM : due.id;
    const table = sql.table(from);
    const rows = await reads.query<StoredRow>(
      sql`select id, passed, data from ${table} where id >= ${firstRow(period)} and id < ${firstRow(period) + PERIOD} and not passed
        order by id limit ${ROWS}`,
      { scans: true },
    );
    const to: Table = isDay ? "traffic_months" : "traffic_days";
    const above = await this.#added(
      to,
      rows.map(({ id, data }) => ({ id: isDay ? monthRow(id) : this.#dayRow(id), data })),
    );
    // A day that was passed on already gets something late: then the month gets it as well.
    const late = isDay ? [] : rows.filter(({ id }) => above.get(this.#dayRow(id))?.passed && kindOf(id).monthly);
    const months = await this.#added(
      "traffic_months",
      late.map(({ id, data }) => ({ id: monthRow(this.#dayRow(id)), data })),
    );
    const ids = rows.map(({ id }) => id);
    await this.#commit("traffic.pass", turn, [
      ...this.#write(to, above),
      ...(isDay ? [] : this.#write("traffic_months", months)),
      reads.statement("passed", sql`update ${table} set passed = true where id in (${listOf(reads, ids)})`),
      ...(isDay ? [] : this.#open([...above], "day", seconds)),
      ...(rows.length < ROWS ? [reads.statement("closed", sql`delete from traffic_open where id = ${due.id}`)] : []),
    ]);
    return true;
  }

  #dayRow(hourRow: number): number {
    return inPeriod(hourRow, this.#deps.periods().dateOf(periodOf(hourRow)));
  }

  async #turn(): Promise<number> {
    const { commits, reads } = this.#deps;
    const ask = sql<{ turn: number }>`select turn from traffic_turns where id = 1`;
    const [found] = await reads.query(ask);
    if (found) return found.turn;
    const make = sql`insert into traffic_turns (id, turn) values (1, 0) on conflict (id) do nothing`;
    await commits.execute({ name: "traffic.turn", statements: [reads.statement("turn", make)] });
    return 0;
  }

  async #rows(table: Table, ids: readonly number[]): Promise<Map<number, StoredRow>> {
    if (ids.length === 0) return new Map();
    const { reads } = this.#deps;
    const rows = await reads.query<{ id: number; passed: boolean | number; data: Uint8Array }>(
      sql`select id, passed, data from ${sql.table(table)} where id in (${listOf(reads, ids)})`,
      { scans: true },
    );
    return new Map(rows.map(({ id, passed, data }) => [id, { id, passed: passed === true || passed === 1, data }]));
  }

  /** Rows of a table with what is added to them, by their ids. */
  async #added(table: Table, parts: readonly { readonly id: number; readonly data: Uint8Array }[]) {
    const lists = new Map<number, Uint8Array[]>();
    for (const { id, data } of parts) {
      const list = lists.get(id);
      if (list) list.push(data);
      else lists.set(id, [data]);
    }
    const ids = [...lists.keys()];
    const stored = await this.#rows(table, ids);
    const merged =
      ids.length === 0
        ? []
        : await this.#deps.thread.do("merge", {
            lists: ids.map((id) => {
              const row = stored.get(id);
              return row ? [row.data, ...(lists.get(id) ?? [])] : (lists.get(id) ?? []);
            }),
          });
    return new Map(
      ids.map((id, at) => {
        const passed = stored.get(id)?.passed ?? (table === "traffic_months" || isLast(table, id));
        return [id, { id, passed, data: merged[at] ?? new Uint8Array(0) }] as const;
      }),
    );
  }

  #write(table: Table, rows: ReadonlyMap<number, Change>): Statement[] {
    return foldStatements(this.#deps.reads.dialect, table, [...rows.values()]);
  }

  /** Hours or days with rows that are not passed on. */
  #open(rows: readonly (readonly [number, Change])[], level: "hour" | "day", seconds: number): Statement[] {
    const { reads, periods } = this.#deps;
    const open = new Set(rows.filter(([, { passed }]) => !passed).map(([id]) => periodOf(id)));
    return [...open].map((period) => {
      const id = level === "hour" ? period : period + DAYS_FROM;
      const due = level === "hour" ? hourDue(period, seconds) : dayDue(period, periods(), seconds);
      return reads.statement(
        "open",
        sql`insert into traffic_open (id, due_at) values (${id}, ${due}) on conflict (id) do nothing`,
      );
    });
  }

  async #commit(name: string, turn: number, statements: readonly Statement[]): Promise<void> {
    const { commits, reads } = this.#deps;
    const next = sql`update traffic_turns set turn = turn + 1 where id = 1 and turn = ${turn}`;
    await commits.execute({ name, statements: [reads.statement("turn", next, 1), ...statements] });
  }
}

/** Whether rows of this kind go no further. */
function isLast(table: Table, id: number): boolean {
  return table === "traffic_days" && !kindOf(id).monthly;
}

/** With the row by which an hour is known, of every hour. */
function withFirstRows(parts: readonly Part[]): Part[] {
  const there = new Set(parts.map(({ id }) => id));
  const hours = new Set(parts.map(({ id }) => periodOf(id)));
  const missing = [...hours].map(firstRow).filter((id) => !there.has(id));
  return [...parts, ...missing.map((id) => ({ id, data: new Uint8Array(0) }))];
}

function monthRow(dayRow: number): number {
  return inPeriod(dayRow, monthOf(periodOf(dayRow)));
}
