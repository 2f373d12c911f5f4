// How far nodes are: what they should run, and what their agents acknowledged (rules nodes.progress). Any process tells
// it: the one that holds a node's link from memory, the others from a table.
//
// No row is written for a change of a user: that would be a write a second for every node. The table gets soon what
// others wait for (another structure, a refusal, the end of a link or of the panel), and the rest now and then. So
// where another process holds the link, the structure is compared here, and the holder is believed the users.
import { sql, StoreUnavailable, type Committer, type Reader } from "../../db/index.ts";
import type { Cancel, Clock } from "../../lib/clock.ts";
import type { DesiredNode } from "../desired/structures.ts";
import type { UserSets } from "../desired/user-sets.ts";
import type { NodeLink } from "../link/link.ts";
import { runs } from "../link/sync.ts";
import type { AppliedState } from "../../protocol/messages.ts";
import {
  acknowledgedBy,
  NOTHING_ACKNOWLEDGED,
  progressOf,
  type Acknowledged,
  type NodeProgress,
} from "../records/node-progress.ts";
import { NodeProgressRows, type NodeRow } from "../records/node.entity.ts";

/** How long changes are collected before they are written: those that others wait for, and the rest. */
const SOON_MS = 1000;
const LATE_MS = 30_000;
/** Nodes in one statement: some 2 MB. */
const NODES_PER_WRITE = 10_000;

/** The columns of a node that its progress is made of. */
export type ProgressNode = Pick<NodeRow, "id" | "mstate" | "templateId" | "routing" | "linkAddress" | "address">;

export interface ProgressOptions {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  /** Links of this process, by node. */
  readonly links: ReadonlyMap<number, Pick<NodeLink, "sync">>;
  readonly users: Pick<UserSets, "digest" | "everRead">;
  /** What a node should run, as far as its agent understands it. */
  readonly desired: (node: ProgressNode) => Promise<DesiredNode>;
  readonly log: (level: "warn", message: string, fields: Record<string, unknown>) => void;
}

interface Heard {
  readonly fence: number;
  readonly word: Acknowledged;
}

export class Progress {
  readonly #options: ProgressOptions;
  /** Nodes whose links this process holds. */
  readonly #heard = new Map<number, Heard>();
  /** Not written yet; also of links that have ended meanwhile. */
  readonly #fresh = new Map<number, Heard>();
  /** What agents said here whose links other processes hold, until those must have written it. */
  readonly #elsewhere = new Map<number, { readonly word: Acknowledged; readonly until: number }>();
  #writing = false;
  #dueAt = Infinity;
  #cancel: Cancel = () => {};
  #stopped = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  /** What an agent of the node acknowledged last, to whichever process. */
  async last(nodeId: number): Promise<Acknowledged> {
    return (await this.#words([nodeId])).get(nodeId) ?? NOTHING_ACKNOWLEDGED;
  }

  /** A link under this token heard what its agent acknowledged. */
  heard(nodeId: number, fence: number, word: Acknowledged): void {
    const before = this.#heard.get(nodeId)?.word;
    this.#heard.set(nodeId, { fence, word });
    this.#fresh.set(nodeId, { fence, word });
    const isAlike = before?.structure === word.structure && isBehind(before) === isBehind(word);
    this.#writeWithin(isAlike ? LATE_MS : SOON_MS);
  }

  /** An agent says here that it runs this, and the link to it is elsewhere. Resolves to what it has acknowledged. */
  async heardElsewhere(nodeId: number, applied: AppliedState): Promise<Acknowledged> {
    const now = this.#options.clock.now();
    const word = acknowledgedBy(await this.last(nodeId), applied, Math.floor(now / 1000));
    this.#elsewhere.set(nodeId, { word, until: now + LATE_MS });
    return word;
  }

  /** The link under this token ended. */
  forget(nodeId: number, fence: number): void {
    if (this.#heard.get(nodeId)?.fence !== fence) return;
    this.#heard.delete(nodeId);
    if (this.#fresh.has(nodeId)) this.#writeWithin(0);
  }

  /** How far these nodes are. */
  async of(nodes: readonly ProgressNode[]): Promise<ReadonlyMap<number, NodeProgress>> {
    const { links } = this.#options;
    const words = await this.#words(nodes.map(({ id }) => id));
    const found = await Promise.all(
      nodes.map(async (node) => {
        const wanted = await this.#options.desired(node);
        const word = words.get(node.id) ?? NOTHING_ACKNOWLEDGED;
        const progress = links.get(node.id)?.sync?.progress(wanted) ?? this.#away(node, word, wanted);
        return [node.id, progress] as const;
      }),
    );
    return new Map(found);
  }

  /** Writes down what is left. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    if (this.#fresh.size > 0) await this.#write();
  }

  /** How far a node is that has no link here. One that is off should run it once it is on. */
  #away({ id, mstate }: ProgressNode, word: Acknowledged, wanted: DesiredNode): NodeProgress {
    const { users, links } = this.#options;
    const { revision, applied } = word;
    if (word.structure !== wanted.structure.digest) return progressOf(word, false);
    // Its holder knows better, or nobody here can tell.
    if ((mstate.startsWith("linked.") && !links.has(id)) || !users.everRead)
      return { ...progressOf(word, false), revision };
    return progressOf(word, runs({ ...word, revision: applied }, wanted, users));
  }

  /** What is known here, and of the others what is in the table. */
  async #words(ids: readonly number[]): Promise<Map<number, Acknowledged>> {
    const words = new Map<number, Acknowledged>();
    for (const id of ids) {
      const known = this.#heard.get(id) ?? this.#fresh.get(id);
      if (known) words.set(id, known.word);
    }
    const others = ids.filter((id) => !words.has(id));
    if (others.length === 0) return words;
    const rows = await this.#options.reads.rows(
      NodeProgressRows,
      sql`select * from node_progress where id in (${sql.join(others)})`,
    );
    for (const { id, fence: _fence, ...word } of rows) words.set(id, word);
    for (const id of others) {
      const said = this.#saidElsewhere(id);
      if (said && said.applied > (words.get(id)?.applied ?? 0)) words.set(id, said);
    }
    return words;
  }

