// A small panel for tests of the shared rules: notes that are created, listed and read, over the real server and a real
// database.
import { randomUUID } from "node:crypto";
import { defineEntity, p } from "@mikro-orm/core";
import pino, { type Logger } from "pino";
import { z } from "zod";
import { entity, lock, Processes, type Dialect } from "../../src/db/index.ts";
import {
  createApi,
  httpEntities,
  idParams,
  line,
  listRoute,
  notFound,
  okAnswer,
  pageOf,
  Refusal,
  route,
  count,
  socket,
} from "../../src/http/index.ts";
import type { Api, AuditRecord, Caller, Route, Scope, Socket, WebsiteFolder } from "../../src/http/index.ts";
import { scopeClosure, SCOPES } from "../../src/http/index.ts";
import { parseAddressList } from "../../src/lib/addresses.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openTestDatabase, type TestDatabase } from "../database.ts";

export const NoteRows = entity(
  defineEntity({
    name: "Note",
    tableName: "notes",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      title: p.text().unique(),
      size: p.bigint("number"),
      updatedAt: p.bigint("number"),
    },
  }),
);

const Note = z.object({ id: z.int(), title: z.string(), size: z.int() }).meta({ id: "TestNote" });
const NoteBody = z.object({
  title: line(40).min(1),
  size: count.default(0),
  slow: z.boolean().optional(),
  broken: z.string().optional(),
});

export interface TestPanel {
  readonly api: Api;
  readonly database: TestDatabase;
  readonly audits: AuditRecord[];
  /** Defects that were reported. */
  readonly crashes: unknown[];
  /** Adds a caller under a bearer token or, with via session, a cookie value. */
  caller(value: string, caller: Partial<Caller>): void;
  clock: { now: number };
  /** Slow handlers that wait now. */
  waiting(): number;
  /** Lets slow handlers go on. */
  release(): void;
  /** Times that the create handler's change was decided and committed. */
  readonly handled: string[];
  dispose(): Promise<void>;
}

const admin: Caller = {
  via: "token",
  adminId: 1,
  username: "root",
  role: "sudo",
  base: "sudo",
  owner: false,
  scopes: new Set(SCOPES),
  sessionId: 0,
  tokenId: 1,
  rateLimit: 120,
  twoFactor: false,
  confirmedUntil: 0,
  expired: false,
};

export function scopes(...granted: Scope[]): ReadonlySet<Scope> {
  return scopeClosure(granted);
}

