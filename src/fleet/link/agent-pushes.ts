// What is sent to an agent so that it runs what is wanted: single users, or whatever its digests lack. Each answer is
// the agent's latest word on itself, which is kept here.
//
// Invariants:
// - Each push carries a revision that is higher than any that an agent of the node acknowledged. One that was not
//   acknowledged is given again.
// - Users and a new structure go together where they fit into one push: users alone would be served nowhere, and a
//   structure alone would refuse its users for a moment.
import { bucketPushes } from "../desired/bucket-pushes.ts";
import { failureOf } from "./engine-health.ts";
import type { Notice } from "../records/notice.schema.ts";
import { acknowledgedBy, nextRevision, NOTHING_ACKNOWLEDGED, type Acknowledged } from "../records/node-progress.ts";
import { saidNotices, type SaidByAgent } from "../records/notices.ts";
import type { Clock } from "../../lib/clock.ts";
import type { SignalTable } from "../../lib/signal-table.ts";
import type { Signal } from "../../lib/signals.ts";
import {
  RpcErrorCode,
  type AppliedState,
  type EngineReport,
  type PanelParams,
  type PanelResult,
} from "../../protocol/messages.ts";
import type { PlanUser } from "../../protocol/plan.ts";
import { RpcError } from "../../protocol/rpc-error.ts";
import type { DesiredStructure } from "../desired/structure-part.ts";
import type { UserSets } from "../desired/user-sets.ts";

const APPLY_MS = 30_000;
const APPLY_MS_PER_USER = 2;

/** The digests of an agent that serves nobody. */
export const EMPTY_BUCKETS = Array.from({ length: 256 }, () => "0000000000000000");

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

export interface AgentPushesDeps {
  readonly nodeId: number;
  readonly agent: AgentCalls;
  readonly users: UserSets;
  /** What the agent said it runs when it greeted. */
  readonly applied: AppliedState;
  /** What an agent of the node acknowledged before that. */
  readonly last?: Acknowledged | undefined;
  readonly said: SaidByAgent;
  readonly clock: Clock;
  /** Hears of what the agent acknowledges, and of what it was given and did not take. */
  readonly onAcknowledged?: ((word: Acknowledged) => void) | undefined;
  /** See `EngineReport.freed`. */
  readonly freed: number;
  /** How the engine is, as the agent says with each answer. */
  readonly onEngine: (engine: EngineReport) => void;
  readonly pushed: Signal<SignalTable["sync.push"]>;
}

export class AgentPushes {
  readonly #deps: AgentPushesDeps;
  #applied: AppliedState;
  #word: Acknowledged;
  /** The highest revision that any agent of the node acknowledged. */
  #acknowledged: number;
  #pushing = false;
  /** Pushes that follow the one that is under way. */
  #left = 0;
  /** What it leaves out. */
  said: readonly Notice[];
  /** What it said of its engine last; undefined while that carries what it was told. */
  failure: string | undefined;
  /** It has answered since this was set to false. */
  heard = false;
  /** How often ports that it found held became free, as far as that was acted on. */
  freed: number;

  constructor(deps: AgentPushesDeps) {
    this.#deps = deps;
    const { last = NOTHING_ACKNOWLEDGED, applied } = deps;
    this.#applied = applied;
    this.#word = acknowledgedBy(last, applied, this.#now);
    this.#acknowledged = Math.max(last.applied, this.#word.applied);
    this.said = saidNotices(deps.said);
    this.freed = deps.freed;
  }

  /** What the agent runs, as it said last. */
  get applied(): AppliedState {
    return this.#applied;
  }

