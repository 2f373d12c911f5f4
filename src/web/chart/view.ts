// Which part of a drawing is seen, and how large: plain arithmetic.
import type { Geometry, Rectangle } from "./geometry.ts";

export interface View {
  /** Where the drawing's corner is, in pixels of the frame. */
  readonly x: number;
  readonly y: number;
  /** Scale. */
  readonly k: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Room {
  readonly width: number;
  readonly height: number;
}

/** Below this, names are too small to read at the start. */
const READABLE = 0.8;
/** The same where there are names alone, which are written larger as they come to be small. */
export const NAMES_READABLE = 0.55;
/** Below this, only the names of states are drawn, larger: rows and words on wires would be dust. */
export const FAR = 0.58;
/** Below this, names that stand alone are written larger: their boxes have the room that numbers would take. */
export const NAMES_SMALL = 0.85;
export const SMALLEST = 0.2;
export const LARGEST = 3;

/** All of it, never larger than drawn. */
export function fitView({ width, height }: Geometry, room: Room): View {
  const k = Math.min(1, room.width / width, room.height / height);
  return { x: (room.width - width * k) / 2, y: (room.height - height * k) / 2, k };
}

/**
 * All of it where that can be read; else as large as can be read, with the state and as much of what is around it as
 * there is room for in the middle, and no more empty paper than needed.
 */
export function startView(
  geometry: Geometry,
  room: Room,
  state: string | undefined,
  around: readonly Rectangle[],
  readable = READABLE,
): View {
  const all = fitView(geometry, room);
  if (all.k >= readable) return all;
  const k = Math.max(readable, Math.min(1, room.width / geometry.width));
  const box = geometry.boxes[state ?? ""] ?? [0, 0, geometry.width, 0];
  const [x, y, width, height] = around.reduce((shown, each) => {
    const both = joined(shown, each);
    return both[2] * k <= room.width - 2 * AROUND && both[3] * k <= room.height - 2 * AROUND ? both : shown;
  }, box);
  return {
    x: placed(x + width / 2, geometry.width, room.width, k),
    y: placed(y + height / 2, geometry.height, room.height, k),
    k,
  };
}

/** Free around what is brought into the middle. */
const AROUND = 16;

/** The smallest rectangle that holds both. */
function joined([ax, ay, aw, ah]: Rectangle, [bx, by, bw, bh]: Rectangle): Rectangle {
  const [x, y] = [Math.min(ax, bx), Math.min(ay, by)];
  return [x, y, Math.max(ax + aw, bx + bw) - x, Math.max(ay + ah, by + bh) - y];
}

/** A place of the drawing in the middle. */
export function placeView({ x, y }: Point, k: number, room: Room): View {
  return { x: room.width / 2 - x * k, y: room.height / 2 - y * k, k };
}

/** The part of the drawing that is visible, in the drawing's own units; undefined: all of it. */
export function seenOf(
  { width, height }: Pick<Geometry, "width" | "height">,
  { x, y, k }: View,
  room: Room,
): Rectangle | undefined {
  const [left, top] = [Math.max(0, -x / k), Math.max(0, -y / k)];
  const [right, bottom] = [Math.min(width, (room.width - x) / k), Math.min(height, (room.height - y) / k)];
  // A hair's breadth of rounding is no part that is missing.
  const whole = left < 1 && top < 1 && right > width - 1 && bottom > height - 1;
  return whole ? undefined : [left, top, Math.max(0, right - left), Math.max(0, bottom - top)];
}

function placed(middle: number, size: number, room: number, k: number): number {
  if (size * k <= room) return (room - size * k) / 2;
  return Math.min(0, Math.max(room - size * k, room / 2 - middle * k));
}

/** Larger or smaller around the middle of the frame. */
export function zoomedBy(view: View, factor: number, room: Room): View {
  return zoomedAt(view, factor, { x: room.width / 2, y: room.height / 2 });
}

/** Larger or smaller around a place of the frame, as far as it goes. */
export function zoomedAt(view: View, factor: number, { x, y }: Point): View {
  const k = Math.min(LARGEST, Math.max(SMALLEST, view.k * factor));
  return { x: x - ((x - view.x) / view.k) * k, y: y - ((y - view.y) / view.k) * k, k };
}

/** So that the drawing is not lost: half of its size around it may be empty, no more. */
export function keptNear({ x, y, k }: View, { width, height }: Room, room: Room): View {
  return { x: keptIn(x, width * k, room.width), y: keptIn(y, height * k, room.height), k };
}

/** In one direction; what cannot fill the frame is in its middle. */
function keptIn(at: number, size: number, room: number): number {
  const [most, least] = [size / 2, room - 1.5 * size];
  return least > most ? (least + most) / 2 : Math.min(most, Math.max(least, at));
}

/** Between two views; `part` 0 to 1. */
export function between(from: View, to: View, part: number): View {
  const eased = 1 - (1 - part) ** 3;
  const mix = (a: number, b: number) => a + (b - a) * eased;
  return { x: mix(from.x, to.x), y: mix(from.y, to.y), k: mix(from.k, to.k) };
}

/** The view in which each held place is under its pointer; with two, its size too. */
export function heldUnder(pointers: readonly Point[], held: readonly Point[], view: View): View {
  const [one, other] = pointers;
  const [place, second] = held;
  if (!one || !place) return view;
  const apart = second ? distance(place, second) : 0;
  const grown = other && apart > 0 ? zoomedAt(view, distance(one, other) / apart / view.k, one) : view;
  const [at, under] = [halfWay(one, other), halfWay(place, second)];
  return { x: at.x - under.x * grown.k, y: at.y - under.y * grown.k, k: grown.k };
}

export function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function halfWay(one: Point, other: Point | undefined): Point {
  return other ? { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 } : one;
}
