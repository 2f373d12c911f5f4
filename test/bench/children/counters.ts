// A process with a runtime over a database of counters: opens it, carries out commands in a closed loop, and says how
// that went.
import { z } from "zod";
import { connectCounters, counter, origin } from "../counters/actors.ts";
import { openRuntime } from "../counters/runtime.ts";
import { answerParent, beforeEnd } from "../measure/child.ts";
import { anyOf, closedLoop } from "../measure/closed-loop.ts";

/** Milliseconds from the start of the process until all its modules were loaded. */
const loaded = performance.now();

const Message = z.discriminatedUnion("do", [
  z.object({ do: z.literal("open"), url: z.string() }),
  z.object({ do: z.literal("load"), keys: z.int(), inFlight: z.int(), ms: z.number() }),
]);

async function open(url: string) {
  const db = await connectCounters(url);
  const { supervisor, stop } = await openRuntime(db, counter);
  await supervisor.start();
  await supervisor.ask(counter.definition.kind, 1, { type: "count" }, origin);
  beforeEnd(async () => {
    await stop();
    await db.close();
  });
  return supervisor;
}

let supervisor: Awaited<ReturnType<typeof open>> | undefined;
answerParent(async (raw) => {
  const message = Message.parse(raw);
  if (message.do === "open") {
    const began = performance.now();
    supervisor = await open(message.url);
    return { loaded, opened: performance.now() - began };
  }
  const runtime = supervisor;
  if (!runtime) throw new Error("load before open");
  return closedLoop(message.inFlight, message.ms, () =>
    runtime.ask("counter", anyOf(message.keys), { type: "count" }, origin),
  );
});
