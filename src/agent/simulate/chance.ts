// Repeatable chance: the same seed gives the same fleet.
import { createHash } from "node:crypto";

/** A number in [0, 1) that follows from its arguments (safe integers). */
export function chance(seed: number, ...parts: readonly number[]): number {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  for (const part of parts) {
    state = mix(state ^ (part >>> 0));
    state = mix(state ^ Math.floor(part / 4_294_967_296));
  }
  return state / 4_294_967_296;
}

/** The finalizer of MurmurHash3: every input bit reaches every output bit. */
function mix(value: number): number {
  let mixed = value >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** 32 bits over a text. */
export function textNumber(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}

/** A version 4 UUID that follows from a text. */
export function textUuid(text: string): string {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
