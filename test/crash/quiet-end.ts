// The end of an epoch, with a panel that nobody kills: what the kills left open is settled, delivered, counted, and
// agrees with everything that was said.
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { z } from "zod";
import { Api } from "../e2e/api.ts";
import { pendingDeliveries } from "./books/deliveries.ts";
import { onLive, type Query } from "./books/disk.ts";
import { historyDifferences } from "./books/history.ts";
import { usageDifferences } from "./books/usage.ts";
import { settleOpen, type Memory } from "./drive.ts";
import type { Ready } from "./setup.ts";

const PATIENCE_MS = 60_000;
const LOOK_MS = 100;

const Frame = z.object({ counts: z.record(z.string(), z.record(z.string(), z.number())) });

/** Throws when something does not come right in time. Resolves to the bytes that the panel counted. */
export async function endQuietly(databaseUrl: string, memory: Memory, { fleet, stage, token }: Ready): Promise<number> {
  const url = `http://127.0.0.1:${memory.port}`;
  const api = new Api(url, { authorization: `Bearer ${token}` });
  await settleOpen(memory, PATIENCE_MS);
  await checkTokens(url, memory);
  for (const id of stage.fleetNodes) {
    await api.ok("POST", `/nodes/${id}/enabled`, { enabled: true });
    if ((await api.node(id)).status !== "connected") await api.ok("POST", `/nodes/${id}/reconnect`);
  }
  await until("every node of the fleet is connected", async () => {
    const nodes = await Promise.all(stage.fleetNodes.map((id) => api.node(id)));
    return nodes
      .filter(({ status }) => status !== "connected")
      .map(({ id, status, message }) => `${id}: ${status} ${message}`);
  });
  // Nothing is served any more: the ledgers come to their end.
  for (const id of stage.fleetNodes) await api.ok("PUT", `/nodes/${id}/template`, { templateId: null });
  return onLive(databaseUrl, async (query) => {
    await until("every byte is counted once", () => usageDifferences(query, fleet.report()));
    await until("the history is what was counted", () =>
      historyDifferences(databaseUrl, fleet.report(), stage.fleetNodes),
    );
    await until("every delivery has arrived", async () =>
      (await pendingDeliveries(query)) === 0 ? [] : ["some are pending"],
    );
    await until("no deadline is overdue", () => overdue(query));
    await checkStateCounts(url, token, query);
    const [sum] = await query<{ n: number }>("select coalesce(sum(up + down), 0) as n from node_usage");
    return Number(sum?.n);
  });
}

/** Asks again until nothing is left to complain of. */
async function until(what: string, look: () => Promise<readonly string[]>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const left = await look();
    if (left.length === 0) return;
    if (Date.now() > end)
      throw new Error(`not so after ${PATIENCE_MS / 1000} s: ${what}: ${left.slice(0, 5).join("; ")}`);
    await pause(LOOK_MS);
  }
}

async function overdue(query: Query): Promise<string[]> {
  const rows = await query<{ id: string }>(`select id from timers where due_at < ${Date.now() - 2000}`);
  return rows.map(({ id }) => id);
}

/** Tokens that were answered open the panel, deleted ones do not. */
async function checkTokens(url: string, { known }: Memory): Promise<void> {
  for (const { body } of [...known.of("tokens").values()].slice(-5)) {
    const answer = await new Api(url, { authorization: `Bearer ${String(body["token"])}` }).request(
      "GET",
      "/api/v1/users?limit=1",
    );
    const expected = known.isDoomed("tokens", String(body["id"])) ? [200, 401] : [200];
    if (!expected.includes(answer.status))
      throw new Error(`token ${String(body["id"])} is answered with ${answer.status}`);
  }
}

/**
 * The counts that the live stream begins with are those of the tables. Nodes that cannot be reached change their state
 * all the time.
 */
async function checkStateCounts(url: string, token: string, query: Query): Promise<void> {
  let last = "";
  await until("the counts of states are those of the rows", async () => {
    const counted = (await firstFrame(url, token)).counts["user"] ?? {};
    const rows = await query<{ mstate: string; n: number }>("select mstate, count(*) as n from users group by mstate");
    const stored = Object.fromEntries(rows.map(({ mstate, n }) => [mstate, n]));
    const sorted = (counts: Record<string, number>) =>
      JSON.stringify(Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    last = `stream ${sorted(counted)}, rows ${sorted(stored)}`;
    return sorted(counted) === sorted(stored) ? [] : [last];
  });
}

function firstFrame(url: string, token: string): Promise<z.output<typeof Frame>> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/api/v1/actors/stream`, {
      headers: { authorization: `Bearer ${token}` },
    });
    socket.once("error", reject);
    socket.once("message", (data: Buffer) => {
      resolve(Frame.parse(JSON.parse(data.toString("utf8"))));
      socket.close();
    });
  });
}
