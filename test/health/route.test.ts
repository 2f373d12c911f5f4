// GET /nodes/{id}/health on the whole panel: ranges and what they are refused for, and what a node says of itself.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFleet, type RunningFleet } from "../../src/agent/simulate/fleet.ts";
import { dialects } from "../database.ts";
import { until } from "../fleet/panel-side.ts";
import { WholePanel } from "../whole-panel.ts";

describe.each(dialects)("the route of a node's health on %s", (dialect) => {
  let panel: WholePanel;
  let fleet: RunningFleet;
  let id: number;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    const node = { name: "n", address: "127.0.0.1", port: 1, enabled: false };
    id = (await panel.call("POST", "/api/v1/nodes", node)).body.id;
    const trustFile = join(panel.directory, "trust.pem");
    await writeFile(trustFile, (await panel.call("GET", "/api/v1/nodes/install/trust")).body.certificate);
    const log = pino({ level: "silent" });
    fleet = await startFleet({ host: "0.0.0.0", port: 0, trustFile, activeShare: 1, rate: 1000, seed: 5, log });
  });
  afterAll(async () => {
    await fleet.stop();
    await panel.dispose();
  });
  const ask = (query: string, node = id) => panel.call("GET", `/api/v1/nodes/${node}/health${query}`);

  // rule http.range.1
  test("a range is hours until now, or start and end together, and at most 400 days", async () => {
    for (const [query, field] of [
      ["?hours=0", "hours"],
      ["?hours=9601", "hours"],
      ["?hours=x", "hours"],
      ["?start=100", "end"],
      ["?end=100", "start"],
      ["?start=100&end=100", "end"],
      [`?start=0&end=${400 * 86_400 + 1}`, "end"],
      ["?start=1&end=9999999999999", "end"],
    ])
      expect(await ask(query ?? "")).toMatchObject({ status: 400, body: { field } });
    const range = { start: 1_700_000_000, end: 1_700_003_600 };
    expect((await ask(`?hours=1&start=${range.start}&end=${range.end}`)).body).toMatchObject(range);
    const { start, end } = (await ask("")).body;
    expect(end - start).toBe(86_400);
    expect((await ask(`?start=0&end=${400 * 86_400}`)).status).toBe(200);
  });

  // rules nodes.health.1, nodes.health.2
  test("a node that is off is unknown, one that is gone is not there", async () => {
    expect((await ask("?hours=1")).body).toMatchObject({
      uptimePercent: null,
      points: [],
      bar: [{ state: "unknown" }],
    });
    expect(await ask("", 999_999)).toMatchObject({ status: 404 });
  });

  // rules nodes.health.1, nodes.health.3
  test("what a node says is there at once, and still after a restart of the panel", async () => {
    const node = { name: "live", address: "127.0.0.7", port: fleet.port };
    const live = (await panel.call("POST", "/api/v1/nodes", node)).body.id;
    const told = () =>
      until(async () => {
        const { points } = (await ask("?hours=1", live)).body;
        return points.at(-1)?.cpuPercent != null && points.at(-1);
      });
    const first = await told();
    expect(first).toMatchObject({ up: expect.any(Number), load1: expect.any(Number), memoryTotal: expect.any(Number) });
    await panel.restart();
    const { points, step } = (await ask("?hours=1", live)).body;
    expect(step).toBe(300);
    expect(points[0]).toMatchObject({ at: first.at, cpuPercent: expect.any(Number) });
  });
});
