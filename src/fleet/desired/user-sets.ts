// Which users each template's nodes serve, as digests in memory: 8 bytes per user and 256 buckets per set. The users
// themselves are read when a node asks for them (`template-users.ts`).
//
// A user belongs to every template (`allTemplates`) or to those it names; one that names its inbounds, to those of them
// that carry one of these (`serving-places.ts`). A template's set is therefore the common set XOR its own. The sets are
// built by one paged read when the first node asks, and kept right by the row changes of every commit; a row that
// changed while the read was under way is taken from its commit.
//
// Accounts of some owners are withheld (`withheld-owners.ts`). When an owner's turn changes, its accounts are looked up
// by their owner, so one row takes them all away, or gives them back.
import type { Committed, Committer, Fact, Reader, RowChange } from "../../db/index.ts";
import type { Clock } from "../../lib/clock.ts";
import type { PlanUser } from "../../protocol/plan.ts";
import { GatheredChanges, type ServedChange } from "./gathered-changes.ts";
import { Membership } from "./membership.ts";
import { sameTemplates, unionOf, type Templates } from "./serving-places.ts";
import { RecentChanges } from "./recent-changes.ts";
import { planUserOf, servedAlike, type ServableUser } from "./servable-user.ts";
import { TemplateInbounds, type CarriedNow } from "./template-inbounds.ts";
import { TemplateUsers } from "./template-users.ts";
import { WithheldOwners, type WithheldPorts } from "./withheld-owners.ts";

const PAGE = 5000;
/** Before an owner's accounts are looked up again after a failure. */
const AGAIN_MS = 500;

export interface UserSetOptions extends WithheldPorts {
  readonly reads: Reader;
  readonly commits: Committer;
  readonly clock: Clock;
  /** Accounts of a page, in id order after `after`, switched on only. */
  readonly page: (after: number, limit: number) => Promise<readonly ServableUser[]>;
  /** Accounts by id, switched on only. */
  readonly byId: (ids: readonly number[]) => Promise<readonly ServableUser[]>;
  /** The account rows of a table change; undefined for changes of other tables. */
  readonly userOf: (
    change: RowChange,
  ) => { id: number; before: ServableUser | undefined; after: ServableUser | undefined } | undefined;
  /** Accounts of an owner, in id order after `after`, switched on only. */
  readonly ofOwner: (owner: number, after: number, limit: number) => Promise<readonly ServableUser[]>;
  /** Accounts that name their inbounds, in id order after `after`, switched on only. */
  readonly limited: (after: number, limit: number) => Promise<readonly ServableUser[]>;
  /** Commits say it that are parts of one piece of work; false: the last of them. */
  readonly partFact: Fact<boolean>;
  readonly onChange: (change: ServedChange) => void;
  /** Accounts were not looked up again; it is tried again. */
  readonly onError: (error: unknown) => void;
}

export class UserSets {
  readonly #options: UserSetOptions;
  /**
   * What the last complete read said, with every commit since: it answers until the next read is complete, since a set
   * that is half read looks like users to be dropped.
   */
  #current: Membership;
  readonly #templates = new TemplateInbounds();
  /** The result so far of a running read. */
  #next: Membership | undefined;
  #loading: Promise<void> | undefined;
  readonly #templateUsers: TemplateUsers;
  #loaded = false;
  #everLoaded = false;
  readonly #changed: RecentChanges;
  readonly #gathered: GatheredChanges;
  /** Changes when everything must be read again: then a running read starts again. */
  #generation = 0;
  /** Users that a commit changed during a read. */
  readonly #touched = new Set<number>();
  readonly #withheld: WithheldOwners;
  /** Inbounds that were deleted while this process runs: a commit of the same moment may still tell of them. */
  readonly #gone = new Set<number>();
  /** Sets of accounts that are being looked up again, one after the other. */
  #turning: Promise<void> = Promise.resolve();
  /** Accounts that commits changed while a page of such a set was read: what they said is newer. */
  #passed: Set<number> | undefined;
  #stopped = false;
  readonly #stopListening: () => void;