  #saidElsewhere(id: number): Acknowledged | undefined {
    const said = this.#elsewhere.get(id);
    if (said && said.until > this.#options.clock.now()) return said.word;
    this.#elsewhere.delete(id);
    return undefined;
  }

  #writeWithin(ms: number): void {
    this.#dueAt = Math.min(this.#dueAt, this.#options.clock.now() + ms);
    if (!this.#writing) this.#arm();
  }

  #arm(): void {
    const { clock } = this.#options;
    this.#cancel();
    if (this.#stopped || this.#dueAt === Infinity) return;
    this.#cancel = clock.after(Math.max(0, this.#dueAt - clock.now()), () => void this.#write());
  }

  /** What cannot be written is tried again, with what comes meanwhile. */
  async #write(): Promise<void> {
    this.#dueAt = Infinity;
    this.#writing = true;
    const fresh = [...this.#fresh].toSorted(([a], [b]) => a - b);
    try {
      for (let from = 0; from < fresh.length; from += NODES_PER_WRITE)
        await this.#writeSome(fresh.slice(from, from + NODES_PER_WRITE));
      for (const [id, heard] of fresh) if (this.#fresh.get(id) === heard) this.#fresh.delete(id);
    } catch (error) {
      this.#writeWithin(SOON_MS);
      if (!(error instanceof StoreUnavailable))
        this.#options.log("warn", "what nodes acknowledged was not written down", { error: String(error) });
    } finally {
      this.#writing = false;
      this.#arm();
    }
  }

  async #writeSome(fresh: readonly (readonly [number, Heard])[]): Promise<void> {
    const { commits, reads } = this.#options;
    const json = JSON.stringify(fresh.map(([id, { fence, word }]) => ({ id, fence, ...word })));
    const said =
      reads.dialect === "sqlite"
        ? sql`select n.id, v.value->>'fence', v.value->>'revision', v.value->>'applied', v.value->>'appliedAt',
              v.value->>'structure', v.value->>'users'
            from json_each(${json}) v join nodes n on n.id = v.value->>'id' where true`
        : sql`select v.id, v.fence, v.revision, v.applied, v."appliedAt", v.structure, v.users
            from json_to_recordset(${json}::json) v(id bigint, fence bigint, revision bigint, applied bigint,
              "appliedAt" bigint, structure text, users text)
            join nodes n on n.id = v.id order by v.id`;
    const upsert = sql`insert into node_progress (id, fence, revision, applied, applied_at, structure, users) ${said}
      on conflict (id) do update set fence = excluded.fence, revision = excluded.revision, applied = excluded.applied,
        applied_at = excluded.applied_at, structure = excluded.structure, users = excluded.users
        where node_progress.fence <= excluded.fence`;
    await commits.execute({
      name: "nodes.progress",
      statements: [reads.statement("what nodes acknowledged", upsert)],
    });
  }
}

function isBehind(word: Acknowledged | undefined): boolean {
  return word !== undefined && word.revision !== word.applied;
}
