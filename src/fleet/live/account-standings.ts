// How nodes serve one account at this moment, as their agents say when they are asked: what accounts are told of nodes.
import { setTimeout as delay } from "node:timers/promises";
import { isLinked } from "../../../machines/node.ts";
import { sql, StoreUnavailable, type Reader } from "../../db/index.ts";
import { bucketOf } from "../../protocol/digest.ts";
import { isLeftOut } from "../../protocol/notices/index.ts";
import { NodeRows, type NodeRow } from "../records/node.entity.ts";
import type { Notice } from "../records/notice.schema.ts";
import { saidNotices } from "../records/notices.ts";
import type { Progress } from "./progress.ts";
import type { Questions } from "./questions.ts";
import { runs } from "../link/sync.ts";
import type { DesiredNode } from "../desired/structures.ts";
import type { UserSets } from "../desired/user-sets.ts";

export interface NodeStanding {
  readonly name: string;
  /**
   * `away`: no agent is linked. `silent`: its agent is linked and did not answer in time. `idle`: it answers, and its
   * engine runs nothing. `serving`: its engine runs.
   */
  readonly state: "away" | "silent" | "idle" | "serving";
  /** The agent has acknowledged the account as it stands. */
  readonly latest: boolean;
  /** Unix seconds since which it runs what it runs; 0: its agent has acknowledged nothing. */
  readonly appliedAt: number;
  /** Its engine refuses what is wanted of it, and runs what it ran before. */
  readonly refused: boolean;
  /** Tags of the inbounds that it serves as they are wanted. */
  readonly listens: ReadonlySet<string>;
}

/** What the fleet knows once it is open. */
export interface StandingPorts {
  readonly questions: Pick<Questions, "ask">;
  readonly users: UserSets;
  readonly progress: Pick<Progress, "of">;
  readonly ready: () => Promise<void>;
  readonly desired: (nodeId: number) => Promise<DesiredNode>;
}

/** An agent that does not answer within this time is silent. */
const ANSWER_MS = 3000;
/** A change of a moment ago is on its way: agents have so long to say that they took it. */
const WAIT_MS = 1500;
const AGAIN_MS = 100;

const NONE: ReadonlySet<string> = new Set();

export class Standings {
  readonly #reads: Reader;
  /** Undefined until the fleet is open: no agent is linked before. */
  ports: StandingPorts | undefined;

  constructor(reads: Reader) {
    this.#reads = reads;
  }

  /** How each of these nodes serves the account. */
  async of(ids: readonly number[], userId: number): Promise<ReadonlyMap<number, NodeStanding>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#reads.rows(NodeRows, sql`select * from nodes where id in (${sql.join([...ids])})`);
    const standings = await Promise.all(rows.map(async (row) => [row.id, await this.#of(row, userId)] as const));
    // Read after they were asked: nothing older than what they said.
    const progress = await this.ports?.progress.of(rows);
    return new Map(
      standings.map(([id, standing]) => [id, { ...standing, appliedAt: progress?.get(id)?.appliedAt ?? 0 }]),
    );
  }

  async #of(row: Readonly<NodeRow>, userId: number): Promise<Omit<NodeStanding, "appliedAt">> {
    const { id, name, mstate } = row;
    const known = { name, latest: false, refused: mstate.startsWith("linked.refused."), listens: NONE };
    if (!this.ports || !isLinked(mstate)) return { ...known, state: "away" };
    const begin = performance.now();
    try {
      for (;;) {
        const standing = { ...known, ...(await this.#asked(this.ports, id, userId, begin + ANSWER_MS)) };
        // Nothing is on its way to an engine that refuses.
        const settled = (standing.latest && standing.listens.size > 0) || standing.refused;
        if (settled || performance.now() + AGAIN_MS >= begin + WAIT_MS) return standing;
        await delay(AGAIN_MS);
      }
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      // It did not answer, which is the answer.
      return { ...known, state: "silent" };
    }
  }

  async #asked(
    { questions, users, ready, desired }: StandingPorts,
    id: number,
    userId: number,
    end: number,
  ): Promise<Pick<NodeStanding, "state" | "latest" | "listens">> {
    const left = () => Math.max(1, Math.ceil(end - performance.now()));
    const { applied, engine, ...said } = await questions.ask(id, "state.report", {}, left());
    await ready();
    const wanted = await desired(id);
    const { structure, templateId } = wanted;
    if (engine.state === "failed" || engine.state === "stopped") return { state: "idle", latest: false, listens: NONE };
    const out = leftOutInbounds([...structure.notices, ...saidNotices(said)]);
    const inbounds = [...structure.objects()].flatMap(([key, object, digest]) =>
      object.kind === "inbound" && !out.has(object.tag) ? [{ key, digest, tag: object.tag }] : [],
    );
    if (runs(applied, wanted, users))
      return { state: "serving", latest: true, listens: new Set(inbounds.map(({ tag }) => tag)) };
    const theirs = await questions.ask(id, "state.digests", {}, left());
    const bucket = bucketOf(userId);
    const same = inbounds.filter(({ key, digest }) => theirs.objects[key] === digest);
    return {
      state: "serving",
      latest: templateId !== 0 && theirs.buckets[bucket] === users.buckets(templateId)[bucket],
      listens: new Set(same.map(({ tag }) => tag)),
    };
  }
}

/** Tags of the inbounds that a node with these notices does not serve at all. */
export function leftOutInbounds(notices: readonly Pick<Notice, "code" | "kind" | "tag">[]): ReadonlySet<string> {
  const out = notices.filter(({ kind, code }) => kind === "inbound" && (code === "reaches_host" || isLeftOut(code)));
  return new Set(out.map(({ tag }) => tag));
}
