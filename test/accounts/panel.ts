// A panel with pool and accounts over the real server, supervisor and database; callers, nodes, settings and time are
// set by the test.
import { randomUUID } from "node:crypto";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import pino from "pino";
import { UserRows } from "../../src/accounts/index.ts";
import {
  accountsRoutes,
  carryOutDepartures,
  inboundLeaves,
  CredentialEntry,
  CredentialKeys,
  defineResellerActor,
  defineUserActor,
  EntryWalk,
  enterTexts,
  Follower,
  Resellers,
  TextIndexing,
  thresholdsFrom,
  USER_COLUMNS,
  UserSearch,
  UserTextEntryRows,
  UserUsageRows,
  type ResellerActor,
  type Owners,
  type UserActor,
} from "../../src/accounts/testing.ts";
import {
  subscriptionPlugin,
  subscriptionsRoutes,
  type EntryNode,
  type NodeStanding,
  type Subscriptions,
} from "../../src/subscriptions/testing.ts";
import { DeviceHandles } from "../../src/accounts/devices/device-handles.ts";
import { UserSummaries } from "../../src/accounts/users/user-summary.ts";
import { Facts, sql, type Dialect } from "../../src/db/index.ts";
import { createApi, Door, SCOPES, type Api, type AuditRecord, type Caller, type Scope } from "../../src/http/index.ts";
import { AddressLimit } from "../../src/http/limits/limits.ts";
import { parseAddressList } from "../../src/lib/addresses.ts";
import { ManualClock } from "../../src/lib/clock.ts";
import { poolRoutes } from "../../src/pool/routes.ts";
import { DUE, EventRows, Supervisor } from "../../src/runtime/index.ts";
import { soleShards } from "../runtime/sole-shards.ts";
import { PANEL } from "../../src/panel/features.ts";
import { openTestDatabase, type TestDatabase } from "../database.ts";

/** 2026-03-10 12:00:00 UTC. */
export const START = Date.UTC(2026, 2, 10, 12) / 1000;
export const DAY = 86_400;

const root: Caller = {
  via: "token",
  adminId: 1,
  username: "root",
  role: "sudo",
  base: "sudo",
  owner: false,
  scopes: new Set(SCOPES),
  sessionId: 0,
  tokenId: 1,
  rateLimit: 1_000_000,
  twoFactor: false,
  confirmedUntil: 0,
  expired: false,
};

export interface Answer {
  readonly status: number;
  // Tests look into answers freely; their shapes are what is being tested.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** An answer as it came over a connection. */
export interface Asked {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export class TestPanel {
  readonly database: TestDatabase;
  readonly supervisor: Supervisor;
  readonly actor: UserActor;
  readonly resellerActor: ResellerActor;
  readonly resellers: Resellers;
  readonly follower: Follower;
  readonly clock: ManualClock;
  /** Proxies that are believed. */
  trustedProxies = parseAddressList("");
  readonly settings = new Map<string, string>([
    ["web_domain", "panel.example"],
    ["sub_domain", ""],
    ["sub_basepath", "/sub"],
    ["timezone", "UTC"],
    // Tests of warnings set them.
    ["alert_user_volume_percent", "0"],
    ["alert_user_expiry_days", "0"],
  ]);
  /** Any owner will do, unless the test wants the real rules. */
  owners: Owners = { holds: () => true, admit: () => {}, left: () => {}, acts: () => {} };
  readonly audits: AuditRecord[] = [];
  readonly failures: unknown[] = [];
  /** Nodes as they serve any account. */
  readonly standings = new Map<number, NodeStanding>();
  readonly nodeTemplates = new Map<number, number>();
  readonly nodeNames = new Map<number, string[]>();
  readonly credentialKeys = new CredentialKeys(new Uint8Array(32).fill(7));
  credentialEntry: CredentialEntry;
  textEntry: EntryWalk;
  readonly #callers = new Map<string, Caller>([["root", root]]);
  /** Nodes that serve, as the fleet would give them: set a new array to change them. */
  entryNodes: readonly EntryNode[] = [];
  #subscriptions: Subscriptions | undefined;
  #api: Api | undefined;
  #door: Promise<Door> | undefined;
  /** Requests that were answered before the framework saw them. */
  shortened = 0;
  /** False: the framework sees all of them. */
  shortens = true;
  readonly #basePath: string;

