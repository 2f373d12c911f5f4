// Which users each template's nodes serve, as digests in memory: 8 bytes per user and 256 buckets per set, never the users themselves.
//
// A user belongs to every template (`allTemplates`) or to those it names. A template's set is therefore the common set XOR its own. The sets are built by one paged read when the first
// node asks, and kept right by the row changes of every commit; a row that changed while the read was under way is taken from its commit.
import { sql, type Committed, type Committer, type Reader, type RowChange } from "../db/index.ts";
import { BUCKETS, bucketOf, digestBuckets, digestUser, formatBucket } from "../protocol/digest.ts";
import type { PlanUser } from "../protocol/plan.ts";

/** What the fleet reads of an account; a row of `users` has it. */
export interface ServableUser {
  readonly id: number;
  readonly enable: boolean;
  readonly config: {
    readonly uuid: string;
    readonly password: string;
    readonly ss16: string;
    readonly ss32: string;
    readonly flow?: string;
  };
  readonly speedLimit: number;
  readonly ipLimit: number;
  readonly allTemplates: boolean;
  readonly templateIds: readonly number[];
}

/** An account as a node is told of it; undefined while no node serves it. */
export function planUserOf(user: ServableUser): PlanUser | undefined {
  if (!user.enable) return undefined;
  const { uuid, password, ss16, ss32, flow } = user.config;
  return { id: user.id, uuid, password, ss16, ss32, flow: flow ?? "", speedLimit: user.speedLimit, ipLimit: user.ipLimit };
}

/** A user's change as the nodes concerned must hear of it. `user` undefined: no longer served there. */
export interface ServedChange {
  readonly userId: number;
  readonly user: PlanUser | undefined;
  /** Templates that carried it before or carry it now; `all` = every template. */
  readonly templates: "all" | ReadonlySet<number>;
  /** Templates on which it is served now. */
  readonly servedOn: "all" | ReadonlySet<number>;
}

const PAGE = 5000;
const EVERY = 0;
const ALL_BUCKETS: ReadonlySet<number> = new Set(Array.from({ length: BUCKETS }, (_, bucket) => bucket));

export interface UserSetOptions {
  readonly reads: Reader;
  readonly commits: Committer;
  /** Accounts of a page, in id order after `after`, switched on only; of some buckets or of all. */
  readonly page: (after: number, limit: number, buckets?: ReadonlySet<number>) => Promise<readonly ServableUser[]>;
  /** The account rows of a table change; undefined for changes of other tables. */
  readonly userOf: (change: RowChange) => { id: number; before: ServableUser | undefined; after: ServableUser | undefined } | undefined;
  readonly onChange: (change: ServedChange) => void;
}

/** XORs of one set, by bucket. */
class BucketSet {
  readonly #xors = new BigUint64Array(BUCKETS);
  toggle(userId: number, digest: bigint): void {
    const bucket = bucketOf(userId);
    this.#xors[bucket] = (this.#xors[bucket] ?? 0n) ^ digest;
  }
  get(bucket: number): bigint {
    return this.#xors[bucket] ?? 0n;
  }
}

export class UserSets {
  readonly #options: UserSetOptions;
  #digests = new BigUint64Array(1024);
  /** Templates of the users that name theirs. */
  readonly #named = new Map<number, readonly number[]>();
  readonly #sets = new Map<number, BucketSet>();
  readonly #counts = new Map<number, number>();
  #loading: Promise<void> | undefined;
  /** Moves with every change of a set. */
  #version = 0;
  #whole: { templateId: number; version: number; users: Promise<Map<number, PlanUser[]>> } | undefined;
  #loaded = false;
  /** Moves when everything is to be read again: a read that is under way begins anew. */
  #generation = 0;
  /** Users that a commit changed while the first read was under way. */
  readonly #touched = new Set<number>();
  readonly #stopListening: () => void;

  constructor(options: UserSetOptions) {
    this.#options = options;
    this.#stopListening = options.commits.onCommit((committed) => this.#committed(committed));
  }

  stop(): void {
    this.#stopListening();
  }

