// On which nodes accounts were served, read from the database for the usage judge.
import { sql, type Reader } from "../../db/index.ts";

/** What somebody stood on until then; null: every template. */
export interface Departure {
  readonly until: number;
  readonly was: number[] | null;
  /** For an account, the only inbounds that it might use; null: every one. */
  readonly inbounds: number[] | null;
}

export interface PlacedAccount {
  readonly on: readonly number[] | null;
  /** The only inbounds that it may use; null: every one. */
  readonly inbounds: readonly number[] | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** More rows than this are searched on another thread, not the main one. */
const MANY = 1000;

export class UsagePlaces {
  readonly #reads: Reader;

  constructor(reads: Reader) {
    this.#reads = reads;
  }

  /** Changes since then, by subject, in order of time. */
  async departures(
    kind: "account" | "node" | "template",
    subjects: readonly number[],
    since: number,
  ): Promise<Map<number, Departure[]>> {
    const found = new Map<number, Departure[]>();
    if (subjects.length === 0) return found;
    const rows = await this.#reads.query<{
      subject: number;
      until: number;
      was: string | number[] | null;
      inbounds: string | number[] | null;
    }>(
      sql`select subject, until, was, inbounds from departures where subject in (${this.#list(subjects)}) and kind = ${kind} and until >= ${since} order by until`,
      reachOf(subjects),
    );
    for (const { subject, until, was, inbounds } of rows) {
      const list = found.get(subject) ?? [];
      found.set(subject, list);
      list.push({ until, was: idsOf(was), inbounds: idsOf(inbounds) });
    }
    return found;
  }

  /** Where accounts stand now; those that are deleted are not in it. */
  async accounts(ids: readonly number[]): Promise<Map<number, PlacedAccount>> {
    const rows = await this.#reads.query<{
      id: number;
      enable: boolean | number;
      all_templates: boolean | number;
      template_ids: string | number[];
      inbound_ids: string | number[] | null;
      created_at: number;
    }>(
      sql`select id, enable, all_templates, template_ids, inbound_ids, created_at from users where id in (${this.#list(ids)})`,
      reachOf(ids),
    );
    return new Map(
      rows.map((row) => {
        const on = row.all_templates ? null : (idsOf(row.template_ids) ?? []);
        const inbounds = idsOf(row.inbound_ids);
        const served = row.enable && inbounds?.length !== 0;
        return [row.id, { on: served ? on : [], inbounds, createdAt: row.created_at * 1000 }];
      }),
    );
  }

  /** Those without counters: their accounts are deleted. */
  async missing(ids: readonly number[]): Promise<number[]> {
    const found = await this.#reads.query<{ id: number }>(
      sql`select id from user_usage where id in (${this.#list(ids)})`,
      reachOf(ids),
    );
    const there = new Set(found.map(({ id }) => id));
    return ids.filter((id) => !there.has(id));
  }

  /** One value, however many ids: a statement with thousands of values takes longer to write than to answer. */
  #list(ids: readonly number[]) {
    const json = JSON.stringify(ids);
    return this.#reads.dialect === "sqlite"
      ? sql`select value from json_each(${json})`
      : sql`select value::bigint from json_array_elements_text(${json}::json)`;
  }
}

function reachOf(ids: readonly number[]) {
  return ids.length > MANY ? ({ scans: true } as const) : {};
}

/** A column of ids as either driver gives it. */
function idsOf(value: string | number[] | null): number[] | null {
  return typeof value === "string" ? (JSON.parse(value) as number[] | null) : value;
}