  private constructor(database: TestDatabase, clock: ManualClock, basePath: string) {
    this.#basePath = basePath;
    this.database = database;
    this.clock = clock;
    const { commits, reads } = database;
    this.supervisor = new Supervisor({
      commits,
      reads,
      clock,
      deliveries: { record: () => {} },
      shards: soleShards(database, () => clock.now()),
      onError: (error) => this.failures.push(error),
    });
    this.credentialEntry = this.newCredentialEntry();
    this.textEntry = this.newTextEntry();
    this.actor = defineUserActor(
      () => this.settings.get("timezone") ?? "",
      thresholdsFrom((key) => this.settings.get(key) ?? ""),
    );
    this.supervisor.register(this.actor);
    this.resellerActor = defineResellerActor({
      timeZone: () => this.settings.get("timezone") ?? "",
      follow: (start) => this.follower.follow(start),
    });
    this.supervisor.register(this.resellerActor);
    this.resellers = new Resellers(commits, reads);
    this.resellers.open(this.supervisor, this.resellerActor, this.supervisor.outbox);
    this.follower = new Follower({
      commits,
      reads,
      supervisor: this.supervisor,
      user: this.actor,
      reseller: this.resellerActor,
      onError: (error) => this.failures.push(error),
    });
  }

  /** `few`: how many accounts a search may look at one by one. `basePath`: of everything but subscriptions. */
  static async open(dialect: Dialect, owners?: Owners, few?: number, basePath = ""): Promise<TestPanel> {
    const clock = new ManualClock(START * 1000);
    const database = await openTestDatabase(dialect, PANEL.entities, () => clock.now(), PANEL.consequences);
    const panel = new TestPanel(database, clock, basePath);
    // As at the start of a panel that has no accounts.
    await panel.textEntry.step();
    if (owners) panel.owners = owners;
    await panel.#serve(few);
    return panel;
  }