  /** Builds the sets once; later calls resolve at once. */
  ready(): Promise<void> {
    if (this.#loaded) return Promise.resolve();
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Accounts were changed set by set: what is in memory no longer tells. The next `ready` reads everything again. */
  forget(): void {
    this.#loaded = false;
    this.#generation++;
    this.#touched.clear();
    this.#version++;
    this.#digests = new BigUint64Array(this.#digests.length);
    this.#named.clear();
    this.#sets.clear();
    this.#counts.clear();
  }

  /** Digests of a template's 256 buckets. After `ready`. */
  buckets(templateId: number): string[] {
    const every = this.#sets.get(EVERY);
    const own = this.#sets.get(templateId);
    return Array.from({ length: BUCKETS }, (_, bucket) => formatBucket((every?.get(bucket) ?? 0n) ^ (own?.get(bucket) ?? 0n)));
  }

  digest(templateId: number): string {
    return digestBuckets(this.buckets(templateId));
  }

  /** Users served on a template. */
  count(templateId: number): number {
    return (this.#counts.get(EVERY) ?? 0) + (this.#counts.get(templateId) ?? 0);
  }

  /** The users of some buckets of a template. All of them are read once for the nodes that ask while nothing changes (a fleet that connects at once). */
  async usersOf(templateId: number, buckets: ReadonlySet<number>): Promise<Map<number, PlanUser[]>> {
    if (buckets.size < BUCKETS / 4) return this.#read(templateId, buckets);
    if (this.#whole?.templateId !== templateId || this.#whole.version !== this.#version) {
      this.#whole = { templateId, version: this.#version, users: this.#read(templateId, ALL_BUCKETS) };
      this.#whole.users.catch(() => {
        this.#whole = undefined;
      });
    }
    const users = await this.#whole.users;
    return new Map([...buckets].map((bucket) => [bucket, users.get(bucket) ?? []]));
  }

  async #read(templateId: number, buckets: ReadonlySet<number>): Promise<Map<number, PlanUser[]>> {
    const users = new Map<number, PlanUser[]>([...buckets].map((bucket) => [bucket, []]));
    let after = 0;
    for (;;) {
      const page = await this.#options.page(after, PAGE, buckets.size === BUCKETS ? undefined : buckets);
      for (const user of page) {
        const plan = user.allTemplates || user.templateIds.includes(templateId) ? planUserOf(user) : undefined;
        if (plan) users.get(bucketOf(user.id))?.push(plan);
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE) return users;
      after = last.id;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #load(): Promise<void> {
    let after = 0;
    let generation = this.#generation;
    for (;;) {
      const page = await this.#options.page(after, PAGE);
      if (generation !== this.#generation) {
        generation = this.#generation;
        after = 0;
        continue;
      }
      for (const user of page) if (!this.#touched.has(user.id)) this.#put(user.id, user);
      const last = page.at(-1);
      if (!last || page.length < PAGE) break;
      after = last.id;
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#loaded = true;
    this.#touched.clear();
  }

  #committed({ changes }: Committed): void {
    for (const change of changes) {
      const user = this.#options.userOf(change);
      if (!user) continue;
      if (!this.#loaded) {
        if (!this.#loading) continue;
        this.#touched.add(user.id);
      }
      const { id, before, after } = user;
      const plan = after && planUserOf(after);
      const was = this.#digests[id] ?? 0n;
      const wasOn = was === 0n ? undefined : (this.#named.get(id) ?? "all");
      this.#put(id, after);
      const isOn = this.#digests[id] === 0n || !after ? undefined : after.allTemplates ? "all" : after.templateIds;
      if (was === (this.#digests[id] ?? 0n) && sameTemplates(wasOn, isOn)) continue;
      this.#options.onChange({
        userId: id,
        user: plan,
        templates: union(wasOn ?? templatesOf(before), isOn),
        servedOn: isOn === "all" ? "all" : new Set(isOn ?? []),
      });
    }
  }

  /** Replaces what the sets hold of a user. */
  #put(id: number, user: ServableUser | undefined): void {
    this.#version++;
    this.#grow(id);
    const was = this.#digests[id] ?? 0n;
    if (was !== 0n) this.#toggle(id, was, this.#named.get(id), -1);
    this.#named.delete(id);
    const plan = user && planUserOf(user);
    const is = plan ? digestUser(plan) : 0n;
    this.#digests[id] = is;
    if (!user || is === 0n) return;
    const templates = user.allTemplates ? undefined : user.templateIds;
    if (templates) this.#named.set(id, templates);
    this.#toggle(id, is, templates, 1);
  }

  #toggle(id: number, digest: bigint, templates: readonly number[] | undefined, by: 1 | -1): void {
    for (const template of templates ?? [EVERY]) {
      let set = this.#sets.get(template);
      if (!set) this.#sets.set(template, (set = new BucketSet()));
      set.toggle(id, digest);
      this.#counts.set(template, (this.#counts.get(template) ?? 0) + by);
    }
  }

  #grow(id: number): void {
    if (id < this.#digests.length) return;
    const larger = new BigUint64Array(Math.max(id + 1, this.#digests.length * 2));
    larger.set(this.#digests);
    this.#digests = larger;
  }
}

type Templates = "all" | readonly number[] | undefined;

function templatesOf(user: ServableUser | undefined): Templates {
  if (!user) return undefined;
  return user.allTemplates ? "all" : user.templateIds;
}

function sameTemplates(a: Templates, b: Templates): boolean {
  if (a === undefined || b === undefined || a === "all" || b === "all") return a === b;
  return a.length === b.length && a.every((id) => b.includes(id));
}

function union(a: Templates, b: Templates): "all" | ReadonlySet<number> {
  if (a === "all" || b === "all") return "all";
  return new Set([...(a ?? []), ...(b ?? [])]);
}

/** Accounts as the sets read them: switched on, in id order. */
export function servablePage(after: number, limit: number, buckets?: ReadonlySet<number>) {
  const within = buckets ? sql`and id % ${sql.lit(BUCKETS)} in (${sql.join([...buckets])})` : sql``;
  return sql`select id, enable, config, speed_limit, ip_limit, all_templates, template_ids from users where id > ${after} and enable ${within} order by id limit ${limit}`;
}
