// The panel that took a file is killed: another one on its database carries the job out, and what the dead one left on
// its own disk goes when it is back.
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMigratedDatabase, dialects } from "../database.ts";
import { stagedAt } from "../jobs/staged.ts";
import { quietPorts } from "../quiet-ports.ts";
import { Api } from "./api.ts";
import { startOrigin } from "./origin.ts";
import { E2ePanel } from "./panel.ts";
import { withSlowSteps } from "./slow-steps.ts";

const LINES = 1500;
const textOf = (stem: string) =>
  Array.from({ length: LINES }, (_, at) => `{"name":"${stem}-${at}","remark":"${"x".repeat(200)}"}\n`).join("");

describe.skipIf(!dialects.includes("postgresql"))("a file whose panel is killed, of two on PostgreSQL", () => {
  let panels: readonly [E2ePanel, E2ePanel];
  beforeAll(async () => {
    const { url, drop } = await createMigratedDatabase("postgresql");
    const variables = { SIGNALBOX_SECRET_KEY: randomBytes(32).toString("hex") };
    const [first = 0, second = 0] = await quietPorts(2);
    const make = async (port: number, dropDatabase: () => Promise<void>) =>
      new E2ePanel({
        directory: mkdtempSync(join(tmpdir(), "signalbox-e2e-")),
        port,
        databaseUrl: url,
        dropDatabase,
        engine: "none",
        origin: await startOrigin(),
        variables,
      });
    panels = [await make(first, drop), await make(second, async () => {})];
    await panels[0].setUp();
    await panels[1].start();
  }, 180_000);
  afterAll(async () => {
    await panels[1].dispose();
    await panels[0].dispose();
  });

  // rules http.upload.4, jobs.import.2
  it("is carried out by the other one, and nothing of it stays", { timeout: 300_000 }, async () => {
    const [taker, other] = panels;
    const api = new Api(other.url, taker.api.headers);
    const files = () => readdir(join(taker.directory, "uploads"));
    // Its last byte never comes.
    const half = request(`${taker.url}/api/v1/users/import?async=true`, {
      method: "POST",
      headers: { ...taker.api.headers, "content-length": String(textOf("half").length + 1) },
    });
    half.on("error", () => {});
    half.write(textOf("half"));
    await expect.poll(files, { timeout: 60_000 }).toHaveLength(1);
    const job = await withSlowSteps(taker.databaseUrl, async () => {
      const answer = await fetch(`${taker.url}/api/v1/users/import?async=true`, {
        method: "POST",
        headers: taker.api.headers,
        body: textOf("whole"),
      });
      expect(answer.status).toBe(202);
      const { job: id } = (await answer.json()) as { job: number };
      await taker.kill();
      return id;
    });
    await expect
      .poll(async () => api.ok("GET", `/jobs/${job}`), { interval: 200, timeout: 120_000 })
      .toMatchObject({ state: "succeeded", done: LINES, affected: LINES });
    half.destroy();
    // The rows and places are away as soon as its lease is over, the file once its panel is back.
    await expect.poll(() => stagedAt(other), { interval: 200, timeout: 120_000 }).toEqual({ staged: 0, uploads: 0 });
    expect(await files()).toHaveLength(1);
    await taker.start();
    await expect.poll(files, { timeout: 60_000 }).toEqual([]);
    expect(await api.ok("GET", "/users?limit=1&q=half-")).toMatchObject({ total: 0 });
  });
});
