// Actions that only the holder of a node's link can do, requested on any process. If the link is here, they run here;
// otherwise the holder gets the request through the commit log.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { defineFact, Facts, type Committed, type Committer, type Reader } from "../../db/index.ts";
import { isLinked, isRefused } from "../../../machines/node.ts";
import { failureOf } from "../link/engine-health.ts";
import type { NodeLink } from "../link/link.ts";
import { cause, LinkFailure } from "../link/link-failure.ts";
import { NodeRows, type NodeRow } from "../records/node.entity.ts";
import type { Questions } from "./questions.ts";
import { runs, type SyncResult } from "../link/sync.ts";
import type { DesiredNode } from "../desired/structures.ts";
import type { UserSets } from "../desired/user-sets.ts";
import type { Progress } from "./progress.ts";
import { withinTime } from "../link/within-time.ts";
import { saidNotices } from "../records/notices.ts";

/** The id of a node whose holder should compare and push now. */
const NUDGE = defineFact("nudge", z.int());
/** Asks the holder of a node to have its engine stopped, and its answer. */
const STAND_DOWN = defineFact("standDown", z.object({ nodeId: z.int(), request: z.string() }));
const STOOD_DOWN = defineFact("stoodDown", z.object({ request: z.string(), stopped: z.boolean() }));
/** What the processes on a shared database tell each other about nodes. */
export const FLEET_FACTS = [NUDGE, STAND_DOWN, STOOD_DOWN] as const;

/** An agent that is watched while its holder pushes: asked soon at first, then once a second. */
const LOOK_MS = 50;
const LOOK_MAX_MS = 1000;
const LOOK_TIMEOUT_MS = 5000;
/** The holder is told again, since it may have become another one. */
const TELL_AGAIN_MS = 3000;

export interface HolderPorts {
  readonly commits: Committer;
  readonly reads: Reader;
  /** Links of this process, by node. */
  readonly links: ReadonlyMap<number, NodeLink>;
  readonly questions: Questions;
  readonly users: UserSets;
  readonly progress: Pick<Progress, "heardElsewhere">;
  /** Resolves when `users` and `desired` know everything that any process has committed before. */
  readonly ready: () => Promise<void>;
  readonly desired: (nodeId: number) => Promise<DesiredNode>;
  readonly log: (level: "debug", message: string, fields: Record<string, unknown>) => void;
}

export class HolderRequests {
  readonly #ports: HolderPorts;
  /** Requests that wait for a holder's answer. */
  readonly #waiting = new Map<string, { readonly nodeId: number; readonly resolve: (stopped: boolean) => void }>();
  readonly #stopListening: () => void;

  constructor(ports: HolderPorts) {
    this.#ports = ports;
    this.#stopListening = ports.commits.onCommit((committed) => this.#committed(committed));
  }

  stop(): void {
    this.#stopListening();
  }

  /**
   * Compares and pushes now. Resolves when the agent itself has said that it runs what is wanted; rejects with
   * `NodeNotConnected`, or with why it does not within `timeoutMs`.
   */
  async sync(nodeId: number, timeoutMs: number): Promise<SyncResult> {
    const link = this.#ports.links.get(nodeId);
    if (!link?.peer) return this.#watch(nodeId, timeoutMs);
    // One that is silent is not waited for as long as one that is at work.
    await link.peer.call("state.digests", {}, { timeoutMs: LOOK_TIMEOUT_MS });
    return withinTime(link.syncNow(), timeoutMs);
  }

  /** Has a node's engine stopped. False when its agent cannot be told within `timeoutMs`. */
  async standDown(nodeId: number, timeoutMs: number): Promise<boolean> {
    const { links, reads } = this.#ports;
    const link = links.get(nodeId);
    if (link?.peer) return this.#stopEngine(link, timeoutMs);
    const node = await reads.find(NodeRows, nodeId);
    return canBeTold(node) && this.#askHolder(nodeId, timeoutMs);
  }

