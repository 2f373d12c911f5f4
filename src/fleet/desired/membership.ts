// Tells which users each template serves, as digests: one number per user id, and the XORs of 256 buckets per set. A
// change is made in place, and takes a time that does not depend on the number of users.
//
// Only a change of a template's inbounds costs a walk over numbers: over the accounts that name their inbounds, and
// join or leave the template by that change.
import { BUCKETS, bucketOf, digestBuckets, digestUser, formatBucket } from "../../protocol/digest.ts";
import type { PlanUser } from "../../protocol/plan.ts";
import { EVERYWHERE, Places, type Templates } from "./serving-places.ts";
import { TemplateInbounds, type CarriedNow } from "./template-inbounds.ts";

/** The set of users that every template carries; no template has this id. */
const EVERY = 0;

/** XORs of one set, by bucket. */
class BucketSet {
  readonly #xors = new BigUint64Array(BUCKETS);
  /** The same memory in halves. */
  readonly #halves = new Uint32Array(this.#xors.buffer);
  count = 0;
  /** Moves with every change. */
  version = 0;

  toggle(userId: number, low: number, high: number, by: 1 | -1): void {
    const at = 2 * bucketOf(userId);
    this.#halves[at] = (this.#halves[at] ?? 0) ^ low;
    this.#halves[at + 1] = (this.#halves[at + 1] ?? 0) ^ high;
    this.count += by;
    this.version++;
  }

  get(bucket: number): bigint {
    return this.#xors[bucket] ?? 0n;
  }
}

export class Membership {
  /** By user id; 0 is nobody. */
  #digests = new BigUint64Array(1024);
  /**
   * The same memory in halves: whether somebody is there is asked for each row of usage, and reading a whole digest
   * would make an object each time.
   */
  #halves = new Uint32Array(this.#digests.buffer);
  /** Numbers of places by user id. */
  #placeOf = new Uint32Array(this.#digests.length);
  readonly #places: Places;
  readonly #sets = new Map<number, BucketSet>();
  /** Digests of templates' users, as they were at a version. */
  readonly #setDigests = new Map<number, { readonly version: string; readonly digest: string }>();

  constructor(templates = new TemplateInbounds()) {
    this.#places = new Places(templates);
  }

  /** 0n: served nowhere. */
  digest(id: number): bigint {
    return this.#digests[id] ?? 0n;
  }

  servedOn(id: number): Templates {
    return this.#isThere(id) ? this.#places.at(this.#placeOf[id] ?? EVERYWHERE)?.on : undefined;
  }

  /** The only inbounds that an account may use; undefined: every one, or it is served nowhere. */
  inboundsOf(id: number): ReadonlySet<number> | undefined {
    return this.#isThere(id) ? this.#places.at(this.#placeOf[id] ?? EVERYWHERE)?.inbounds : undefined;
  }

  /** Unix milliseconds of when a template last took the account in or put it out; 0: none has. */
  movedAt(id: number): number {
    return this.#places.at(this.#placeOf[id] ?? EVERYWHERE)?.changedAt ?? 0;
  }

