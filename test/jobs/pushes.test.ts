// A bulk operation and the nodes that serve its accounts: few pushes to each, whatever the number of commits.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFleet, type RunningFleet } from "../../src/agent/simulate/fleet.ts";
import { sql } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase, dialects } from "../database.ts";
import { until } from "../fleet/panel-side.ts";
import { WholePanel } from "../whole-panel.ts";
import { makeUsers } from "./users.ts";

const ACCOUNTS = 1500;
/** A node is told of a job's changes after so many milliseconds at the latest. */
const TOLD_MS = 1500;

describe.each(dialects)("a bulk operation on accounts that a node serves on %s", (dialect) => {
  let panel: WholePanel;
  let fleet: RunningFleet;
  let node: number;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    const trustFile = join(panel.directory, "trust.pem");
    await writeFile(trustFile, (await panel.call("GET", "/api/v1/nodes/install/trust")).body.certificate);
    const log = pino({ level: "silent" });
    fleet = await startFleet({ host: "0.0.0.0", port: 0, trustFile, activeShare: 0, rate: 0, seed: 5, log });
    const inbound = { tag: "in", type: "vless", config: { listen_port: 443 } };
    const inboundIds = [(await panel.call("POST", "/api/v1/inbounds", inbound)).body.id];
    const templateId = (await panel.call("POST", "/api/v1/templates", { name: "t", inboundIds })).body.id;
    const body = { name: "n", address: "127.0.0.7", port: fleet.port, templateId };
    node = (await panel.call("POST", "/api/v1/nodes", body)).body.id;
    await makeUsers(panel, ACCOUNTS, { templateIds: [templateId] });
    await until(async () => (await panel.call("POST", `/api/v1/nodes/${node}/sync`)).status === 200);
  });
  afterAll(async () => {
    await fleet.stop();
    await panel.dispose();
  });

  /** Grows by one with each push; the node runs what is wanted then. */
  const revision = async (): Promise<number> => (await panel.call("POST", `/api/v1/nodes/${node}/sync`)).body.revision;
  /** Commits that changed accounts: each kept what they were before. */
  const commitsOf = async (job: number): Promise<number> => {
    const db = await connectTestDatabase(panel.databaseUrl, entities);
    const [row] = await db.reads.query(
      sql<{ n: number | string }>`select count(*) as n from job_parts where job_id = ${job} and sort = 'before'`,
    );
    await db.close();
    return Number(row?.n);
  };

  // rule nodes.sync.6
  test.each(["disable", "enable"])(
    "%s is one push to the node, and one more for each second and a half",
    async (op) => {
      const before = await revision();
      const began = performance.now();
      const done = await panel.call("POST", `/api/v1/users/bulk/${op}?all=true`);
      const periods = Math.floor((performance.now() - began) / TOLD_MS);
      expect(done.body).toMatchObject({ affected: ACCOUNTS, failed: 0 });
      expect(await commitsOf(done.body.job)).toBeGreaterThan(3);
      expect((await revision()) - before).toBeGreaterThan(0);
      expect((await revision()) - before).toBeLessThanOrEqual(1 + periods);
    },
  );
});
