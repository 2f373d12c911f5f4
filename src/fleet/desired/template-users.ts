// The users of a template's nodes as these are told of them: read by id when a node asks, and kept only for the seconds
// in which nodes that connect together ask.
import type { Clock } from "../../lib/clock.ts";
import { BUCKETS, bucketOf } from "../../protocol/digest.ts";
import type { PlanUser } from "../../protocol/plan.ts";
import type { ServableUser } from "./servable-user.ts";

/** Users asked for by id in one query. */
const IDS = 1000;
/** How long a template's users are kept after they were read, for its other nodes. */
const KEEP_MS = 5000;
const ALL_BUCKETS: ReadonlySet<number> = new Set(Array.from({ length: BUCKETS }, (_, bucket) => bucket));

/** Users by bucket. */
type BucketUsers = Map<number, PlanUser[]>;

/** A template's users as they were read at a version of its set. */
interface Kept {
  readonly version: string;
  readonly users: Promise<BucketUsers>;
}

export interface TemplateUsersOptions {
  readonly clock: Clock;
  /** Accounts by id, switched on only. */
  readonly byId: (ids: readonly number[]) => Promise<readonly ServableUser[]>;
  /** Differs whenever a template's users changed in between. */
  readonly versionOf: (templateId: number) => string;
  /** Ids of the users that a template serves, in these buckets. */
  readonly idsOf: (templateId: number, buckets: ReadonlySet<number>) => readonly number[];
  /** An account as a template's nodes are told of it; undefined where they do not serve it. */
  readonly planOn: (templateId: number, user: ServableUser) => PlanUser | undefined;
}

/** Reads the users of templates. */
export class TemplateUsers {
  readonly #options: TemplateUsersOptions;
  readonly #kept = new Map<number, Kept>();

  constructor(options: TemplateUsersOptions) {
    this.#options = options;
  }

  /**
   * The users of some buckets of a template. Nodes that ask for most of them while nothing changes (a fleet that
   * connects at once) share one read.
   */
  async of(templateId: number, buckets: ReadonlySet<number>): Promise<BucketUsers> {
    if (buckets.size < BUCKETS / 4) return this.#read(templateId, buckets);
    const version = this.#options.versionOf(templateId);
    let kept = this.#kept.get(templateId);
    if (kept?.version !== version) {
      kept = { version, users: this.#read(templateId, ALL_BUCKETS) };
      this.#keep(templateId, kept);
    }
    const users = await kept.users;
    return new Map([...buckets].map((bucket) => [bucket, users.get(bucket) ?? []]));
  }

  /** Versions start again: what was read at the old ones is not used any more. */
  forget(): void {
    this.#kept.clear();
  }

  #keep(templateId: number, kept: Kept): void {
    this.#kept.set(templateId, kept);
    const drop = () => {
      if (this.#kept.get(templateId) === kept) this.#kept.delete(templateId);
    };
    kept.users.then(() => this.#options.clock.after(KEEP_MS, drop), drop);
  }

  async #read(templateId: number, buckets: ReadonlySet<number>): Promise<BucketUsers> {
    const { byId, idsOf, planOn } = this.#options;
    const users: BucketUsers = new Map([...buckets].map((bucket) => [bucket, []]));
    const ids = idsOf(templateId, buckets);
    for (let from = 0; from < ids.length; from += IDS) {
      for (const user of await byId(ids.slice(from, from + IDS))) {
        const plan = planOn(templateId, user);
        if (plan) users.get(bucketOf(user.id))?.push(plan);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    return users;
  }
}