  /** `inboundId`: whether on this inbound, too, as far as the account is concerned. */
  serves(templateId: number, id: number, inboundId?: number): boolean {
    if (!this.#isThere(id)) return false;
    const number = this.#placeOf[id] ?? EVERYWHERE;
    if (number === EVERYWHERE) return templateId !== EVERY;
    const place = this.#places.at(number);
    if (!place || (place.on !== "all" && !place.on.includes(templateId))) return false;
    return inboundId === undefined || (place.inbounds?.has(inboundId) ?? true);
  }

  /** XOR of a template's users in a bucket. */
  xor(templateId: number, bucket: number): bigint {
    return (this.#sets.get(EVERY)?.get(bucket) ?? 0n) ^ (this.#sets.get(templateId)?.get(bucket) ?? 0n);
  }

  /** Digests of a template's 256 buckets. */
  buckets(templateId: number): string[] {
    return Array.from({ length: BUCKETS }, (_, bucket) => formatBucket(this.xor(templateId, bucket)));
  }

  /** The digest of all its users: made once for the nodes of the template that ask for it between two changes. */
  setDigest(templateId: number): string {
    const version = this.version(templateId);
    const known = this.#setDigests.get(templateId);
    if (known?.version === version) return known.digest;
    const digest = digestBuckets(this.buckets(templateId));
    this.#setDigests.set(templateId, { version, digest });
    return digest;
  }

  /** Users served on a template. */
  count(templateId: number): number {
    return (this.#sets.get(EVERY)?.count ?? 0) + (this.#sets.get(templateId)?.count ?? 0);
  }

  /** Differs whenever a template's users changed in between. */
  version(templateId: number): string {
    return `${this.#sets.get(EVERY)?.version ?? 0} ${this.#sets.get(templateId)?.version ?? 0}`;
  }

  /** Ids of the users that a template serves, in these buckets; in id order. */
  idsOf(templateId: number, buckets: ReadonlySet<number>): number[] {
    const ids: number[] = [];
    const rows = Math.ceil(this.#digests.length / BUCKETS);
    const wanted = [...buckets].toSorted((a, b) => a - b);
    // Only the ids of these buckets are looked at: a node that differs in one does not cost a walk through a million.
    for (let row = 0; row < rows; row++) {
      for (const bucket of wanted) {
        const id = row * BUCKETS + bucket;
        if (this.serves(templateId, id)) ids.push(id);
      }
    }
    return ids;
  }

  /** Replaces what is held of a user. `plan` undefined: served nowhere. */
  put(
    id: number,
    plan: PlanUser | undefined,
    user: { readonly allTemplates: boolean; readonly templateIds: readonly number[] } | undefined,
  ): void {
    this.#grow(id);
    if (this.#isThere(id)) {
      const was = this.#placeOf[id] ?? EVERYWHERE;
      this.#toggle(id, this.#places.at(was)?.on, -1);
      this.#places.leave(was);
    }
    this.#placeOf[id] = EVERYWHERE;
    this.#digests[id] = plan && user ? digestUser(plan) : 0n;
    if (!plan || !user || !this.#isThere(id)) return;
    // A template counts once, however often it is named.
    const place = this.#places.enter(user.allTemplates ? "all" : [...new Set(user.templateIds)], plan.inbounds);
    this.#placeOf[id] = place.number;
    this.#toggle(id, place.on, 1);
  }

  /** Templates carry other inbounds: accounts that name theirs come and go by that. */
  retemplate(now: CarriedNow, at: number): void {
    const moves = this.#places.retemplated(now, at);
    if (moves.size === 0) return;
    for (let id = 1; id < this.#placeOf.length; id++) {
      const number = this.#placeOf[id] ?? EVERYWHERE;
      if (number === EVERYWHERE) continue;
      for (const [template, by] of moves.get(number) ?? []) this.#toggle(id, [template], by);
    }
  }

  #isThere(id: number): boolean {
    return ((this.#halves[2 * id] ?? 0) | (this.#halves[2 * id + 1] ?? 0)) !== 0;
  }

  #toggle(id: number, on: Templates, by: 1 | -1): void {
    const [low, high] = [this.#halves[2 * id] ?? 0, this.#halves[2 * id + 1] ?? 0];
    for (const template of on === "all" ? [EVERY] : (on ?? [])) {
      let set = this.#sets.get(template);
      if (!set) this.#sets.set(template, (set = new BucketSet()));
      set.toggle(id, low, high, by);
    }
  }

  #grow(id: number): void {
    if (id < this.#digests.length) return;
    const length = Math.max(id + 1, this.#digests.length * 2);
    const larger = new BigUint64Array(length);
    larger.set(this.#digests);
    this.#digests = larger;
    this.#halves = new Uint32Array(larger.buffer);
    const places = new Uint32Array(length);
    places.set(this.#placeOf);
    this.#placeOf = places;
  }
}
