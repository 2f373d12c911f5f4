// Idempotency keys on the whole panel: over processes on one database and over a restart.
import { afterEach, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

describe.each(dialects)("idempotency of a whole panel on %s", (dialect) => {
  let panels: WholePanel[] = [];
  afterEach(async () => {
    for (const panel of panels.toReversed()) await panel.dispose();
    panels = [];
  });
  async function open(): Promise<WholePanel> {
    const panel = await WholePanel.open(dialect);
    panels.push(panel);
    return panel;
  }
  const key = { "idempotency-key": "once" };

  // rule http.key.6
  test("after a restart a repeat is replayed byte for byte, secrets too, and nothing is made twice", async () => {
    const panel = await open();
    const first = await panel.call("POST", "/api/v1/tokens", { desc: "kept" }, key);
    expect(first.status).toBe(200);
    await panel.restart();
    const again = await panel.call("POST", "/api/v1/tokens", { desc: "kept" }, key);
    expect([again.status, again.text, again.headers.get("idempotent-replay")]).toEqual([200, first.text, "true"]);
    const { body } = await panel.call("GET", "/api/tokens?q=kept");
    expect(body).toHaveLength(1);
  });

  // rule http.key.4
  test("a key belongs to one path with one query and one body, raw", async () => {
    const panel = await open();
    await panel.call("POST", "/api/v1/users", { name: "one" }, key);
    for (const [path, body] of [
      ["/api/users", { name: "one" }],
      ["/api/v1/users?x=1", { name: "one" }],
      ["/api/v1/users?", { name: "one", enable: true }],
    ] as const) {
      const reused = await panel.call("POST", path, body, key);
      expect([path, reused.status, reused.body.code]).toEqual([path, 409, "idempotency_reuse"]);
    }
  });

  test("a key replays before ownership is asked: what was deleted stays deleted", async () => {
    const panel = await open();
    const made = await panel.call("POST", "/api/v1/users", { name: "gone" });
    const remove = () => panel.call("DELETE", `/api/v1/users/${made.body.id}`, undefined, key);
    expect((await remove()).body).toEqual({ ok: true });
    const again = await remove();
    expect([again.status, again.headers.get("idempotent-replay")]).toEqual([200, "true"]);
    expect(
      (await panel.call("DELETE", `/api/v1/users/${made.body.id}`, undefined, { "idempotency-key": "other" })).status,
    ).toBe(404);
  });

  if (dialect === "postgresql")
    test("many requests under one key over two processes: one is carried out, the others replay it", async () => {
      const one = await open();
      const two = await one.neighbour();
      panels.push(two);
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, n) =>
          (n % 2 === 0 ? one : two).call("POST", "/api/v1/users", { name: "shared" }, key),
        ),
      );
      const wrong = answers.filter(
        ({ status, body }) => status !== 200 && !(status === 409 && body.inProgress === true),
      );
      expect(wrong.map(({ text }) => text)).toEqual([]);
      for (const busy of answers.filter(({ status }) => status === 409))
        expect(busy.headers.get("retry-after")).toBe("1");
      const texts = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text));
      expect(texts.size).toBe(1);
      const later = await two.call("POST", "/api/v1/users", { name: "shared" }, key);
      expect([later.text, later.headers.get("idempotent-replay")]).toEqual([[...texts][0], "true"]);
      expect((await one.call("GET", "/api/users?q=shared")).body).toHaveLength(1);
    });
});
