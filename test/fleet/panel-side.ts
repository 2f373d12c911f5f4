// The panel's side of the fleet without HTTP: database, runtime, links; against a simulated fleet on real TLS.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { UserRows } from "../../src/accounts/index.ts";
import {
  accountsEntities,
  defineUserActor,
  servedAccounts,
  UserUsageRows,
  type UserRow,
  NO_WARNINGS,
} from "../../src/accounts/testing.ts";
import { startFleet, type RunningFleet } from "../../src/agent/simulate/fleet.ts";
import type { Database, Dialect } from "../../src/db/index.ts";
import { NodeRows, type NodeRow } from "../../src/fleet/index.ts";
import { defineNodeActor, Fleet, fleetEntities, loadLinkIdentity } from "../../src/fleet/testing.ts";
import { dialAgent } from "../../src/fleet/link/dial.ts";
import { Structures, type DesiredNode } from "../../src/fleet/desired/structures.ts";
import { createNode, nodeLock } from "../../src/fleet/nodes/node.commands.ts";
import { lock } from "../../src/db/index.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { Signals } from "../../src/lib/signals.ts";
import { systemOrigin } from "../../src/lib/origin.ts";
import { agentMethods, PROTOCOL_VERSION } from "../../src/protocol/messages.ts";
import { createPeer } from "../../src/protocol/peer.ts";
import { claimTemplate, TemplateRows } from "../../src/pool/index.ts";
import { poolEntities } from "../../src/pool/testing.ts";
import {
  EffectRows,
  EventRows,
  JournalRows,
  Outbox,
  ShardRows,
  StateCountRows,
  Supervisor,
  TimerRows,
  EVENT,
  type EventRow,
  type Shards,
} from "../../src/runtime/index.ts";
import { PANEL } from "../../src/panel/features.ts";
import { joinShards, QUICK, type PartOptions } from "../runtime/shared-shards.ts";
import { soleShards } from "../runtime/sole-shards.ts";
import { connectTestDatabase, createTestDatabase, follow } from "../database.ts";

const entities = [
  TimerRows,
  EffectRows,
  JournalRows,
  ShardRows,
  StateCountRows,
  EventRows,
  ...accountsEntities,
  ...fleetEntities,
  ...poolEntities,
];
export const origin = systemOrigin("test");

