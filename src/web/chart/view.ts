// Which part of a drawing is seen, and how large: plain arithmetic.
import type { Geometry } from "./geometry.ts";

export interface View {
  /** Where the drawing's corner is, in pixels of the frame. */
  readonly x: number;
  readonly y: number;
  /** Scale. */
  readonly k: number;
}

export interface Room {
  readonly width: number;
  readonly height: number;
}

/** Below this, names are too small to read at the start. */
const READABLE = 0.8;
export const SMALLEST = 0.2;
export const LARGEST = 3;

/** All of it, never larger than drawn. */
export function fitView({ width, height }: Geometry, room: Room): View {
  const k = Math.min(1, room.width / width, room.height / height);
  return { x: (room.width - width * k) / 2, y: (room.height - height * k) / 2, k };
}

/** All of it where that can be read; else as large as can be read, with the state in the middle and no more empty paper than needed. */
export function startView(geometry: Geometry, room: Room, state: string | undefined): View {
  const all = fitView(geometry, room);
  if (all.k >= READABLE) return all;
  const k = Math.max(READABLE, Math.min(1, room.width / geometry.width));
  const [x, y, width, height] = geometry.boxes[state ?? ""] ?? [0, 0, geometry.width, 0];
  return {
    x: placed(x + width / 2, geometry.width, room.width, k),
    y: placed(y + height / 2, geometry.height, room.height, k),
    k,
  };
}

function placed(middle: number, size: number, room: number, k: number): number {
  if (size * k <= room) return (room - size * k) / 2;
  return Math.min(0, Math.max(room - size * k, room / 2 - middle * k));
}

/** Larger or smaller around the middle of the frame. */
export function zoomedBy(view: View, factor: number, room: Room): View {
  const k = Math.min(LARGEST, Math.max(SMALLEST, view.k * factor));
  const [x, y] = [room.width / 2, room.height / 2];
  return { x: x - ((x - view.x) / view.k) * k, y: y - ((y - view.y) / view.k) * k, k };
}

/** Between two views; `part` 0 to 1. */
export function between(from: View, to: View, part: number): View {
  const eased = 1 - (1 - part) ** 3;
  const mix = (a: number, b: number) => a + (b - a) * eased;
  return { x: mix(from.x, to.x), y: mix(from.y, to.y), k: mix(from.k, to.k) };
}
