// What the live stream has said so far, as values: frames are merged into it, readers get snapshots that change only
// where something did.

/** One transition, as it was committed. */
export interface Transition {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly seq: number;
  /** Unix seconds; `atMs` where the order and the gaps matter. */
  readonly at: number;
  readonly atMs?: number;
  readonly event: string;
  readonly from: string | null;
  readonly to: string;
  readonly actor: string;
}

/** How many actors pass one wire in a minute. */
export interface WireFlow {
  readonly event: string;
  readonly from: string | null;
  readonly to: string;
  readonly perMinute: number;
}

/** An actor that came into quarantine, or left it: no transition, but other than before. */
export interface FaultNews {
  readonly kind: string;
  readonly id: string;
  readonly fault: object | null;
}

export interface Frame {
  readonly rows: readonly Transition[];
  readonly faults?: readonly FaultNews[];
  /** Kind, state, how many: absolute, of the states that changed. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly dropped: number;
  /** The panel's clock, Unix ms. */
  readonly at?: number;
  readonly flow?: Readonly<Record<string, readonly WireFlow[]>>;
}

/** State and its number of actors; states without actors are left out. */
export type StateCounts = Readonly<Record<string, number>>;

export interface Live {
  /** By kind; empty until the first frame. */
  readonly counts: Readonly<Record<string, StateCounts>>;
  /** By kind; wires that nothing passed in the last minute are left out. */
  readonly flow: Readonly<Record<string, readonly WireFlow[]>>;
}

export const NOTHING_YET: Live = { counts: {}, flow: {} };

/**
 * `live` after a frame. The first frame of a connection carries every state of its kinds, so a state that it does not
 * name has no actors.
 */
export function withFrame(live: Live, frame: Frame, first: boolean): Live {
  return {
    counts: merged(live.counts, frame.counts, (before, part) => withCounts(first ? {} : before, part)),
    flow: merged(live.flow, frame.flow ?? {}, (before, part) => withFlow(first ? [] : before, part)),
  };
}

function merged<T, P>(
  before: Readonly<Record<string, T>>,
  parts: Readonly<Record<string, P>>,
  merge: (before: T | undefined, part: P) => T,
): Readonly<Record<string, T>> {
  const changed = Object.entries(parts).map(([kind, part]) => [kind, merge(before[kind], part)] as const);
  return changed.length === 0 ? before : { ...before, ...Object.fromEntries(changed) };
}

function withCounts(before: StateCounts | undefined, part: StateCounts): StateCounts {
  return Object.fromEntries(Object.entries({ ...before, ...part }).filter(([, total]) => total > 0));
}

function withFlow(before: readonly WireFlow[] | undefined, part: readonly WireFlow[]): readonly WireFlow[] {
  const wires = new Map((before ?? []).map((wire) => [wireKey(wire), wire]));
  for (const wire of part) {
    if (wire.perMinute > 0) wires.set(wireKey(wire), wire);
    else wires.delete(wireKey(wire));
  }
  return [...wires.values()];
}

function wireKey({ event, from, to }: WireFlow): string {
  return `${from ?? ""}\n${event}\n${to}`;
}