  async #watch(nodeId: number, timeoutMs: number): Promise<SyncResult> {
    const { commits, reads, questions, users, progress, ready, desired } = this.#ports;
    const begin = performance.now();
    let toldAt = -TELL_AGAIN_MS;
    let before: NodeRow | undefined;
    for (let wait = LOOK_MS; ; wait = Math.min(2 * wait, LOOK_MAX_MS)) {
      const { applied, ...said } = await questions.ask(nodeId, "state.report", {}, LOOK_TIMEOUT_MS);
      await ready();
      const wanted = await desired(nodeId);
      const failure = failureOf(said.engine);
      if (runs(applied, wanted, users) && failure !== undefined) throw new LinkFailure(cause("refused"), failure);
      if (runs(applied, wanted, users))
        return {
          revision: (await progress.heardElsewhere(nodeId, applied)).applied,
          notices: [...wanted.structure.notices, ...saidNotices(said)],
        };
      const node = await reads.find(NodeRows, nodeId);
      if (node && before && isRefusedSince(before, node)) throw new LinkFailure(cause("refused"), node.message);
      before ??= node;
      const passed = performance.now() - begin;
      if (passed + wait >= timeoutMs)
        throw new LinkFailure(
          cause("late_configuration"),
          `the agent did not take the configuration within ${timeoutMs / 1000} s`,
        );
      if (passed >= toldAt + TELL_AGAIN_MS) {
        toldAt = passed;
        await commits.tell("node.nudge", new Facts().add(NUDGE, nodeId));
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  async #askHolder(nodeId: number, timeoutMs: number): Promise<boolean> {
    const request = randomUUID();
    const answered = new Promise<boolean>((resolve) => this.#waiting.set(request, { nodeId, resolve }));
    try {
      await this.#ports.commits.tell("node.standDown", new Facts().add(STAND_DOWN, { nodeId, request }));
      return await withinTime(answered, timeoutMs);
    } catch (error) {
      this.#ports.log("debug", "the holder of a node did not answer", { nodeId, error: String(error) });
      return false;
    } finally {
      this.#waiting.delete(request);
    }
  }

  async #stopEngine(link: NodeLink, timeoutMs: number): Promise<boolean> {
    try {
      return await link.stopEngine(timeoutMs);
    } catch (error) {
      // Unreachable: it keeps serving until its process restarts, which the answer says.
      this.#ports.log("debug", "the agent was not told to stop", { nodeId: link.nodeId, error: String(error) });
      return false;
    }
  }

  #committed({ changes, facts }: Committed): void {
    for (const nodeId of facts.of(NUDGE)) this.#ports.links.get(nodeId)?.sync?.nudge();
    for (const { nodeId, request } of facts.of(STAND_DOWN)) void this.#standDownFor(nodeId, request);
    for (const { request, stopped } of facts.of(STOOD_DOWN)) this.#waiting.get(request)?.resolve(stopped);
    for (const { table, id, after } of changes)
      if (table === NodeRows.name && !canBeTold(after)) this.#lost(Number(id));
  }

  /** Nobody holds the node's link any more who could answer. */
  #lost(nodeId: number): void {
    for (const waiting of this.#waiting.values()) if (waiting.nodeId === nodeId) waiting.resolve(false);
  }

  async #standDownFor(nodeId: number, request: string): Promise<void> {
    const link = this.#ports.links.get(nodeId);
    if (!link?.peer) return;
    try {
      const stopped = await this.#stopEngine(link, LOOK_TIMEOUT_MS);
      await this.#ports.commits.tell("node.stoodDown", new Facts().add(STOOD_DOWN, { request, stopped }));
    } catch (error) {
      // The requester gets no answer in time, and reports that the node could not be reached.
      this.#ports.log("debug", "the answer to another process was not written", { nodeId, error: String(error) });
    }
  }
}

const canBeTold = (node: object | undefined): boolean => node !== undefined && isLinked((node as NodeRow).mstate);

/** The engine has refused once more after `before` was read. The holder's own caller is told of that one too. */
function isRefusedSince(before: Pick<NodeRow, "rev">, { rev, mstate }: Pick<NodeRow, "rev" | "mstate">): boolean {
  return rev > before.rev && isRefused(mstate);
}
