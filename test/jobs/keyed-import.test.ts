// Imports under an idempotency key: their bodies are compared once all of them is there.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel, type Answer } from "../whole-panel.ts";
import { jobEnded } from "./users.ts";

describe.each(dialects)("imports under a key on %s", (dialect) => {
  const panels: WholePanel[] = [];
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    panels.push(panel);
    if (dialect === "postgresql") panels.push(await panel.neighbour());
  }, 60_000);
  afterAll(async () => {
    for (const each of panels.toReversed()) await each.dispose();
  });

  let count = 0;
  const send = async (query: string, key: string, text: string): Promise<Omit<Answer, "text"> & { text: string }> => {
    const to = panels[count++ % panels.length] ?? panel;
    const headers = { authorization: `Bearer ${panel.token}`, "idempotency-key": key };
    const answer = await fetch(`${to.url}/api/v1/users/import${query}`, { method: "POST", headers, body: text });
    const said = await answer.text();
    return { status: answer.status, headers: answer.headers, text: said, body: JSON.parse(said) };
  };
  const file = (stem: string, lines = 3) =>
    Array.from({ length: lines }, (_, at) => `{"name":"${stem}-${at}"}\n`).join("");
  const total = async (stem: string) => (await panel.call("GET", `/api/v1/users?limit=1&q=${stem}-`)).body.total;

  // rules http.key.11, jobs.import.9
  test.each(["?onConflict=fail", "?onConflict=fail&async=true"])("a repeat is the first answer (%s)", async (query) => {
    const stem = `once${query.length}`;
    const first = await send(query, stem, file(stem));
    expect([first.status, first.headers.get("idempotent-replay")]).toEqual([query.includes("async") ? 202 : 200, null]);
    await jobEnded(panel, first.body.job);
    const again = await send(query, stem, file(stem));
    expect([again.status, again.text, again.headers.get("idempotent-replay")]).toEqual([
      first.status,
      first.text,
      "true",
    ]);
    expect(await total(stem)).toBe(3);
    for (const other of [await send(query, stem, file(stem, 4)), await send(`${query}&format=csv`, stem, file(stem))])
      expect([other.status, other.body.code].slice(0, 1)).not.toEqual([200]);
    expect((await send(query, stem, file(stem, 4))).body).toMatchObject({ code: "idempotency_reuse" });
  });

  // rule http.key.11
  test("of many at once one is carried out; what is refused frees its key", async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => send("", "many", file("many", 50))));
    for (const { status, body } of answers)
      expect(status === 200 || (status === 409 && body.inProgress === true)).toBe(true);
    const texts = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text));
    expect(texts.size).toBe(1);
    expect(await total("many")).toBe(50);
    expect((await send("", "free", "\n")).status).toBe(400);
    expect((await send("", "free", file("free"))).status).toBe(200);
    expect(await send("", "x".repeat(256), file("free"))).toMatchObject({
      status: 400,
      body: { field: "Idempotency-Key" },
    });
  });

  // rule jobs.import.9
  test("a repeat of one that was cut off finds its job", async () => {
    const leaving = new AbortController();
    const text = file("cut", 1500);
    const headers = { authorization: `Bearer ${panel.token}`, "idempotency-key": "cut" };
    const cut = fetch(`${panel.url}/api/v1/users/import?onConflict=fail`, {
      method: "POST",
      headers,
      body: text,
      signal: leaving.signal,
    }).catch((error: unknown) => error);
    const totals = async (): Promise<number[]> =>
      (await panel.call("GET", "/api/v1/jobs")).body.items.map((job: { total: number }) => job.total);
    await expect.poll(totals, { timeout: 30_000 }).toContain(1500);
    leaving.abort();
    await cut;
    const again = async () => send("?onConflict=fail", "cut", text);
    let answer = await again();
    while (answer.body.inProgress === true) answer = await again();
    expect(answer).toMatchObject({ status: 200, body: { created: 1500, failed: 0 } });
    expect(await total("cut")).toBe(1500);
  });
});
