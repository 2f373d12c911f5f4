// One simulated panel process, from start to kill: the real committer, follower, shards and supervisor on a simulated
// store and clock.
import { OutcomeUnknown } from "../../src/db/errors.ts";
import { Committer, Follower, Processes, Reader, sql } from "../../src/db/index.ts";
import type { Session, Store, WriteSet } from "../../src/db/store.ts";
import type { Clock } from "../../src/lib/clock.ts";
import {
  LeasedShards,
  SHARED_FACTS,
  SoleShards,
  Supervisor,
  type EventRow,
  type Shards,
  TRANSITION,
} from "../../src/runtime/index.ts";
import { Chance } from "./chance.ts";
import { defineJob, Heard, Jobs, type JobActor } from "./job.ts";
import type { Outside } from "./outside.ts";
import type { Owner } from "./schedule.ts";
import type { Server } from "./server.ts";
import { SoleStore } from "./sole-store.ts";
import { SharedStore } from "./store.ts";

/** Unix milliseconds at which every simulation begins. */
export const EPOCH = 1_800_000_000_000;

/** A journal entry as `job:seq`. */
type Step = `${number}:${number}`;

export interface PanelOptions {
  readonly name: string;
  readonly server: Server;
  readonly outside: Outside;
  readonly seed: number;
  /** The stores of all processes that live, for hints. */
  readonly peers: () => Iterable<Panel>;
  /** For tests that break a part on purpose. */
  readonly sabotage?: Sabotage;
}

/** What a test may put in the place of a part. */
export interface Sabotage {
  store?(store: Store): Store;
  shards?(shards: Shards): Shards;
}

export class Panel implements Owner {
  readonly name: string;
  alive = true;
  heldUntil = 0;
  /** Takes commands. */
  ready = false;
  readonly clock: Clock;
  readonly store: Store;
  readonly commits: Committer;
  readonly reads: Reader;
  readonly supervisor: Supervisor;
  readonly kind: JobActor;
  readonly shards: Shards;
  /** Steps that this process knows to be committed by itself, and those that its listeners heard of. */
  readonly committed: Step[] = [];
  readonly heard: Step[] = [];
  /** Steps on their way to disk, until listeners heard of them. */
  readonly #sent = new Set<Step>();
  /** A view kept in memory from what listeners hear: revisions by job. */
  readonly view = new Map<number, number>();
  /** What listeners heard after something newer. */
  readonly oldNews: string[] = [];
  /**
   * The last revisions that listeners heard of; what was read at the start is not among them, since news that are older
   * than it may be on their way.
   */
  readonly #told = new Map<number, number>();
  readonly #removed = new Set<number>();
  /** Failures that nobody waited for. */
  readonly errors: string[] = [];
  readonly #options: PanelOptions;
  readonly #raw: SharedStore | SoleStore;
  readonly #deaths = new Set<() => void>();
  #follower: Follower | undefined;
  readonly #processes: Processes | undefined;

