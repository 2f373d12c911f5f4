// A node's address is dialled by the panel: an operator who may not install agents learns nothing of what is there.
import { once } from "node:events";
import { createServer as createHttp } from "node:http";
import { createServer as createTcp, type AddressInfo, type Server } from "node:net";
import { createServer as createTls } from "node:tls";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createServer as createHttps } from "node:https";
import { selfSigned } from "../certificate.ts";
import { quietPorts } from "../quiet-ports.ts";
import { ListeningPanel } from "../system/settings/panel.ts";

/** What every one of them is told of all of these. */
const UNTOLD = {
  code: "no_agent",
  values: [],
  detail: "nothing at the node's address answers as an agent of this panel",
};
const SCOPES = ["nodes:read", "nodes:write", "users:read", "stats:read"];

let panel: Caller;
let listening: ListeningPanel;
const servers: Server[] = [];
/** Kinds of places, each with a port of its own. */
const places = new Map<string, number>();
/** The nodes at the places. */
const ids = new Map<string, number>();

interface Asking {
  readonly as?: string;
  readonly body?: unknown;
}
type Caller = ReturnType<typeof callerOf>;

/** Calls of the main admin, and of tokens (`as`). */
function callerOf(asked: ListeningPanel) {
  const send = (method: string, path: string, { as, body }: Asking = {}) =>
    asked.ask(method, path, {
      ...(body === undefined ? {} : { body }),
      ...(as === undefined ? {} : { cookie: "", headers: { authorization: `Bearer ${as}` } }),
    });
  const token = async (scopes: readonly string[]): Promise<string> => {
    const { body } = await send("POST", "/api/v1/tokens", { body: { scopes, rateLimit: 100_000 } });
    return String(body["token"]);
  };
  return { send, token };
}

async function listen(kind: string, server: Server): Promise<void> {
  servers.push(server);
  server.on("connection", (socket) => socket.on("error", () => {}));
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  places.set(kind, (server.address() as AddressInfo).port);
}

beforeAll(async () => {
  listening = await ListeningPanel.open("sqlite", { web_tls_mode: "none" });
  panel = callerOf(listening);
  const { certificate: cert, key } = await selfSigned("localhost");
  const [closed = 0] = await quietPorts(1);
  places.set("closed", closed);
  await listen(
    "http",
    createHttp((_, response) => response.end("a site")),
  );
  await listen(
    "https",
    createHttps({ cert, key }, (_, response) => response.writeHead(418).end("a site")),
  );
  await listen(
    "tls that ends",
    createTls({ cert, key }, (socket) => socket.end()),
  );
  await listen(
    "tls of an older version",
    createTls({ cert, key, maxVersion: "TLSv1.2" }, (socket) => socket.end()),
  );
  await listen(
    "greets first",
    createTcp((socket) => socket.end("220 ready\r\n")),
  );
  await listen(
    "cuts",
    createTcp((socket) => socket.resetAndDestroy()),
  );
  for (const [kind, port] of places) {
    const body = { name: `at ${kind}`, address: "127.0.0.1", port, enabled: true };
    ids.set(kind, Number((await panel.send("POST", "/api/v1/nodes", { body })).body["id"]));
  }
  const named = { name: "by name", address: "no-such-name.invalid", port: 7443, enabled: true };
  ids.set("no such name", Number((await panel.send("POST", "/api/v1/nodes", { body: named })).body["id"]));
  for (const id of ids.values())
    await vi.waitFor(
      async () => expect((await panel.send("GET", `/api/v1/nodes/${id}`)).body["attempts"]).toBeGreaterThan(0),
      { timeout: 60_000, interval: 100 },
    );
}, 120_000);
afterAll(async () => {
  await listening.dispose();
  for (const server of servers) server.close();
});

const codeOf = (cause: unknown): unknown => (cause as { readonly code: string }).code;
const without = (text: string): string => text.replace(/\d+/g, "#");

