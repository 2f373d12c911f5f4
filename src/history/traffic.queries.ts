// Answers what is asked of the traffic's history (`traffic-questions.ts`). Databases give packed sums of the window;
// the thread of the history adds them up. Accounts come in parts, so that a year of a million of them is not in memory
// at once.
import { sql, type Reader } from "../db/index.ts";
import { added } from "../lib/exact.ts";
import { OWNED, type Selection } from "./adding-up.ts";
import { coverByDays, coverByHours, coverExactly, stepsOf, withMonths } from "./covers.ts";
import { namesOf } from "./names.queries.ts";
import { DAY, type Periods } from "./periods.ts";
import { KINDS, LAST_BUCKET } from "./sum-rows.ts";
import type {
  Sparklines,
  SumsQuestion,
  TrafficQuestion,
  TrafficQuestions,
  TrafficSum,
  Window,
} from "./traffic-questions.ts";
import { bucketsOf, selectionOf } from "./selections.ts";
import { EVERY, knownSteps, listOf, ownersOf, storedSums, type Buckets, type Cover } from "./stored.queries.ts";
import type { Sum } from "./tally.ts";
import type { HistoryThread } from "./thread.ts";
import type { Traffic, TrafficPoint, TrafficStep } from "./traffic.schema.ts";

export interface TrafficDeps {
  readonly reads: Reader;
  readonly thread: HistoryThread;
  readonly periods: () => Periods;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly hoursKeptDays: number;
  readonly daysKept: () => number;
}

/** Packed bytes that one part of a question reads, roughly. */
const PART_BYTES = 16 * 2 ** 20;
/** What a bucket of accounts takes in a day, at most, roughly. */
const BUCKET_BYTES = 16_384;

interface Reading {
  readonly cover: Cover;
  readonly selection: Selection;
  readonly step: TrafficStep;
}

export class TrafficHistory implements TrafficQuestions {
  readonly #deps: TrafficDeps;

  constructor(deps: TrafficDeps) {
    this.#deps = deps;
  }

  zone(): string {
    return this.#deps.periods().zone;
  }

  async traffic(question: TrafficQuestion): Promise<Traffic> {
    const { reads, periods } = this.#deps;
    const { by, step, top: limit } = question;
    const cover = (step === "hour" ? coverByHours : coverByDays)(question, periods());
    const selection = await this.#selection(question);
    const known = await knownSteps(reads, cover, step, periods());
    const { top, rest, points } = inParts(selection)
      ? await this.#heaviestAccounts({ cover, selection, step }, limit)
      : await this.#heaviestOf({ cover, selection, step }, bucketsOf(selection), limit);
    // One account, one node or all together have a series even when nothing moved.
    const series = top.length === 0 && by === "total" ? [{ id: 0, up: 0, down: 0 }] : top;
    const names = await namesOf(
      reads,
      by,
      series.map(({ id }) => id),
    );
    return {
      start: cover.start,
      end: cover.end,
      step,
      zone: this.zone(),
      series: series.map((sum) => ({
        id: sum.id,
        name: names.get(sum.id) ?? "",
        up: sum.up,
        down: sum.down,
        points: withZeros(points.get(sum.id) ?? [], known),
      })),
      rest,
    };
  }

  async heaviest(question: SumsQuestion, limit: number): Promise<TrafficSum[]> {
    const { reads } = this.#deps;
    const selection = await this.#selection(question);
    const cover = this.#exactly(question, selection);
    let all: Sum[] = [];
    for (const buckets of await this.#partsOf(selection, cover)) {
      const { top } = await this.#heaviestOf({ cover, selection, step: "day" }, buckets, limit, false);
      all = all.concat(top).toSorted(heavier).slice(0, limit);
    }
    const names = await namesOf(
      reads,
      question.by,
      all.map(({ id }) => id),
    );
    return all.map((sum) => ({ ...sum, name: names.get(sum.id) ?? "" }));
  }

