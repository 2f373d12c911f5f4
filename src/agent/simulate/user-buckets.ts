// The users of a simulated fleet: ids and digests only, in buckets that nodes with equal content share. A thousand
// nodes with the same 100,000 users hold them once.
import { bucketOf, BUCKETS, digestUser, formatBucket } from "../../protocol/digest.ts";
import { samePlanUser, type PlanUser } from "../../protocol/plan.ts";
import { chance } from "./chance.ts";

/** Above this many remembered digests they are all forgotten and computed again. */
const MAX_REMEMBERED = 2_000_000;

/** Immutable content of one bucket. */
export interface Bucket {
  readonly key: string;
  readonly digest: string;
  /** Ascending. */
  readonly ids: Float64Array;
  /** By position in `ids`. */
  readonly digests: BigUint64Array;
  /** The only inbounds of those that name theirs. */
  readonly inbounds: ReadonlyMap<number, readonly number[]>;
  /** Nodes that hold it. */
  uses: number;
  /** The active among `ids` in an epoch, once somebody asked. */
  active: { readonly epoch: number; readonly ids: Float64Array } | undefined;
}

/** Buckets by content, for all nodes of the fleet. */
export class BucketPool {
  readonly empty: Bucket = {
    key: "",
    digest: formatBucket(0n),
    ids: new Float64Array(),
    digests: new BigUint64Array(),
    inbounds: new Map(),
    uses: 1,
    active: undefined,
  };
  readonly #buckets = new Map<string, Bucket>();
  readonly #remembered = new Map<number, { user: PlanUser; digest: bigint }>();
  readonly #seed: number;
  readonly #activeShare: number;

  /** `activeShare`: 0 to 1. */
  constructor(seed: number, activeShare: number) {
    this.#seed = seed;
    this.#activeShare = activeShare;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** The bucket of these digests by user, held once more. */
  take(users: ReadonlyMap<number, bigint>, inbounds: ReadonlyMap<number, readonly number[]>): Bucket {
    if (users.size === 0) return this.empty;
    let xor = 0n;
    for (const digest of users.values()) xor ^= digest;
    const key = `${formatBucket(xor)} ${users.size}`;
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      const ids = Float64Array.from(users.keys()).toSorted();
      bucket = {
        key,
        digest: formatBucket(xor),
        ids,
        digests: BigUint64Array.from(ids, (id) => users.get(id) ?? 0n),
        inbounds,
        uses: 0,
        active: undefined,
      };
      this.#buckets.set(key, bucket);
    }
    bucket.uses += 1;
    return bucket;
  }

  release(bucket: Bucket): void {
    if (bucket === this.empty) return;
    bucket.uses -= 1;
    if (bucket.uses === 0) this.#buckets.delete(bucket.key);
  }

  /** As `digestUser`, remembering it: every node of a fleet is told the same users. */
  digest(user: PlanUser): bigint {
    const known = this.#remembered.get(user.id);
    if (known !== undefined && samePlanUser(known.user, user)) return known.digest;
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    const digest = digestUser(user);
    this.#remembered.set(user.id, { user, digest });
    return digest;
  }

  /** Whether a user moves traffic in this epoch. */
  isActive(id: number, epoch: number): boolean {
    return this.#activeShare >= 1 || chance(this.#seed, id, epoch) < this.#activeShare;
  }

  /** The users of a bucket that move traffic in this epoch. */
  active(bucket: Bucket, epoch: number): Float64Array {
    if (this.#activeShare >= 1) return bucket.ids;
    if (bucket.active?.epoch !== epoch)
      bucket.active = { epoch, ids: bucket.ids.filter((id) => this.isActive(id, epoch)) };
    return bucket.active.ids;
  }
}

/** The users of one node, as references into the pool. */
export class UserBuckets {
  readonly #pool: BucketPool;
  #buckets: readonly Bucket[];

  constructor(pool: BucketPool) {
    this.#pool = pool;
    this.#buckets = Array.from({ length: BUCKETS }, () => pool.empty);
  }

  get all(): readonly Bucket[] {
    return this.#buckets;
  }

  /** The only inbounds that a user may use; undefined: every one. */
  inboundsOf(id: number): readonly number[] | undefined {
    return this.#buckets[bucketOf(id)]?.inbounds.get(id);
  }

  get digests(): string[] {
    return this.#buckets.map((bucket) => bucket.digest);
  }

  /**
   * Changes users and tells of each id that was added or removed. Replaced buckets first, then dropped users, then put
   * ones.
   */
  change(
    change: { buckets: ReadonlyMap<number, readonly PlanUser[]>; drop: readonly number[]; put: readonly PlanUser[] },
    on: { added(id: number): void; removed(id: number): void },
  ): void {
    const wanted = new Map<number, Map<number, bigint>>();
    /** The lists of inbounds of those buckets. */
    const lists = new Map<number, Map<number, readonly number[]>>();
    const open = (index: number): Map<number, bigint> => {
      let users = wanted.get(index);
      if (users === undefined) {
        users = membersOf(this.#buckets[index] ?? this.#pool.empty);
        wanted.set(index, users);
        lists.set(index, new Map(this.#buckets[index]?.inbounds));
      }
      return users;
    };
    const put = (users: Map<number, bigint>, user: PlanUser): void => {
      users.set(user.id, this.#pool.digest(user));
      const list = lists.get(bucketOf(user.id));
      if (user.inbounds) list?.set(user.id, user.inbounds);
      else list?.delete(user.id);
    };
    for (const [index, users] of change.buckets) {
      const members = new Map<number, bigint>();
      wanted.set(index, members);
      lists.set(index, new Map());
      for (const user of users) put(members, user);
    }
    for (const id of change.drop) {
      open(bucketOf(id)).delete(id);
      lists.get(bucketOf(id))?.delete(id);
    }
    for (const user of change.put) put(open(bucketOf(user.id)), user);
    const next = [...this.#buckets];
    for (const [index, users] of wanted) {
      const before = this.#buckets[index] ?? this.#pool.empty;
      const bucket = this.#pool.take(users, lists.get(index) ?? new Map());
      next[index] = bucket;
      const had = new Set(before.ids);
      for (const id of before.ids) if (!users.has(id)) on.removed(id);
      for (const id of users.keys()) if (!had.has(id)) on.added(id);
      this.#pool.release(before);
    }
    this.#buckets = next;
  }
}

function membersOf(bucket: Bucket): Map<number, bigint> {
  const members = new Map<number, bigint>();
  bucket.ids.forEach((id, index) => members.set(id, bucket.digests[index] ?? 0n));
  return members;
}