  constructor(options: PanelOptions) {
    const { name, server, outside, seed, peers, sabotage } = options;
    const { schedule, faults } = server;
    this.#options = options;
    this.name = name;
    const chance = new Chance(seed, name);
    const skew = chance.between(-faults.skew, faults.skew);
    this.clock = {
      now: () => EPOCH + Math.floor(schedule.now + skew),
      after: (ms, wake) => schedule.after(ms, "wake", wake, this),
    };
    const others = function* () {
      for (const peer of peers()) if (peer.alive && peer.#raw instanceof SharedStore) yield peer.#raw;
    };
    this.#raw = faults.shared ? new SharedStore(server, this, others) : new SoleStore(server, this);
    const store = sabotage?.store?.(this.#raw) ?? this.#raw;
    this.store = this.#witnessed(store);
    const { tables } = server.database;
    const echo = { tables: new Set([Jobs.name]), facts: new Set(SHARED_FACTS.map((fact) => fact.name)) };
    const now = () => this.clock.now();
    const onError = (error: unknown, about = "") => this.#failed(error, about);
    this.commits = new Committer(this.store, tables, {
      now,
      clock: this.clock,
      onListenerError: (error) => onError(error, "listener"),
      echo,
    });
    this.reads = new Reader(this.store, tables);
    this.#processes = faults.shared
      ? new Processes({ commits: this.commits, reads: this.reads, clock: this.clock, boot: name, onError })
      : undefined;
    const shards = this.#makeShards(now, onError);
    this.shards = sabotage?.shards?.(shards) ?? shards;
    this.supervisor = new Supervisor({
      commits: this.commits,
      reads: this.reads,
      clock: this.clock,
      deliveries: {
        record: (draft, event: EventRow) => draft.insert(Heard, { id: draft.nextId("heard"), eventId: event.id }),
      },
      ...(this.#processes ? { processes: this.#processes } : {}),
      random: () => chance.next(),
      onError,
      bootId: name,
      shards: this.shards,
    });
    this.kind = defineJob({
      work: outside.handler(this),
      check: outside.handler(this, { attempts: 2, concurrency: 1, held: true }),
      line: outside.line(this),
    });
    this.supervisor.register(this.kind);
    this.#listen();
  }

  /** Resolves when the process takes commands; rejects when it cannot start. */
  async start(): Promise<void> {
    const { log } = this.store;
    if (log) {
      this.#follower = await Follower.open({
        log,
        commits: this.commits,
        reads: this.reads,
        clock: this.clock,
        onError: (error) => this.#failed(error, "follower"),
        onLost: () => this.kill(),
      });
      await this.#processes?.start();
    }
    // What a commit says while the rows are read is newer than what is read.
    const seen = new Set<number>();
    const stop = this.commits.onCommit(({ changes }) => {
      for (const { table, id } of changes) if (table === Jobs.name) seen.add(Number(id));
    });
    for (const { id, rev } of await this.reads.query<{ id: number; rev: number }>(sql`select id, rev from jobs`)) {
      if (!seen.has(id)) this.view.set(id, rev);
    }
    stop();
    await this.supervisor.start();
    this.ready = true;
  }

  /** Ends in order. Resolves when nothing is left to do. */
  async stop(): Promise<void> {
    this.ready = false;
    await this.supervisor.drain(2000);
    await this.#processes?.stop();
    await this.#follower?.stop();
    await this.commits.drain();
    this.kill();
  }

  /** Ends at once, in the middle of whatever it does. */
  kill(): void {
    if (!this.alive) return;
    this.alive = false;
    this.ready = false;
    this.#options.server.schedule.note(`${this.name} is gone`);
    if (this.#raw instanceof SoleStore) this.#raw.die();
    this.#options.server.left(this);
    for (const told of this.#deaths) told();
  }

  /**
   * Resolves when everything that was committed anywhere before the call is known here; rejects when the database is
   * away.
   */
  async caughtUp(): Promise<void> {
    await this.#follower?.caughtUp();
  }

  /**
   * What is kept in memory is older than this revision of a job. An own commit whose answer is on its way may be known
   * to others first: until the answer comes, nothing is promised of that row.
   */
  isBehind(job: number, seq: number): boolean {
    for (const step of this.#sent) if (step.startsWith(`${job}:`)) return false;
    const known = this.view.get(job);
    if (known !== undefined) return known < seq;
    return this.#options.server.database.row({ table: Jobs.name, id: job }) !== null;
  }

  /** Calls `told` when the process is killed. Returns the way to stop. */
  onDeath(told: () => void): () => void {
    this.#deaths.add(told);
    return () => this.#deaths.delete(told);
  }

  #makeShards(now: () => number, onError: (error: unknown) => void): Shards {
    const { commits, reads, clock } = this;
    const processes = this.#processes;
    if (!processes)
      return new SoleShards({ reserve: (sequence, count) => this.store.reserve(sequence, count), now, onError });
    return new LeasedShards({
      commits,
      reads,
      clock,
      monotonic: () => this.#options.server.schedule.now,
      processes,
      onError,
    });
  }

  #listen(): void {
    this.commits.onCommit(({ changes, facts, remote }) => {
      for (const change of changes) {
        if (change.table !== Jobs.name) continue;
        const id = Number(change.id);
        const rev = change.after?.["rev"];
        this.#options.server.schedule.note(
          `${this.name} hears${remote ? " of others" : ""}: job ${id} at ${String(rev)}`,
        );
        if (typeof rev !== "number") {
          this.view.delete(id);
          this.#removed.add(id);
          continue;
        }
        const known = this.#removed.has(id) ? "gone" : (this.#told.get(id) ?? 0);
        if (known === "gone" || rev < known)
          this.oldNews.push(`${this.name} knew job ${id} to be at ${known} and heard that it is at ${rev}`);
        this.view.set(id, rev);
        this.#told.set(id, rev);
      }
      if (remote) return;
      for (const { id, seq } of facts.of(TRANSITION)) {
        this.heard.push(`${id}:${seq}`);
        this.#sent.delete(`${id}:${seq}`);
      }
    });
  }

  #failed(error: unknown, about: string): void {
    const text = `${about}: ${error instanceof Error ? `${error.name} ${error.message}` : String(error)}`;
    this.errors.push(text);
    this.#options.server.schedule.note(`${this.name} failed: ${text}`);
  }

  /** The same store, with a record of the steps whose commit this process was told of. */
  #witnessed(store: Store): Store {
    const stepsOf = ({ writes }: WriteSet): Step[] =>
      writes.flatMap((write): Step[] =>
        write.op === "insert" && write.table.name === "journal"
          ? [`${Number(write.row["actorId"])}:${Number(write.row["seq"])}`]
          : [],
      );
    const forget = (steps: readonly Step[]) => {
      for (const step of steps) this.#sent.delete(step);
    };
    const finish = async (session: Session, writes: WriteSet, text: string | undefined) => {
      const steps = stepsOf(writes);
      for (const step of steps) this.#sent.add(step);
      try {
        await session.finish(writes, text);
      } catch (error) {
        if (error instanceof OutcomeUnknown)
          void error.settled.then((holds) => (holds ? this.committed.push(...steps) : forget(steps)));
        else forget(steps);
        throw error;
      }
      this.committed.push(...steps);
    };
    const witnessed = (session: Session): Session => ({
      load: (locks) => session.load(locks),
      finish: (writes, text) => finish(session, writes, text),
      abandon: () => session.abandon(),
    });
    return {
      dialect: store.dialect,
      ...(store.log ? { log: store.log } : {}),
      sessions: store.sessions,
      exclusiveStatements: store.exclusiveStatements,
      begin: () => witnessed(store.begin()),
      execute: (statements, text) => store.execute(statements, text),
      read: (query) => store.read(query),
      reserve: (sequence, count) => store.reserve(sequence, count),
      ping: () => store.ping(),
      close: () => store.close(),
    };
  }
}
