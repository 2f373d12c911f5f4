// WebSockets are counted: 16 for each credential, 1,024 in all; a place is free again when its connection is gone.
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { OpenSockets } from "../../src/http/sockets.ts";
import type { Caller } from "../../src/http/index.ts";
import { openPanel } from "./panel.ts";

// rule http.limit.6
test("a credential opens sixteen, the next is 429 at the handshake, and one that closes makes room, however it ends", async () => {
  const panel = await openPanel("sqlite");
  try {
    panel.caller("one", { tokenId: 11 });
    panel.caller("two", { tokenId: 12 });
    const base = await panel.api.app.listen({ host: "127.0.0.1", port: 0 });
    const dial = (token: string) =>
      new WebSocket(`${base.replace("http", "ws")}/api/v1/echo`, { headers: { authorization: `Bearer ${token}` } });
    const opened = async (token: string) => {
      const socket = dial(token);
      await once(socket, "open");
      return socket;
    };
    const refused = async (token: string) =>
      ((await once(dial(token), "unexpected-response")) as [unknown, { statusCode: number }])[1].statusCode;
    const sockets = await Promise.all(Array.from({ length: 16 }, () => opened("one")));
    expect(await refused("one")).toBe(429);
    const other = await opened("two");
    // Neither a request that is no upgrade nor one that is refused keeps a place.
    expect((await fetch(`${base}/api/v1/echo`, { headers: { authorization: "Bearer two" } })).status).not.toBe(101);
    sockets[0]?.close();
    sockets[1]?.terminate();
    await expect
      .poll(async () => {
        const again = dial("one");
        const [won] = await Promise.race([
          once(again, "open").then(() => [true]),
          once(again, "unexpected-response").then(() => [false]),
        ]);
        if (won === true) sockets.push(again);
        return won;
      })
      .toBe(true);
    await expect
      .poll(() =>
        opened("one").then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    expect(await refused("one")).toBe(429);
    other.terminate();
    for (const socket of sockets) socket.terminate();
  } finally {
    await panel.dispose();
  }
});

test("a handshake whose sender leaves in the middle keeps no place", async () => {
  const panel = await openPanel("sqlite");
  try {
    panel.caller("one", { tokenId: 11 });
    const base = new URL(await panel.api.app.listen({ host: "127.0.0.1", port: 0 }));
    for (let n = 0; n < 40; n++) {
      const socket = connect(Number(base.port), base.hostname);
      await once(socket, "connect");
      socket.end(
        `GET /api/v1/echo HTTP/1.1\r\nhost: x\r\nauthorization: Bearer one\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      );
      socket.destroy();
    }
    await expect
      .poll(async () => {
        const socket = new WebSocket(`${base.href.replace("http", "ws")}api/v1/echo`, {
          headers: { authorization: "Bearer one" },
        });
        const open = await Promise.race([
          once(socket, "open").then(() => true),
          once(socket, "unexpected-response").then(() => false),
        ]);
        socket.terminate();
        return open;
      })
      .toBe(true);
  } finally {
    await panel.dispose();
  }
});

// rule http.limit.6
test("no more than 1,024 in all, whoever they are", () => {
  const places = new OpenSockets({ authenticate: async () => undefined }, () => {});
  const caller = (tokenId: number) => ({ via: "token", tokenId }) as Caller;
  const held = Array.from({ length: 1024 }, (_, n) => places.takePlace(caller(1 + Math.floor(n / 16))));
  expect(() => places.takePlace(caller(100))).toThrow(expect.objectContaining({ status: 429 }));
  held[0]?.();
  const free = places.takePlace(caller(100));
  expect(() => places.takePlace(caller(1))).toThrow(expect.objectContaining({ status: 429 }));
  free();
  places.close();
});
