// Watches the nodes of this process: since when each serves, and what it says. Every five minutes what was seen becomes
// a reading of each node.
//
// A node is watched by the process that holds its shard, from the moment it holds it; a node that is switched off, or
// was never reached yet, is not watched. A node serves while its state says so and it was heard lately: after a start
// of the panel a node keeps its state for a while, which says nothing before it is heard. If this process slept, or the
// clock was set, what was in between is not watched either.
import { sql, type Committed, type Committer, type Reader } from "../db/index.ts";
import { NodeRows, type Heartbeats, type NodeRow } from "../fleet/index.ts";
import type { Cancel, Clock } from "../lib/clock.ts";
import { SHARDS, shardOf, type ShardChange, type Shards } from "../runtime/index.ts";
import { Reading, SLOT } from "./reading.ts";

const SLOT_MS = SLOT * 1000;
/** How often the watch notes that it is awake. */
const BEAT_MS = 10_000;
/** A watch that was not awake for longer has slept. */
const ASLEEP_MS = 30_000;
/** After a heartbeat a node counts as heard for so long: three of its heartbeats. */
const HEARD_MS = 30_000;
/** A link that is lost was good for so long after the last heartbeat: a heartbeat's time. */
const GOOD_MS = 10_000;

/** What the watch looks at in a node's row. */
type Standing = Pick<NodeRow, "rev" | "mstate" | "infoSeenAt">;

interface Watched {
  /** Revision of the row: what is older is ignored. */
  rev: number;
  /** It should serve, and was reached at least once. */
  due: boolean;
  serves: boolean;
  /** Unix milliseconds of the last heartbeat; 0: not heard by this process yet. */
  heardAt: number;
  /** Until when its time is in the reading. */
  mark: number;
  reading: Reading;
}

/** A reading of a node; `at`: Unix seconds at which its five minutes began. */
export interface TakenReading {
  readonly nodeId: number;
  readonly at: number;
  readonly reading: Reading;
}

export interface WatchPorts {
  readonly commits: Pick<Committer, "onCommit">;
  readonly reads: Reader;
  readonly clock: Clock;
  readonly shards: Pick<Shards, "holds" | "onChange">;
  readonly heartbeats: Pick<Heartbeats, "listen">;
  /** Takes readings that are complete. */
  readonly onReadings: (readings: readonly TakenReading[]) => void;
  readonly onError: (error: unknown) => void;
}

export class NodeWatch {
  readonly #ports: WatchPorts;
  readonly #nodes = new Map<number, Watched>();
  /** When the watch was last awake, and when the current five minutes began; Unix milliseconds. */
  #awakeAt: number;
  #slot: number;
  #cancel: Cancel = () => {};
  readonly #stopListening: readonly (() => void)[];

  constructor(ports: WatchPorts) {
    this.#ports = ports;
    this.#awakeAt = ports.clock.now();
    this.#slot = slotOf(this.#awakeAt);
    this.#stopListening = [
      ports.commits.onCommit((committed) => this.#committed(committed)),
      ports.shards.onChange((change) => this.#shardsChanged(change)),
      ports.heartbeats.listen((nodeId, { figures, online }) => this.#heard(nodeId, { ...figures, online })),
    ];
    this.#beatLater();
  }

  /** What was seen of a node in the current five minutes; undefined: this process does not watch it. */
  current(nodeId: number): TakenReading | undefined {
    const now = this.#awake();
    const node = this.#nodes.get(nodeId);
    if (!node) return undefined;
    advance(node, now);
    return node.reading.isEmpty ? undefined : { nodeId, at: this.#slot / 1000, reading: node.reading };
  }

  /** Hands over what was seen until now. */
  stop(): void {
    for (const stop of this.#stopListening) stop();
    this.#cancel();
    this.#take(this.#awake());
    this.#nodes.clear();
  }

  #beatLater(): void {
    const now = this.#ports.clock.now();
    const left = this.#slot + SLOT_MS - now;
    this.#cancel = this.#ports.clock.after(left > 0 ? Math.min(BEAT_MS, left) : BEAT_MS, () => {
      this.#awake();
      this.#beatLater();
    });
  }

  /**
   * The time, after what is past was handed over. Called before anything else is noted, so that each reading gets its
   * own five minutes.
   */
  #awake(): number {
    const now = this.#ports.clock.now();
    const slept = now < this.#awakeAt || now - this.#awakeAt > ASLEEP_MS;
    const end = this.#slot + SLOT_MS;
    const seenUntil = slept ? this.#awakeAt : now;
    if (slept || now >= end) {
      this.#take(Math.min(seenUntil, end));
      for (const node of this.#nodes.values()) if (slept) node.mark = now;
      this.#slot = slotOf(now);
    }
    this.#awakeAt = now;
    return now;
  }

  #take(until: number): void {
    this.#hand([...this.#nodes.entries()], until);
  }

