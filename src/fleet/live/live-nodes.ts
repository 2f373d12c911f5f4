// What nodes said on their last heartbeats: of own links in memory, and in a table: on a shared database soon, for the
// other processes; else when a link ends and once a minute, so that the last word of a node outlives its link.
//
// Heartbeats are no commits of actors: what was heard within a few seconds is one statement. As what a node says now a
// row counts while it is young by the database's clock and its node is in a linked state, so nothing need be erased
// when a link or its process ends.
import { databaseNow, sql, StoreUnavailable, type Committer, type Reader } from "../../db/index.ts";
import type { Cancel, Clock } from "../../lib/clock.ts";
import { HEARTBEAT_SECONDS, type Heartbeat, type LiveFigures } from "../../protocol/messages.ts";
import { NodeLiveRows } from "../records/node.entity.ts";

/** What a node said last. */
export interface LiveNode {
  readonly figures: LiveFigures;
  readonly online: number;
  /** Unix seconds by the clock of the panel that heard it. */
  readonly at: number;
}

/** How long heartbeats are collected before they are written. */
const WRITE_MS = 3000;
/** The same where no other process reads them. */
const WRITE_ALONE_MS = 60_000;
/** Three heartbeats may be missed before a link is given up, and the last one may have waited to be written. */
const VALID_MS = 3 * HEARTBEAT_SECONDS * 1000 + 2 * WRITE_MS;
/** Nodes in one statement: some 3 MB. */
const NODES_PER_WRITE = 10_000;

/** Number of tags that are kept of a node's refusals by tag: those that refuse the most. */
const REJECTED_TAGS = 50;

/** The last word of a node, whether it answers now or not. */
export type LastWord = Pick<LiveNode, "at" | "online">;

function keptFigures(figures: LiveFigures): LiveFigures {
  const tags = Object.entries(figures.rejected ?? {});
  if (tags.length <= REJECTED_TAGS) return figures;
  return { ...figures, rejected: Object.fromEntries(tags.toSorted(([, a], [, b]) => b - a).slice(0, REJECTED_TAGS)) };
}

export interface LiveNodeOptions {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  /** Other processes read this database. */
  readonly shared: boolean;
  readonly log: (level: "warn", message: string, fields: Record<string, unknown>) => void;
}

export class LiveNodes {
  readonly #options: LiveNodeOptions;
  readonly #heard = new Map<number, LiveNode & { readonly fence: number }>();
  /** Heard since the last write; also of links that have ended meanwhile. */
  readonly #fresh = new Map<number, LiveNode & { readonly fence: number }>();
  #writing = false;
  #cancel: Cancel | undefined;
  #stopped = false;

  constructor(options: LiveNodeOptions) {
    this.#options = options;
  }

