// What of agents' batches counts: rows of accounts that the node was given, on its inbounds, no faster than its line. The rest is refused and said; it never keeps a batch from being
// acknowledged, so an honest node's later batches do not wait behind it.
//
// A node may tell of an account that it was given at any time since `givenSince`: what the panel had told it when the batch counted before ended. That an account is served now memory
// knows. Only for one that is not the database is asked where account and node stood since then (`departures`); so late usage of somebody who was removed counts, however long the
// agent was away. A batch's own `from` and its sums `up` and `down` are not asked at all: rows decide.
import { setImmediate as turn } from "node:timers/promises";
import { sql, type Reader } from "../db/index.ts";
import { added } from "../lib/exact.ts";
import type { UsageRow } from "../protocol/messages.ts";
import { givenSinceSet } from "./forgetting.ts";
import { Line } from "./line.ts";
import { meet, openSpans, spansOf, type Span } from "./past-places.ts";
import type { RefusalCode } from "./refusal.schema.ts";
import type { NodeBatch } from "./usage-statements.ts";

/** Who is served where, as the process knows it from memory. */
export interface Served {
  /** Resolves when the rest can be asked. */
  known(): Promise<void>;
  serves(templateId: number, userId: number): boolean;
  /** Unix milliseconds of the last change of place of an account or a node that this process remembers; undefined where none is. */
  userChangedAt(userId: number): number | undefined;
  nodeChangedAt(nodeId: number): number | undefined;
  inboundsOf(templateId: number): Promise<ReadonlySet<number>>;
}

/** What is stored of a node's counting, with its template; 0 = none. */
export interface NodeLedger {
  readonly id: number;
  readonly templateId: number;
  readonly countedAt: number;
  readonly givenSince: number;
  readonly lineFrom: number;
  readonly refusalToldAt: number;
}

/** A batch as it came in. `until`: Unix milliseconds, see `told.ts`. */
export interface SentBatch extends NodeBatch {
  readonly until: number;
}

export interface Refused {
  readonly nodeId: number;
  readonly code: RefusalCode;
  readonly userId: number;
  up: number;
  down: number;
}

export interface Verdict {
  /** The batches with the rows that count. */
  readonly batches: readonly NodeBatch[];
  readonly ledgers: ReadonlyMap<number, NodeLedger>;
  readonly refused: readonly Refused[];
  /** Accounts among the rows that are deleted. */
  readonly deleted: ReadonlySet<number>;
}

/** Memory is trusted for what it saw happen; what only the database tells is read this much further back, since a commit is older than the news of it. */
const NEWS_MS = 60_000;
const IDS = 1000;

export class UsageJudge {
  readonly #reads: Reader;
  readonly #served: Served;
  readonly #gbps: number;

  constructor(reads: Reader, served: Served, gbps: number) {
    this.#reads = reads;
    this.#served = served;
    this.#gbps = gbps;
  }

