// Decides which rows of agents' batches count: rows of accounts that the node was given, on its inbounds, no faster
// than its line (rules usage.judge). The other rows are refused and reported. They never keep a batch from being
// acknowledged, so an honest node's later batches do not wait behind it.
//
// A node may report usage of an account that it was given at any time since `givenSince`, also of one that it already
// had then, on inbounds that the account may use. `givenSince` is the time up to which the node has told everything:
// the end of the batch that counted before, or a later time that `forgetting.ts` sets. Memory knows which accounts are
// served now. Only for the others the database is asked where account and node stood since then (`departures`); so late
// usage of a removed account counts, however long the agent was away. A batch's own `from` and its sums `up` and `down`
// are not used at all: rows decide.
//
// Each question has one source. The node's template comes from the database, so the judge asks there too where the node
// stood before: a commit, of this process or another, is on disk before memory hears of it. Memory tells that an
// account is not served, and when it was taken away: this process told the node out of that memory.
//
// A batch of 200,000 rows of unknown accounts takes hundreds of milliseconds: it is processed in parts, so that other
// requests run in between.
import type { Reader } from "../../db/index.ts";
import { CELLS, type UsageCells } from "../../protocol/usage-rows.ts";
import { givenSinceSet } from "./forgetting.ts";
import { Line } from "../records/line-credit.ts";
import { meet, spansOf, type Span } from "./place-history.ts";
import type { RefusalCode } from "../records/usage-refusal.schema.ts";
import { Refusals } from "./refusal-sums.ts";
import { eachRow, rowsWhere } from "./row-parts.ts";
import { UsagePlaces } from "./usage-places.ts";
import type { NodeBatch } from "./usage-statements.ts";

/** Tells which accounts are served where, as the process knows it from memory. */
export interface Served {
  /** Resolves when the rest can be asked. */
  known(): Promise<void>;
  /** Whether a template's nodes serve the account, and on this inbound as far as the account's own list goes. */
  serves(templateId: number, userId: number, inboundId: number): boolean;
  /** Unix milliseconds of the last change of place of an account that this process remembers; undefined: none is. */
  userChangedAt(userId: number): number | undefined;
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

/** A batch as it came in. `until`: Unix milliseconds, see `reported-until.ts`. */
export interface SentBatch extends NodeBatch {
  readonly until: number;
}

export interface Verdict {
  /** The batches with the rows that count. */
  readonly batches: readonly NodeBatch[];
  readonly ledgers: ReadonlyMap<number, NodeLedger>;
  /** By node. */
  readonly refused: readonly Refusals[];
  /** Accounts among the rows that are deleted. */
  readonly deleted: ReadonlySet<number>;
}

/**
 * Memory is trusted for changes that this process saw. Look-ups in the database go back further by this time, because a
 * commit is older than the message about it.
 */
const NEWS_MS = 60_000;
const NOWHERE = { on: [], inbounds: null };
/** Accounts that are looked for at once: some milliseconds on one of the threads for searches. */
const IDS = 4000;

export class UsageJudge {
  readonly #places: UsagePlaces;
  readonly #served: Served;
  readonly #gbps: number;

  constructor(reads: Reader, served: Served, gbps: number) {
    this.#places = new UsagePlaces(reads);
    this.#served = served;
    this.#gbps = gbps;
  }