  async *sums(question: SumsQuestion): AsyncIterable<readonly Omit<TrafficSum, "name">[]> {
    const selection = await this.#selection(question);
    const cover = this.#exactly(question, selection);
    for (const buckets of await this.#partsOf(selection, cover)) {
      const all = await this.#deps.thread.do("all", await this.#addition({ cover, selection, step: "day" }, buckets));
      const sums = Array.from({ length: all.length / 3 }, (_, at) => ({
        id: all[3 * at] ?? 0,
        up: all[3 * at + 1] ?? 0,
        down: all[3 * at + 2] ?? 0,
      }));
      if (sums.length > 0) yield sums;
    }
  }

  async sparklines(
    kind: "node" | "user",
    ids: readonly number[],
    window: Window & { readonly step: TrafficStep },
  ): Promise<Sparklines> {
    const { reads, periods, thread } = this.#deps;
    const { step } = window;
    const cover = (step === "hour" ? coverByHours : coverByDays)(window, periods());
    const { start, end } = cover;
    const selection: Selection =
      kind === "node"
        ? { kind: "nodes", key: "member", members: ids }
        : { kind: "accountNodes", key: "group", groups: ids };
    const known = await knownSteps(reads, cover, step, periods());
    const addition = await this.#addition({ cover, selection, step }, bucketsOf(selection));
    const moved = pointsById(await thread.do("points", { ...addition, ids }));
    // Hours of a zone that the panel had before begin elsewhere: they are steps of their own.
    const steps = new Set([...stepsOf(cover, step, periods()), ...known]);
    for (const points of moved.values()) for (const { at } of points) steps.add(at);
    const at = [...steps].toSorted((one, other) => one - other);
    const points = new Map(
      ids.map((id) => {
        const mine = new Map(withZeros(moved.get(id) ?? [], known).map((point) => [point.at, point]));
        return [id, at.map((begins) => mine.get(begins))];
      }),
    );
    return { start, end, at, points };
  }

