// GET /api/panel/info: what the panel says of itself is true, on both databases.
import { hostname } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectTestDatabase, dialects } from "../database.ts";
import { entities } from "../../src/panel/entities.ts";
import { sql } from "../../src/db/index.ts";
import { VERSION } from "../../src/version.ts";
import { WholePanel } from "../whole-panel.ts";

describe.each(dialects)("the panel's facts on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());
  const info = async () => (await panel.call("GET", "/api/panel/info")).body;
  const now = () => Math.floor(Date.now() / 1000);

  // rule process.info.1
  test("panel, machine and database", async () => {
    const said = await info();
    expect(said).toMatchObject({
      version: VERSION,
      commit: expect.stringMatching(/^([0-9a-f]{40})?$/),
      node: process.version,
      platform: process.platform,
      arch: process.arch,
      hostname: hostname(),
      pid: process.pid,
      database: { kind: dialect, version: expect.stringMatching(/^\d+\.\d+/) },
    });
    expect(said.startedAt + said.uptime).toBeGreaterThan(now() - 3);
    expect(said.startedAt + said.uptime).toBeLessThan(now() + 3);
    expect(said.database.size).toBeGreaterThan(50_000);
    expect(said.memory.rss).toBeGreaterThan(said.memory.heapUsed);
    expect(said.memory.total).toBeGreaterThan(said.memory.free);
    expect(said.disk.total).toBeGreaterThan(said.disk.free);
    expect(said.load).toHaveLength(3);
    expect(said.cpus).toBeGreaterThan(0);
  });

  // rule process.info.1
  test("actors by state, before and after a restart", async () => {
    const { id } = (await panel.call("POST", "/api/v1/users", { name: "one" })).body;
    await panel.call("POST", "/api/v1/users", { name: "two", enable: false });
    await panel.call("POST", "/api/v1/nodes", { name: "far", address: "192.0.2.1", port: 9, enabled: false });
    const before = await info();
    expect(before.actors.user).toEqual({ "enabled.started": 1, "disabled.manual": 1 });
    expect(before.counts).toMatchObject({ users: 2, nodes: 1, tunnels: 0 });
    await panel.restart();
    expect((await info()).actors).toEqual(before.actors);
    await panel.call("DELETE", `/api/v1/users/${id}`);
    expect((await info()).actors.user).toEqual({ "disabled.manual": 1 });
    expect((await info()).counts.users).toBe(1);
  });

  // rule users.status.2
  test("who had traffic within 90 seconds is online", async () => {
    const ids = [];
    for (const name of ["now", "earlier", "never"])
      ids.push((await panel.call("POST", "/api/v1/users", { name })).body.id);
    const beside = await connectTestDatabase(panel.databaseUrl, entities);
    try {
      const moved = [
        [ids[0], now() - 10],
        [ids[1], now() - 120],
      ];
      for (const [id, at] of moved) {
        const statements = [
          beside.reads.statement("traffic", sql`update user_usage set online_at = ${at} where id = ${id}`),
          beside.reads.statement(
            "moves",
            sql`insert into usage_moves (moved_at, size, users) values (${Date.now() * 1000}, 2, ${`${ids[0]},${ids[1]}`})`,
          ),
        ];
        await beside.commits.execute({ name: "traffic", statements });
      }
    } finally {
      await beside.close();
    }
    expect((await info()).counts.online).toBe(1);
  });

  // rule process.info.1
  test("it needs stats:read", async () => {
    const narrow = await panel.call("POST", "/api/v1/tokens", { desc: "narrow", scopes: ["users:read"] });
    const asked = (token: string) =>
      panel.call("GET", "/api/v1/panel/info", undefined, { authorization: `Bearer ${token}` });
    expect((await asked(narrow.body.token)).status).toBe(403);
    const looks = await panel.call("POST", "/api/v1/tokens", { desc: "looks", scopes: ["stats:read"] });
    expect((await asked(looks.body.token)).status).toBe(200);
  });
});
