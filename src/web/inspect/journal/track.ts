// The track of a journal: a tick for each transition, in order, further apart the longer nothing happened.
//
// Distances grow with the logarithm of the time between: a burst of milliseconds stays apart, a quiet night takes no
// more than a hand's breadth.
export interface TrackPoint {
  readonly seq: number;
  readonly atMs: number;
}

export interface Track {
  /** Left edge of the first tick is 0. */
  readonly x: ReadonlyMap<number, number>;
  /** Where the present stands. */
  readonly now: number;
}

const NEAREST = 7;
const PER_TENFOLD = 9;
const FURTHEST = 72;

/** Pixels between two moments. */
export function gapOf(ms: number): number {
  return Math.min(FURTHEST, NEAREST + PER_TENFOLD * Math.log10(1 + Math.max(0, ms) / 1000));
}

/**
 * `points` in order of `seq`. Where the next `seq` is not at hand, room is left as for a long time. `room`: pixels that
 * a short track takes all the same.
 */
export function layTrack(points: readonly TrackPoint[], nowMs: number, room = 0): Track {
  const places: [seq: number, x: number][] = [];
  let at = 0;
  let last: TrackPoint | undefined;
  for (const point of points) {
    if (last) at += point.seq === last.seq + 1 ? gapOf(point.atMs - last.atMs) : FURTHEST;
    places.push([point.seq, at]);
    last = point;
  }
  const now = last ? at + gapOf(nowMs - last.atMs) : 0;
  const scale = now > 0 ? Math.max(1, room / now) : 1;
  return { x: new Map(places.map(([seq, x]) => [seq, x * scale])), now: now * scale };
}

/** The tick nearest to a place; undefined on an empty track. */
export function nearestTo({ x }: Track, place: number): number | undefined {
  let best: number | undefined;
  let distance = Infinity;
  for (const [seq, at] of x) {
    const here = Math.abs(at - place);
    if (here < distance) [best, distance] = [seq, here];
  }
  return best;
}

/** The place of the present, behind the last tick. */
export const NOW = "now";

/** Which place of the track stands where on the screen. */
export interface Anchor {
  readonly place: number | typeof NOW;
  readonly screen: number;
  /** Width of the screen, in pixels. */
  readonly width: number;
}

/**
 * The anchor for a cursor at `place`: where it stands already when the old anchor stays put, pushed back inside the
 * margins when that is outside. The present stands at the right edge; a track that fits the screen begins at the left.
 */
export function anchored(
  track: Track,
  before: Anchor,
  place: number | typeof NOW,
  width: number,
  edge: number,
): Anchor {
  const xOf = (at: number | typeof NOW) => (at === NOW ? track.now : track.x.get(at));
  const x = xOf(place) ?? 0;
  if (track.now <= width - 2 * edge) return { place, screen: edge + x, width };
  if (place === NOW) return { place, screen: width - edge, width };
  const old = xOf(before.place);
  const screen = old === undefined || before.width !== width ? width / 2 : before.screen + x - old;
  const margin = width * 0.15;
  // Neither end leaves an empty space.
  const within = Math.min(width - margin, Math.max(margin, screen));
  return { place, screen: Math.round(Math.min(edge + x, Math.max(width - edge - (track.now - x), within))), width };
}

/** Labels of the axis: those ticks at which there is room for a time, from the right on. */
export function labelled(points: readonly TrackPoint[], { x }: Track, room: number): TrackPoint[] {
  const chosen: TrackPoint[] = [];
  let free = Infinity;
  for (const point of points.toReversed()) {
    const at = x.get(point.seq) ?? 0;
    if (at > free) continue;
    chosen.push(point);
    free = at - room;
  }
  return chosen.toReversed();
}