  #hand(nodes: readonly (readonly [number, Watched])[], until: number): void {
    const taken: TakenReading[] = [];
    for (const [nodeId, node] of nodes) {
      advance(node, until);
      if (node.reading.isEmpty) continue;
      taken.push({ nodeId, at: this.#slot / 1000, reading: node.reading });
      node.reading = new Reading();
    }
    if (taken.length > 0) this.#ports.onReadings(taken);
  }

  #heard(nodeId: number, figures: Parameters<Reading["add"]>[0]): void {
    const now = this.#awake();
    const node = this.#nodes.get(nodeId);
    if (!node) return;
    advance(node, now);
    node.heardAt = now;
    if (node.due) node.reading.add(figures);
  }

  #committed({ changes }: Committed): void {
    for (const { table, id, after } of changes) {
      if (table !== NodeRows.name || !this.#ports.shards.holds(Number(id))) continue;
      if (after) this.#stands(Number(id), after as NodeRow);
      else this.#nodes.delete(Number(id));
    }
  }

  #stands(nodeId: number, { rev, mstate, infoSeenAt }: Standing): void {
    const now = this.#awake();
    let node = this.#nodes.get(nodeId);
    if (node && rev < node.rev) return;
    if (!node) {
      node = { rev, due: false, serves: false, heardAt: 0, mark: now, reading: new Reading() };
      this.#nodes.set(nodeId, node);
    }
    const serves = mstate === "linked.connected";
    // A link that was lost gave no sign of life for a while before.
    advance(node, now, serves || !node.serves ? HEARD_MS : GOOD_MS);
    // Its agent answered just now. What it was before is known only where this process saw it.
    if (serves && !node.serves && node.due) node.heardAt = now;
    node.rev = rev;
    node.serves = serves;
    node.due = !mstate.startsWith("disabled.") && infoSeenAt > 0;
  }

  #shardsChanged({ gained, lost }: ShardChange): void {
    if (lost.size > 0) {
      const gone = [...this.#nodes.entries()].filter(([id]) => lost.has(shardOf(id)));
      this.#hand(gone, this.#awake());
      for (const [id] of gone) this.#nodes.delete(id);
    }
    if (gained.size > 0) this.#look(gained).catch(this.#ports.onError);
  }

  async #look(shards: ReadonlySet<number>): Promise<void> {
    const mine = shards.size === SHARDS ? sql`true` : sql`id % ${sql.lit(SHARDS)} in (${sql.join([...shards])})`;
    const rows = await this.#ports.reads.query<{ id: number; rev: number; mstate: string; info_seen_at: number }>(
      sql`select id, rev, mstate, info_seen_at from nodes where ${mine}`,
      { scans: true },
    );
    for (const { id, rev, mstate, info_seen_at: infoSeenAt } of rows)
      if (this.#ports.shards.holds(id)) this.#stands(id, { rev, mstate, infoSeenAt });
  }
}

const slotOf = (now: number): number => Math.floor(now / SLOT_MS) * SLOT_MS;

/** Brings a node's reading up to `now`. `good`: for how long after a heartbeat it counts as heard. */
function advance(node: Watched, now: number, good = HEARD_MS): void {
  const { mark, reading } = node;
  if (now <= mark) return;
  node.mark = now;
  if (!node.due || (node.serves && node.heardAt === 0)) return;
  reading.watched += now - mark;
  if (node.serves) reading.served += Math.max(0, Math.min(now, node.heardAt + good) - mark);
}
