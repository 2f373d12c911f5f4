// A panel with access and settings for tests: the real server, a real database, events recorded.
import { randomUUID } from "node:crypto";
import pino, { type Logger } from "pino";
import {
  accessEntities,
  accessPorts,
  accessRoutes,
  openAccess,
  type Access,
  type AccessDeps,
} from "../../src/access/testing.ts";
import { sql, type Dialect } from "../../src/db/index.ts";
import { createApi, httpEntities, type Api, type Route } from "../../src/http/index.ts";
import { openOutgoing } from "../../src/outgoing/index.ts";
import { EventRows, Outbox } from "../../src/runtime/index.ts";
import { Settings } from "../../src/system/index.ts";
import { settingsRoutes, systemEntities } from "../../src/system/testing.ts";
import { PANEL } from "../../src/panel/features.ts";
import { openTestDatabase, type TestDatabase } from "../database.ts";

export interface AccessPanel {
  readonly api: Api;
  readonly access: Access;
  readonly settings: Settings;
  readonly database: TestDatabase;
  readonly clock: { now: number };
  readonly restarts: number[];
  /** Sends a request; `as`: a cookie value or, beginning with `sbx_`, a token. */
  send(method: Method, url: string, options?: Send): Promise<Answer>;
  /** Events raised so far, oldest first. */
  events(): Promise<{ event: string; data: Record<string, unknown> }[]>;
  dispose(): Promise<void>;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Send {
  readonly as?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly ip?: string;
}

export interface Answer {
  readonly status: number;
  /** The JSON body; empty for any other. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly headers: Record<string, unknown>;
  readonly cookie: string | undefined;
}

export const PASSWORD = "correct horse";

export async function openAccessPanel(
  dialect: Dialect,
  more: {
    readonly ports?: Partial<AccessDeps["ports"]>;
    readonly routes?: readonly Route[];
    readonly listen?: string;
    readonly basePath?: string;
    readonly log?: Logger;
  } & Pick<AccessDeps, "identityProviders" | "pause"> = {},
): Promise<AccessPanel> {
  const clock = { now: Date.now() };
  const now = () => clock.now;
  const entities = [...accessEntities, ...systemEntities, ...httpEntities, EventRows];
  const database = await openTestDatabase(dialect, entities, now);
  const { commits, reads } = database;
  const secretKey = new Uint8Array(32).fill(3);
  const outbox = new Outbox({ record: () => {} });
  const { basePath = "", log = pino({ level: "silent" }), identityProviders = {}, pause } = more;
  const settings = await Settings.open({ commits, reads, secretKey, entries: PANEL.settings });
  const restarts: number[] = [];
  const ports = { restart: () => void restarts.push(clock.now), ...more.ports };
  const env = { setupToken: "the-setup-token-of-the-tests", listen: more.listen };
  const boot = randomUUID();
  const { fetch } = openOutgoing();
  const access = await openAccess({
    commits,
    reads,
    outbox,
    settings,
    secretKey,
    privatePlaces: [],
    now,
    log,
    fetch,
    boot,
    env,
    ports,
    identityProviders,
    ...(pause && { pause }),
  });
  const api = await createApi({
    routes: [
      ...accessRoutes(access),
      ...settingsRoutes({ settings, outbox, secretKey, privatePlaces: [], fetch }),
      ...(more.routes ?? []),
    ],
    ports: accessPorts(access),
    options: {
      commits,
      reads,
      ping: () => database.store.ping(),
      now,
      log,
      secretKey,
      boot,
      basePath,
      trustedProxies: () => settings.addresses("trusted_proxies"),
      version: "0.0.0-test",
    },
  });
  return {
    api,
    access,
    settings,
    database,
    clock,
    restarts,
    send: async (method, url, { as, body, headers = {}, ip = "192.0.2.1" } = {}) => {
      const credential =
        as === undefined
          ? {}
          : as.startsWith("sbx_")
            ? { authorization: `Bearer ${as}` }
            : { cookie: `panel_session=${as}` };
      const response = await api.app.inject({
        method,
        url,
        remoteAddress: ip,
        headers: { ...credential, ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      return {
        status: response.statusCode,
        body: String(response.headers["content-type"]).startsWith("application/json")
          ? response.json<Record<string, unknown>>()
          : {},
        text: response.body,
        headers: response.headers,
        cookie: response.cookies.find((each) => each.name === "panel_session")?.value,
      };
    },
    events: async () => {
      const rows = await reads.rows(EventRows, sql`select * from events order by id`);
      return rows.map(({ event, data }) => ({ event, data: JSON.parse(data) as Record<string, unknown> }));
    },
    dispose: async () => {
      await api.close();
      await access.close();
      settings.close();
      await database.dispose();
    },
  };
}

/** Finishes setup as `root` and signs in; resolves to the session. */
export async function setUp(panel: AccessPanel): Promise<string> {
  const settings = { web_tls_mode: "none" };
  const answer = await panel.send("POST", "/api/setup?t=the-setup-token-of-the-tests", {
    body: { username: "root", password: PASSWORD, settings },
  });
  if (answer.status !== 200) throw new Error(`setup: ${answer.text}`);
  return signIn(panel, "root");
}

/** Signs in and resolves to the session. */
export async function signIn(panel: AccessPanel, username: string, options: Send = {}): Promise<string> {
  const answer = await panel.send("POST", "/api/login", { body: { username, password: PASSWORD }, ...options });
  if (answer.status !== 200 || answer.cookie === undefined) throw new Error(`login: ${answer.text}`);
  return answer.cookie;
}
