// A reading: what panels saw of one node during a stretch of time. Readings of short stretches add up to those of
// longer ones.
//
// A reading counts the time that was watched and, of that, the time in which the node served. Time that nobody watched
// is in no reading, so nothing is guessed of the time during which the panel was away.

/** Seconds that a stored reading covers at most. */
export const SLOT = 300;
export const HOUR = 3600;
export const DAY = 86_400;

/** What a node may say of itself; a figure that it does not say is absent. The order is that of stored readings. */
export const FIGURES = [
  "cpuPercent",
  "load1",
  "memoryUsed",
  "memoryTotal",
  "diskUsed",
  "diskTotal",
  "online",
  "upRate",
  "downRate",
] as const;
export type Figure = (typeof FIGURES)[number];
export type Figures = Readonly<Partial<Record<Figure, number | undefined>>>;
/** A node's figures in an answer: null where it said none. */
export type ShownFigures = Record<Figure, number | null>;

/** Digits behind the point that are kept. */
const DIGITS: Readonly<Partial<Record<Figure, number>>> = { cpuPercent: 1, load1: 2 };

/**
 * A reading as it is stored: its place in the row, seconds watched, seconds served, and the means of the figures in
 * their order, null where the node said none.
 */
export type StoredReading = readonly (number | null)[];

export class Reading {
  /** Milliseconds that were watched. */
  watched = 0;
  /** Milliseconds of `watched` in which the node served. */
  served = 0;
  readonly #sums = new Float64Array(FIGURES.length);
  readonly #weights = new Float64Array(FIGURES.length);

  get isEmpty(): boolean {
    return this.watched === 0 && this.#weights.every((weight) => weight === 0);
  }

  /** Adds what the node said once. */
  add(figures: Figures): void {
    for (let index = 0; index < FIGURES.length; index++) {
      const figure = FIGURES[index];
      const value = figure && figures[figure];
      if (value !== undefined) this.#weigh(index, value, 1);
    }
  }

  /** Adds a stored reading; its figures weigh as much as the time in which the node served. */
  addStored([, watched, served, ...figures]: StoredReading): void {
    this.watched += (watched ?? 0) * 1000;
    this.served += (served ?? 0) * 1000;
    for (const [index, value] of figures.entries())
      if (value !== null) this.#weigh(index, value, Math.max(1, served ?? 0));
  }

  /** Adds another one to it. */
  addReading(other: Reading): void {
    if (!other.isEmpty) this.addStored(other.stored(0));
  }

  stored(place: number): StoredReading {
    const figures = this.figures();
    return [place, seconds(this.watched), seconds(this.served), ...FIGURES.map((figure) => figures[figure])];
  }

  /** The means. */
  figures(): ShownFigures {
    return Object.fromEntries(
      FIGURES.map((figure, index) => {
        const weight = this.#weights[index] ?? 0;
        return [figure, weight === 0 ? null : rounded((this.#sums[index] ?? 0) / weight, DIGITS[figure] ?? 0)];
      }),
    ) as ShownFigures;
  }

  /** The share of the watched time in which the node served, 0 to 1; undefined: nobody watched. */
  get share(): number | undefined {
    return this.watched === 0 ? undefined : Math.min(1, this.served / this.watched);
  }

  #weigh(index: number, value: number, weight: number): void {
    this.#sums[index] = (this.#sums[index] ?? 0) + value * weight;
    this.#weights[index] = (this.#weights[index] ?? 0) + weight;
  }
}

function rounded(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}

/** A tenth is as exact as heartbeats are. */
function seconds(milliseconds: number): number {
  return rounded(milliseconds / 1000, 1);
}
