// The routes of events over the real server: callers are named by their bearer token.
import { randomUUID } from "node:crypto";
import pino from "pino";
import { createApi, scopeClosure, SCOPES, type Api, type AuditRecord, type Caller } from "../../src/http/index.ts";
import type { Database } from "../../src/db/index.ts";
import { parseAddressList } from "../../src/lib/addresses.ts";
import { ADMIN, key, OWNER, RESELLER, type Panel } from "./panel.ts";

const owner: Caller = {
  via: "token",
  adminId: OWNER,
  username: "root",
  role: "sudo",
  base: "sudo",
  owner: false,
  scopes: new Set(SCOPES),
  sessionId: 0,
  tokenId: 1,
  rateLimit: 100_000,
  twoFactor: false,
  confirmedUntil: 0,
  expired: false,
};
const hooks = ["webhooks:write"];
const callers = new Map<string, Caller>([
  ["root", owner],
  [
    "admin",
    {
      ...owner,
      adminId: ADMIN,
      username: "admin",
      base: "admin",
      scopes: scopeClosure([...hooks, "nodes:read"]),
      tokenId: 2,
    },
  ],
  [
    "reseller",
    {
      ...owner,
      adminId: RESELLER,
      username: "shop",
      base: "resale",
      scopes: scopeClosure([...hooks, "users:read"]),
      tokenId: 3,
    },
  ],
  // The main admin's own account by a token that reaches little of it.
  ["narrow", { ...owner, scopes: scopeClosure(hooks), tokenId: 5 }],
  ["reader", { ...owner, scopes: scopeClosure(["webhooks:read"]), tokenId: 4 }],
]);

export interface EventsApi {
  readonly api: Api;
  readonly audits: AuditRecord[];
  call(
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    body?: unknown,
    as?: string,
  ): Promise<{ status: number; body: unknown; text: string }>;
  close(): Promise<void>;
}

interface ApiGround {
  readonly database: Pick<Database, "commits" | "reads" | "store">;
  readonly clock: Pick<Panel["clock"], "now">;
}

export async function openApi(panel: Pick<Panel, "events"> & ApiGround): Promise<EventsApi> {
  const audits: AuditRecord[] = [];
  const { commits, reads, store } = panel.database;
  const api = await createApi({
    routes: panel.events.routes,
    sockets: panel.events.sockets,
    ports: {
      authenticate: async ({ value }) => callers.get(value),
      audit: (_draft, record) => void audits.push(record),
      admitDuringSetup: async () => {},
    },
    options: {
      commits,
      reads,
      ping: () => store.ping(),
      now: panel.clock.now,
      log: pino({ level: "silent" }),
      secretKey: key,
      boot: randomUUID(),
      basePath: "",
      trustedProxies: () => parseAddressList(""),
      version: "0.0.0-test",
    },
  });
  return {
    api,
    audits,
    call: async (method, path, body, as = "root") => {
      const headers = {
        authorization: `Bearer ${as}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      };
      const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
      const response = await api.app.inject({ method, url: `/api/v1${path}`, headers, ...payload });
      return { status: response.statusCode, body: response.json<unknown>(), text: response.payload };
    },
    close: () => api.close(),
  };
}
