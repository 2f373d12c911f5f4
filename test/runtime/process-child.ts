// A process on a shared database, with all that a panel has below its surface: driven by lines, says by lines what runs
// in it. Not a test itself.
import { setTimeout as passed } from "node:timers/promises";
import { createInterface } from "node:readline";
import { z } from "zod";
import { TRANSITION } from "../../src/runtime/index.ts";
import { connectTestDatabase, follow } from "../database.ts";
import { entities, origin, panelOn, queued } from "./fixture.ts";
import { echo, joinShards } from "./shared-shards.ts";

/** What the parent asks for: `count` times an event to actors in turn, so many at once. */
export const Order = z.object({
  events: z.array(z.enum(["count", "wait", "go", "link"])),
  ids: z.array(z.int()),
  count: z.int(),
  inFlight: z.int(),
});
export type Order = z.infer<typeof Order>;

/** What the process says. */
export const Said = z.discriminatedUnion("what", [
  z.object({ what: z.literal("ready"), boot: z.string() }),
  z.object({ what: z.literal("done"), failed: z.int() }),
  z.object({ what: z.literal("begin"), id: z.int(), fence: z.int(), resumed: z.boolean() }),
  z.object({ what: z.literal("end"), id: z.int(), fence: z.int() }),
  z.object({ what: z.literal("effect"), key: z.string(), attempt: z.int() }),
  z.object({ what: z.literal("timer"), id: z.int() }),
]);
export type Said = z.infer<typeof Said>;

export const Settings = z.object({
  url: z.string(),
  times: z.object({ lease: z.number(), own: z.number(), renew: z.number(), poll: z.number() }),
  deadAfterMs: z.number(),
  /** How long an effect takes. */
  effectMs: z.number(),
});
export type Settings = z.infer<typeof Settings>;

const say = (said: Said) => process.stdout.write(`${JSON.stringify(said)}\n`);

async function run({ url, times, deadAfterMs, effectMs }: Settings): Promise<void> {
  const db = await connectTestDatabase(url, entities, Date.now, echo);
  const follower = await follow(db);
  const part = await joinShards(db, { times, beatMs: 200, deadAfterMs });
  const work = queued(
    async (_, { idempotencyKey, attempt, signal }) => {
      say({ what: "effect", key: idempotencyKey, attempt });
      await passed(effectMs, undefined, { signal });
    },
    { concurrency: 64, timeoutMs: 60_000 },
  );
  const { supervisor } = panelOn(db, {
    ...part,
    work,
    line: {
      mode: "resident",
      start: ({ id, fence, resumed }) => {
        say({ what: "begin", id, fence, resumed });
        return () => say({ what: "end", id, fence });
      },
    },
  });
  db.commits.onCommit(({ facts, remote }) => {
    if (remote) return;
    for (const { event, id } of facts.of(TRANSITION)) if (event.startsWith("xstate.after")) say({ what: "timer", id });
  });
  await supervisor.start();
  say({ what: "ready", boot: db.boot });

  for await (const line of createInterface({ input: process.stdin })) {
    const { events, ids, count, inFlight } = Order.parse(JSON.parse(line));
    let next = 0;
    let failed = 0;
    const drive = async () => {
      for (let index = next++; index < count; index = next++) {
        const type = events[index % events.length] ?? "count";
        await supervisor.ask("job", ids[index % ids.length] ?? 0, { type }, origin).catch(() => failed++);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, drive));
    say({ what: "done", failed });
  }
  await supervisor.drain(1000);
  await part.processes.stop();
  await follower.stop();
  await db.close();
}

if (process.argv[2] !== undefined) await run(Settings.parse(JSON.parse(process.argv[2])));
