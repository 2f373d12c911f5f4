// Panels that are killed in the middle of counting and of sorting, alone and two at once, over a month with late
// batches, accounts that are deleted and zones that change: what is answered is what was counted, to the byte.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { Chance } from "../simulation/chance.ts";
import { HistorySide } from "./history-side.ts";
import { ACCOUNTS, BEGIN, momentOf, rowsOf, ZONES, type Death } from "./month.ts";

const SEED = Number(process.env["SIGNALBOX_SEED"] ?? Date.now() % 2 ** 31);
const DAY = 86_400;
/** Where processes die, one after the other; the second of two that run at once is two ahead. */
const DEATHS = [
  { at: "usage", behind: false },
  { at: "traffic.fold", behind: true },
  { at: "traffic.pass", behind: false },
  { at: "traffic.pass", behind: true },
  { at: "traffic.fold", behind: false },
] as const;
const MOST_TIMES = { usage: 30, "traffic.fold": 5, "traffic.pass": 20 };
const program = fileURLToPath(new URL("victim.ts", import.meta.url));

/** Runs a process until it dies. */
async function untilKilled(death: Death): Promise<void> {
  const child = spawn(process.execPath, [program, JSON.stringify(death)], { stdio: ["ignore", "ignore", "pipe"] });
  const closed = once(child, "close");
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => (complaints += chunk.toString()));
  const [, signal] = await closed;
  expect(signal, complaints).toBe("SIGKILL");
}

describe.each(dialects)("on %s", (dialect) => {
  /** Each list is a process's. */
  const processes = dialect === "postgresql" ? [[1, 2], [17]] : [[1, 2]];
  const nodes = processes.flat();
  let side: HistorySide;
  beforeAll(async () => {
    side = await HistorySide.open(dialect, BEGIN, ZONES[0]);
    await side.addUsers(ACCOUNTS);
    await side.addNodes(nodes);
  });
  afterAll(() => side.dispose());

  /** Bytes by account of a node, of the batches that were counted. */
  async function counted(node: number): Promise<Map<number, number>> {
    const [cursor] = await side.db.reads.query<{ seq: number }>(
      sql`select max(seq) as seq from usage_cursors where node_id = ${node}`,
    );
    const sums = new Map<number, number>();
    for (let seq = 1; seq <= (cursor?.seq ?? 0); seq++)
      for (const [account, , up, down] of rowsOf(node, seq)) sums.set(account, (sums.get(account) ?? 0) + up + down);
    return sums;
  }

  async function told(by: "user" | "node", nodeId?: number): Promise<Map<number, number>> {
    const window = { start: BEGIN - 30 * DAY, end: side.now + DAY };
    const found = new Map<number, number>();
    for await (const part of side.traffic.sums({ by, ...window, ...(nodeId !== undefined && { nodeId }) }))
      for (const { id, up, down } of part) found.set(id, up + down);
    return found;
  }

  async function compare(about: string): Promise<void> {
    const byNode = new Map<number, number>();
    const byUser = new Map<number, number>();
    for (const node of nodes) {
      const sums = await counted(node);
      expect(await told("user", node), `${about}, node ${node}`).toEqual(sums);
      for (const [user, bytes] of sums) byUser.set(user, (byUser.get(user) ?? 0) + bytes);
      byNode.set(
        node,
        [...sums.values()].reduce((sum, bytes) => sum + bytes, 0),
      );
    }
    expect(await told("node"), about).toEqual(byNode);
    expect(await told("user"), about).toEqual(byUser);
    const counters = await side.db.reads.query<{ id: number; bytes: number }>(
      sql`select id, up + down as bytes from node_usage`,
    );
    expect(new Map(counters.map(({ id, bytes }) => [id, bytes])), about).toEqual(byNode);
    const users = await side.db.reads.query<{ id: number; bytes: number }>(
      sql`select id, total_up + total_down as bytes from user_usage`,
    );
    for (const { id, bytes } of users) expect(bytes, `${about}, user ${id}`).toBe(byUser.get(id) ?? 0);
  }

  // rule usage.history.9
  test(`killed again and again over a month, whatever the zone (seed ${SEED})`, { timeout: 600_000 }, async () => {
    const chance = new Chance(SEED, dialect);
    for (let round = 0; round < DEATHS.length; round++) {
      const zone = ZONES[round % ZONES.length] ?? "UTC";
      const deaths = processes.map((mine, index): Death => {
        const { at, behind } = DEATHS[(round + 2 * index) % DEATHS.length] ?? DEATHS[0];
        const ms = behind ? "behind" : chance.between(0, 4);
        return { url: side.url, zone, nodes: mine, at, times: chance.whole(3, MOST_TIMES[at]), ms };
      });
      await Promise.all(deaths.map(untilKilled));
      const last = await side.db.reads.query<{ seq: number }>(sql`select max(seq) as seq from usage_cursors`);
      side.pass(momentOf(last[0]?.seq ?? 0) + 1 - side.now);
      side.restart(zone);
      await compare(`after ${JSON.stringify(deaths)}`);
      if (round === 1) await side.deleteUser(1024);
    }
    await side.fold();
    side.pass(3 * DAY);
    side.restart("UTC");
    await side.fold();
    expect(await side.rowsOf("traffic_chunks")).toBe(0);
    await compare("at the end");
  });
});