  /**
   * The heaviest accounts: found by months and days, then their points by the days alone, of their own buckets. Each
   * part has accounts of its own, so that the heaviest of all are among the heaviest of the parts.
   */
  async #heaviestAccounts({ cover, selection, step }: Reading, limit: number) {
    const sums = step === "day" ? this.#byMonths(cover, selection) : cover;
    let top: Sum[] = [];
    const rest = { count: 0, up: 0, down: 0 };
    for (const buckets of await this.#partsOf(selection, sums)) {
      const found = await this.#heaviestOf({ cover: sums, selection, step }, buckets, limit, false);
      const all = top.concat(found.top).toSorted(heavier);
      top = all.slice(0, limit);
      for (const { count, up, down } of [found.rest, ...all.slice(limit).map((sum) => ({ count: 1, ...sum }))]) {
        rest.count += count;
        rest.up = added(rest.up, up);
        rest.down = added(rest.down, down);
      }
    }
    const ids = top.map(({ id }) => id);
    // For all resellers together, the nodes of an account have its whole traffic, and are quicker to find.
    const own: Selection =
      selection.kind === "ownerAccounts" && selection.groups
        ? { ...selection, members: ids }
        : {
            kind: "accountNodes",
            key: "group",
            groups: ids,
            members: selection.kind === "accountNodes" ? selection.members : undefined,
          };
    const points =
      ids.length === 0
        ? new Map<number, TrafficPoint[]>()
        : pointsById(
            await this.#deps.thread.do("points", {
              ...(await this.#addition({ cover, selection: own, step }, bucketsOf(own))),
              ids,
            }),
          );
    return { top, rest, points };
  }

  async #heaviestOf(reading: Reading, buckets: Buckets, limit: number, points = true) {
    const addition = await this.#addition(reading, buckets);
    const found = await this.#deps.thread.do("heaviest", { ...addition, limit, points });
    return { ...found, points: pointsById(found.points) };
  }

  async #addition({ cover, selection, step }: Reading, buckets: Buckets) {
    const { reads, thread, periods } = this.#deps;
    const { sources, chunks } = await storedSums(reads, cover, buckets, step, periods());
    const tells = OWNED.has(selection.kind) && (selection.groups !== undefined || selection.key !== "member");
    const owners =
      chunks.length > 0 && (tells || selection.kind === "owners")
        ? await ownersOf(reads, await thread.do("accounts", { chunks }))
        : [];
    const { start, end } = cover;
    const part = "from" in buckets.buckets ? buckets.buckets : EVERY;
    return { selection, sources, tail: { chunks, owners, zone: this.zone(), start, end, step, part } };
  }

  /** Accounts of a node among those of some owners: those that they have now. */
  async #selection(question: TrafficQuestion | SumsQuestion): Promise<Selection> {
    const selection = selectionOf(question);
    const { by, nodeId, userId, owners } = question;
    if (by !== "user" || nodeId === undefined || userId !== undefined || !owners) return selection;
    const { reads } = this.#deps;
    const rows = await reads.query<{ id: number }>(
      sql`select id from users where admin_id in (${listOf(reads, owners)})`,
      { scans: true },
    );
    return { ...selection, groups: rows.map(({ id }) => id) };
  }

  /** Parts of a question about all accounts: ranges of buckets, in order. Others are one part. */
  async #partsOf(selection: Selection, cover: Cover): Promise<Buckets[]> {
    const all = bucketsOf(selection);
    if (!inParts(selection) || !("from" in all.buckets)) return [all];
    const [last] = await this.#deps.reads.query<{ id: number | null }>(sql`select max(id) as id from user_usage`);
    const periods = cover.hours.length / 4 + cover.days.length + 3 * cover.months.length + 2;
    const size = Math.max(1, Math.floor(PART_BYTES / (periods * BUCKET_BYTES)));
    const count = Math.ceil(((last?.id ?? 0) + 1) / 2 ** KINDS[selection.kind].bits / size);
    return Array.from({ length: count }, (_, part) => ({
      kind: all.kind,
      // Accounts that are deleted may have larger ids than any that is there.
      buckets: { from: part * size, to: part === count - 1 ? LAST_BUCKET : (part + 1) * size - 1 },
    }));
  }

  #exactly(window: Window, selection: Selection): Cover {
    const { periods, now, hoursKeptDays } = this.#deps;
    const from = Math.floor(now() / 1000) - hoursKeptDays * DAY;
    return this.#byMonths(coverExactly(window, periods(), from), selection);
  }

  #byMonths(cover: Cover, { kind }: Selection): Cover {
    return KINDS[kind].monthly ? withMonths(cover, this.#firstDate()) : cover;
  }

  /** The first date that is kept for certain. */
  #firstDate(): number {
    const { now, daysKept } = this.#deps;
    return Math.ceil(now() / 1000 / DAY) - daysKept() + 1;
  }
}

/** Whether a question is about all accounts. */
function inParts({ kind, key, groups }: Selection): boolean {
  return kind === "ownerAccounts" ? key === "member" : kind === "accountNodes" && key === "group" && !groups;
}

function heavier(one: Sum, other: Sum): number {
  return other.up + other.down - one.up - one.down || one.id - other.id;
}

function pointsById(packed: Float64Array): Map<number, TrafficPoint[]> {
  const points = new Map<number, TrafficPoint[]>();
  for (let at = 0; at < packed.length; at += 4) {
    const [id = 0, begins = 0, up = 0, down = 0] = packed.subarray(at, at + 4);
    const mine = points.get(id);
    if (mine) mine.push({ at: begins, up, down });
    else points.set(id, [{ at: begins, up, down }]);
  }
  return points;
}

/** Points in order, with zeros where something is known and nothing moved. */
function withZeros(points: readonly TrafficPoint[], known: readonly number[]): TrafficPoint[] {
  const moved = new Set(points.map(({ at }) => at));
  const still = known.filter((at) => !moved.has(at)).map((at) => ({ at, up: 0, down: 0 }));
  return [...points, ...still].toSorted((one, other) => one.at - other.at);
}
