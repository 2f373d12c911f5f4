// The positions of everything in a drawing. Computed when the charts change (`npm run charts`), never in a browser; the
// digest says of which definition.

/** x, y, width, height. */
export type Rectangle = readonly [number, number, number, number];

export interface WireGeometry {
  /** An SVG path, from the box that is left up to the arrow's foot. */
  readonly d: string;
  /** The arrow's tip, and where it points: 0 right, 90 down, 180 left, 270 up. */
  readonly tip: readonly [x: number, y: number, angle: number];
  /** Where the words stand; missing without any. */
  readonly pill?: Rectangle;
  /** Middle of the number that says how many pass. */
  readonly flow: readonly [x: number, y: number];
}

export type StartGeometry = Pick<WireGeometry, "d" | "tip"> & { readonly at: readonly [x: number, y: number] };

export interface Geometry {
  readonly width: number;
  readonly height: number;
  /** Rows in boxes and words on wires; without: names, and room for numbers on the wires. */
  readonly words: boolean;
  readonly boxes: Readonly<Record<string, Rectangle>>;
  /**
   * The left edge of the name's room, by id of a box with boxes inside. It is placed so that no wire runs through the
   * name.
   */
  readonly heads: Readonly<Record<string, number>>;
  readonly wires: Readonly<Record<string, WireGeometry>>;
  /** By the start's id: its dot's middle, and the wire to the first box. */
  readonly starts: Readonly<Record<string, StartGeometry>>;
}

/**
 * `full`: everything that the chart says. `heat`: names beside each other, for numbers. `phone`: names below each
 * other.
 */
export type GeometryName = "full" | "heat" | "phone";

export interface ChartGeometry {
  readonly kind: string;
  readonly digest: string;
  readonly geometries: Readonly<Record<GeometryName, Geometry>>;
  /** The number of the way of laying out that was the best of each: to lay out again needs no search. */
  readonly ways: Readonly<Record<GeometryName, number>>;
}
