// Requests that are answered before the framework sees them: as a route would answer, and only where nothing else is
// needed.
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { once } from "node:events";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Door, headOf, type Plugin, type Shortcut } from "../../src/http/index.ts";
import { type ShortRequest } from "../../src/http/testing.ts";
import { Shortcuts } from "../../src/http/shortcuts.ts";
import { parseAddressList } from "../../src/lib/addresses.ts";
import { openPanel, type TestPanel } from "./panel.ts";

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What is served by nothing else. */
function shortcutAlone(shortcut: Shortcut): Plugin {
  return { register() {}, owns: () => true, shortcut };
}

describe("a shortcut", () => {
  let panel: TestPanel;
  let door: Door;
  let asked: ShortRequest[];
  let answer: Shortcut["answer"];

  beforeEach(async () => {
    panel = await openPanel("sqlite");
    asked = [];
    answer = () => ({
      status: 200,
      head: headOf({ "Content-Type": "text/x", "Referrer-Policy": "origin" }),
      body: "é",
    });
    panel.api.mount(
      shortcutAlone({
        takes: (url) => url.startsWith("/short"),
        answer(request) {
          asked.push(request);
          return answer(request);
        },
      }),
    );
    await panel.api.app.ready();
    door = new Door();
    await door.open({ host: "127.0.0.1", port: 0, basePath: "", tls: undefined }, panel.api.app.server);
  });
  afterEach(async () => {
    await door.close();
    await panel.dispose();
  });

  function ask(path: string, headers: Record<string, string> = {}, method = "GET", body = ""): Promise<Got> {
    return new Promise((resolve, reject) => {
      const asking = httpRequest(
        { port: door.port, host: "127.0.0.1", path, method, headers, agent: false },
        (answered) => {
          let text = "";
          answered.setEncoding("utf8").on("data", (part: string) => (text += part));
          answered.on("end", () =>
            resolve({ status: answered.statusCode ?? 0, headers: answered.headers, body: text }),
          );
        },
      );
      asking.on("error", reject).end(body);
    });
  }

  test("has the headers that every answer has, its own in place of them, a length and a name", async () => {
    const got = await ask("/short?x", { "x-request-id": "mine" });
    expect([got.status, got.body, got.headers["content-length"], got.headers["x-request-id"]]).toEqual([
      200,
      "é",
      "2",
      "mine",
    ]);
    expect(got.headers).toMatchObject({
      "content-type": "text/x",
      "referrer-policy": "origin",
      "x-frame-options": "DENY",
    });
    expect(asked[0]).toMatchObject({ url: "/short?x", method: "GET" });
    const hostile = await ask("/short", { "x-request-id": "a b\tc" });
    expect(hostile.headers["x-request-id"]).toMatch(/^[A-Za-z0-9]{12}$/);
    const head = await ask("/short", {}, "HEAD");
    expect([head.status, head.body, head.headers["content-length"]]).toEqual([200, "", "2"]);
  });

  test("what it leaves, and what is no plain GET or HEAD, is the routes'", async () => {
    const nothing = await ask("/nowhere");
    for (const [path, headers, method, body] of [
      ["/nowhere", {}, "GET", ""],
      ["/short", {}, "POST", ""],
      ["/short", { "content-length": "2" }, "GET", "{}"],
      ["/short", { "transfer-encoding": "chunked" }, "GET", "{}"],
    ] as const) {
      const got = await ask(path, headers, method, body);
      expect([path, method, got.status, got.body]).toEqual([path, method, 404, ""]);
    }
    expect(asked).toEqual([]);
    answer = () => undefined;
    const left = await ask("/short");
    answer = async () => undefined;
    const leftLater = await ask("/short");
    const names = ({ headers }: Got) => Object.keys(headers).toSorted();
    expect([left.status, leftLater.status, names(left), names(leftLater)]).toEqual([
      404,
      404,
      names(nothing),
      names(nothing),
    ]);
    expect(asked).toHaveLength(2);
  });

  test("one that fails is answered by the routes; a header that is none reaches nobody", async () => {
    const failing: Shortcut["answer"][] = [
      () => {
        throw new Error("at once");
      },
      () => Promise.reject(new Error("later")),
      () => ({ status: 200, head: ["x-a", "a\r\nset-cookie: b=1"], body: "" }),
    ];
    for (answer of failing) expect((await ask("/short")).status).toBe(404);
    answer = async () => ({ status: 200, head: headOf({}), body: "later" });
    expect((await ask("/short")).body).toBe("later");
  });

  test("several on one connection are answered in their order, whichever is ready first", async () => {
    const slow = Promise.withResolvers<void>();
    answer = ({ url }) => {
      const found = { status: 200, head: headOf({}), body: `<${url}>` };
      if (url !== "/short/1") return found;
      return slow.promise.then(() => found);
    };
    const socket = connect(door.port ?? 0, "127.0.0.1");
    const closed = once(socket, "close");
    let text = "";
    socket.setEncoding("utf8").on("data", (part: string) => (text += part));
    socket.write(
      [1, 2, 3]
        .map((turn) => `GET /short/${turn} HTTP/1.1\r\nhost: a\r\n${turn === 3 ? "connection: close\r\n" : ""}\r\n`)
        .join(""),
    );
    while (asked.length < 3) await new Promise((resolve) => setImmediate(resolve));
    slow.resolve();
    await closed;
    expect(text.match(/<[^>]*>/g)).toEqual(["</short/1>", "</short/2>", "</short/3>"]);
  });

  test("none is taken while the panel leaves or ends: its routes say so", async () => {
    const leaving = panel.api.leave(0);
    const left = await ask("/short");
    await leaving;
    expect([left.status, left.headers.connection]).toEqual([404, "close"]);
    expect(asked).toEqual([]);
  });
});

test("what others committed is known before an answer, and an answer that waited may find the end", async () => {
  const order: string[] = [];
  let open = true;
  const known = Promise.withResolvers<void>();
  const shortcuts = new Shortcuts({
    open: () => open,
    caughtUp: () => (order.push("asked"), known.promise),
    trustedProxies: () => parseAddressList(""),
    onError: (error) => expect.unreachable(String(error)),
  });
  shortcuts.add({ takes: () => true, answer: () => (order.push("answered"), undefined) });
  const routed = Promise.withResolvers<void>();
  const handler = shortcuts.before(() => (order.push("routes"), routed.resolve()));
  const request = { method: "GET", url: "/a", headers: {}, socket: {} };
  handler(request as never, {} as never);
  expect(order).toEqual(["asked"]);
  known.resolve();
  await routed.promise;
  expect(order.splice(0)).toEqual(["asked", "answered", "routes"]);
  handler(request as never, {} as never);
  open = false;
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(["asked", "routes"]);
});

test("a panel that writes a line for each request answers all of them by its routes", async () => {
  const door = new Door();
  const panel = await openPanel("sqlite", { log: pino({ level: "debug" }, { write: () => {} }) });
  try {
    panel.api.mount(shortcutAlone({ takes: () => true, answer: () => expect.unreachable() }));
    await panel.api.app.ready();
    await door.open({ host: "127.0.0.1", port: 0, basePath: "", tls: undefined }, panel.api.app.server);
    expect((await fetch(`http://127.0.0.1:${door.port}/short`)).status).toBe(404);
  } finally {
    await door.close();
    await panel.dispose();
  }
});
