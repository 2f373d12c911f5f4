// The live stream of transitions (decisions 13): absolute counts of the states that changed, and rows as far as the reader keeps up. At most ten frames a second.
//
// Counts are held in memory: one read at start, kept by the transitions of every commit, whichever process's it is.
import { z } from "zod";
import type { WebSocket } from "ws";
import { sql, type Committed, type Committer, type Follower, type Reader } from "../../db/index.ts";
import { socket, type Socket } from "../../http/index.ts";
import type { Supervisor, Transition } from "../../runtime/index.ts";

const FRAME_MS = 100;
/** Rows in a frame of the stream of everything: a sample. */
const SAMPLE = 50;
/** Rows kept for a reader of one actor between frames. */
const ROWS = 5000;
/** Unsent bytes above which a reader gets no frame: it loses rows, never counts. */
const BUFFERED = 256 * 1024;

/** Actors by kind and state. */
export class StateCounts {
  readonly #counts = new Map<string, Map<string, number>>();

  /** Counts what is stored. On a shared database the counts and the commits that are heard of from then on fit together exactly. */
  static async open(reads: Reader, supervisor: Supervisor, follower: Pick<Follower, "readAt"> | undefined): Promise<StateCounts> {
    const counts = new StateCounts();
    const read = () =>
      readCounts(
        reads,
        [...supervisor.kinds.values()].map(({ definition }) => [definition.kind, definition.entity.name]),
      );
    const { rows } = follower
      ? await follower.readAt(async () => read().then((value) => ({ position: value.position, value })))
      : await read();
    for (const kind of supervisor.kinds.keys()) counts.#counts.set(kind, new Map());
    for (const { kind, mstate, total } of rows) counts.#counts.get(kind)?.set(mstate, total);
    return counts;
  }

  note({ kind, from, to }: Transition): void {
    const states = this.#counts.get(kind);
    if (!states) return;
    if (from !== null) states.set(from, Math.max(0, (states.get(from) ?? 0) - 1));
    if (to !== "deleted") states.set(to, (states.get(to) ?? 0) + 1);
  }

  get(kind: string, state: string): number {
    return this.#counts.get(kind)?.get(state) ?? 0;
  }

  all(): Record<string, Record<string, number>> {
    return Object.fromEntries(
      [...this.#counts].map(([kind, states]) => [kind, Object.fromEntries([...states].filter(([, total]) => total > 0))]),
    );
  }
}

interface CountRow {
  readonly kind: string;
  readonly mstate: string;
  readonly total: number;
  readonly position: string;
}

/** All kinds in one statement: one snapshot, which on PostgreSQL says its name. */
async function readCounts(reads: Reader, kinds: readonly (readonly [kind: string, table: string])[]) {
  const position = reads.dialect === "postgresql" ? sql`pg_current_snapshot()::text` : sql`''`;
  const counted = kinds.map(
    ([kind, table]) =>
      sql`select ${kind} as kind, mstate, count(*) as total, ${position} as position from ${sql.table(table)} group by mstate`,
  );
  const none = sql`select '' as kind, '' as mstate, 0 as total, ${position} as position`;
  const rows = await reads.query<CountRow>(sql.join([...counted, none], sql` union all `));
  return { rows: rows.filter(({ kind }) => kind !== ""), position: rows.at(-1)?.position ?? "" };
}

interface StreamReader {
  readonly socket: WebSocket;
  readonly kind: string | undefined;
  readonly id: number | undefined;
  rows: Transition[];
  changed: Set<string>;
  dropped: number;
}

export class ActorStream {
  readonly counts: StateCounts;
  readonly #readers = new Set<StreamReader>();
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: () => void;

  constructor(commits: Committer, counts: StateCounts) {
    this.counts = counts;
    this.#stopListening = commits.onCommit((committed) => this.#committed(committed));
    this.#timer = setInterval(() => this.#sendFrames(), FRAME_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#stopListening();
    for (const reader of this.#readers) reader.socket.close(1001);
  }

  add(opened: WebSocket, kind: string | undefined, id: number | undefined): void {
    const reader: StreamReader = { socket: opened, kind, id, rows: [], changed: new Set(), dropped: 0 };
    this.#readers.add(reader);
    opened.on("close", () => this.#readers.delete(reader));
    const counts = this.counts.all();
    opened.send(JSON.stringify({ rows: [], counts: kind === undefined ? counts : { [kind]: counts[kind] ?? {} }, dropped: 0 }));
  }

  #committed({ facts }: Committed): void {
    for (const fact of facts["transition"] ?? []) {
      const transition = fact as Transition;
      this.counts.note(transition);
      for (const reader of this.#readers) this.#note(reader, transition);
    }
  }

  #note(reader: StreamReader, transition: Transition): void {
    const { kind, id, from, to } = transition;
    if (reader.kind !== undefined && reader.kind !== kind) return;
    for (const state of [from, to]) if (state !== null && state !== "deleted") reader.changed.add(`${kind} ${state}`);
    if (reader.id !== undefined && reader.id !== id) return;
    if (reader.rows.length < (reader.id === undefined ? SAMPLE : ROWS)) reader.rows.push(transition);
    else reader.dropped++;
  }

  #sendFrames(): void {
    for (const reader of this.#readers) {
      if (reader.rows.length === 0 && reader.changed.size === 0) continue;
      if (reader.socket.bufferedAmount > BUFFERED) {
        reader.dropped += reader.rows.length;
        reader.rows = [];
        continue;
      }
      reader.socket.send(JSON.stringify({ rows: reader.rows.map(rowOf), counts: this.#countsOf(reader.changed), dropped: reader.dropped }));
      reader.rows = [];
      reader.changed = new Set();
      reader.dropped = 0;
    }
  }

  #countsOf(changed: ReadonlySet<string>): Record<string, Record<string, number>> {
    const counts: Record<string, Record<string, number>> = {};
    for (const key of changed) {
      const [kind = "", state = ""] = key.split(" ");
      (counts[kind] ??= {})[state] = this.counts.get(kind, state);
    }
    return counts;
  }
}

function rowOf({ kind, id, name, seq, at, event, from, to, origin }: Transition) {
  return { kind, id: String(id), name, seq, at: Math.floor(at / 1000), event, from, to, actor: origin.actor };
}

export function actorSockets(stream: ActorStream): Socket[] {
  return [
    socket({
      path: "/actors/stream",
      scope: "stats:read",
      summary: "Transitions as they commit",
      query: z.object({
        kind: z.string().optional(),
        id: z
          .string()
          .regex(/^\d{1,16}$/)
          .optional(),
      }),
      handle: (client, { query }) => stream.add(client, query.kind, query.id === undefined ? undefined : Number(query.id)),
    }),
  ];
}