  /** `verify`: look for every account in the database, since one was deleted while its usage was being counted. */
  async judge(
    batches: readonly SentBatch[],
    stored: ReadonlyMap<number, NodeLedger>,
    now: number,
    verify: boolean,
  ): Promise<Verdict> {
    await this.#served.known();
    const ledgers = new Map<number, NodeLedger>();
    const refused = new Map<number, Refusals>();
    const deleted = new Set<number>();
    const counted: NodeBatch[] = [];
    for (const sent of batches) {
      const found = ledgers.get(sent.nodeId) ?? stored.get(sent.nodeId);
      if (!found) continue;
      const ledger = { ...found, givenSince: givenSinceSet(found.givenSince, now) };
      const line = new Line(this.#gbps, ledger, now);
      const refusals = refused.get(sent.nodeId) ?? new Refusals(sent.nodeId);
      refused.set(sent.nodeId, refusals);
      const rows = await this.#lawful(sent.batch.rows, ledger, refusals, deleted, now);
      const carried = line.take(bytesOf(rows)) ? rows : await this.#carried(rows, line, refusals);
      if (verify) await this.#findMissing(carried, deleted);
      counted.push({ nodeId: sent.nodeId, micros: sent.micros, batch: { ...sent.batch, rows: carried } });
      ledgers.set(sent.nodeId, {
        ...ledger,
        lineFrom: line.from,
        givenSince: Math.max(ledger.givenSince, Math.min(sent.until, now)),
      });
    }
    return { batches: counted, ledgers, refused: [...refused.values()].filter(({ none }) => !none), deleted };
  }

  /** The rows of accounts and inbounds that the node was given. The common case is one walk and no copy. */
  async #lawful(
    rows: UsageCells,
    ledger: NodeLedger,
    refusals: Refusals,
    deleted: Set<number>,
    now: number,
  ): Promise<UsageCells> {
    const { templateId } = ledger;
    const inbounds = await this.#served.inboundsOf(templateId);
    const strangers = new Set<number>();
    let elsewhere = false;
    await eachRow(rows, (at) => {
      const id = cell(rows, at, 0);
      const inbound = cell(rows, at, 1);
      if (!this.#served.serves(templateId, id, inbound)) strangers.add(id);
      else if (!inbounds.has(inbound)) elsewhere = true;
    });
    if (strangers.size === 0 && !elsewhere) return rows;
    const node = await this.#nodeSpans(ledger);
    const given = await this.#given(strangers, node, ledger, deleted, now);
    const known = await this.#inboundsSince(node, ledger);
    return rowsWhere(rows, (at) => {
      const id = cell(rows, at, 0);
      const inbound = cell(rows, at, 1);
      const then = given.get(id);
      // One that is served now may be a stranger on another inbound alone.
      const lawful = !strangers.has(id) || then === null || then?.has(inbound);
      if (!lawful && !this.#served.serves(templateId, id, inbound)) return refuse(refusals, "not_served", rows, at);
      return known.has(inbound) || refuse(refusals, "unknown_inbound", rows, at);
    });
  }

  /** As many rows as the line can have carried, in their order. */
  #carried(rows: UsageCells, line: Line, refusals: Refusals): Promise<UsageCells> {
    return rowsWhere(
      rows,
      (at) => line.take(cell(rows, at, 2) + cell(rows, at, 3)) || refuse(refusals, "too_fast", rows, at),
    );
  }

  /** The templates that the node had since it told of everything. */
  async #nodeSpans({ id, templateId, givenSince }: NodeLedger): Promise<Span[]> {
    const is = templateId === 0 ? [] : [templateId];
    const since = givenSince - NEWS_MS;
    return spansOf(
      (await this.#places.departures("node", [id], since)).get(id) ?? [],
      { on: is, inbounds: null },
      since,
    );
  }

  /**
   * Which of the accounts stood on a template while the node had it, with the inbounds that they might use then (null:
   * every one). Notes those that are deleted.
   */
  async #given(
    ids: ReadonlySet<number>,
    node: readonly Span[],
    ledger: NodeLedger,
    deleted: Set<number>,
    now: number,
  ): Promise<Map<number, ReadonlySet<number> | null>> {
    const given = new Map<number, ReadonlySet<number> | null>();
    const moved = node.length > 1;
    const since = ledger.givenSince - NEWS_MS;
    const look = async (part: readonly number[]): Promise<void> => {
      const accounts = await this.#places.accounts(part);
      const departures = await this.#places.departures("account", part, since);
      for (const id of part) {
        const account = accounts.get(id);
        const left = departures.get(id) ?? [];
        // Nobody, and nobody's rows may be 200,000.
        if (!account && left.length === 0) continue;
        // A creation time in the future was written before the clock was set back.
        const made = account && account.createdAt <= now ? account.createdAt : 0;
        const spans = spansOf(left, account ?? NOWHERE, Math.max(since, made));
        const inbounds = meet(spans, node);
        if (inbounds === undefined) continue;
        given.set(id, inbounds);
        if (!account) deleted.add(id);
      }
    };
    // An account that changed place before `givenSince`, and stands elsewhere since, needs no look-up while the node
    // stayed where it is.
    const unsure = (id: number) => moved || (this.#served.userChangedAt(id) ?? Infinity) >= ledger.givenSince;
    await inParts(ids, unsure, look);
    return given;
  }

  /** Inbounds of every template that the node had, now or then. */
  async #inboundsSince(node: readonly Span[], { givenSince }: NodeLedger): Promise<Set<number>> {
    const templates = [...new Set(node.flatMap(({ on }) => on ?? []))];
    const known = new Set<number>();
    for (const id of templates) for (const inbound of await this.#served.inboundsOf(id)) known.add(inbound);
    for (const left of (await this.#places.departures("template", templates, givenSince - NEWS_MS)).values())
      for (const { was } of left) for (const inbound of was ?? []) known.add(inbound);
    return known;
  }

  async #findMissing(rows: UsageCells, deleted: Set<number>): Promise<void> {
    const ids = new Set<number>();
    await eachRow(rows, (at) => ids.add(cell(rows, at, 0)));
    await inParts(
      ids,
      () => true,
      async (part) => {
        for (const id of await this.#places.missing(part)) deleted.add(id);
      },
    );
  }
}

/** Asks for those of `ids` that `wanted` names, so many at a time. */
async function inParts(
  ids: ReadonlySet<number>,
  wanted: (id: number) => boolean,
  ask: (part: readonly number[]) => Promise<void>,
): Promise<void> {
  let part: number[] = [];
  for (const id of ids) {
    if (!wanted(id)) continue;
    part.push(id);
    if (part.length < IDS) continue;
    await ask(part);
    part = [];
  }
  if (part.length > 0) await ask(part);
}

function cell(rows: UsageCells, at: number, index: number): number {
  return rows[at + index] ?? 0;
}

function refuse(refusals: Refusals, code: RefusalCode, rows: UsageCells, at: number): false {
  return refusals.add(code, cell(rows, at, 0), cell(rows, at, 2), cell(rows, at, 3));
}

function bytesOf(rows: UsageCells): number {
  let sum = 0;
  for (let at = 0; at < rows.length; at += CELLS) sum += cell(rows, at, 2) + cell(rows, at, 3);
  return sum;
}
