// Digests by which panel and agent find out, without sending it, whether they hold the same desired state.
import { createHash } from "node:crypto";
import type { PlanObject, PlanUser, Structure } from "./plan.ts";

export const BUCKETS = 256;
export const EMPTY_BUCKET = "0000000000000000";

/** JSON with sorted keys, so that equal values give equal text on both sides. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

function digestText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** 32 hex digits over one object of the structure. */
export function digestObject(object: PlanObject): string {
  return digestText(canonicalJson(object));
}

/** 32 hex digits over all objects, from their digests by key; independent of order. */
export function digestStructure(digests: Readonly<Record<string, string>>): string {
  const keys = Object.keys(digests).toSorted();
  return digestSorted(keys.map((key) => [key, digests[key] ?? ""]));
}

/** The same from pairs of key and digest that are in the order of `toSorted()` by key. */
export function digestSorted(pairs: readonly (readonly [key: string, digest: string])[]): string {
  return digestText(pairs.map(([key, digest]) => `${key}=${digest}\n`).join(""));
}

/** Digest by key of every object in a structure. */
export function digestObjects(structure: Structure): Record<string, string> {
  return Object.fromEntries(Object.entries(structure).map(([key, object]) => [key, digestObject(object)]));
}

/** The bucket that a user id falls into. */
export function bucketOf(userId: number): number {
  return userId % BUCKETS;
}

/**
 * 64 bits over all that a node knows of a user; a bucket's digest is the XOR of its users', so adding and removing are
 * the same cheap step.
 */
export function digestUser(user: PlanUser): bigint {
  const some = user.inbounds === undefined ? "" : `\ninbounds ${user.inbounds.join(",")}`;
  const own = user.by === undefined ? "" : `\nby ${canonicalJson(user.by)}`;
  const text = `${user.id}\n${user.uuid}\n${user.password}\n${user.ss16}\n${user.ss32}\n${user.flow}\n${user.speedLimit}\n${user.ipLimit}${some}${own}`;
  return createHash("sha256").update(text).digest().readBigUInt64BE(0);
}

/** 16 hex digits: how a bucket's XOR travels. */
export function formatBucket(xor: bigint): string {
  return xor.toString(16).padStart(16, "0");
}

/** 32 hex digits over the 256 bucket digests in order. */
export function digestBuckets(buckets: readonly string[]): string {
  return digestText(buckets.join(""));
}
