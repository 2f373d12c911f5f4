// The catalogue route, the log of what was raised, and the live feed.
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { eventEntities } from "../../src/events/testing.ts";
import { EVENT } from "../../src/runtime/index.ts";
import { CATALOGUE } from "./create-events.ts";
import { connectTestDatabase, follow, dialects } from "../database.ts";
import { openApi, type EventsApi } from "./api.ts";
import { openPanel, RESELLER, type Panel } from "./panel.ts";

describe.each(dialects)("what was raised on %s", (dialect) => {
  let panel: Panel;
  let api: EventsApi;
  beforeEach(async () => {
    panel = await openPanel(dialect);
    api = await openApi(panel);
  });
  afterEach(async () => {
    await api.close();
    await panel.dispose();
  });

  const raiseAll = async (): Promise<void> => {
    await panel.raise("user.created", "user:1", { userId: 1, name: "a", adminId: RESELLER });
    panel.clock.advance(1);
    await panel.raise("user.deleted", "user:2", { userId: 2, name: "b", adminId: 0 });
    panel.clock.advance(1);
    await panel.raise("node.connected", "node:1", { nodeId: 1 });
  };

  // rule events.catalogue.3
  test("the catalogue is open to every caller", async () => {
    expect(await api.call("GET", "/events", undefined, "reader")).toMatchObject({
      status: 200,
      body: { events: CATALOGUE.all },
    });
  });

  // rule events.log.1
  test("the log gives envelopes, newest first, a page at a time", async () => {
    await raiseAll();
    const time = panel.clock.ms / 1000;
    const { body } = await api.call("GET", "/events/log?limit=2");
    expect(body).toMatchObject({
      items: [
        { v: 1, event: "node.connected", time, data: { nodeId: 1 } },
        { event: "user.deleted", time: time - 1, data: { userId: 2 } },
      ],
      total: 3,
    });
    expect((await api.call("GET", "/events/log?offset=2")).body).toMatchObject({
      items: [{ event: "user.created", recipients: [RESELLER] }],
    });
    expect((await api.call("GET", `/events/log?updated_since=${time}`)).body).toMatchObject({ total: 1 });
    expect((await api.call("GET", "/events/log?event=user.created")).body).toMatchObject({ total: 1 });
  });

  // rule events.log.10
  test("what happened to one record, also behind a cursor, and never what its reader may not hear", async () => {
    await raiseAll();
    expect((await api.call("GET", "/events/log?entity=user:2")).body).toMatchObject({
      items: [{ event: "user.deleted" }],
      total: 1,
    });
    await panel.events.positions.give();
    expect((await api.call("GET", "/events/log?cursor=&entity=user:1")).body).toMatchObject({
      items: [{ event: "user.created" }],
    });
    expect((await api.call("GET", "/events/log?entity=user:1", undefined, "admin")).body).toMatchObject({ total: 0 });
    expect(await api.call("GET", "/events/log?entity=1")).toMatchObject({ status: 400, body: { field: "entity" } });
  });

  // rule events.log.1
  test("each caller sees what its scopes cover, a reseller only what names it", async () => {
    await raiseAll();
    expect((await api.call("GET", "/events/log", undefined, "admin")).body).toMatchObject({
      items: [{ event: "node.connected" }],
      total: 1,
    });
    expect((await api.call("GET", "/events/log", undefined, "reseller")).body).toMatchObject({
      items: [{ event: "user.created" }],
      total: 1,
    });
    expect((await api.call("GET", "/events/log", undefined, "reader")).body).toMatchObject({ items: [], total: 0 });
  });

  // rule events.log.2
  test("the live feed carries the envelopes that its reader may hear, also those of another process", async () => {
    const frames: unknown[] = [];
    const waiting: (() => void)[] = [];
    const address = await api.api.app.listen({ host: "127.0.0.1", port: 0 });
    const socket = new WebSocket(`${address.replace("http", "ws")}/api/v1/events/stream`, {
      headers: { authorization: "Bearer reseller" },
    });
    socket.on("message", (text: Buffer) => {
      frames.push(JSON.parse(text.toString("utf8")));
      for (const wake of waiting.splice(0)) wake();
    });
    const until = async (count: number): Promise<void> => {
      while (frames.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    };
    await once(socket, "open");
    await raiseAll();
    await panel.raise("user.renewed", "user:1", { userId: 1, name: "a", adminId: RESELLER });
    await until(2);
    expect(frames).toMatchObject([
      { v: 1, event: "user.created", recipients: [RESELLER], data: { name: "a" } },
      { event: "user.renewed" },
    ]);
    if (dialect === "postgresql") {
      const echo = { tables: new Set<string>(), facts: new Set([EVENT.name]) };
      const database = await connectTestDatabase(panel.database.url, eventEntities, panel.clock.now, echo);
      const follower = await follow(panel.database);
      const other = await panel.another(database);
      await database.commits.submit({
        name: "raise",
        locks: [],
        decide: (draft) =>
          other.outbox.raise(draft, {
            event: "user.enabled",
            subject: "user:1",
            data: { userId: 1, adminId: RESELLER },
          }),
      });
      await follower.caughtUp();
      await until(3);
      expect(frames.at(-1)).toMatchObject({ event: "user.enabled" });
      expect(frames).toHaveLength(3);
      await follower.stop();
      await database.close();
    }
    socket.terminate();
  });

  // rule events.log.10
  test("the live feed carries one name or one record alone where that is asked for", async () => {
    const address = await api.api.app.listen({ host: "127.0.0.1", port: 0 });
    const feed = `${address.replace("http", "ws")}/api/v1/events/stream`;
    const heard = ["entity=user:2", "event=user.created"].map(async (query) => {
      const socket = new WebSocket(`${feed}?${query}`, { headers: { authorization: "Bearer root" } });
      await once(socket, "open");
      return { socket, frame: once(socket, "message") };
    });
    const sockets = await Promise.all(heard);
    await raiseAll();
    const frames = await Promise.all(sockets.map(({ frame }) => frame));
    const read = frames.map(([text]) => JSON.parse((text as Buffer).toString("utf8")) as unknown);
    expect(read).toMatchObject([{ event: "user.deleted" }, { event: "user.created", data: { userId: 1 } }]);
    for (const { socket } of sockets) socket.terminate();
  });
});
