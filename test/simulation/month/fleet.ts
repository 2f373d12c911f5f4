// A small fleet for a month of virtual time: the real charts of accounts and nodes on the real runtime, with agents
// that connect, get lost and report usage, and a panel that is killed now and then.
import {
  defineUserActor,
  NO_WARNINGS,
  servedAccounts,
  UserUsageRows,
  type UserRow,
} from "../../../src/accounts/testing.ts";
import { Committer, ExpectationFailed, Facts, Reader, StoreUnavailable, type Draft } from "../../../src/db/index.ts";
import { type NodeRow } from "../../../src/fleet/index.ts";
import {
  defineNodeActor,
  freshCounters,
  NodeUsageRows,
  usageStatements,
  type NodeBatch,
} from "../../../src/fleet/testing.ts";
import type { Clock } from "../../../src/lib/clock.ts";
import { systemOrigin } from "../../../src/lib/origin.ts";
import { SoleShards, Supervisor, DUE, type EventRow, type ResidentEffect } from "../../../src/runtime/index.ts";
import { type QueuedEffect } from "../../../src/runtime/testing.ts";
import { cellsOf } from "../../usage-cells.ts";
import { Chance } from "../chance.ts";
import type { SimulatedDatabase } from "../database.ts";
import { calm } from "../faults.ts";
import { EPOCH } from "../panel.ts";
import { Schedule, type Owner } from "../schedule.ts";
import { Server } from "../server.ts";
import { SoleStore } from "../sole-store.ts";
import { defineCertificate } from "./certificate.ts";
import { nodeRow, usageRow, userRow } from "./records.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const REPORT_MS = HOUR_MS / 2;

interface Actors {
  readonly user: ReturnType<typeof defineUserActor>;
  readonly node: ReturnType<typeof defineNodeActor>;
  readonly certificate: ReturnType<typeof defineCertificate>;
}

interface Panel extends Owner {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly supervisor: Supervisor;
  readonly store: SoleStore;
  readonly actors: Actors;
}

export interface Plans {
  readonly users: readonly Partial<UserRow>[];
  readonly nodes: readonly Partial<NodeRow>[];
  /** Ages of certificates at the beginning, milliseconds. */
  readonly certificates: readonly number[];
}

export class MonthlyFleet {
  readonly schedule: Schedule;
  readonly database: SimulatedDatabase;
  /** Bytes that agents wrote into their ledgers, by user and by node. */
  readonly sent = new Map<number, number>();
  readonly carried = new Map<number, number>();
  /** Links that run, by node. */
  readonly links = new Map<number, number>();
  kills = 0;
  readonly errors: string[] = [];
  readonly #server: Server;
  readonly #chance: Chance;
  #panel: Panel | undefined;
  #quiet = false;