  constructor(options: UserSetOptions) {
    this.#options = options;
    this.#current = new Membership(this.#templates);
    this.#withheld = new WithheldOwners(options);
    this.#templateUsers = new TemplateUsers({
      clock: options.clock,
      byId: options.byId,
      versionOf: (templateId) => `${this.#generation} ${this.#current.version(templateId)}`,
      idsOf: (templateId, buckets) => this.#current.idsOf(templateId, buckets),
      planOn: (templateId, user) => this.#planOn(templateId, user),
    });
    this.#changed = new RecentChanges(options.clock);
    this.#gathered = new GatheredChanges(options.clock, options.onChange);
    this.#stopListening = options.commits.onCommit((committed) => this.#committed(committed));
  }

  stop(): void {
    this.#stopped = true;
    this.#stopListening();
    this.#gathered.stop();
  }

  /** Whether a template's nodes were not told yet of something that is in its sets. */
  gathersFor(templateId: number): boolean {
    return this.#gathered.waitsFor(templateId);
  }

  /** Tells nodes now of what waits for more to come. */
  tellGathered(): void {
    this.#gathered.tell();
  }

  /** Builds the sets once; later calls resolve at once. Rejects when the database is away. */
  async ready(): Promise<void> {
    while (!this.#loaded) await (this.#loading ??= this.#load());
  }

  /** Like `ready`, but what was read before is good enough while accounts that changed set by set are read again. */
  async known(): Promise<void> {
    if (!this.#everLoaded) await this.ready();
  }

  /** Something is known, if not always the latest. */
  get everRead(): boolean {
    return this.#everLoaded;
  }

  /** Whether a template's nodes serve the account now, on this inbound where one is named. After `known`. */
  serves(templateId: number, userId: number, inboundId?: number): boolean {
    return this.#current.serves(templateId, userId, inboundId);
  }

  /**
   * Unix milliseconds when an account's place last changed, as far as that was a while ago at most: by then every link
   * had heard of it.
   */
  changedAt(userId: number): number | undefined {
    const own = this.#changed.at(userId);
    return own && Math.max(own, this.#current.movedAt(userId));
  }

  /**
   * Accounts were changed set by set: what is in memory no longer tells. The next `ready` reads everything again; what
   * was known answers meanwhile.
   */
  forget(): void {
    this.#loaded = false;
    this.#generation++;
    this.#touched.clear();
  }

  /** Digests of a template's 256 buckets. After `ready`. */
  buckets(templateId: number): string[] {
    return this.#current.buckets(templateId);
  }

  digest(templateId: number): string {
    return this.#current.setDigest(templateId);
  }

  /** Users served on a template. */
  count(templateId: number): number {
    return this.#current.count(templateId);
  }

  /** The users of some buckets of a template. After `ready`. */
  async usersOf(templateId: number, buckets: ReadonlySet<number>): Promise<Map<number, PlanUser[]>> {
    return this.#templateUsers.of(templateId, buckets);
  }

  async #load(): Promise<void> {
    try {
      const next = await this.#readAll();
      this.#current = next;
      this.#templateUsers.forget();
      this.#loaded = true;
      this.#everLoaded = true;
    } finally {
      this.#next = undefined;
      this.#touched.clear();
      this.#loading = undefined;
    }
  }

  /** All accounts, page by page; from the first again whenever what was read may not hold any more. */
  async #readAll(): Promise<Membership> {
    let after = 0;
    let generation = this.#generation;
    await this.#readAround();
    let next = (this.#next = new Membership(this.#templates));
    for (;;) {
      const page = await this.#options.page(after, PAGE);
      if (generation !== this.#generation) {
        generation = this.#generation;
        after = 0;
        await this.#readAround();
        next = this.#next = new Membership(this.#templates);
        // The users that were touched meanwhile are in none of these pages yet: they are read as they are now.
        this.#touched.clear();
        continue;
      }
      for (const user of page) if (!this.#touched.has(user.id)) next.put(user.id, this.#planOf(user), user);
      const last = page.at(-1);
      if (!last || page.length < PAGE) return next;
      after = last.id;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** An account as a node is told of it, unless its owner's are withheld. */
  #planOf(user: ServableUser): PlanUser | undefined {
    return this.#withheld.has(user.adminId) ? undefined : planUserOf(user, this.#gone);
  }

  /** The same as a template's nodes are told; undefined where they do not serve it. */
  #planOn(templateId: number, user: ServableUser): PlanUser | undefined {
    const plan = user.allTemplates || user.templateIds.includes(templateId) ? this.#planOf(user) : undefined;
    return plan?.inbounds && !this.#templates.carries(templateId, plan.inbounds) ? undefined : plan;
  }

  /** What accounts are looked at with: templates and owners. */
  async #readAround(): Promise<void> {
    this.#retemplate(await this.#templates.read(this.#options.reads));
    await this.#withheld.read();
  }

  /** Nodes of these templates compare their structure now, and with it which users they serve. */
  #retemplate(now: CarriedNow): void {
    if (now.size === 0) return;
    const at = this.#options.clock.now();
    this.#templates.set(now);
    this.#current.retemplate(now, at);
    this.#next?.retemplate(now, at);
  }

  #committed({ changes, facts }: Committed): void {
    const { partFact } = this.#options;
    const isPart = facts.has(partFact);
    this.#retemplate(
      new Map(changes.map((change) => this.#templates.told(change)).filter((told) => told !== undefined)),
    );
    // Owners first: an account of the same commit is looked at with what its owner is then.
    for (const change of changes) {
      const owner = this.#withheld.take(change);
      if (owner !== undefined) this.#ownerTurned(owner);
    }
    for (const change of changes) {
      const user = this.#options.userOf(change);
      if (!user) continue;
      // Most edits change nothing that nodes hear of, and a digest costs more than all else of a change.
      if (user.before && user.after && servedAlike(user.before, user.after)) continue;
      this.#passed?.add(user.id);
      this.#changeTo(user, isPart);
    }
    if (isPart && facts.of(partFact).includes(false)) this.#gathered.tell();
  }

  /** An inbound was deleted and left the accounts that named it: those that name any are looked at again. */
  inboundLeft(inboundId: number): void {
    this.#gone.add(inboundId);
    // What a running read has taken in of them may not hold any more.
    if (this.#loading) this.#generation++;
    if (this.#everLoaded) this.#turning = this.#turning.then(() => this.#again(this.#options.limited));
  }

  /** An owner's accounts are withheld now, or not withheld now. */
  #ownerTurned(owner: number): void {
    // What a running read has taken in of them may not hold any more.
    if (this.#loading) this.#generation++;
    if (this.#everLoaded) {
      const { ofOwner } = this.#options;
      this.#turning = this.#turning.then(() => this.#again((after, limit) => ofOwner(owner, after, limit)));
    }
  }

  /** Looks at a set of accounts again, page by page. */
  async #again(pageOf: (after: number, limit: number) => Promise<readonly ServableUser[]>): Promise<void> {
    for (let after = 0; !this.#stopped;) {
      const passed = (this.#passed = new Set<number>());
      try {
        const page = await pageOf(after, PAGE);
        for (const user of page) if (!passed.has(user.id)) this.#changeTo({ id: user.id, before: user, after: user });
        const last = page.at(-1);
        if (!last || page.length < PAGE) return;
        after = last.id;
        await new Promise((resolve) => setImmediate(resolve));
      } catch (error) {
        this.#options.onError(error);
        await new Promise<void>((resolve) => this.#options.clock.after(AGAIN_MS, resolve));
      } finally {
        this.#passed = undefined;
      }
    }
  }

  /** `isPart`: of a piece of work, so that nodes may be told later. */
  #changeTo(
    {
      id,
      before,
      after,
    }: {
      readonly id: number;
      readonly before: ServableUser | undefined;
      readonly after: ServableUser | undefined;
    },
    isPart = false,
  ): void {
    const plan = after && this.#planOf(after);
    if (this.#next) {
      this.#touched.add(id);
      this.#next.put(id, plan, after);
    }
    const was = this.#current.digest(id);
    const wasOn = this.#current.servedOn(id);
    const wasLimited = this.#current.inboundsOf(id);
    this.#current.put(id, plan, after);
    const isOn = this.#current.servedOn(id);
    if (was === this.#current.digest(id) && sameTemplates(wasOn, isOn)) return;
    const change: ServedChange = {
      userId: id,
      user: plan,
      templates: unionOf(wasOn ?? templatesOf(before), isOn),
      servedOn: isOn === "all" ? "all" : new Set(isOn ?? []),
    };
    this.#gathered.add(change, isPart);
    if (!sameTemplates(wasOn, isOn) || wasLimited !== this.#current.inboundsOf(id)) this.#changed.add(id);
  }
}

function templatesOf(user: ServableUser | undefined): Templates {
  if (!user) return undefined;
  return user.allTemplates ? "all" : user.templateIds;
}
