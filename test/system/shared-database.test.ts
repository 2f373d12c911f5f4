// Two panels on one PostgreSQL: what one answered holds on the other for the next request, and each shows the
// transitions of both.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

describe.runIf(dialects.includes("postgresql"))("two panels on one database", () => {
  let one: WholePanel;
  let two: WholePanel;

  beforeAll(async () => {
    one = await WholePanel.open("postgresql");
    two = await one.neighbour();
  }, 60_000);
  afterAll(async () => {
    await two.dispose();
    await one.dispose();
  });

  // rule settings.list.7
  test("settings hold for the next request", async () => {
    for (let round = 0; round < 10; round++) {
      const timezone = round % 2 === 0 ? "Asia/Tehran" : "Europe/Berlin";
      const [from, to] = round % 2 === 0 ? [one, two] : [two, one];
      const written = await from.call("PUT", "/api/v1/settings/timezone", { value: timezone });
      expect(written.status, JSON.stringify(written.body)).toBe(200);
      const read = await to.call("GET", "/api/v1/settings?limit=1000");
      expect(read.body.items.find((row: { key: string }) => row.key === "timezone").value).toBe(timezone);
    }
  });

  test("a token made on one is good on the other, and ends there with the next request", async () => {
    for (let round = 0; round < 5; round++) {
      const { body } = await one.call("POST", "/api/v1/tokens", { desc: `t${round}` }, { cookie: one.cookie });
      const bearer = { authorization: `Bearer ${body.token}` };
      expect((await two.call("GET", "/api/v1/users", undefined, bearer)).status).toBe(200);
      expect((await one.call("DELETE", `/api/v1/tokens/${body.id}`, undefined, { cookie: one.cookie })).status).toBe(
        200,
      );
      expect((await two.call("GET", "/api/v1/users", undefined, bearer)).status).toBe(401);
    }
  });

  // rule access.session.12
  test("a session that ends on one ends on the other", async () => {
    const login = await one.call("POST", "/api/v1/login", { username: "root", password: "correct horse" });
    const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect((await two.call("GET", "/api/v1/users", undefined, { cookie })).status).toBe(200);
    await one.call("POST", "/api/v1/logout", undefined, { cookie });
    expect((await two.call("GET", "/api/v1/users", undefined, { cookie })).status).toBe(401);
  });

  test("an answer is replayed byte for byte on the other", async () => {
    const key = { "idempotency-key": "across-processes" };
    const first = await one.call("POST", "/api/v1/users", { name: "once", volume: 1 }, key);
    const again = await two.call("POST", "/api/v1/users", { name: "once", volume: 1 }, key);
    expect(first.status).toBe(200);
    expect(again.text).toBe(first.text);
  });

  // rule inspector.stream.6
  test("the stream of either shows the transitions of both, and counts that agree with the table", async () => {
    const frames: {
      rows: { kind: string; name: string; to: string }[];
      counts: Record<string, Record<string, number>>;
    }[] = [];
    const socket = new WebSocket(`${two.url.replace("http", "ws")}/api/v1/actors/stream?kind=user`, {
      headers: { authorization: `Bearer ${two.token}` },
    });
    const until = (reached: () => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => reached() && resolve();
        socket.on("message", look);
        look();
      });
    socket.on("message", (text: Buffer) => frames.push(JSON.parse(text.toString())));
    await until(() => frames.length > 0);
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        (index % 2 ? one : two).call("POST", "/api/v1/users", { name: `streamed ${index}`, volume: 1 }),
      ),
    );
    const seen = () =>
      new Set(frames.flatMap(({ rows }) => rows.map(({ name }) => name)).filter((name) => name.startsWith("streamed")));
    await until(() => seen().size === 30);
    const total = (counts: Record<string, Record<string, number>>) =>
      Object.values(counts["user"] ?? {}).reduce((sum, n) => sum + n, 0);
    const { body } = await one.call("GET", "/api/v1/actors?kind=user&limit=1");
    await until(() =>
      frames.some(
        (_, index) =>
          total(Object.assign({}, ...frames.slice(0, index + 1).map(({ counts }) => counts))) === body.total,
      ),
    );
    socket.terminate();
  });
});
