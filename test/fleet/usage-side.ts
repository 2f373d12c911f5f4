// Accounts, nodes and templates on a real database with the fleet's memory of them and its counter of usage, on a clock
// that tests move; no links, no agents.
import { randomUUID } from "node:crypto";
import { UserRows } from "../../src/accounts/index.ts";
import {
  accountsEntities,
  carryOutDepartures,
  DeletedUsageRows,
  servedAccounts,
  UserUsageRows,
  type UserRow,
} from "../../src/accounts/testing.ts";
import { lock, sql, type Database, type Dialect, type Draft } from "../../src/db/index.ts";
import { PANEL } from "../../src/panel/features.ts";
import { NodeRows, type NodeRow } from "../../src/fleet/index.ts";
import { Fleet, fleetEntities, freshCounters, NodeUsageRows } from "../../src/fleet/testing.ts";
import { Forgetting } from "../../src/fleet/usage/forgetting.ts";
import { ManualClock } from "../../src/lib/clock.ts";
import { TemplateDepartureRows, TemplateRows } from "../../src/pool/index.ts";
import { DepartureRows, poolEntities, type DepartureRow } from "../../src/pool/testing.ts";
import { EVENT, EventRows, Outbox, TimerRows, type EventRow } from "../../src/runtime/index.ts";
import type { UsageRow } from "../../src/protocol/usage-rows.ts";
import { nodeRow, usageRow, userRow } from "../simulation/month/records.ts";
import { connectTestDatabase, createTestDatabase } from "../database.ts";
import { cellsOf } from "../usage-cells.ts";

const entities = [TimerRows, EventRows, ...accountsEntities, ...fleetEntities, ...poolEntities];
const machine = {
  rev: 1,
  mstate: "",
  mctx: {},
  mver: 1,
  msince: 0,
  mlast: null,
  dueAt: null,
  faultAt: null,
  faultCount: 0,
  faultMessage: "",
  faultCause: null,
};
const START = 1_800_000_000_000;
export const MINUTE = 60_000;

export interface Refusal {
  readonly code: string;
  readonly userId: number;
  readonly up: number;
  readonly down: number;
}

export class UsageSide {
  readonly db: Database;
  readonly url: string;
  readonly clock: ManualClock;
  readonly events: EventRow[] = [];
  readonly #drop: () => Promise<void>;
  readonly #shared: boolean;
  #gbps = 0;
  #forgetting!: Forgetting;
  fleet!: Fleet;

  private constructor(db: Database, url: string, clock: ManualClock, drop: () => Promise<void>, shared = false) {
    this.db = db;
    this.url = url;
    this.clock = clock;
    this.#drop = drop;
    this.#shared = shared;
    db.commits.onCommit(({ facts }) => this.events.push(...facts.of(EVENT)));
    this.restart();
  }

  static async open(dialect: Dialect): Promise<UsageSide> {
    const { url, drop } = await createTestDatabase(dialect, entities);
    const clock = new ManualClock(START);
    const db = await connectTestDatabase(url, entities, () => clock.now(), undefined, PANEL.consequences);
    return new UsageSide(db, url, clock, drop);
  }

  /** Another process on the same database and at the same time. */
  async beside(): Promise<UsageSide> {
    const db = await connectTestDatabase(this.url, entities, () => this.clock.now(), undefined, PANEL.consequences);
    return new UsageSide(db, this.url, this.clock, () => Promise.resolve(), true);
  }

  /** Everything in memory is new. `gbps`: the fastest line, 0 = any. */
  restart(gbps = this.#gbps): void {
    this.#gbps = gbps;
    if (this.fleet as Fleet | undefined) void this.#end();
    const { commits, reads } = this.db;
    this.fleet = new Fleet({
      commits,
      reads,
      clock: this.clock,
      random: Math.random,
      identity: { certificate: "", privateKey: "", fingerprint: "" },
      version: "test",
      shared: false,
      token: () => undefined,
      caughtUp: () => undefined,
      recordTraffic: () => [],
      accounts: servedAccounts,
      template: async (id) => {
        const row = await reads.find(TemplateRows, id);
        return (
          row && {
            route: null,
            core: null,
            outbounds: [],
            inbounds: row.inboundIds.map((inbound) => ({ id: inbound, tag: "", type: "", config: {} })),
          }
        );
      },
      templateTables: [TemplateRows.name],
      outbox: new Outbox({ record: () => {} }),
      maxNodeGbps: gbps,
      log: () => {},
    });
    this.#forgetting = new Forgetting({ commits, reads, clock: this.clock, told: () => [], onError: () => {} });
  }

