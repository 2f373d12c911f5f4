// Brings one agent to the desired state and keeps it there: level-triggered, by digests, one push at a time (rules
// nodes.sync).
//
// Invariants:
// - One loop runs at a time; the mode (`sync-mode.ts`) says whether it runs, and why it does not.
// - What changes meanwhile is collected: the latest word on each user, and whether everything is to be compared again.
//   So a thousand edits in a second are a few pushes, and what a push did not bring about is found by the digests in
//   its answer.
// - A caller who asks, and the first comparison of a link, gets the agent's own word, also where nothing is left to
//   push: an agent that is asked tries again what it leaves out.
// - An agent that contradicts, or refuses for another reason than its engine, ends the link. One that takes everything
//   and reports something else a moment later is compared with growing pauses (`relapses.ts`).
// - A database that is away does not end the link: the agent serves what it has until the panel can say what has
//   changed. What was collected may be lost with the round, so everything is compared then.
import { AgentPushes, EMPTY_BUCKETS, refusedByEngine, type AgentCalls } from "./agent-pushes.ts";
import { ClockSkew } from "./clock-skew.ts";
import { cause, LinkFailure } from "./link-failure.ts";
import type { Notice } from "../records/notice.schema.ts";
import { progressOf, type Acknowledged, type NodeProgress } from "../records/node-progress.ts";
import { saidNotices, type SaidByAgent } from "../records/notices.ts";
import { Relapses, RELAPSING } from "./relapses.ts";
import { StoreUnavailable } from "../../db/index.ts";
import type { Clock } from "../../lib/clock.ts";
import { digestBuckets } from "../../protocol/digest.ts";
import type { AppliedState, EngineReport } from "../../protocol/messages.ts";
import type { PlanUser } from "../../protocol/plan.ts";
import type { DesiredNode } from "../desired/structures.ts";
import type { UserSets } from "../desired/user-sets.ts";
import { SyncMode } from "./sync-mode.ts";
import type { SignalTable } from "../../lib/signal-table.ts";
import { Signals, type Signal } from "../../lib/signals.ts";

/** Single changes beyond which whole buckets are compared instead. */
const SINGLE_CHANGES = 5000;
/** Times in a row that an agent may answer a full comparison with other digests, while nothing changes here. */
const CONTRADICTIONS = 5;
const DATABASE_AGAIN_MS = 1000;
/** An agent may say so often as it likes that it can be sent again what its engine refused: it is, at this pace. */
const FREED_PACE_MS = 5000;

export interface SyncOptions {
  readonly nodeId: number;
  readonly agent: AgentCalls;
  readonly users: UserSets;
  readonly clock: Clock;
  readonly desired: () => Promise<DesiredNode>;
  /** What the agent said it runs when it greeted. */
  readonly applied: AppliedState;
  /** What an agent of the node acknowledged before that. */
  readonly last?: Acknowledged;
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
  /** Hears of what the agent acknowledges, from its greeting on. */
  readonly onAcknowledged?: (word: Acknowledged) => void;
  /** How the engine is, as the agent says with each answer. */
  readonly onEngine: (engine: EngineReport) => void;
  /** Hears of pushes and comparisons; nobody where none is given. */
  readonly signals?: Signals;
}

export interface SyncResult {
  /** What the agent acknowledged: the node's `applied`. */
  readonly revision: number;
  readonly notices: readonly Notice[];
}

export class Sync {
  readonly #options: SyncOptions;
  readonly #agent: AgentPushes;
  readonly #comparisons: Signal<SignalTable["sync.compared"]>;
  readonly #refusals: Signal<SignalTable["sync.refused"]>;
  readonly #skew = new ClockSkew();
  readonly #relapses: Relapses;
  readonly #mode: SyncMode;
  /** What the panel left out of what it sends. */
  #notices: readonly Notice[] = [];
  /** Everything is to be compared. */
  #compare = true;
  /** Everything was compared once. */
  #compared = false;
  #contradictions = 0;
  #pending = new Map<number, PlanUser | undefined>();
  #freedAt = -Infinity;
  /** The template that the agent was last given; 0: none. */
  #templateId = 0;
  #toldAt = 0;
  #waiting: { resolve: (result: SyncResult) => void; reject: (error: unknown) => void }[] = [];

  constructor(options: SyncOptions) {
    const { nodeId, signals = new Signals() } = options;
    this.#options = options;
    this.#comparisons = signals.of("sync.compared");
    this.#refusals = signals.of("sync.refused");
    const pushed = signals.of("sync.push");
    this.#agent = new AgentPushes({ ...options, freed: options.freed ?? 0, pushed });
    this.#agent.tell();
    this.#mode = new SyncMode(options.clock);
    const relapses = signals.of("sync.relapsed");
    this.#relapses = new Relapses(options.clock, (count) => relapses.heard && relapses.tell({ nodeId, count }));
  }

