// Brings one agent to the desired state and keeps it there: level-triggered, by digests, one push at a time (rules
// nodes.sync).
//
// Modes: `idle` (the agent's digests equal the desired ones as far as is known), `syncing` (the loop runs), `resting`
// (asked to push nothing for a while) and `refused` (by the agent's engine: the node's chart says when it is asked
// again). What changes meanwhile is collected: the latest word on each user, and whether the structure is to be
// compared again; so a thousand edits in a second are a few pushes. Whatever a push did not bring about is found by the
// digests in its answer. A caller who asks, and the first comparison of a link, gets the agent's own word, also
// where nothing is left to push: an agent that is asked tries again what it leaves out. An agent that contradicts,
// or refuses for another reason than its engine, ends the link; one that takes everything and reports something else
// a moment later is compared with growing pauses; a database that is away does not: the agent serves what it has
// until the panel can say what has changed.
import { bucketPushes } from "../desired/bucket-pushes.ts";
import { ClockSkew } from "./clock-skew.ts";
import { failureOf } from "./engine-health.ts";
import { cause, LinkFailure } from "./link-failure.ts";
import type { Notice } from "../records/notice.schema.ts";
import { saidNotices, type SaidByAgent } from "../records/notices.ts";
import { Relapses, RELAPSING } from "./relapses.ts";
import { StoreUnavailable } from "../../db/index.ts";
import type { Cancel, Clock } from "../../lib/clock.ts";
import { digestBuckets } from "../../protocol/digest.ts";
import {
  RpcErrorCode,
  type AppliedState,
  type EngineReport,
  type PanelParams,
  type PanelResult,
} from "../../protocol/messages.ts";
import type { PlanUser } from "../../protocol/plan.ts";
import { RpcError } from "../../protocol/rpc-error.ts";
import type { DesiredStructure } from "../desired/structure.ts";
import type { DesiredNode } from "../desired/structures.ts";
import type { UserSets } from "../desired/user-sets.ts";

/** Single changes beyond which whole buckets are compared instead. */
const SINGLE_CHANGES = 5000;
/** Times in a row that an agent may answer a full comparison with other digests, while nothing changes here. */
const CONTRADICTIONS = 5;
const DATABASE_AGAIN_MS = 1000;
/** An agent may say so often as it likes that it can be sent again what its engine refused: it is, at this pace. */
const FREED_PACE_MS = 5000;
const APPLY_MS = 30_000;
const APPLY_MS_PER_USER = 2;

/** The part of the link that syncing uses. */
export interface AgentCalls {
  call(method: "state.digests", params: PanelParams<"state.digests">): Promise<PanelResult<"state.digests">>;
  call(
    method: "state.report",
    params: PanelParams<"state.report">,
    options: { timeoutMs: number },
  ): Promise<PanelResult<"state.report">>;
  call(
    method: "state.apply",
    params: PanelParams<"state.apply">,
    options: { timeoutMs: number },
  ): Promise<PanelResult<"state.apply">>;
}

export interface SyncOptions {
  readonly agent: AgentCalls;
  readonly users: UserSets;
  readonly clock: Clock;
  readonly desired: () => Promise<DesiredNode>;
  /** What the agent said it runs when it greeted. */
  readonly applied: AppliedState;
  readonly said: SaidByAgent;
  /** See `EngineReport.freed`. */
  readonly freed?: number | undefined;
  /**
   * The agent runs the desired state, except for later changes. Called after every comparison and at the end of every
   * run of the loop.
   */
  readonly onSynced: (notices: readonly Notice[]) => void;
  /** The agent refused or did not answer: the link is of no use. */
  readonly onFailed: (error: unknown) => void;
  /** Its engine refuses what is wanted, in its own words. Nothing is pushed from then on until the next `nudge`. */
  readonly onRefused: (message: string) => void;
  /** How the engine is, as the agent says with each answer. */
  readonly onEngine: (engine: EngineReport) => void;
}

export interface SyncResult {
  readonly revision: number;
  readonly notices: readonly Notice[];
}

export class Sync {
  readonly #options: SyncOptions;
  #applied: AppliedState;
  /** What the agent leaves out. */
  #said: readonly Notice[];
  /** What the panel left out of what it sends. */
  #notices: readonly Notice[] = [];
  readonly #skew = new ClockSkew();
  #compare = true;
  #contradictions = 0;
  readonly #relapses: Relapses;
  #cancelAgain: Cancel = () => {};
  #pending = new Map<number, PlanUser | undefined>();
  #running = false;
  #stopped = false;
  #resting = false;
  #refused = false;
  #cancelRest: Cancel = () => {};
  #compared = false;
  /** The agent has answered in this round. */
  #heard = false;
  /** What it said of its engine last; undefined while it carries what it was told. */
  #failure: string | undefined;
  #freed: number;
  #freedAt = -Infinity;
  /** The template that the agent was last given; 0: none. */
  #templateId = 0;
  #toldAt = 0;
  #waiting: { resolve: (result: SyncResult) => void; reject: (error: unknown) => void }[] = [];

