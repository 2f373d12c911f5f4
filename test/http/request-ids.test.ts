// The name of a request: on every answer, the caller's own where it is one.
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { Door } from "../../src/http/index.ts";
import { openPanel, type TestPanel } from "./panel.ts";

let panel: TestPanel;
let door: Door;
beforeAll(async () => {
  panel = await openPanel("sqlite");
  panel.caller("names", { tokenId: 21 });
  await panel.api.app.ready();
  door = new Door();
  await door.open({ host: "127.0.0.1", port: 0, basePath: "", tls: undefined }, panel.api.app.server);
});
afterAll(async () => {
  await door.close();
  await panel.dispose();
});

const base = (): string => `http://127.0.0.1:${door.port}`;
const token = { authorization: "Bearer names" };

async function named(path: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(base() + path, init);
  await answer.arrayBuffer();
  return answer.headers.get("x-request-id") ?? "none";
}

/** The first answer to bytes that are sent as they are. */
async function answerTo(bytes: string): Promise<string> {
  const socket = connect(door.port ?? 0, "127.0.0.1");
  socket.write(bytes);
  const [answer] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return answer.toString("latin1");
}

// rule http.error.9
test("every answer carries a name, the caller's own where it is one", async () => {
  const own = { "x-request-id": "shop-7_order" };
  const given = await Promise.all([
    named("/api/v1/notes", { headers: { ...token, ...own } }),
    named("/api/v1/notes", { headers: { ...token, ...own }, method: "HEAD" }),
    named("/api/v1/nothing", { headers: own }),
    named("/nothing/at/all", { headers: own }),
    named("/healthz", { headers: own }),
    named("/api/v1/notes", { headers: own }),
    named("/api/v1/notes", {
      method: "POST",
      body: "{",
      headers: { ...token, ...own, "content-type": "application/json" },
    }),
    named("/%zz", { headers: own }),
    named("/api/v1/notes", { method: "PROPFIND", headers: own }),
  ]);
  expect(new Set(given)).toEqual(new Set(["shop-7_order"]));
  expect(await named("/healthz", { headers: { "x-request-id": "a".repeat(64) } })).toBe("a".repeat(64));
});

// rule http.error.9
test("a name that is no name is replaced, and each request that has none gets one of its own", async () => {
  const names = await Promise.all([
    named("/healthz"),
    named("/nothing"),
    named("/api/v1/notes", { headers: token }),
    ...["", "a b", "a".repeat(65), "x\u00e9", "a,b", '"><script>'].map((id) =>
      named("/healthz", { headers: { "x-request-id": id } }),
    ),
  ]);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9]{12}$/);
  expect(new Set(names).size).toBe(names.length);
  const twice = await answerTo("GET /healthz HTTP/1.1\r\nhost: x\r\nx-request-id: a\r\nx-request-id: b\r\n\r\n");
  expect(twice).toMatch(/\r\nx-request-id: [A-Za-z0-9]{12}\r\n/i);
});

// rule http.error.9
test("also what is no HTTP, a tunnel, an upgrade, and what is refused while nobody is behind the door", async () => {
  expect(await answerTo("nonsense\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 [^]*\r\nx-request-id: \w{12}\r\n/);
  expect(await answerTo("CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\nx-request-id: mine\r\n\r\n")).toMatch(
    /\r\nx-request-id: mine\r\n/,
  );
  const socket = new WebSocket(`${base().replace("http", "ws")}/api/v1/echo`, {
    headers: { ...token, "x-request-id": "upgraded" },
  });
  const [response] = (await once(socket, "upgrade")) as [{ headers: Record<string, string> }];
  expect(response.headers["x-request-id"]).toBe("upgraded");
  socket.terminate();
  await door.shut();
  expect(await named("/api/v1/notes", { headers: { "x-request-id": "meanwhile" } })).toBe("meanwhile");
  expect(
    await answerTo(
      "GET /api/v1/echo HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nx-request-id: later\r\n\r\n",
    ),
  ).toMatch(/^HTTP\/1\.1 503 [^]*\r\nx-request-id: later\r\n/);
});

// rule http.hidden.5
test("outside a base path nothing has a name, and while nobody is behind the door all of it is one bare 503", async () => {
  const hidden = await openPanel("sqlite", { basePath: "/hidden" });
  const front = new Door();
  try {
    await hidden.api.app.ready();
    await front.open({ host: "127.0.0.1", port: 0, basePath: "/hidden", tls: undefined }, hidden.api.app.server);
    const answer = async (line: string, headers = ""): Promise<string> => {
      const socket = connect(front.port ?? 0, "127.0.0.1");
      socket.write(`${line} HTTP/1.1\r\nhost: x\r\n${headers}connection: close\r\n\r\n`);
      const [bytes] = (await once(socket, "data")) as [Buffer];
      socket.destroy();
      return bytes.toString("latin1").replace(/^date: .*\r\n/im, "");
    };
    expect(await answer("GET /x")).toBe("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    expect(await answer("GET /hidden/x")).toMatch(/x-request-id/);
    await front.shut();
    const upgrade = "connection: upgrade\r\nupgrade: websocket\r\n";
    const told = await Promise.all([
      answer("GET /x"),
      answer("POST /sub/key"),
      answer("OPTIONS *"),
      answer("GET /hiddenx"),
      answer("GET /x", upgrade),
      answer("GET /healthz", "x-forwarded-for: 203.0.113.7\r\n"),
    ]);
    expect(new Set(told)).toEqual(
      new Set(["HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 1\r\nConnection: close\r\n\r\n"]),
    );
    expect(await answer("GET /hidden/x")).toMatch(/x-request-id[^]*"code":"unavailable"/);
    for (const path of ["/healthz", "/hidden/healthz"]) expect(await answer(`GET ${path}`)).toContain("restarting");
  } finally {
    await front.close();
    await hidden.dispose();
  }
});
