// Who is served on which template, as digests: one number per user id and the XORs of 256 buckets per set. Changed in
// place, in no time that depends on how many there are.
import { BUCKETS, bucketOf, digestUser } from "../protocol/digest.ts";
import type { PlanUser } from "../protocol/plan.ts";

/** Where a user is served: on all templates, on those named, or nowhere. */
export type Templates = "all" | readonly number[] | undefined;

/** The set of users that every template carries; no template has this id. */
const EVERY = 0;

/** XORs of one set, by bucket. */
class BucketSet {
  readonly #xors = new BigUint64Array(BUCKETS);
  count = 0;
  /** Moves with every change. */
  version = 0;

  toggle(userId: number, digest: bigint, by: 1 | -1): void {
    const bucket = bucketOf(userId);
    this.#xors[bucket] = this.get(bucket) ^ digest;
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
  /** Templates of the users that name theirs. */
  readonly #named = new Map<number, readonly number[]>();
  readonly #sets = new Map<number, BucketSet>();

  /** 0n: served nowhere. */
  digest(id: number): bigint {
    return this.#digests[id] ?? 0n;
  }

  servedOn(id: number): Templates {
    return this.digest(id) === 0n ? undefined : (this.#named.get(id) ?? "all");
  }

  serves(templateId: number, id: number): boolean {
    const there = ((this.#halves[2 * id] ?? 0) | (this.#halves[2 * id + 1] ?? 0)) !== 0;
    return there && (this.#named.get(id)?.includes(templateId) ?? templateId !== EVERY);
  }

  /** XOR of a template's users in a bucket. */
  xor(templateId: number, bucket: number): bigint {
    return (this.#sets.get(EVERY)?.get(bucket) ?? 0n) ^ (this.#sets.get(templateId)?.get(bucket) ?? 0n);
  }

  /** Users served on a template. */
  count(templateId: number): number {
    return (this.#sets.get(EVERY)?.count ?? 0) + (this.#sets.get(templateId)?.count ?? 0);
  }

  /** Differs whenever a template's users changed in between. */
  version(templateId: number): string {
    return `${this.#sets.get(EVERY)?.version ?? 0} ${this.#sets.get(templateId)?.version ?? 0}`;
  }

  /** Who is served on a template, of some buckets. In id order. */
  idsOf(templateId: number, buckets: ReadonlySet<number>): number[] {
    const ids: number[] = [];
    const rows = Math.ceil(this.#digests.length / BUCKETS);
    const wanted = [...buckets].toSorted((a, b) => a - b);
    // Only the ids of these buckets are looked at: a node that differs in one does not cost a walk through a million.
    for (let row = 0; row < rows; row++) {
      for (const bucket of wanted) {
        const id = row * BUCKETS + bucket;
        if (this.digest(id) === 0n) continue;
        const named = this.#named.get(id);
        if (!named || named.includes(templateId)) ids.push(id);
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
    const was = this.digest(id);
    if (was !== 0n) this.#toggle(id, was, this.#named.get(id), -1);
    this.#named.delete(id);
    const is = plan && user ? digestUser(plan) : 0n;
    this.#digests[id] = is;
    if (!user || is === 0n) return;
    // A template counts once, however often it is named.
    const templates = user.allTemplates ? undefined : [...new Set(user.templateIds)];
    if (templates) this.#named.set(id, templates);
    this.#toggle(id, is, templates, 1);
  }

  #toggle(id: number, digest: bigint, templates: readonly number[] | undefined, by: 1 | -1): void {
    for (const template of templates ?? [EVERY]) {
      let set = this.#sets.get(template);
      if (!set) this.#sets.set(template, (set = new BucketSet()));
      set.toggle(id, digest, by);
    }
  }

  #grow(id: number): void {
    if (id < this.#digests.length) return;
    const larger = new BigUint64Array(Math.max(id + 1, this.#digests.length * 2));
    larger.set(this.#digests);
    this.#digests = larger;
    this.#halves = new Uint32Array(larger.buffer);
  }
}