  /** The agent says that it runs this. */
  hear(applied: AppliedState): void {
    const before = this.#word;
    this.#applied = applied;
    this.#word = acknowledgedBy(before, applied, this.#now);
    this.#acknowledged = Math.max(this.#acknowledged, this.#word.applied);
    if (this.#word !== before) this.tell();
  }

  /** What the agent acknowledged last, and the highest revision that it was given. */
  get word(): Acknowledged {
    return this.#word;
  }

  /** Says what the agent has acknowledged. */
  tell(): void {
    this.#deps.onAcknowledged?.(this.word);
  }

  /** Number of the last of the pushes that are under way; undefined while there is none. */
  get underWay(): number | undefined {
    return this.#pushing || this.#left > 0 ? this.#word.revision + this.#left : undefined;
  }

  /** Number of what is pushed once nothing is under way. */
  get nextRevision(): number {
    const { underWay } = this;
    return underWay === undefined ? this.#nextPush : underWay + 1;
  }

  get #nextPush(): number {
    return nextRevision({ revision: this.#word.revision, applied: this.#acknowledged });
  }

  get #now(): number {
    return Math.floor(this.#deps.clock.now() / 1000);
  }

  /** Single users; undefined: no longer served. */
  async pushUsers(changed: ReadonlyMap<number, PlanUser | undefined>): Promise<void> {
    const put: PlanUser[] = [];
    const drop: number[] = [];
    for (const [id, user] of changed) {
      if (user) put.push(user);
      else drop.push(id);
    }
    await this.#apply({ users: { put, drop } }, changed.size, false);
  }

  /** Compares the digests of everything and sends what differs. */
  async pushDifference(templateId: number, structure: DesiredStructure): Promise<void> {
    const { agent, users } = this.#deps;
    const theirs = await agent.call("state.digests", {});
    const { put, drop } = structure.difference(theirs.objects);
    const wanted = templateId === 0 ? EMPTY_BUCKETS : users.buckets(templateId);
    const differing = new Set(wanted.flatMap((digest, bucket) => (digest === theirs.buckets[bucket] ? [] : [bucket])));
    const objects = Object.keys(put).length > 0 || drop.length > 0 ? { objects: { put, drop } } : {};
    const pushes = differing.size === 0 ? [] : await bucketPushes(users, templateId, differing);
    const [first, ...rest] = pushes;
    this.#left = rest.length;
    // It has all of it, and was still at it when it reported: an agent that starts, or one whose link ended in the
    // middle of a change.
    if (!first && !("objects" in objects)) return this.untilApplied(templateId);
    await this.#apply({ ...objects, ...(first ? { users: { buckets: first.buckets } } : {}) }, first?.count ?? 0, true);
    for (const push of rest) {
      this.#left--;
      await this.#apply({ users: { buckets: push.buckets } }, push.count, true);
    }
  }

  /** Waits until the agent has carried out what it was told before. */
  async untilApplied(templateId: number): Promise<void> {
    const { agent, users } = this.#deps;
    const count = templateId === 0 ? 0 : users.count(templateId);
    this.#take(await agent.call("state.report", {}, { timeoutMs: APPLY_MS + count * APPLY_MS_PER_USER }));
  }

  async #apply(change: Omit<PanelParams<"state.apply">, "revision">, users: number, full: boolean): Promise<void> {
    const { agent, nodeId, pushed } = this.#deps;
    const begun = pushed.begun();
    let ended: SignalTable["sync.push"]["ended"] = "failed";
    const revision = this.#nextPush;
    const params = { revision, ...change };
    this.#word = { ...this.#word, revision };
    this.#pushing = true;
    try {
      const answer = await agent.call("state.apply", params, { timeoutMs: APPLY_MS + users * APPLY_MS_PER_USER });
      ended = "taken";
      this.#take(answer);
    } catch (error) {
      if (refusedByEngine(error)) ended = "refused";
      throw error;
    } finally {
      this.#pushing = false;
      if (ended !== "taken") this.#left = 0;
      if (ended === "refused") this.tell();
      if (begun !== undefined)
        pushed.tell({ nodeId, full, users, objects: objectsIn(params), ended, ms: pushed.since(begun) });
    }
  }

  #take({ applied, warnings, notices, engine }: PanelResult<"state.report">): void {
    this.#deps.onEngine(engine);
    this.heard = true;
    this.failure = failureOf(engine);
    this.freed = engine.freed ?? 0;
    this.hear(applied);
    this.said = saidNotices({ warnings, notices });
  }
}

/** The agent took the message, and its engine does not want what it says. */
export function refusedByEngine(error: unknown): error is RpcError {
  return error instanceof RpcError && error.code === RpcErrorCode.engine;
}

function objectsIn({ objects }: PanelParams<"state.apply">): number {
  return objects ? Object.keys(objects.put).length + objects.drop.length : 0;
}