export async function openPanel(
  dialect: Dialect,
  more: {
    routes?: readonly Route[];
    sockets?: readonly Socket[];
    basePath?: string;
    pending?: boolean;
    log?: Logger;
    caughtUp?: () => Promise<void>;
    website?: WebsiteFolder;
  } = {},
): Promise<TestPanel> {
  const clock = { now: Date.now() };
  const database = await openTestDatabase(dialect, [NoteRows, ...httpEntities], () => clock.now);
  const callers = new Map<string, Caller>();
  const audits: AuditRecord[] = [];
  const crashes: unknown[] = [];
  const handled: string[] = [];
  let waiting: (() => void)[] = [];
  const { reads, commits } = database;
  const boot = randomUUID();
  const fail = (error: unknown) => {
    throw error;
  };
  const processes =
    dialect === "postgresql" ? new Processes({ commits, reads, clock: systemClock, boot, onError: fail }) : undefined;
  await processes?.start();
  const routes: Route[] = [
    listRoute({
      path: "/notes",
      scope: "users:read",
      summary: "Notes",
      item: Note,
      list: {
        q: ["title"],
        updatedAt: "updated_at",
        order: "id",
        sorts: { id: "id", size: { by: "size", emptyWhen: "size = 0" } },
      },
      handle: ({ list }) => pageOf(reads, NoteRows, list),
    }),
    route({
      method: "POST",
      path: "/notes",
      scope: "users:write",
      summary: "Create a note",
      body: NoteBody,
      answer: Note.extend({ error: z.string().optional() }),
      audit: { key: "notes", action: "create" },
      handle: async ({ body, commit }) => {
        if (body.slow) await new Promise<void>((resolve) => waiting.push(resolve));
        handled.push(body.title);
        return commit({
          locks: [],
          decide(draft) {
            const row = { id: draft.nextId("notes"), title: body.title, size: body.size, updatedAt: draft.time };
            draft.insert(NoteRows, row);
            return {
              answer: { ...row, ...(body.broken === undefined ? {} : { error: body.broken }) },
              audit: { entityId: row.id, after: row },
            };
          },
        });
      },
    }),
    route({
      method: "GET",
      path: "/notes/{id}",
      scope: "users:read",
      summary: "One note",
      params: idParams,
      answer: Note,
      handle: async ({ params }) => (await reads.find(NoteRows, params.id)) ?? notFound("note", params.id),
    }),
    route({
      method: "DELETE",
      path: "/notes/{id}",
      scope: "users:write",
      tiers: ["sudo"],
      sensitive: true,
      summary: "Delete a note",
      params: idParams,
      answer: okAnswer,
      audit: { key: "notes", action: "delete" },
      admit: async (_caller, { id }) => {
        if (!(await reads.find(NoteRows, id))) notFound("note", id);
      },
      handle: ({ params, commit }) =>
        commit({
          locks: [lock(NoteRows, params.id)],
          decide(draft) {
            const row = draft.find(NoteRows, params.id) ?? notFound("note", params.id);
            draft.delete(NoteRows, row.id);
            return { answer: { ok: true }, audit: { entityId: row.id, before: row } };
          },
        }),
    }),
    route({
      method: "POST",
      path: "/restart",
      scope: "-",
      summary: "Sessions only",
      answer: okAnswer,
      handle: () => {
        throw new Error("a defect with a secret in it");
      },
    }),
    ...(more.routes ?? []),
  ];
  const echo = socket({
    path: "/echo",
    scope: "stats:read",
    summary: "Echo",
    handle: (ws) => ws.on("message", (data) => ws.send(data)),
  });
  const api = await createApi({
    routes,
    sockets: [echo, ...(more.sockets ?? [])],
    ports: {
      authenticate: async ({ value }) => callers.get(value),
      audit: (_draft, record) => audits.push(record),
      crashed: (_request, error) => crashes.push(error),
      admitDuringSetup: async (token) => {
        if (more.pending && token !== "setup-token") throw new Refusal("not_found");
      },
    },
    options: {
      commits,
      reads,
      ping: () => database.store.ping(),
      now: () => clock.now,
      log: more.log ?? pino({ level: "silent" }),
      secretKey: new Uint8Array(32).fill(7),
      boot,
      ...(processes && { liveness: processes }),
      basePath: more.basePath ?? "",
      pending: more.pending ?? false,
      ...(more.website && { website: more.website }),
      ...(more.caughtUp && { caughtUp: more.caughtUp }),
      trustedProxies: () => parseAddressList("127.0.0.1"),
      version: "0.0.0-test",
    },
  });
  callers.set("root", admin);
  return {
    api,
    database,
    audits,
    crashes,
    handled,
    clock,
    caller: (value, caller) => callers.set(value, { ...admin, ...caller }),
    waiting: () => waiting.length,
    release: () => {
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    dispose: async () => {
      await api.close();
      await processes?.stop();
      await database.dispose();
    },
  };
}

/** A JSON request with the bearer token `root` unless said. */
export function request(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  url: string,
  payload?: unknown,
  headers: Record<string, string> = {},
) {
  return {
    method,
    url,
    headers: {
      authorization: "Bearer root",
      ...(payload === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(payload === undefined ? {} : { payload: typeof payload === "string" ? payload : JSON.stringify(payload) }),
  };
}
