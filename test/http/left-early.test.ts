// Clients that send a request and leave: what they sent is carried out from the address that they had, and is no
// defect.
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { finished } from "node:stream/promises";
import { connect as connectTls } from "node:tls";
import pino from "pino";
import { expect, test } from "vitest";
import type { RequestFacts } from "../../src/http/context.ts";
import { newServer } from "../../src/http/listeners/http-server.ts";
import { okAnswer, openRoute, route } from "../../src/http/index.ts";
import type { Origin } from "../../src/lib/origin.ts";
import { selfSigned } from "../certificate.ts";
import { openPanel } from "./panel.ts";

// rule http.error.10
test("a client that leaves before its request is looked at has had an address", async () => {
  const lines: string[] = [];
  const addresses: unknown[] = [];
  let left = Promise.withResolvers<void>();
  const told = { summary: "Which address asked", answer: okAnswer };
  const handle = ({ origin, request }: { origin: Origin; request: RequestFacts }) => {
    addresses.push(request.ip, origin.ip);
    return { ok: true } as const;
  };
  const panel = await openPanel("sqlite", {
    log: pino({ level: "warn" }, { write: (line: string) => void lines.push(line) }),
    caughtUp: () => left.promise,
    routes: [
      openRoute({ ...told, method: "GET", path: "/open", handle }),
      route({ ...told, method: "GET", path: "/known", scope: "users:read", handle }),
    ],
  });
  const { server } = panel.api.app;
  const port = Number(new URL(await panel.api.app.listen({ host: "127.0.0.1", port: 0 })).port);
  for (const path of ["/open", "/known"]) {
    left = Promise.withResolvers();
    const arrived = once(server, "request") as Promise<[IncomingMessage]>;
    const client = connect(port, "127.0.0.1");
    client.write(`GET /api/v1${path} HTTP/1.1\r\nHost: panel\r\nAuthorization: Bearer root\r\n\r\n`);
    const [{ socket }] = await arrived;
    client.destroy();
    if (!socket.closed) await once(socket, "close");
    const before = addresses.length;
    left.resolve();
    await expect.poll(() => addresses.length + lines.length, { interval: 1 }).toBeGreaterThan(before);
  }
  await panel.dispose();
  expect([lines, panel.crashes]).toEqual([[], []]);
  expect(addresses).toEqual(Array(4).fill("127.0.0.1"));
});

test.each([
  ["JSON", "/api/v1/notes", "application/json", '{"title":'],
  ["an unread stream", "/api/v1/taken", "application/x-ndjson", "{"],
  ["JSON for a route without one", "/api/v1/restart", "application/json", "{"],
])("a body that breaks off is nobody's defect: %s", async (_what, path, type, part) => {
  const lines: string[] = [];
  const ended = Promise.withResolvers<void>();
  const panel = await openPanel("sqlite", {
    log: pino(
      { level: "debug" },
      {
        write(line: string) {
          lines.push(line);
          if (/a client left|a request failed/.test(line)) ended.resolve();
        },
      },
    ),
    routes: [
      route({
        method: "POST",
        path: "/taken",
        scope: "users:write",
        summary: "Takes a file",
        answer: okAnswer,
        stream: true,
        handle: async ({ stream }) => {
          await finished(stream.resume());
          return { ok: true } as const;
        },
      }),
    ],
  });
  panel.caller("cookie", { via: "session", tokenId: 0, sessionId: 9 });
  const { server } = panel.api.app;
  const port = Number(new URL(await panel.api.app.listen({ host: "127.0.0.1", port: 0 })).port);
  const arrived = once(server, "request");
  const client = connect(port, "127.0.0.1");
  client.write(
    `POST ${path} HTTP/1.1\r\nHost: panel\r\nCookie: panel_session=cookie\r\nContent-Type: ${type}\r\nContent-Length: 99\r\n\r\n${part}`,
  );
  await arrived;
  client.destroy();
  await ended.promise;
  await panel.dispose();
  expect(panel.crashes).toEqual([]);
  expect(lines.filter((line) => /"level":[456]0/.test(line))).toEqual([]);
});

test("who waits for what takes long hears that the panel stops, and may leave before", async () => {
  const lines: string[] = [];
  let began = Promise.withResolvers<void>();
  const panel = await openPanel("sqlite", {
    log: pino({ level: "error" }, { write: (line: string) => void lines.push(line) }),
    routes: [
      route({
        method: "GET",
        path: "/slow",
        scope: "users:read",
        summary: "Waits",
        answer: okAnswer,
        handle: async ({ signal }) => {
          const left = signal();
          began.resolve();
          if (!left.aborted) await once(left, "abort");
          left.throwIfAborted();
          return { ok: true } as const;
        },
      }),
    ],
  });
  const { server } = panel.api.app;
  const address = await panel.api.app.listen({ host: "127.0.0.1", port: 0 });
  const ask = () =>
    fetch(`${address}/api/v1/slow`, { headers: { authorization: "Bearer root" }, signal: leave.signal });
  let leave = new AbortController();
  const gone = once(server, "request") as Promise<[IncomingMessage]>;
  const refused = expect(ask()).rejects.toThrow();
  await began.promise;
  leave.abort();
  await refused;
  const [{ socket }] = await gone;
  if (!socket.closed) await once(socket, "close");
  leave = new AbortController();
  began = Promise.withResolvers();
  const answered = ask();
  await began.promise;
  panel.api.release();
  const answer = await answered;
  expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([
    503,
    "1",
    { error: "the panel is shutting down", code: "unavailable" },
  ]);
  await panel.dispose();
  expect([lines, panel.crashes]).toEqual([[], []]);
});

test.each(["plain", "TLS"] as const)("the address of a %s connection outlives it", async (kind) => {
  const { certificate: cert, key } = await selfSigned("panel.example");
  const server = newServer(() => {}, {
    hides: () => false,
    mayUpgrade: () => true,
    tls: kind === "TLS" ? { cert, key, minVersion: "TLSv1.2" } : undefined,
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const arrived = once(server, "request") as Promise<[IncomingMessage]>;
  const client = kind === "TLS" ? connectTls({ port, rejectUnauthorized: false }) : connect(port, "127.0.0.1");
  client.on("error", () => {}).write("GET / HTTP/1.1\r\nHost: panel\r\n\r\n");
  const [{ socket }] = await arrived;
  client.destroy();
  if (!socket.closed) await once(socket, "close");
  server.close();
  expect(socket.remoteAddress).toBe("127.0.0.1");
});
