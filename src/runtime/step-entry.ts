// The journal's entry of a transition, and the news of it.
import type { Draft } from "../db/index.ts";
import type { Origin } from "../lib/origin.ts";
import { DELETED, JournalRows, type ActorRow } from "./actor.entity.ts";
import { changesBetween, type Fields } from "./changes.ts";
import { MACHINE_COLUMNS, type ActorKind } from "./definition.ts";
import { TRANSITION, type Transition } from "./facts.ts";
import type { StateCounter } from "./state-counts.ts";

/** What the journal says of a transition. */
export interface Entry<R> {
  readonly id: number;
  readonly before: Readonly<R>;
  readonly after: Readonly<R>;
  readonly from: string | null;
  readonly event: string;
  readonly origin: Origin;
  /** `src` of the effects that it started. */
  readonly effects: readonly string[];
  readonly changed: string;
}

/** Counts the state, writes the entry, and tells the transition. */
export function writeEntry<R extends ActorRow, C>(
  draft: Draft,
  counter: Pick<StateCounter, "count">,
  { definition }: ActorKind<R, C>,
  entry: Entry<R>,
): void {
  const { id, before, after, from, event, origin } = entry;
  const gone = after.mstate === DELETED;
  counter.count(draft, definition.kind, from === null ? undefined : before.mstate, gone ? undefined : after.mstate);
  draft.insert(JournalRows, {
    id,
    kind: definition.kind,
    actorId: after.id,
    seq: after.rev,
    at: draft.now,
    event,
    fromState: from,
    toState: after.mstate,
    via: origin.via,
    actor: origin.actor,
    adminId: origin.adminId,
    effects: entry.effects.join(" "),
    took: from === null ? 0 : Math.max(0, draft.now - before.msince),
    changed: entry.changed,
    previous: before.mlast,
  });
  const transition: Transition = {
    kind: definition.kind,
    id: after.id,
    name: definition.nameOf(after),
    seq: after.rev,
    at: draft.now,
    event,
    from,
    to: after.mstate,
    ...(from !== null && from !== before.mstate ? { stored: before.mstate } : {}),
    origin,
  };
  draft.publish(TRANSITION, transition);
}

/**
 * What the command that the step is part of changed, and what the step did. A command's second step tells of itself
 * alone.
 */
export function changesOf<R extends ActorRow, C>(
  draft: Draft,
  kind: ActorKind<R, C>,
  row: Readonly<R>,
  after: Readonly<R>,
  owned: readonly string[],
): string {
  const stored = draft.before(kind.definition.entity, row.id);
  const before = stored?.rev === row.rev ? stored : row;
  const fields = (of: Readonly<R>) => journalledFields(kind, of, owned);
  return changesBetween(fields(before), fields(after), kind.definition.secrets);
}

const NOT_JOURNALLED: ReadonlySet<string> = new Set([...MACHINE_COLUMNS, "updatedAt"]);

/**
 * The fields in the journal: the columns that the chart owns, those that belong to its context, and what it remembers.
 */
function journalledFields<R extends ActorRow, C>(
  { definition }: ActorKind<R, C>,
  row: Readonly<R>,
  owned: readonly string[],
): Fields {
  const columns = row as object as Fields;
  const fields: Record<string, unknown> = {};
  for (const field of owned) if (!NOT_JOURNALLED.has(field)) fields[field] = columns[field];
  return Object.assign(fields, definition.shown?.(row), row.mctx);
}
