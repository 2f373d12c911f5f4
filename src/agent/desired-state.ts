// What the panel wants this node to serve, in memory: structure and users with their digests, changed step by step. The
// cost of a change depends on its size, not on the size of the whole state.
import {
  bucketOf,
  BUCKETS,
  digestBuckets,
  digestObject,
  digestStructure,
  digestUser,
  formatBucket,
} from "../protocol/digest.ts";
import { RpcErrorCode } from "../protocol/messages.ts";
import type { AppliedState, PanelParams, PanelResult } from "../protocol/messages.ts";
import { planKey, samePlanUser } from "../protocol/plan.ts";
import type { PlanObject, PlanUser } from "../protocol/plan.ts";
import { RpcError } from "../protocol/rpc-error.ts";
import type { DesiredState, UserChange } from "./engines/contract/driver.ts";

/**
 * A step from one desired state to another, as small as it can be said. Every object and user in it differs from what
 * was there.
 */
export interface Step {
  readonly revision: number;
  readonly objects: { readonly put: Readonly<Record<string, PlanObject>>; readonly drop: readonly string[] };
  readonly users: UserChange;
}

export class DesiredPlan {
  #revision = 0;
  readonly #structure: Record<string, PlanObject> = Object.create(null);
  readonly #digests: Record<string, string> = Object.create(null);
  readonly #users = new Map<number, PlanUser>();
  readonly #members = Array.from({ length: BUCKETS }, () => new Set<number>());
  readonly #xor = new BigUint64Array(BUCKETS);

  /** Live view: it changes with the plan. */
  get state(): DesiredState {
    return { structure: this.#structure, users: this.#users };
  }

  get revision(): number {
    return this.#revision;
  }

  get empty(): boolean {
    return this.#users.size === 0 && Object.keys(this.#structure).length === 0;
  }

  applied(): AppliedState {
    return {
      revision: this.#revision,
      structure: digestStructure(this.#digests),
      users: digestBuckets(this.#buckets()),
    };
  }

  digests(): PanelResult<"state.digests"> {
    return { objects: { ...this.#digests }, buckets: this.#buckets() };
  }

  /**
   * What a message of the panel would change. Throws `RpcError` (invalid params) naming the key or bucket that
   * contradicts itself.
   */
  plan(change: PanelParams<"state.apply">): Step {
    const objects = this.#planObjects(change.objects ?? { put: {}, drop: [] });
    return { revision: change.revision, objects, users: this.#planUsers(change.users ?? {}) };
  }

  /** Takes the step and returns the one that leads back. */
  take(step: Step): Step {
    const back = {
      revision: this.#revision,
      objects: { put: {} as Record<string, PlanObject>, drop: [] as string[] },
      users: { put: [] as PlanUser[], drop: [] as number[] },
    };
    this.#revision = step.revision;
    for (const key of [...step.objects.drop, ...Object.keys(step.objects.put)]) {
      const before = this.#structure[key];
      if (before === undefined) back.objects.drop.push(key);
      else back.objects.put[key] = before;
    }
    for (const key of step.objects.drop) {
      delete this.#structure[key];
      delete this.#digests[key];
    }
    for (const [key, object] of Object.entries(step.objects.put)) {
      this.#structure[key] = object;
      this.#digests[key] = digestObject(object);
    }
    for (const id of [...step.users.drop, ...step.users.put.map((user) => user.id)]) {
      const before = this.#users.get(id);
      if (before === undefined) back.users.drop.push(id);
      else back.users.put.push(before);
    }
    for (const id of step.users.drop) this.#drop(id);
    for (const user of step.users.put) this.#put(user);
    return back;
  }

  /** The step that leads to nothing. */
  clearing(): Step {
    return {
      revision: 0,
      objects: { put: {}, drop: Object.keys(this.#structure) },
      users: { put: [], drop: [...this.#users.keys()] },
    };
  }

  #planObjects({ put, drop }: { put: Record<string, PlanObject>; drop: string[] }): Step["objects"] {
    for (const [key, object] of Object.entries(put)) {
      if (planKey(object) !== key)
        throw new RpcError(
          RpcErrorCode.invalidParams,
          `state.apply: objects.put[${JSON.stringify(key)}] holds the object ${JSON.stringify(planKey(object))}`,
        );
    }
    return {
      put: Object.fromEntries(
        Object.entries(put).filter(([key, object]) => this.#digests[key] !== digestObject(object)),
      ),
      drop: [...new Set(drop)].filter((key) => this.#structure[key] !== undefined && !Object.hasOwn(put, key)),
    };
  }

  #planUsers({ buckets = {}, put = [], drop = [] }: NonNullable<PanelParams<"state.apply">["users"]>): UserChange {
    const wanted = new Map<number, PlanUser | undefined>();
    for (const [text, users] of Object.entries(buckets)) {
      const bucket = Number(text);
      const members = this.#members[bucket];
      if (members === undefined)
        throw new RpcError(RpcErrorCode.invalidParams, `state.apply: users.buckets has no bucket ${text}`);
      for (const id of members) wanted.set(id, undefined);
      for (const user of users) {
        if (bucketOf(user.id) !== bucket)
          throw new RpcError(
            RpcErrorCode.invalidParams,
            `state.apply: users.buckets[${text}] holds user ${user.id} of bucket ${bucketOf(user.id)}`,
          );
        wanted.set(user.id, user);
      }
    }
    for (const id of drop) wanted.set(id, undefined);
    for (const user of put) wanted.set(user.id, user);
    const change = { put: [] as PlanUser[], drop: [] as number[] };
    for (const [id, user] of wanted) {
      const before = this.#users.get(id);
      if (user === undefined) {
        if (before !== undefined) change.drop.push(id);
      } else if (before === undefined || !samePlanUser(before, user)) change.put.push(user);
    }
    return change;
  }

  #put(user: PlanUser): void {
    this.#drop(user.id);
    const bucket = bucketOf(user.id);
    this.#users.set(user.id, user);
    this.#members[bucket]?.add(user.id);
    this.#flip(bucket, user);
  }

  #drop(id: number): void {
    const user = this.#users.get(id);
    if (user === undefined) return;
    const bucket = bucketOf(id);
    this.#users.delete(id);
    this.#members[bucket]?.delete(id);
    this.#flip(bucket, user);
  }

  #flip(bucket: number, user: PlanUser): void {
    this.#xor[bucket] = (this.#xor[bucket] ?? 0n) ^ digestUser(user);
  }

  #buckets(): string[] {
    return Array.from(this.#xor, formatBucket);
  }
}