  constructor(database: SimulatedDatabase, seed: number) {
    this.schedule = new Schedule(seed);
    this.database = database;
    this.#chance = new Chance(seed, "month");
    this.#server = new Server(
      database,
      this.schedule,
      { ...calm, refused: 0.002, failedRead: 0.002, shared: false, processes: 1, horizon: 0 },
      seed,
    );
    database.reset(
      () => this.now,
      () => false,
    );
  }

  /** Unix milliseconds. */
  get now(): number {
    return EPOCH + Math.floor(this.schedule.now);
  }

  get seconds(): number {
    return Math.floor(this.now / 1000);
  }

  /** Starts a panel and writes down what the month begins with. */
  async begin({ users, nodes, certificates }: Plans): Promise<void> {
    this.#start();
    const { seconds } = this;
    const origin = systemOrigin("test");
    await this.#submit((draft, { supervisor, actors }) => {
      for (const [index, plan] of users.entries()) {
        draft.insert(UserUsageRows, usageRow(index + 1));
        supervisor.create(draft, actors.user, userRow(index + 1, seconds, plan), origin);
      }
      for (const [index, limit] of nodes.entries()) {
        draft.insert(NodeUsageRows, freshCounters(index + 1, this.now));
        supervisor.create(draft, actors.node, nodeRow(index + 1, seconds, limit), origin);
      }
      for (const [index, age] of certificates.entries()) {
        const row = { id: index + 1, name: `certificate-${index + 1}`, issuedAt: this.now - age };
        supervisor.create(draft, actors.certificate, row, origin);
      }
    });
    for (let node = 1; node <= nodes.length; node++) this.#reportLater(node, users.length, 1);
    this.#killLater();
  }

  /** Nothing goes wrong and nothing is used from now on. */
  calmDown(): void {
    this.#quiet = true;
    this.#server.calmDown({ ...this.#server.faults, ...calm });
  }

  /** The month is over. */
  end(): void {
    if (this.#panel) this.#panel.alive = false;
  }

  #start(): void {
    const { schedule } = this;
    const owner: Owner = { name: `panel ${this.kills}`, alive: true, heldUntil: 0 };
    const clock: Clock = { now: () => this.now, after: (ms, wake) => schedule.after(ms, "wake", wake, owner) };
    const store = new SoleStore(this.#server, owner);
    const onError = (error: unknown) => {
      if (!(error instanceof StoreUnavailable)) this.errors.push(String(error));
    };
    const commits = new Committer(store, this.database.tables, {
      now: () => this.now,
      clock,
      onListenerError: onError,
    });
    const reads = new Reader(store, this.database.tables);
    const shards = new SoleShards({
      reserve: (sequence, count) => store.reserve(sequence, count),
      now: () => this.now,
      onError,
    });
    const deliveries = { record: (_draft: Draft, _event: EventRow) => {} };
    const chance = new Chance(this.kills, "backoff");
    const supervisor = new Supervisor({
      commits,
      reads,
      clock,
      deliveries,
      shards,
      random: () => chance.next(),
      onError,
      bootId: owner.name,
      pollMs: MINUTE_MS,
    });
    const actors: Actors = {
      user: defineUserActor(
        () => "UTC",
        () => NO_WARNINGS,
      ),
      node: defineNodeActor({ timeZone: () => "UTC", link: this.#linkOf(owner), turn: () => () => {} }),
      certificate: defineCertificate(this.#renewalOf(owner)),
    };
    supervisor.register(actors.user);
    supervisor.register(actors.node);
    supervisor.register(actors.certificate);
    const panel = Object.assign(owner, { commits, reads, supervisor, store, actors });
    this.#panel = panel;
    this.links.clear();
    supervisor.start().catch(() => this.#kill());
  }

  #kill(): void {
    const panel = this.#panel;
    if (!panel?.alive) return;
    panel.alive = false;
    panel.store.die();
    this.#server.left(panel);
    this.kills++;
    this.schedule.after(this.#chance.between(1000, 5 * MINUTE_MS), "the panel is started again", () => this.#start());
  }

  #killLater(): void {
    this.schedule.after(this.#chance.between(HOUR_MS, 100 * HOUR_MS), "kill", () => {
      if (this.#quiet) return;
      this.#kill();
      this.#killLater();
    });
  }

  /** A renewal that the authority answers half a minute later, and refuses every other time. */
  #renewalOf(owner: Owner): QueuedEffect {
    return {
      mode: "queued",
      concurrency: 2,
      timeoutMs: 2 * MINUTE_MS,
      attempts: 2,
      backoffMs: 1000,
      backoffMaxMs: MINUTE_MS,
      run: () =>
        new Promise((resolve, reject) => {
          const fails = this.#chance.happens(0.5);
          this.schedule.after(
            30_000,
            "renewed",
            () => (fails ? reject(new Error("the authority is away")) : resolve("issued")),
            owner,
          );
        }),
    };
  }

  /** A link as the panel's side of it behaves: it opens, or nobody answers; hours later it is lost. */
  #linkOf(owner: Owner): ResidentEffect["start"] {
    return ({ id, send }) => {
      let over = false;
      this.links.set(id, (this.links.get(id) ?? 0) + 1);
      const later = (ms: number, label: string, run: () => void) =>
        this.schedule.after(ms, `${label} ${id}`, () => over || run(), owner);
      const say = (event: Parameters<typeof send>[0]) =>
        void send(event).catch((error: unknown) => this.errors.push(String(error)));
      const facts = {
        fingerprint: "pin",
        users: 50,
        coreVersion: "1",
        nodeVersion: "1",
        arch: "amd64",
        setup: "linux",
        engine: "embedded",
      };
      if (this.#quiet || this.#chance.happens(0.7)) {
        later(this.#chance.between(50, 3000), "link opens", () => {
          say({ type: "link.opened", ...facts });
          later(this.#chance.between(100, 5000), "link is in step", () => say({ type: "link.synced", warnings: [] }));
          later(this.#chance.between(MINUTE_MS, 12 * HOUR_MS), "link is lost", () => {
            if (!this.#quiet) say({ type: "link.lost", message: "the agent fell silent", jitter: this.#chance.next() });
          });
        });
      }
      return () => {
        over = true;
        this.links.set(id, (this.links.get(id) ?? 0) - 1);
      };
    };
  }

  /** What a node's agent counted in half an hour, of those who may use it; sent until the panel has counted it. */
  #reportLater(node: number, users: number, seq: number): void {
    this.schedule.after(REPORT_MS * this.#chance.between(0.9, 1.1), `report of node ${node}`, () => {
      if (this.#quiet) return;
      const enabled = new Set(
        this.database
          .read<{ id: number }>({ text: "select id from users where enable = 1", values: [] })
          .map(({ id }) => id),
      );
      const up =
        this.database.read({ text: "select 1 from nodes where id = ? and mstate = 'linked.connected'", values: [node] })
          .length > 0;
      const rows: [number, number, number, number, number][] = [];
      for (let user = 1; user <= users; user++) {
        if (!up || !enabled.has(user) || !this.#chance.happens(0.1)) continue;
        const bytes = this.#chance.whole(1_000_000, 60_000_000);
        rows.push([user, 1, 0, bytes, this.seconds]);
        this.sent.set(user, (this.sent.get(user) ?? 0) + bytes);
        this.carried.set(node, (this.carried.get(node) ?? 0) + bytes);
      }
      const down = rows.reduce((sum, row) => sum + row[3], 0);
      const batch = {
        bootId: `00000000-0000-4000-8000-00000000000${node}`,
        seq,
        from: this.seconds - 1800,
        to: this.seconds,
        rows: cellsOf(rows),
        up: 0,
        down,
      };
      void this.#report({ nodeId: node, micros: 1_000_000, batch }).then(() => this.#reportLater(node, users, seq + 1));
    });
  }

  async #report(batch: NodeBatch): Promise<void> {
    for (;;) {
      const panel = this.#panel;
      if (panel?.alive) {
        const { commits, reads } = panel;
        const { promise: died, resolve } = Promise.withResolvers<"died">();
        const cancel = this.schedule.after(MINUTE_MS, "no acknowledgement", () => resolve("died"));
        const statements = usageStatements(reads, servedAccounts.counting, [batch], this.now, this.now * 1000);
        const counted = commits.execute({ name: "usage", statements, facts: new Facts().add(DUE, true) }).then(
          () => true,
          // The cursor has moved: an earlier try was counted, its answer was not heard.
          (error: unknown) => error instanceof ExpectationFailed,
        );
        const heard = await Promise.race([counted, died]);
        cancel();
        if (heard === true) return;
      }
      await new Promise<void>((resolve) => this.schedule.after(10_000, "an agent tries again", resolve));
    }
  }

  async #submit(decide: (draft: Draft, panel: Panel) => void): Promise<void> {
    const panel = this.#panel;
    if (!panel) throw new Error("no panel");
    let failed: unknown;
    let done = false;
    void panel.commits.submit({ name: "begin", locks: [], decide: (draft) => decide(draft, panel) }).then(
      () => (done = true),
      (error: unknown) => (failed = error),
    );
    await this.schedule.runUntil(this.schedule.now + 1000);
    if (!done) throw new Error("the month did not begin", { cause: failed });
  }
}
