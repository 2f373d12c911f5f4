// The history of traffic against the counters of nodes, and against what the agents' ledgers say of each account on
// each node: raw bytes, to the byte, wherever the kills were.
import { entities } from "../../../src/panel/entities.ts";
import { HOURS_KEPT_DAYS } from "../../../src/history/forget.ts";
import { Periods } from "../../../src/history/periods.ts";
import { HistoryThread } from "../../../src/history/thread.ts";
import { TrafficHistory } from "../../../src/history/traffic.queries.ts";
import { sql } from "../../../src/db/index.ts";
import { connectTestDatabase } from "../../database.ts";
import { addressOf, type Report } from "../../e2e/fleet.ts";

const DAY = 86_400;

/** What differs, for nodes by their place in the fleet and for the users that there are. */
export async function historyDifferences(url: string, report: Report, nodes: readonly number[]): Promise<string[]> {
  const database = await connectTestDatabase(url, entities);
  const thread = new HistoryThread();
  const periods = new Periods("UTC");
  const traffic = new TrafficHistory({
    reads: database.reads,
    thread,
    periods: () => periods,
    now: Date.now,
    hoursKeptDays: HOURS_KEPT_DAYS,
    daysKept: () => Infinity,
  });
  const now = Math.floor(Date.now() / 1000);
  const window = { start: now - 2 * DAY, end: now + DAY };
  const said = async (by: "node" | "user", nodeId?: number) => {
    const sums = new Map<number, string>();
    for await (const part of traffic.sums({ by, ...window, ...(nodeId !== undefined && { nodeId }) }))
      for (const { id, up, down } of part) sums.set(id, `${up}/${down}`);
    return sums;
  };
  try {
    const { reads } = database;
    const counters = await reads.query<{ id: number; up: number; down: number }>(
      sql`select id, up, down from node_usage where up + down > 0`,
    );
    const byNode = await said("node");
    const wrong = counters.flatMap(({ id, up, down }) =>
      byNode.get(id) === `${up}/${down}` ? [] : [`node ${id}: counted ${up}/${down}, history ${byNode.get(id)}`],
    );
    const users = new Set((await reads.query<{ id: number }>(sql`select id from user_usage`)).map(({ id }) => id));
    for (const [index, node] of nodes.entries()) {
      const byUser = await said("user", node);
      for (const [id, { up, down }] of Object.entries(report.nodes[addressOf(index)]?.users ?? {}))
        if (users.has(Number(id)) && up + down > 0 && byUser.get(Number(id)) !== `${up}/${down}`)
          wrong.push(`user ${id} on node ${node}: agents ${up}/${down}, history ${byUser.get(Number(id))}`);
    }
    return wrong;
  } finally {
    await thread.close();
    await database.close();
  }
}