/** Awaits until `ask` gives something; fails with what it gave last after `ms`. */
export async function until<T>(
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  ms = 15_000,
): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`nothing within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** What is left over when a panel ends, besides its database. */
type Leave = () => Promise<unknown>;

export class PanelSide {
  /** Holds from the next panel start on. */
  maxNodeGbps = 0;
  readonly db: Database & { readonly url: string };
  readonly directory: string;
  readonly events: EventRow[] = [];
  readonly userActor = defineUserActor(
    () => "UTC",
    () => NO_WARNINGS,
  );
  readonly templates = new Map([
    [
      1,
      {
        route: null,
        core: null,
        inbounds: [{ id: 1, tag: "in-1", type: "vless", config: { listen_port: 443 } }],
        outbounds: [],
      },
    ],
  ]);
  agents!: RunningFleet;
  fleet!: Fleet;
  supervisor!: Supervisor;
  nodeActor!: ReturnType<typeof defineNodeActor>;

  shards!: Shards;
  /** How it shares a database with others; undefined: it is alone on it. */
  readonly #sharing: PartOptions | undefined;
  readonly signals = new Signals();
  #leave: Leave = () => Promise.resolve();
  /** Removes database and directory: the first panel on them does. */
  #remove: Leave = () => Promise.resolve();

  private constructor(db: Database, url: string, directory: string, sharing: PartOptions | undefined) {
    this.db = { ...db, url };
    this.directory = directory;
    this.#sharing = sharing;
  }

  /** A panel alone on its database, with agents. */
  static open(dialect: Dialect): Promise<PanelSide> {
    return PanelSide.#first(dialect, undefined);
  }

  /** The first of several panels on a database, with agents; see `beside`. */
  static openShared(sharing: PartOptions = {}): Promise<PanelSide> {
    return PanelSide.#first("postgresql", { times: QUICK, beatMs: 300, deadAfterMs: 1200, ...sharing });
  }

  /** A further panel on the database of this one, with the same agents. */
  async beside(sharing: PartOptions = {}): Promise<PanelSide> {
    const db = await connectTestDatabase(this.db.url, entities, Date.now, PANEL.echo, PANEL.consequences);
    const side = new PanelSide(db, this.db.url, this.directory, { ...this.#sharing, ...sharing });
    side.agents = this.agents;
    for (const [id, template] of this.templates) side.templates.set(id, template);
    await side.startPanel();
    return side;
  }

  static async #first(dialect: Dialect, sharing: PartOptions | undefined): Promise<PanelSide> {
    const directory = await mkdtemp(join(tmpdir(), "signalbox-fleet-"));
    const { url, drop } = await createTestDatabase(dialect, entities);
    const side = new PanelSide(
      await connectTestDatabase(url, entities, Date.now, PANEL.echo, PANEL.consequences),
      url,
      directory,
      sharing,
    );
    side.#remove = async () => {
      await side.agents.stop();
      await drop();
      await rm(directory, { recursive: true, force: true });
    };
    side.db.commits.onCommit(({ facts }) => side.events.push(...facts.of(EVENT)));
    await side.db.commits.submit({
      name: "template",
      locks: [],
      decide(draft) {
        for (let i = 0; i < 3; i++) {
          const id = draft.nextId("templates");
          const lists = { inboundIds: [], outboundIds: [], endpointIds: [], ruleSetIds: [] };
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
        }
      },
    });
    await side.startPanel();
    await side.startAgents(1);
    return side;
  }

  /** A panel start: everything in memory is new. */
  async startPanel(): Promise<void> {
    const { commits, reads } = this.db;
    const identity = await loadLinkIdentity(reads, commits, new Uint8Array(32), Date.now());
    const { shards, processes, follower } = await this.#join();
    this.shards = shards;
    this.#leave = async () => {
      await processes?.stop();
      await follower?.stop();
    };
    await writeFile(join(this.directory, "trust.pem"), identity.certificate);
    this.fleet = new Fleet({
      commits,
      reads,
      clock: systemClock,
      random: Math.random,
      identity,
      version: "test",
      shared: this.#sharing !== undefined,
      token: (nodeId) => shards.token(nodeId),
      caughtUp: () => follower?.caughtUp(),
      recordTraffic: () => [],
      accounts: servedAccounts,
      template: async (id) => this.templates.get(id),
      templateTables: [TemplateRows.name],
      outbox: new Outbox({ record: () => {} }),
      maxNodeGbps: this.maxNodeGbps,
      signals: this.signals,
      log: () => {},
    });
    this.supervisor = new Supervisor({
      commits,
      reads,
      clock: systemClock,
      deliveries: { record: () => {} },
      shards,
      ...(processes && { processes }),
      onError: (error, about) => {
        throw new Error(about, { cause: error });
      },
    });
    this.nodeActor = defineNodeActor({ timeZone: () => "UTC", link: this.fleet.startLink, turn: this.fleet.startTurn });
    this.supervisor.register(this.userActor);
    this.supervisor.register(this.nodeActor);
    await this.supervisor.start();
  }

  async #join() {
    if (!this.#sharing) return { shards: soleShards(this.db), processes: undefined, follower: undefined };
    return { ...(await joinShards(this.db, this.#sharing)), follower: await follow(this.db) };
  }

  async stopPanel(): Promise<void> {
    await this.supervisor.drain();
    await this.fleet.stop();
    await this.#leave();
  }

  /** `seed` decides the agents' key. */
  async startAgents(seed: number, port = 0): Promise<void> {
    this.agents = await startFleet({
      host: "0.0.0.0",
      port,
      trustFile: join(this.directory, "trust.pem"),
      activeShare: 1,
      rate: 1000,
      seed,
      log: pino({ level: "silent" }),
      tickMs: 200,
      reportPath: join(this.directory, "report.json"),
    });
  }

  async addNode(address: string, more: Partial<NodeRow> = {}): Promise<number> {
    const body = { name: address, address, port: this.agents.port, templateId: 1, ...more } as never;
    const { row } = await this.db.commits.submit({
      name: "node",
      locks: [],
      decide: (draft) =>
        createNode(
          draft,
          { supervisor: this.supervisor, actor: this.nodeActor, claimTemplate, privateTargets: "block" },
          body,
          origin,
        ),
    });
    return row.id;
  }

  async addUser(more: Partial<UserRow> = {}): Promise<number> {
    return this.db.commits.submit({
      name: "user",
      locks: [],
      decide: (draft) => {
        const id = draft.nextId("users");
        const counters = {
          adminId: 0,
          up: 0,
          down: 0,
          totalUp: 0,
          totalDown: 0,
          upRest: 0,
          downRest: 0,
          onlineAt: 0,
          lastInboundId: 0,
          wakeAt: null,
          movedAt: 0,
          setAt: 0,
        };
        draft.insert(UserUsageRows, { id, ...counters });
        const config = {
          uuid: `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`,
          password: `p${id}`,
          ss16: "",
          ss32: "",
        };
        const row = {
          id,
          name: `user ${id}`,
          enable: true,
          disabledReason: "",
          config,
          description: "",
          contact: null,
          contactText: "",
          subToken: `t${id}`,
          subId: `s${id}`,
          externalId: null,
          remark: "",
          volume: 0,
          speedLimit: 0,
          ipLimit: 0,
          deviceLimit: 0,
          expiry: 0,
          duration: 0,
          activatedAt: 0,
          armedTotal: 0,
          subFetchedAt: 0,
          subSeenAt: 0,
          subClient: "",
          subFetchIp: "",
          autoReset: false,
          resetDays: 0,
          resetPeriod: "",
          resetStartDay: 0,
          resetStartMonth: 0,
          resetCalendar: "",
          nextReset: 0,
          term: 0,
          groupLabel: "",
          adminId: 0,
          allTemplates: true,
          templateIds: [],
          inboundIds: null,
          createdAt: draft.time,
          updatedAt: draft.time,
          ...more,
        };
        this.supervisor.create(draft, this.userActor, row, origin);
        return id;
      },
    });
  }

  /** Changes an account's columns, as its routes do. */
  async editUser(id: number, patch: Partial<UserRow>, event: { type: string } = { type: "edited" }): Promise<void> {
    await this.db.commits.submit({
      name: "edit",
      locks: [lock(UserRows, id), lock(UserUsageRows, id)],
      decide: (draft) => {
        draft.update(UserRows, id, patch);
        this.supervisor.step(draft, this.userActor, id, event, origin);
      },
    });
  }

  async editNode(id: number, patch: Partial<NodeRow>, event: { type: string } = { type: "edited" }): Promise<void> {
    await this.db.commits.submit({
      name: "edit",
      locks: nodeLock(id),
      decide: (draft) => {
        draft.update(NodeRows, id, patch);
        this.supervisor.step(draft, this.nodeActor, id, event, origin);
      },
    });
  }

  async node(id: number): Promise<NodeRow> {
    const row = await this.db.reads.find(NodeRows, id);
    if (!row) throw new Error(`no node ${id}`);
    return row;
  }

  async user(id: number) {
    const [row, usage] = await Promise.all([this.db.reads.find(UserRows, id), this.db.reads.find(UserUsageRows, id)]);
    if (!row || !usage) throw new Error(`no user ${id}`);
    return { ...row, ...usage };
  }

  reaches(id: number, state: string, ms?: number): Promise<NodeRow> {
    return until(async () => {
      const row = await this.node(id);
      return row.mstate === state && row;
    }, ms);
  }

  /** What the node should run, as this panel sees it. */
  desired(id: number): Promise<DesiredNode> {
    return new Structures(this.db.reads, async (templateId) => this.templates.get(templateId)).of(id);
  }

  /** The digest of users that a node's agent runs, asked of the agent itself. */
  async agentUsers(id: number): Promise<string[] | undefined> {
    return (await this.fleet.link(id)?.peer?.call("state.digests", {}))?.buckets;
  }

  /** The same over a read-only link of its own, whether or not the panel holds one. */
  async askAgent(address: string): Promise<string[]> {
    const identity = await loadLinkIdentity(this.db.reads, this.db.commits, new Uint8Array(32), Date.now());
    const { socket } = await dialAgent(identity, { address, port: this.agents.port }, "", new AbortController().signal);
    const peer = createPeer({
      socket,
      handles: agentMethods,
      handlers: { heartbeat: () => null, usage: () => ({ acknowledged: 0 }) },
      timeoutMs: 5000,
    });
    try {
      await peer.call("hello", {
        protocol: PROTOCOL_VERSION,
        panelVersion: "test",
        nodeId: 1,
        fence: 0,
        readOnly: true,
      });
      return (await peer.call("state.digests", {})).buckets;
    } finally {
      peer.close();
    }
  }

  async dispose(): Promise<void> {
    await this.stopPanel();
    await this.db.close();
    await this.#remove();
  }
}