  /** A link under this token heard its node. No more of its users are online than it serves. */
  heard(nodeId: number, fence: number, heartbeat: Heartbeat, served: number): LiveNode {
    const heard = {
      figures: keptFigures(heartbeat.live),
      online: Math.min(heartbeat.online, served),
      at: Math.floor(this.#options.clock.now() / 1000),
      fence,
    };
    this.#heard.set(nodeId, heard);
    this.#fresh.set(nodeId, heard);
    this.#writeLater();
    return heard;
  }

  /** The link under this token ended. */
  forget(nodeId: number, fence: number): void {
    if (this.#heard.get(nodeId)?.fence !== fence) return;
    this.#heard.delete(nodeId);
    if (!this.#fresh.has(nodeId) || this.#writing || this.#stopped) return;
    this.#cancel?.();
    this.#cancel = undefined;
    void this.#write();
  }

  /** What the node said to this process. */
  get(nodeId: number): LiveNode | undefined {
    return this.#heard.get(nodeId);
  }

  /** What these nodes said last, to whichever process; only of those that answer. */
  async of(ids: readonly number[]): Promise<ReadonlyMap<number, LiveNode>> {
    const found = new Map<number, LiveNode>();
    for (const id of ids) {
      const heard = this.#heard.get(id);
      if (heard) found.set(id, heard);
    }
    const elsewhere = this.#options.shared ? ids.filter((id) => !found.has(id)) : [];
    if (elsewhere.length === 0) return found;
    const rows = await this.#options.reads.rows(
      NodeLiveRows,
      sql`select l.* from node_live l join nodes n on n.id = l.id where l.id in (${sql.join(elsewhere)}) and n.mstate like 'linked.%'
        and l.written_at > ${databaseNow(this.#options.reads.dialect)} - ${VALID_MS}`,
    );
    for (const { id, figures, online, at } of rows) found.set(id, { figures, online, at });
    return found;
  }

  /** The last words of these nodes; of those that never said one there is none. */
  async lastWords(ids: readonly number[]): Promise<ReadonlyMap<number, LastWord>> {
    const found = new Map<number, LastWord>();
    for (const id of ids) {
      const heard = this.#heard.get(id) ?? this.#fresh.get(id);
      if (heard) found.set(id, heard);
    }
    const others = ids.filter((id) => !found.has(id));
    if (others.length === 0) return found;
    const rows = await this.#options.reads.query<{ id: number | string; at: number | string; online: number | string }>(
      sql`select id, at, online from node_live where id in (${sql.join(others)})`,
    );
    for (const { id, at, online } of rows) found.set(Number(id), { at: Number(at), online: Number(online) });
    return found;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #writeLater(): void {
    if (this.#cancel || this.#writing || this.#stopped) return;
    const { clock, shared } = this.#options;
    this.#cancel = clock.after(shared ? WRITE_MS : WRITE_ALONE_MS, () => {
      this.#cancel = undefined;
      void this.#write();
    });
  }

  /** What cannot be written is overtaken by the next heartbeats: it is dropped. */
  async #write(): Promise<void> {
    this.#writing = true;
    const fresh = [...this.#fresh].toSorted(([a], [b]) => a - b);
    const rows = fresh.map(([id, heard]) => ({ id, ...heard }));
    try {
      for (let from = 0; from < rows.length; from += NODES_PER_WRITE)
        await this.#writeSome(rows.slice(from, from + NODES_PER_WRITE));
    } catch (error) {
      if (!(error instanceof StoreUnavailable))
        this.#options.log("warn", "what nodes said was not written down", { error: String(error) });
    } finally {
      // Until then the table says what came before.
      for (const [id, heard] of fresh) if (this.#fresh.get(id) === heard) this.#fresh.delete(id);
      this.#writing = false;
      if (this.#fresh.size > 0) this.#writeLater();
    }
  }

  async #writeSome(nodes: readonly (LiveNode & { readonly id: number; readonly fence: number })[]): Promise<void> {
    const { commits, reads } = this.#options;
    const now = databaseNow(reads.dialect);
    const json = JSON.stringify(nodes);
    const said =
      reads.dialect === "sqlite"
        ? sql`select n.id, v.value->>'fence', ${now}, v.value->>'at', v.value->>'online', v.value->'figures'
            from json_each(${json}) v join nodes n on n.id = v.value->>'id' where true`
        : sql`select v.id, v.fence, ${now}, v.at, v.online, v.figures
            from json_to_recordset(${json}::json) v(id bigint, fence bigint, at bigint, online bigint, figures jsonb)
            join nodes n on n.id = v.id order by v.id`;
    const upsert = sql`insert into node_live (id, fence, written_at, at, online, figures) ${said}
      on conflict (id) do update set fence = excluded.fence, written_at = excluded.written_at, at = excluded.at, online = excluded.online,
        figures = excluded.figures where node_live.fence <= excluded.fence`;
    await commits.execute({ name: "nodes.live", statements: [reads.statement("what nodes said", upsert)] });
  }
}