// rule nodes.address.7
test("with nodes:install the causes are told apart, and without it all are one, wherever a node is read", async () => {
  const root = await panel.send("GET", "/api/v1/nodes");
  const items = root.body["items"] as { id: number; cause: { code: string } }[];
  expect(new Set(items.map(({ cause }) => cause.code)).size).toBeGreaterThanOrEqual(4);
  const installer = await panel.token([...SCOPES, "nodes:install"]);
  const operator = await panel.token(SCOPES);
  for (const [kind, id] of ids) {
    const [whole, same, told] = await Promise.all(
      [undefined, installer, operator].map(async (as) => {
        const { body } = await panel.send("GET", `/api/v1/nodes/${id}`, as === undefined ? {} : { as });
        return { message: body["message"], cause: body["cause"] };
      }),
    );
    expect([kind, same?.cause]).toEqual([kind, expect.objectContaining({ code: codeOf(whole?.cause) })]);
    expect([kind, told]).toEqual([kind, { message: UNTOLD.detail, cause: UNTOLD }]);
  }
  const list = (await panel.send("GET", "/api/v1/nodes", { as: operator })).body["items"] as { cause: unknown }[];
  expect(list.map(({ cause }) => cause)).toEqual(list.map(() => UNTOLD));
});

// rule nodes.address.7
test("the inspector, its journals and the audit log tell no more", async () => {
  const operator = await panel.token(SCOPES);
  const actors = (await panel.send("GET", "/api/v1/actors?kind=node", { as: operator })).body["items"];
  expect(actors).toHaveLength(ids.size);
  for (const actor of actors as { error: string; cause: unknown }[])
    expect(actor).toMatchObject({ error: UNTOLD.detail, cause: { code: "no_agent", values: [] } });
  const words = /ECONN|socket|HTTP|server response|before secure|wrong version|alert|ENOTFOUND|EAI_AGAIN/;
  for (const [kind, id] of ids) {
    const read = async (path: string, as?: string) => {
      const { text, status } = await panel.send("GET", `/api/v1${path}`, as === undefined ? {} : { as });
      return [kind, path, status, words.exec(text.replaceAll(`at ${kind}`, ""))?.[0]];
    };
    for (const path of [`/actors/node/${id}`, `/actors/node/${id}/journal`]) {
      expect(await read(path, operator)).toEqual([kind, path, 200, undefined]);
      expect(await read(path)).toEqual([kind, path, 200, expect.any(String)]);
    }
    const changes = `/changes?key=nodes&entityId=${id}`;
    expect(await read(changes)).toEqual([kind, changes, 200, undefined]);
  }
});

// rule nodes.address.7
test("verbs that dial are refused alike, and no key of another server is taken", async () => {
  const operator = await panel.token(SCOPES);
  const answers = await Promise.all(
    [...ids].flatMap(([kind, id]) =>
      ["sync", "repin"].map(async (verb) => {
        const { status, body } = await panel.send("POST", `/api/v1/nodes/${id}/${verb}`, { as: operator, body: {} });
        return [kind, verb, status, body["cause"], without(String(body["error"]))] as const;
      }),
    ),
  );
  for (const [kind, verb, status, cause, error] of answers)
    expect([kind, verb, status, cause, error]).toEqual([
      kind,
      verb,
      502,
      UNTOLD,
      verb === "sync" ? "the node is not connected" : `the node did not answer: ${UNTOLD.detail}`,
    ]);
  // A caller who may install agents sees the key of whatever answers.
  const shown = await panel.send("POST", `/api/v1/nodes/${ids.get("https")}/repin`, { body: {} });
  expect([shown.status, typeof shown.body["fingerprint"]]).toEqual([200, "string"]);
});

// rule nodes.address.7
test("what answered at another address says nothing of a new one", async () => {
  const operator = await panel.token(SCOPES);
  const id = ids.get("closed") ?? 0;
  const path = `/api/v1/nodes/${id}`;
  await panel.send("POST", `${path}/enabled`, { body: { enabled: false } });
  const moved = await panel.send("PUT", path, {
    as: operator,
    body: { port: places.get("closed"), address: "127.0.0.9" },
  });
  expect([moved.status, moved.body["infoSeenAt"]]).toEqual([200, 0]);
});