  /** `verify`: look for every account in the database, since one was deleted while its usage was being counted. */
  async judge(batches: readonly SentBatch[], stored: ReadonlyMap<number, NodeLedger>, now: number, verify: boolean): Promise<Verdict> {
    await this.#served.known();
    const ledgers = new Map<number, NodeLedger>();
    const refused: Refused[] = [];
    const deleted = new Set<number>();
    const counted: NodeBatch[] = [];
    for (const sent of batches) {
      const found = ledgers.get(sent.nodeId) ?? stored.get(sent.nodeId);
      if (!found) continue;
      const ledger = { ...found, givenSince: givenSinceSet(found.givenSince, now) };
      const line = new Line(this.#gbps, ledger, now);
      const refusals = new Refusals(sent.nodeId);
      const rows = await this.#lawful(sent.batch.rows, ledger, refusals, deleted, now);
      const carried = line.take(bytesOf(rows)) ? rows : rows.filter((row) => line.take(row[2] + row[3]) || refusals.add("too_fast", row));
      if (verify) for (const id of await this.#missing(carried)) deleted.add(id);
      refused.push(...refusals.all());
      counted.push({ nodeId: sent.nodeId, micros: sent.micros, batch: { ...sent.batch, rows: carried } });
      ledgers.set(sent.nodeId, {
        ...ledger,
        lineFrom: line.from,
        givenSince: Math.max(ledger.givenSince, Math.min(sent.until, now)),
      });
    }
    return { batches: counted, ledgers, refused, deleted };
  }

  /** The rows of accounts and inbounds that the node was given. The common case is one walk and no copy. */
  async #lawful(rows: UsageRow[], ledger: NodeLedger, refusals: Refusals, deleted: Set<number>, now: number): Promise<UsageRow[]> {
    const { templateId } = ledger;
    const inbounds = await this.#served.inboundsOf(templateId);
    const strangers = new Set<number>();
    let elsewhere = false;
    for (const [id, inbound] of rows) {
      if (!this.#served.serves(templateId, id)) strangers.add(id);
      else if (!inbounds.has(inbound)) elsewhere = true;
    }
    if (strangers.size === 0 && !elsewhere) return rows;
    const node = await this.#nodeSpans(ledger);
    const given = await this.#given([...strangers], node, ledger, deleted, now);
    const known = await this.#inboundsSince(node, ledger);
    return rows.filter((row) => {
      if (strangers.has(row[0]) && !given.has(row[0])) return refusals.add("not_served", row);
      return known.has(row[1]) || refusals.add("unknown_inbound", row);
    });
  }

  /** The templates that the node had since it told of everything. */
  async #nodeSpans({ id, templateId, givenSince }: NodeLedger): Promise<Span[]> {
    const is = templateId === 0 ? [] : [templateId];
    const changed = this.#served.nodeChangedAt(id);
    if (changed !== undefined && changed < givenSince) return openSpans(is);
    const since = givenSince - NEWS_MS;
    return spansOf((await this.#departures("node", [id], since)).get(id) ?? [], is, since);
  }

  /** Which of the accounts stood on a template while the node had it. Notes those that are deleted. */
  async #given(ids: readonly number[], node: readonly Span[], ledger: NodeLedger, deleted: Set<number>, now: number): Promise<Set<number>> {
    const given = new Set<number>();
    const moved = node.length > 1;
    // Who changed before the node told of everything, and stands elsewhere since, needs no look while the node stayed where it is.
    const unsure = ids.filter((id) => moved || (this.#served.userChangedAt(id) ?? Infinity) >= ledger.givenSince);
    const since = ledger.givenSince - NEWS_MS;
    for (let from = 0; from < unsure.length; from += IDS) {
      // A batch of strangers alone is long: whoever else waits has their turn between its parts.
      if (from > 0) await turn();
      const part = unsure.slice(from, from + IDS);
      const [users, departures] = await Promise.all([this.#users(part), this.#departures("account", part, since)]);
      for (const id of part) {
        const user = users.get(id);
        const left = departures.get(id) ?? [];
        // Who was made in the future was made before the clock was set back.
        const made = user && user.createdAt <= now ? user.createdAt : 0;
        const spans = spansOf(left, user ? user.on : [], Math.max(since, made));
        if (!meet(spans, node)) continue;
        given.add(id);
        if (!user) deleted.add(id);
      }
    }
    return given;
  }

  /** Inbounds of every template that the node had, now or then. */
  async #inboundsSince(node: readonly Span[], { givenSince }: NodeLedger): Promise<Set<number>> {
    const templates = [...new Set(node.flatMap(({ on }) => on ?? []))];
    const known = new Set<number>();
    for (const id of templates) for (const inbound of await this.#served.inboundsOf(id)) known.add(inbound);
    for (const left of (await this.#departures("template", templates, givenSince - NEWS_MS)).values())
      for (const { was } of left) for (const inbound of was ?? []) known.add(inbound);
    return known;
  }

  async #departures(kind: string, subjects: readonly number[], since: number) {
    const found = new Map<number, { until: number; was: number[] | null }[]>();
    if (subjects.length === 0) return found;
    const rows = await this.#reads.query<{ subject: number; until: number; was: string | number[] | null }>(
      sql`select subject, until, was from departures where subject in (${sql.join([...subjects])}) and kind = ${kind} and until >= ${since} order by until`,
    );
    for (const { subject, until, was } of rows) {
      const list = found.get(subject) ?? [];
      found.set(subject, list);
      list.push({ until, was: idsOf(was) });
    }
    return found;
  }

  async #users(ids: readonly number[]): Promise<Map<number, { on: readonly number[] | null; createdAt: number }>> {
    const rows = await this.#reads.query<{
      id: number;
      enable: boolean | number;
      all_templates: boolean | number;
      template_ids: string | number[];
      created_at: number;
    }>(sql`select id, enable, all_templates, template_ids, created_at from users where id in (${sql.join([...ids])})`);
    return new Map(
      rows.map((row) => {
        const on = row.all_templates ? null : (idsOf(row.template_ids) ?? []);
        return [row.id, { on: row.enable ? on : [], createdAt: row.created_at * 1000 }];
      }),
    );
  }

  async #missing(rows: readonly UsageRow[]): Promise<number[]> {
    const ids = [...new Set(rows.map(([id]) => id))];
    const missing: number[] = [];
    for (let from = 0; from < ids.length; from += IDS) {
      if (from > 0) await turn();
      const part = ids.slice(from, from + IDS);
      const found = await this.#reads.query<{ id: number }>(sql`select id from user_usage where id in (${sql.join(part)})`);
      const there = new Set(found.map(({ id }) => id));
      missing.push(...part.filter((id) => !there.has(id)));
    }
    return missing;
  }
}

function bytesOf(rows: readonly UsageRow[]): number {
  let sum = 0;
  for (const row of rows) sum += row[2] + row[3];
  return sum;
}

/** A column of ids as either driver gives it. */
function idsOf(value: string | number[] | null): number[] | null {
  return typeof value === "string" ? (JSON.parse(value) as number[] | null) : value;
}

/** What one batch was refused, by account. */
class Refusals {
  readonly #nodeId: number;
  readonly #found = new Map<string, Refused>();

  constructor(nodeId: number) {
    this.#nodeId = nodeId;
  }

  /** Always false: the row does not count. */
  add(code: RefusalCode, [userId, , up, down]: UsageRow): false {
    const key = `${code} ${userId}`;
    const sum = this.#found.get(key);
    if (sum) {
      sum.up = added(sum.up, up);
      sum.down = added(sum.down, down);
    } else this.#found.set(key, { nodeId: this.#nodeId, code, userId, up, down });
    return false;
  }

  all(): Refused[] {
    return [...this.#found.values()];
  }
}