  async #end(): Promise<void> {
    // Both at once: after a restart these names are the next ones'.
    this.#forgetting.stop();
    await this.fleet.stop();
  }

  async dispose(): Promise<void> {
    await this.#end();
    await this.db.close();
    if (!this.#shared) await this.#drop();
  }

  pass(ms: number): void {
    this.clock.advance(ms);
  }

  async #commit<T>(decide: (draft: Draft) => T, ...locks: ReturnType<typeof lock>[]): Promise<T> {
    return this.db.commits.submit({ name: "test", locks, decide });
  }

  addTemplate(inboundIds: number[]): Promise<number> {
    return this.#commit((draft) => {
      const id = draft.nextId("templates");
      const lists = { inboundIds, outboundIds: [], endpointIds: [], ruleSetIds: [] };
      draft.insert(TemplateRows, {
        id,
        name: `t${id}`,
        remark: "",
        route: {},
        core: {},
        ...lists,
        createdAt: 0,
        updatedAt: 0,
      });
      return id;
    });
  }

  async editTemplate(id: number, inboundIds: number[]): Promise<void> {
    await this.#commit((draft) => draft.update(TemplateRows, id, { inboundIds }), lock(TemplateRows, id));
  }

  /** As the route does: the template goes, then the accounts are freed of it. */
  async deleteTemplate(id: number): Promise<void> {
    await this.#commit(
      (draft) => {
        draft.delete(TemplateRows, id);
        draft.insert(TemplateDepartureRows, { id, deletedAt: draft.time });
      },
      lock(TemplateRows, id),
    );
    await carryOutDepartures(this.db.commits, this.db.reads, () => Math.floor(this.clock.now() / 1000));
  }

  addUser(plan: Partial<UserRow> = {}): Promise<number> {
    return this.#commit((draft) => {
      const id = draft.nextId("users");
      draft.insert(UserUsageRows, usageRow(id));
      draft.insert(UserRows, { ...userRow(id, draft.time, plan), ...machine });
      return id;
    });
  }

  async editUser(id: number, patch: Partial<UserRow>): Promise<void> {
    await this.#commit((draft) => draft.update(UserRows, id, patch), lock(UserRows, id));
  }

  async deleteUser(id: number): Promise<void> {
    await this.#commit(
      (draft) => {
        draft.delete(UserRows, id);
        draft.delete(UserUsageRows, id);
      },
      lock(UserRows, id),
      lock(UserUsageRows, id),
    );
  }

  addNode(templateId: number | null): Promise<number> {
    return this.#commit((draft) => {
      const id = draft.nextId("nodes");
      draft.insert(NodeUsageRows, freshCounters(id, draft.now));
      draft.insert(NodeRows, { ...nodeRow(id, draft.time, { templateId }), ...machine });
      return id;
    });
  }

  async editNode(id: number, patch: Partial<NodeRow>): Promise<void> {
    await this.#commit((draft) => draft.update(NodeRows, id, patch), lock(NodeRows, id));
  }

  /** A batch of a node; `until`: what it has been told by then, now if nothing else is said. */
  report(nodeId: number, rows: UsageRow[], until = this.clock.now()): Promise<number> {
    const batch = { bootId: randomUUID(), seq: 1, rows: cellsOf(rows) };
    return this.fleet.usage.count({ nodeId, micros: 1_000_000, until, batch });
  }

  async used(id: number): Promise<number | undefined> {
    const row = await this.db.reads.find(UserUsageRows, id);
    return row && row.totalUp + row.totalDown;
  }

  async usedAfterDeletion(id: number): Promise<number | undefined> {
    const row = await this.db.reads.find(DeletedUsageRows, id);
    return row && row.up + row.down;
  }

  refusals(nodeId: number): Promise<Refusal[]> {
    return this.db.reads.query(
      sql<Refusal>`select code, user_id as "userId", up, down from usage_refusals where node_id = ${nodeId} order by id`,
    );
  }

  departures(): Promise<DepartureRow[]> {
    return this.db.reads.rows(DepartureRows, sql`select * from departures order by until, id`);
  }

  node(id: number) {
    return this.db.reads.find(NodeUsageRows, id);
  }

  forget(): Promise<void> {
    return this.#forgetting.look();
  }
}
