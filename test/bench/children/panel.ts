// The whole panel in a process of its own, as `serve` runs it, that tells of its memory. Started with --expose-gc.
import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import { pino } from "pino";
import { z } from "zod";
import { readEnvironment } from "../../../src/panel/environment.ts";
import { openInterface } from "../../../src/interface/index.ts";
import { startPanel } from "../../../src/panel/panel.ts";
import { answerParent, beforeEnd } from "../measure/child.ts";

const SAMPLE_MS = 50;
/** Milliseconds from the start of the process until all its modules were loaded. */
const loaded = performance.now();

const Message = z.discriminatedUnion("do", [
  z.object({ do: z.literal("start"), environment: z.record(z.string(), z.string()) }),
  /** The heap after a full collection. */
  z.object({ do: z.literal("heap") }),
  /** What was observed since the last time. */
  z.object({ do: z.literal("observed") }),
]);

let pauses: number[] = [];
let highest = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) pauses.push(duration);
}).observe({ entryTypes: ["gc"] });
const delay = monitorEventLoopDelay({ resolution: 5 });
setInterval(() => (highest = Math.max(highest, process.memoryUsage().heapUsed)), SAMPLE_MS).unref();

async function start(environment: Record<string, string>): Promise<object> {
  const read = readEnvironment(environment);
  const log = pino({ level: "silent" });
  const panel = await startPanel({ environment: read, log, web: openInterface({ ...read, log }) });
  beforeEnd(() => panel.stop("restart"));
  delay.enable();
  return { url: panel.url, loaded, started: performance.now() - loaded };
}

function heap(): object {
  if (!globalThis.gc) throw new Error("the panel of this bench needs --expose-gc");
  // What a first collection finalizes, a second one frees.
  for (let round = 0; round < 3; round++) globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, rss };
}

function observed(): object {
  const found = { pauses, highest, blocked: Math.max(0, delay.max / 1e6 - 5) };
  pauses = [];
  highest = 0;
  delay.reset();
  return found;
}

answerParent(async (raw) => {
  const message = Message.parse(raw);
  if (message.do === "start") return start(message.environment);
  return message.do === "heap" ? heap() : observed();
});
