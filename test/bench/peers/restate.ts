// Restate doing what a counter does: a virtual object per key whose exclusive handler steps the same chart and keeps
// its state. The server runs beside this process, with its data in a folder of its own.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as restate from "@restatedev/restate-sdk";
import { transition } from "xstate";
import { z } from "zod";
import { quietPorts } from "../../quiet-ports.ts";
import { counterChart } from "../counters/chart.ts";
import { answerParent } from "../measure/child.ts";

/** Its default of 24 is slower on few cores. */
const PARTITIONS = "4";
const START_MS = 30_000;
const CAP = 1_000_000_000_000;

const Actor = z.object({ state: z.enum(["even", "odd"]), count: z.int() });

const counter = restate.object({
  name: "counter",
  handlers: {
    count: async (context: restate.ObjectContext) => {
      const stored = Actor.parse((await context.get("actor")) ?? { state: "even", count: 0 });
      const before = counterChart.resolveState({ value: stored.state, context: { count: stored.count, cap: CAP } });
      const [after] = transition(counterChart, before, { type: "count" });
      const actor = { state: after.value, count: after.context.count };
      context.set("actor", actor);
      return { id: context.key, ...actor };
    },
  },
});

const [ingress = 0, admin = 0, node = 0, service = 0] = await quietPorts(4);
const data = mkdtempSync(join(tmpdir(), "signalbox-bench-restate-"));
await restate.serve({ services: [counter], port: service });
const server = spawn(fileURLToPath(new URL("node_modules/.bin/restate-server", import.meta.url)), ["--no-logo"], {
  stdio: ["ignore", "ignore", "inherit"],
  detached: true,
  env: {
    ...process.env,
    RESTATE_BASE_DIR: data,
    RESTATE_LISTEN_MODE: "tcp",
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_DEFAULT_NUM_PARTITIONS: PARTITIONS,
    RESTATE_DISABLE_TELEMETRY: "true",
    RESTATE_LOG_FILTER: "error,octocrab=off",
    DO_NOT_TRACK: "1",
  },
});
process.once("exit", () => {
  // The package's program is a launcher; the server is of its group.
  if (server.pid !== undefined) process.kill(-server.pid, "SIGKILL");
  rmSync(data, { recursive: true, force: true, maxRetries: 5 });
});
process.once("SIGTERM", () => process.exit(0));

const ask = (path: string, body?: object) =>
  fetch(`http://127.0.0.1:${admin}${path}`, {
    headers: { accept: "application/json", "content-type": "application/json" },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });

async function ready(): Promise<void> {
  const until = Date.now() + START_MS;
  for (;;) {
    const health = await ask("/health").catch(() => undefined);
    if (health?.ok) return;
    if (Date.now() > until) throw new Error("restate-server did not start");
    await pause(100);
  }
}

async function register(): Promise<void> {
  const answer = await ask("/deployments", { uri: `http://127.0.0.1:${service}` });
  if (!answer.ok) throw new Error(`restate does not take the service: ${await answer.text()}`);
}

/** Counts of all objects together, as they are stored. */
async function counted(): Promise<number> {
  const answer = await ask("/query", {
    query: "select value_utf8 from state where service_name = 'counter' and key = 'actor'",
  });
  const { rows } = z.object({ rows: z.array(z.object({ value_utf8: z.string() })) }).parse(await answer.json());
  return rows.reduce((sum, row) => sum + Actor.parse(JSON.parse(row.value_utf8)).count, 0);
}

answerParent(async (message) => {
  const order = z.object({ do: z.enum(["open", "count"]) }).parse(message);
  if (order.do === "count") return { counted: await counted() };
  await ready();
  await register();
  return { port: ingress };
});
