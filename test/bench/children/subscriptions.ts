// Subscriptions of many accounts in a process of their own, as the panel serves them: behind its listener, with the
// limit of addresses and with records of the fetches. Beside them bare routes whose answers have the same size.
import { randomUUID } from "node:crypto";
import type { OutgoingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fastify } from "fastify";
import pino from "pino";
import { z } from "zod";
import { DeviceHandles } from "../../../src/accounts/devices/device-handles.ts";
import { inlineCertificate, subscriptionPlugin } from "../../../src/subscriptions/testing.ts";
import { sql, type Dialect } from "../../../src/db/index.ts";
import { AddressLimit, createApi, Door } from "../../../src/http/index.ts";
import { parseAddressList } from "../../../src/lib/addresses.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { TestPanel } from "../../accounts/panel.ts";
import { answerParent, portOf } from "../measure/child.ts";

const Asked = z.union([
  z.object({ users: z.int(), endpoints: z.int(), dialect: z.enum(["sqlite", "postgresql"]).default("sqlite") }),
  /** Edits an inbound so many times, every so many milliseconds. */
  z.object({ edits: z.int(), everyMs: z.int() }),
]);
const FORMATS = ["links", "clash", "singbox", "xray"] as const;

/** One address asks for all of them. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** What the copies of an account have of their own, by column. */
const OWN: Readonly<Record<string, string>> = {
  id: "n.n + 1000000",
  name: "'u' || n.n",
  sub_id: "'s' || n.n",
  sub_token: "'token' || n.n",
  // A first fetch is a commit of its own.
  sub_fetched_at: "1",
  sub_seen_at: "1",
};

async function copy(panel: TestPanel, table: string, id: number, count: number): Promise<void> {
  const { reads, commits } = panel.database;
  const columns = await reads.query<{ name: string }>(
    reads.dialect === "sqlite"
      ? sql`select name from pragma_table_info(${table})`
      : sql`select column_name as name from information_schema.columns where table_name = ${table}`,
  );
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const values = columns.map(({ name }) => OWN[name] ?? `t."${name}"`).join(", ");
  const text = `insert into ${table} (${names}) with recursive n(n) as (select 1 union all select n + 1 from n where n < ${count})
    select ${values} from ${table} t, n where t.id = ${id}`;
  await commits.execute({ name: "bench.copies", statements: [reads.statement("copies", sql.raw(text))] });
}

interface Sample {
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

let edit: (turn: number) => Promise<unknown> = async () => {};

answerParent(async (message: unknown) => {
  const asked = Asked.parse(message);
  if ("users" in asked) return serve(asked.users, asked.endpoints, asked.dialect);
  for (let turn = 0; turn < asked.edits; turn++) {
    await sleep(asked.everyMs);
    await edit(turn);
  }
  return { edited: asked.edits };
});

async function serve(users: number, endpoints: number, dialect: Dialect) {
  const panel = await TestPanel.open(dialect);
  const tls = { enabled: true, server_name: "a.test" };
  const kinds = [
    { type: "vless", config: { tls } },
    { type: "vless", config: { tls, transport: { type: "ws", path: "/w" } } },
    { type: "vmess", config: { tls, transport: { type: "grpc", service_name: "g" } } },
    { type: "trojan", config: { tls } },
    { type: "shadowsocks", config: { method: "aes-256-gcm" } },
    { type: "hysteria2", config: { tls } },
    { type: "tuic", config: { tls } },
    { type: "anytls", config: { tls } },
  ];
  const inboundIds: number[] = [];
  let firstBody: object = {};
  for (let index = 0; index < endpoints; index++) {
    const { type = "vless", config = {} } = kinds[index % kinds.length] ?? {};
    const body = { tag: `in-${index}`, type, config: { listen_port: 1000 + index, ...config } };
    if (index === 0) firstBody = body;
    inboundIds.push((await panel.ok("POST", "/inbounds", body)).id);
  }
  const { id: templateId } = await panel.ok("POST", "/templates", { name: "t", inboundIds });
  const { id, subId } = await panel.ok("POST", "/users", { name: "first" });
  await copy(panel, "users", id, users);
  await copy(panel, "user_usage", id, users);
  const nodes = [
    {
      id: 1,
      templateId,
      name: "de1",
      remark: "",
      address: "192.0.2.1",
      linkAddress: "",
      vision: true,
      multiplex: true,
    },
  ];
  const { commits, reads } = panel.database;
  const api = await createApi({
    routes: [],
    ports: { authenticate: async () => undefined, audit: () => {}, admitDuringSetup: async () => {} },
    options: {
      commits,
      reads,
      ping: async () => {},
      now: Date.now,
      log: pino({ level: "silent" }),
      secretKey: new Uint8Array(32),
      boot: randomUUID(),
      basePath: "",
      trustedProxies: () => parseAddressList(""),
      version: "bench",
    },
  });
  const subscriptions = subscriptionPlugin({
    commits,
    reads,
    clock: systemClock,
    outbox: panel.supervisor.outbox,
    settings: { get: (key) => panel.settings.get(key) ?? "" },
    publicAddress: () => ({ listener: { scheme: "https", port: 443, hidden: false } }),
    deviceHandles: new DeviceHandles(new Uint8Array(32)),
    entryNodes: () => nodes,
    certificateOf: inlineCertificate,
    limit: new AddressLimit(UNLIMITED, Date.now),
    onError: (error) => console.error(error),
  });
  api.mount(subscriptions);
  await api.app.ready();
  const door = new Door();
  await door.open({ host: "127.0.0.1", port: 0, basePath: "", tls: undefined }, api.app.server);
  // The same bytes as a subscription in that format, with its headers or without, and nothing to do for them.
  const samples = new Map<string, Sample>();
  const bare = fastify();
  bare.get<{ Params: { format: string } }>("/bare/:format/:id", async ({ params: { format } }, reply) =>
    reply.headers(samples.get(format)?.headers ?? {}).send(samples.get(format)?.body),
  );
  bare.get<{ Params: { format: string } }>("/body/:format/:id", async ({ params: { format } }, reply) =>
    reply.header("content-type", "text/plain").send(samples.get(format)?.body),
  );
  for (const format of FORMATS) {
    const { statusCode, headers, body } = await api.app.inject({ method: "GET", url: `/sub/${subId}/${format}` });
    if (statusCode !== 200) throw new Error(`the subscription answers ${statusCode}`);
    const { date: _date, connection: _connection, "content-length": _length, ...own } = headers;
    samples.set(format, { headers: own, body });
  }
  const [first] = inboundIds;
  edit = (turn) => panel.ok("PUT", `/inbounds/${first}`, { ...firstBody, remark: `edit ${turn}` });
  await bare.listen({ host: "127.0.0.1", port: 0 });
  return {
    port: door.port,
    barePort: portOf(bare.server),
    sizes: Object.fromEntries([...samples].map(([name, { body }]) => [name, body.length])),
  };
}