  /**
   * Compares everything, pushes what differs. Resolves when the agent runs that, rejects when the link ends before.
   */
  run(): Promise<SyncResult> {
    if (this.#mode.stopped) return Promise.reject(new Error("the link was given up"));
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
    const waits = !this.#mode.idle || this.#compare || moreComes || this.#relapses.pausing;
    if (this.#compared && !waits) this.#toldAt = this.#options.clock.now();
    return this.#toldAt;
  }

  /** How far the node is that should run `wanted`. */
  progress(wanted: DesiredNode): NodeProgress {
    const agent = this.#agent;
    const { users } = this.#options;
    const moreComes = this.#pending.size > 0 || this.#compare || users.gathersFor(wanted.templateId);
    const agrees = runs(agent.applied, wanted, users);
    const behind = (moreComes ? undefined : agent.underWay) ?? agent.nextRevision;
    const progress = { ...progressOf(agent.word, agrees), next: agent.nextRevision };
    return agrees ? progress : { ...progress, revision: behind };
  }

  /** The structure may have changed. */
  nudge(): void {
    this.#stillTold();
    this.#mode.ask();
    this.#compare = true;
    this.#start();
  }

  /** A user changed; undefined: no longer served here. */
  userChanged(id: number, user: PlanUser | undefined): void {
    this.#stillTold();
    // Everything is compared then.
    if (this.#mode.refused) return;
    this.#pending.set(id, user);
    this.#start();
  }

  /**
   * The agent's heartbeat: what it runs, whichever side was restarted or lost something. `at`: Unix seconds by its
   * clock. `freed`: how often ports that it found held became free.
   */
  reported(applied: AppliedState, by: SaidByAgent, at: number, freed = 0): void {
    const skewed = this.#skew.heard(at, Math.floor(this.#options.clock.now() / 1000));
    if (this.#mode.running) return;
    const agent = this.#agent;
    const said = saidNotices(by);
    if (this.#mode.refused) {
      agent.hear(applied);
      agent.said = said;
      this.#mayBeFree(freed);
      return;
    }
    if (applied.structure !== agent.applied.structure || applied.users !== agent.applied.users) {
      agent.hear(applied);
      this.#relapsed();
    } else if (skewed || JSON.stringify(said) !== JSON.stringify(agent.said)) {
      agent.said = said;
      this.#say();
    }
  }

  /** The agent could not listen anywhere, and can now. */
  #mayBeFree(freed: number): void {
    const now = this.#options.clock.now();
    const again = freed > this.#agent.freed && Math.abs(now - this.#freedAt) >= FREED_PACE_MS;
    if (!again) return;
    this.#agent.freed = freed;
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
    this.#mode.rest(ms, () => this.nudge());
  }

  stop(error: unknown): void {
    this.#relapses.stop();
    this.#mode.stop();
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  /** The panel's own notices, then what the agent warns of. */
  get #told(): readonly Notice[] {
    return [...this.#skew.notices, ...this.#notices, ...this.#agent.said];
  }

  /** Up to now the agent knew everything; what comes next it has to be told. */
  #stillTold(): void {
    void this.toldAt;
  }

  #start(): void {
    if (this.#mode.begin()) void this.#loop();
  }

  async #loop(): Promise<void> {
    try {
      while ((this.#compare || this.#pending.size > 0) && this.#mode.pushes) {
        await this.#options.users.ready();
        // A caller who asks during a comparison gets the next one.
        const asked = this.#compare ? this.#waiting.length : 0;
        const compared = await this.#push();
        if (!compared || this.#mode.stopped) continue;
        this.#compared = true;
        this.#say();
        const { failure, word } = this.#agent;
        for (const { resolve, reject } of this.#waiting.splice(0, asked)) {
          if (failure !== undefined) reject(new LinkFailure(cause("refused"), failure));
          else resolve({ revision: word.applied, notices: this.#told });
        }
      }
      this.#mode.end(false);
      if (this.#mode.idle) this.#say();
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    if (this.#mode.stopped) return;
    if (error instanceof StoreUnavailable) {
      this.#compare = true;
      this.#mode.endAway(DATABASE_AGAIN_MS, () => this.#start());
      return;
    }
    const refused = refusedByEngine(error);
    this.#mode.end(refused);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    if (!refused) return this.#options.onFailed(error);
    this.#compare = true;
    this.#pending.clear();
    if (this.#refusals.heard) this.#refusals.tell({ nodeId: this.#options.nodeId });
    this.#options.onRefused(error.message);
  }

  /**
   * One round: what is known to differ is sent; what the answer's digests still contradict is compared in the next.
   * Resolves to whether everything was compared and nothing contradicts. Users who change without a pause do not keep
   * it from that: what a comparison did not see of them is sent in the next round.
   */
  async #push(): Promise<boolean> {
    const { users } = this.#options;
    const agent = this.#agent;
    // What a comparison finds of it would come with its whole buckets.
    if (this.#compare) users.tellGathered();
    const compare = this.#compare || this.#pending.size > SINGLE_CHANGES;
    const begun = compare ? this.#comparisons.begun() : undefined;
    const pending = this.#pending;
    const wordWanted = compare && (this.#waiting.length > 0 || !this.#compared);
    agent.heard = false;
    this.#compare = false;
    this.#pending = new Map();
    const { templateId, structure } = await this.#options.desired();
    this.#templateId = templateId;
    this.#notices = structure.notices;
    if (pending.size > 0 && pending.size <= SINGLE_CHANGES) await agent.pushUsers(pending);
    const agrees = () => runs(agent.applied, { templateId, structure }, users);
    const moreComes = () => this.#pending.size > 0 || users.gathersFor(templateId);
    if (!agrees() && (compare || !moreComes())) await agent.pushDifference(templateId, structure);
    if (begun !== undefined)
      this.#comparisons.tell({
        nodeId: this.#options.nodeId,
        agrees: agrees(),
        ms: this.#comparisons.since(begun),
      });
    if (this.#compare) return false;
    if (wordWanted && !agent.heard) await agent.untilApplied(templateId);
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

const NO_USERS = digestBuckets(EMPTY_BUCKETS);