  constructor(options: SyncOptions) {
    this.#options = options;
    this.#applied = options.applied;
    this.#said = saidNotices(options.said);
    this.#freed = options.freed ?? 0;
    this.#relapses = new Relapses(options.clock);
  }

  /**
   * Compares everything, pushes what differs. Resolves when the agent runs that, rejects when the link ends before.
   */
  run(): Promise<SyncResult> {
    if (this.#stopped) return Promise.reject(new Error("the link was given up"));
    const result = new Promise<SyncResult>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    this.nudge();
    return result;
  }

  /**
   * Unix milliseconds: the agent has carried out everything that was known here by then. 0: nothing was compared on
   * this link yet.
   */
  get toldAt(): number {
    const moreComes = this.#pending.size > 0 || this.#options.users.gathersFor(this.#templateId);
    const waits = this.#running || this.#compare || moreComes || this.#resting || this.#relapses.pausing;
    const idle = this.#compared && !waits && !this.#stopped;
    if (idle) this.#toldAt = this.#options.clock.now();
    return this.#toldAt;
  }

  /** The structure may have changed. */
  nudge(): void {
    this.#stillTold();
    this.#refused = false;
    this.#compare = true;
    this.#start();
  }

  /** A user changed; undefined: no longer served here. */
  userChanged(id: number, user: PlanUser | undefined): void {
    this.#stillTold();
    // Everything is compared then.
    if (this.#refused) return;
    this.#pending.set(id, user);
    this.#start();
  }

  /**
   * The agent's heartbeat: what it runs, whichever side was restarted or lost something. `at`: Unix seconds by its
   * clock. `freed`: how often ports that it found held became free.
   */
  reported(applied: AppliedState, by: SaidByAgent, at: number, freed = 0): void {
    const skewed = this.#skew.heard(at, Math.floor(this.#options.clock.now() / 1000));
    if (this.#running) return;
    const said = saidNotices(by);
    if (this.#refused) {
      this.#applied = applied;
      this.#said = said;
      this.#mayBeFree(freed);
      return;
    }
    if (applied.structure !== this.#applied.structure || applied.users !== this.#applied.users) {
      this.#applied = applied;
      this.#relapsed();
    } else if (skewed || JSON.stringify(said) !== JSON.stringify(this.#said)) {
      this.#said = said;
      this.#say();
    }
  }

  /** The agent could not listen anywhere, and can now. */
  #mayBeFree(freed: number): void {
    const now = this.#options.clock.now();
    const again = freed > this.#freed && Math.abs(now - this.#freedAt) >= FREED_PACE_MS;
    if (!again) return;
    this.#freed = freed;
    this.#freedAt = now;
    this.nudge();
  }

  #relapsed(): void {
    if (this.#relapses.pausing) return;
    this.#relapses.note(() => this.nudge());
    if (this.#relapses.said) this.#say();
  }

  #say(): void {
    this.#options.onSynced(this.#relapses.said ? [RELAPSING, ...this.#told] : this.#told);
  }

  /** Pushes nothing for so many milliseconds, then compares everything. */
  rest(ms: number): void {
    this.#stillTold();
    this.#cancelRest();
    this.#resting = true;
    this.#cancelRest = this.#options.clock.after(ms, () => {
      this.#resting = false;
      this.nudge();
    });
  }

  stop(error: unknown): void {
    this.#cancelRest();
    this.#relapses.stop();
    this.#stopped = true;
    this.#cancelAgain();
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  /** The panel's own notices, then what the agent warns of. */
  get #told(): readonly Notice[] {
    return [...this.#skew.notices, ...this.#notices, ...this.#said];
  }

  /** Up to now the agent knew everything; what comes next it has to be told. */
  #stillTold(): void {
    void this.toldAt;
  }

  #start(): void {
    if (this.#running || this.#stopped || this.#resting || this.#refused) return;
    this.#running = true;
    void this.#loop();
  }

  async #loop(): Promise<void> {
    try {
      while ((this.#compare || this.#pending.size > 0) && !this.#stopped && !this.#resting) {
        await this.#options.users.ready();
        // A caller who asks during a comparison gets the next one.
        const asked = this.#compare ? this.#waiting.length : 0;
        const compared = await this.#push();
        if (!compared || this.#stopped) continue;
        this.#compared = true;
        this.#say();
        for (const { resolve, reject } of this.#waiting.splice(0, asked)) {
          if (this.#failure !== undefined) reject(new LinkFailure(cause("refused"), this.#failure));
          else resolve({ revision: this.#applied.revision, notices: this.#told });
        }
      }
      this.#running = false;
      if (!this.#stopped && !this.#resting) this.#say();
    } catch (error) {
      this.#running = false;
      if (this.#stopped) return;
      if (error instanceof StoreUnavailable) {
        // What was collected may be lost with the round: everything is compared once the database is back.
        this.#compare = true;
        this.#cancelAgain();
        this.#cancelAgain = this.#options.clock.after(DATABASE_AGAIN_MS, () => this.#start());
        return;
      }
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      if (!(error instanceof RpcError) || error.code !== RpcErrorCode.engine) return this.#options.onFailed(error);
      this.#compare = true;
      this.#pending.clear();
      this.#refused = true;
      this.#options.onRefused(error.message);
    }
  }

  /**
   * One round: what is known to differ is sent; what the answer's digests still contradict is compared in the next.
   * Resolves to whether everything was compared and nothing contradicts. Users who change without a pause do not keep
   * it from that: what a comparison did not see of them is sent in the next round.
   */
  async #push(): Promise<boolean> {
    const { users } = this.#options;
    // What a comparison finds of it would come with its whole buckets.
    if (this.#compare) users.tellGathered();
    const compare = this.#compare || this.#pending.size > SINGLE_CHANGES;
    const pending = this.#pending;
    const wordWanted = compare && (this.#waiting.length > 0 || !this.#compared);
    this.#heard = false;
    this.#compare = false;
    this.#pending = new Map();
    const { templateId, structure } = await this.#options.desired();
    this.#templateId = templateId;
    this.#notices = structure.notices;
    if (pending.size > 0 && pending.size <= SINGLE_CHANGES) await this.#pushUsers(pending);
    const agrees = () => runs(this.#applied, { templateId, structure }, users);
    const moreComes = () => this.#pending.size > 0 || users.gathersFor(templateId);
    if (!agrees() && (compare || !moreComes())) await this.#pushDifference(templateId, structure);
    if (this.#compare) return false;
    if (wordWanted && !this.#heard) await this.#untilApplied(templateId);
    if (moreComes() || agrees()) {
      this.#contradictions = 0;
      return compare;
    }
    this.#contradictions++;
    if (this.#contradictions > CONTRADICTIONS)
      throw new Error("the agent takes the configuration but reports another one");
    this.#compare = true;
    return false;
  }

  async #pushUsers(pending: ReadonlyMap<number, PlanUser | undefined>): Promise<void> {
    const put: PlanUser[] = [];
    const drop: number[] = [];
    for (const [id, user] of pending) {
      if (user) put.push(user);
      else drop.push(id);
    }
    await this.#apply({ revision: this.#nextRevision(), users: { put, drop } }, pending.size);
  }

  async #pushDifference(templateId: number, structure: DesiredStructure): Promise<void> {
    const theirs = await this.#options.agent.call("state.digests", {});
    const put = Object.fromEntries(
      Object.entries(structure.objects).filter(([key]) => theirs.objects[key] !== structure.digests[key]),
    );
    const drop = Object.keys(theirs.objects).filter((key) => !(key in structure.objects));
    const wanted = templateId === 0 ? EMPTY_BUCKETS : this.#options.users.buckets(templateId);
    const differing = new Set(wanted.flatMap((digest, bucket) => (digest === theirs.buckets[bucket] ? [] : [bucket])));
    const objects = Object.keys(put).length > 0 || drop.length > 0 ? { objects: { put, drop } } : {};
    const pushes = differing.size === 0 ? [] : await bucketPushes(this.#options.users, templateId, differing);
    // Users before a new structure would serve them nowhere; a structure before its users would refuse them for a
    // moment: they go together where they fit.
    const [first, ...rest] = pushes;
    // It has all of it, and was still at it when it reported: an agent that starts, or one whose link ended in the
    // middle of a change.
    if (!first && !("objects" in objects)) return this.#untilApplied(templateId);
    await this.#apply(
      { revision: this.#nextRevision(), ...objects, ...(first ? { users: { buckets: first.buckets } } : {}) },
      first?.count ?? 0,
    );
    for (const push of rest)
      await this.#apply({ revision: this.#nextRevision(), users: { buckets: push.buckets } }, push.count);
  }

  async #apply(params: PanelParams<"state.apply">, users: number): Promise<void> {
    this.#take(
      await this.#options.agent.call("state.apply", params, { timeoutMs: APPLY_MS + users * APPLY_MS_PER_USER }),
    );
  }

  /** Waits until the agent has carried out what it was told before. */
  async #untilApplied(templateId: number): Promise<void> {
    const users = templateId === 0 ? 0 : this.#options.users.count(templateId);
    this.#take(await this.#options.agent.call("state.report", {}, { timeoutMs: APPLY_MS + users * APPLY_MS_PER_USER }));
  }

  #take({ applied, warnings, notices, engine }: PanelResult<"state.report">): void {
    this.#options.onEngine(engine);
    this.#heard = true;
    this.#failure = failureOf(engine);
    this.#freed = engine.freed ?? 0;
    this.#applied = applied;
    this.#said = saidNotices({ warnings, notices });
  }

  #nextRevision(): number {
    return this.#applied.revision + 1;
  }
}

/** Whether an agent that reports these digests runs what is wanted. After `users.ready`. */
export function runs(
  applied: AppliedState,
  { templateId, structure }: DesiredNode,
  users: Pick<UserSets, "digest">,
): boolean {
  return (
    applied.structure === structure.digest && applied.users === (templateId === 0 ? NO_USERS : users.digest(templateId))
  );
}

const EMPTY_BUCKETS = Array.from({ length: 256 }, () => "0000000000000000");
const NO_USERS = digestBuckets(EMPTY_BUCKETS);
