// A process that runs errands: each prints what a program of its own says, until that ends. Driven by lines, says by
// lines what runs in it. Not a test itself.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { z } from "zod";
import { lock } from "../../src/db/index.ts";
import { connectTestDatabase, follow } from "../database.ts";
import { entities, errand, Jobs, origin, panelOn } from "./fixture.ts";
import { echo, joinShards } from "./shared-shards.ts";

export const Settings = z.object({
  url: z.string(),
  shared: z.boolean(),
  /** The errand ignores its abort. */
  deaf: z.boolean(),
  /** The errand needs the secret `password`. */
  secrets: z.boolean(),
});
export type Settings = z.infer<typeof Settings>;

export const Order = z.discriminatedUnion("do", [
  z.object({ do: z.literal("ask"), id: z.int(), type: z.enum(["go", "stop"]) }),
  z.object({ do: z.literal("goWith"), id: z.int(), password: z.string() }),
  /** The programs of all errands end. */
  z.object({ do: z.literal("finish") }),
]);
export type Order = z.infer<typeof Order>;

export const Said = z.discriminatedUnion("what", [
  z.object({ what: z.literal("ready"), boot: z.string() }),
  z.object({ what: z.literal("done") }),
  z.object({ what: z.literal("begun"), id: z.int(), key: z.string(), attempt: z.int() }),
  z.object({ what: z.literal("ended"), id: z.int() }),
]);
export type Said = z.infer<typeof Said>;

const say = (said: Said) => process.stdout.write(`${JSON.stringify(said)}\n`);

async function run({ url, shared, deaf, secrets }: Settings): Promise<void> {
  const db = await connectTestDatabase(url, entities, Date.now, shared ? echo : undefined);
  const follower = shared ? await follow(db) : undefined;
  const part = shared
    ? await joinShards(db, {
        times: { lease: 6000, own: 5000, renew: 750, poll: 250 },
        beatMs: 200,
        deadAfterMs: 4000,
      })
    : { bootId: db.boot };
  const programs = new Set<ReturnType<typeof spawn>>();
  const work = errand(
    async (_, { actorId, idempotencyKey: key, attempt, signal, secrets: own, lend, print }) => {
      say({ what: "begun", id: actorId, key, attempt });
      // It echoes what it reads and ends with this process: its input is closed then.
      const program = spawn("cat", { stdio: ["pipe", "pipe", "inherit"] });
      programs.add(program);
      program.stdout.on("data", (chunk: Buffer) => print(chunk.toString()));
      program.stdin.write(`attempt ${attempt} of ${actorId} with ${own?.text("password") ?? "nothing"}\n`);
      if (!deaf) signal.addEventListener("abort", () => program.kill(), { once: true });
      await lend(() => once(program, "close")).finally(() => say({ what: "ended", id: actorId }));
      programs.delete(program);
      return "well";
    },
    { timeoutMs: 120_000, deadlineMs: 240_000, ...(secrets && { secrets }) },
  );
  const { supervisor, kind } = panelOn(db, { ...part, work });
  await supervisor.start();
  say({ what: "ready", boot: db.boot });

  const carryOut = async (order: Order) => {
    switch (order.do) {
      case "ask":
        return supervisor.ask("job", order.id, { type: order.type }, origin);
      case "goWith": {
        const handed = supervisor.secrets.hand({ password: order.password }, 240_000);
        return db.commits.submit({
          name: "job.go",
          locks: [lock(Jobs, order.id)],
          decide: (draft) => {
            supervisor.secrets.give(draft, "job", order.id, handed);
            supervisor.step(draft, kind, order.id, { type: "go" }, origin);
          },
        });
      }
      case "finish":
        for (const program of programs) program.stdin?.end();
        return undefined;
    }
  };
  for await (const line of createInterface({ input: process.stdin })) {
    await carryOut(Order.parse(JSON.parse(line)));
    say({ what: "done" });
  }
  const drained = supervisor.drain(1000);
  for (const program of programs) program.kill();
  await drained;
  if ("processes" in part) await part.processes.stop();
  await follower?.stop();
  await db.close();
}

if (process.argv[2] !== undefined) await run(Settings.parse(JSON.parse(process.argv[2])));