  /** The places of devices, as subscriptions give them. */
  subscriptionPlaces(): Subscriptions["places"] {
    if (!this.#subscriptions) throw new Error("nothing is served yet");
    return this.#subscriptions.places;
  }

  async #serve(few: number | undefined): Promise<void> {
    const { commits, reads } = this.database;
    const settings = { get: (key: string) => this.settings.get(key) ?? "" };
    const now = () => Math.floor(this.clock.now() / 1000);
    const deviceHandles = new DeviceHandles(new Uint8Array(32).fill(7));
    const subscriptions = subscriptionPlugin({
      commits,
      reads,
      clock: this.clock,
      outbox: this.supervisor.outbox,
      settings,
      publicAddress: () => ({ listener: { scheme: "https", port: 443, hidden: false } }),
      deviceHandles,
      entryNodes: () => this.entryNodes,
      certificateOf: () => undefined,
      limit: new AddressLimit(120, () => this.clock.now()),
      onError: (error) => this.failures.push(error),
    });
    this.#subscriptions = subscriptions;
    this.#api = await createApi({
      routes: [
        ...poolRoutes({
          reads,
          certificateExists: () => false,
          nodesRouting: async () => [],
          privateTargets: "block",
          nodesOn: async (ids) => ids.flatMap((id) => (this.nodeNames.get(id) ?? []).map((name) => ({ id, name }))),
          membersOf: async () => 0,
          carryOutDepartures: () => carryOutDepartures(commits, reads, now),
          inboundLeaves: (draft, inboundId) => inboundLeaves(draft, reads, inboundId),
        }),
        ...accountsRoutes({
          supervisor: this.supervisor,
          actor: this.actor,
          owners: this.owners,
          credentialKeys: this.credentialKeys,
          credentialEntry: { unentered: (...asked) => this.credentialEntry.unentered(...asked) },
          search: new UserSearch({
            reads,
            keys: this.credentialKeys,
            entry: { upTo: () => this.textEntry.upTo() },
            credentialEntry: { upTo: () => this.credentialEntry.upTo() },
            columns: USER_COLUMNS,
            ...(few !== undefined && { few }),
          }),
          summaries: new UserSummaries(reads, () => this.clock.now(), this.database.commits),
          timeZone: () => settings.get("timezone"),
          keptDays: () => Number(settings.get("deleted_retention_days") || 7),
          settings,
          publicAddress: () => ({ listener: { scheme: "https", port: 443, hidden: false } }),
          reads,
          nodeTemplate: async (id) => this.nodeTemplates.get(id),
          now,
        }),
        ...subscriptionsRoutes({
          reads,
          settings,
          publicAddress: () => ({ listener: { scheme: "https", port: 443, hidden: false } }),
          served: subscriptions.served,
          places: subscriptions.places,
          deviceHandles,
          nodeStandings: async (ids) => new Map([...this.standings].filter(([id]) => ids.includes(id))),
          now,
        }),
      ],
      ports: {
        authenticate: async ({ value }) => this.#callers.get(value),
        audit: (_draft, record) => this.audits.push(record),
        admitDuringSetup: async () => {},
      },
      options: {
        commits,
        reads,
        ping: () => this.database.store.ping(),
        now: () => this.clock.now(),
        log: pino({ level: "silent" }),
        secretKey: new Uint8Array(32).fill(7),
        boot: randomUUID(),
        basePath: this.#basePath,
        trustedProxies: () => this.trustedProxies,
        version: "0.0.0-test",
      },
    });
    const { shortcut } = subscriptions;
    this.#api.mount({
      register: (app) => subscriptions.register(app),
      owns: (method, url) => subscriptions.owns(method, url),
      shortcut: {
        takes: (url) => this.shortens && shortcut.takes(url),
        answer: (request) => {
          const answer = shortcut.answer(request);
          if (answer !== undefined) this.shortened++;
          return answer;
        },
      },
    });
  }

  /** Writes what subscriptions keep in memory. */
  async flushFetches(): Promise<void> {
    this.clock.advance(5000);
    await this.#subscriptions?.stop();
  }

  get api(): Api {
    if (!this.#api) throw new Error("the panel does not serve yet");
    return this.#api;
  }

  /** Makes a token of a reseller. With a budget it has one of its own. */
  reseller(token: string, adminId: number, scopes = root.scopes, rateLimit?: number): void {
    this.#callers.set(token, {
      ...root,
      scopes,
      ...(rateLimit !== undefined && { rateLimit }),
      base: "resale",
      role: "resale",
      adminId,
      tokenId: rateLimit === undefined ? adminId : 10_000 + this.#callers.size,
      username: token,
    });
  }

  /** As a panel has it that begins. */
  newCredentialEntry(): CredentialEntry {
    const { commits, reads } = this.database;
    return new CredentialEntry({
      commits,
      reads,
      keys: this.credentialKeys,
      onError: (error) => this.failures.push(error),
    });
  }

  /** As a panel has it that begins. */
  newTextEntry(): EntryWalk {
    const { commits, reads } = this.database;
    return new EntryWalk({
      commits,
      reads,
      name: "texts.enter",
      mark: UserTextEntryRows,
      enter: enterTexts,
      onError: (error) => this.failures.push(error),
    });
  }

  /** Indexes all texts that wait. */
  async indexTexts(): Promise<void> {
    const { commits, reads } = this.database;
    const onError = (error: unknown) => this.failures.push(error);
    const indexing = new TextIndexing({ commits, reads, clock: this.clock, holds: () => true, onError });
    while ((await indexing.step()).waiting > 0);
  }

  /** Makes a session of the account of that number. */
  session(token: string, adminId: number): void {
    this.#callers.set(token, { ...root, via: "session", adminId, tokenId: 0, rateLimit: 0, username: token });
  }

  /** Makes a token with a budget. */
  token(token: string, tokenId: number, rateLimit: number): void {
    this.#callers.set(token, { ...root, tokenId, rateLimit, username: token });
  }

  /** Makes a token of a main admin that reaches these scopes alone. */
  narrowed(token: string, scopes: readonly Scope[]): void {
    this.#callers.set(token, { ...root, scopes: new Set(scopes) });
  }

  /**
   * As a client asks: over a connection from a loopback address, with these headers alone. `inject` asks the framework
   * instead, past the listener.
   */
  async ask(path: string, headers: Record<string, string>, method = "GET", from = "127.0.0.1"): Promise<Asked> {
    const { port } = await (this.#door ??= this.#opened());
    const target = { host: "127.0.0.1", port, localAddress: from, path, method, headers, agent: false };
    return new Promise((resolve, reject) => {
      const asking = httpRequest(target, (answered) => {
        let body = "";
        answered.setEncoding("utf8").on("data", (part: string) => (body += part));
        answered.on("end", () => resolve({ statusCode: answered.statusCode ?? 0, headers: answered.headers, body }));
      });
      asking.on("error", reject).end();
    });
  }

  /**
   * Sends bytes over a connection from a loopback address; all that comes until the panel ends it, one character for
   * each byte.
   */
  async send(bytes: string, from = "127.0.0.1"): Promise<string> {
    const { port } = await (this.#door ??= this.#opened());
    return new Promise((resolve, reject) => {
      let answer = "";
      const socket = connect({ host: "127.0.0.1", port: port ?? 0, localAddress: from });
      socket.setEncoding("latin1").on("data", (part: string) => (answer += part));
      // The panel may close on what it refuses before it has read all of it.
      socket.on("error", (error) => (answer === "" ? reject(error) : resolve(answer)));
      socket.on("close", () => resolve(answer));
      // Not ended: a server gives up on what a client that is gone has asked for.
      socket.write(bytes, "latin1");
    });
  }

  async #opened(): Promise<Door> {
    await this.api.app.ready();
    const door = new Door();
    await door.open({ host: "127.0.0.1", port: 0, basePath: "", tls: undefined }, this.api.app.server);
    return door;
  }

  async call(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: unknown,
    token = "root",
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await this.api.app.inject({
      method,
      url: `${this.#basePath}/api/v1${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return { status: response.statusCode, body: response.json(), headers: response.headers };
  }

  /** A call that must succeed; its body. */
  async ok(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<Answer["body"]> {
    const answer = await this.call(method, path, body, token);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /**
   * Traffic as the fleet counts it: the counters, and the mark at accounts whose actor must look, in one transaction.
   */
  async traffic(id: number, up: number, down: number): Promise<void> {
    const { commits, reads } = this.database;
    const at = this.clock.now();
    const timer = `user:${id}:due`;
    await commits.execute({
      name: "test.usage",
      statements: [
        reads.statement(
          "counters",
          sql`update user_usage set up = up + ${up}, down = down + ${down}, total_up = total_up + ${up}, total_down = total_down + ${down},
            online_at = ${Math.floor(at / 1000)} where id = ${id}`,
        ),
        reads.statement(
          "moves",
          sql`insert into usage_moves (moved_at, size, users) values (${at * 1000}, 1, ${String(id)})`,
        ),
        reads.statement(
          "mark",
          sql`insert into timers (id, kind, actor_id, name, event, due_at) select ${timer}, 'user', g.id, 'due', 'due', ${at} from user_usage g
            where g.id = ${id} and g.wake_at is not null and g.up + g.down >= g.wake_at
            on conflict (id) do update set due_at = case when timers.due_at < excluded.due_at then timers.due_at else excluded.due_at end`,
        ),
      ],
      facts: new Facts().add(DUE, true),
    });
  }

  /** Moves time forward by seconds. */
  async advance(seconds: number): Promise<void> {
    this.clock.advance(seconds * 1000);
    this.supervisor.pokeTimers();
  }

  /** Resolves with the account once `condition` holds for it. */
  async until(id: number, condition: (user: Answer["body"]) => boolean): Promise<Answer["body"]> {
    for (let tries = 0; tries < 400; tries++) {
      const user = await this.ok("GET", `/users/${id}`);
      if (condition(user)) return user;
      // Time stands still here, so the poll that finds what a running step overtook must be asked for.
      this.supervisor.pokeTimers();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`user ${id} did not get there: ${JSON.stringify(await this.ok("GET", `/users/${id}`))}`);
  }

  /** Names of the events about an account, in order. */
  async events(id: number): Promise<string[]> {
    const rows = await this.database.reads.rows(
      EventRows,
      sql`select * from events where subject = ${`user:${id}`} order by id`,
    );
    return rows.map((row) => row.event);
  }

  async rows(id: number) {
    const { reads } = this.database;
    return { user: await reads.find(UserRows, id), usage: await reads.find(UserUsageRows, id) };
  }

  async dispose(): Promise<void> {
    await (await this.#door)?.close();
    await this.#subscriptions?.stop();
    await this.supervisor.drain(0);
    await this.follower.stopped();
    await this.api.close();
    await this.database.dispose();
  }
}
