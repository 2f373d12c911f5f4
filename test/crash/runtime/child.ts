// The panel process that is killed: carries out the commands that it reads, a line each, and answers each after its
// commit. Not a test itself.
import { appendFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { z } from "zod";
import { lock } from "../../../src/db/index.ts";
import { connectTestDatabase } from "../../connect.ts";
import { entities, Jobs, panelOn, queued, type Panel } from "../../runtime/fixture.ts";
import { at } from "../faults/kill.ts";
import { Open, type Answer, type Command } from "./wire.ts";

const say = (line: Answer | { ready: true }) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function open({ url, effects }: z.infer<typeof Open>) {
  const db = await connectTestDatabase(url, entities);
  // What an effect does outside: one line for every attempt, under its key.
  const work = queued(
    async (_, { idempotencyKey, attempt }) => {
      at("effect.before");
      await appendFile(effects, `${idempotencyKey} ${attempt}\n`);
      at("effect.after");
      await new Promise((resolve) => setTimeout(resolve, 15));
      return idempotencyKey;
    },
    { concurrency: 32 },
  );
  const panel = panelOn(db, { work });
  await panel.supervisor.start();
  return { db, panel };
}

/** Answers with what must be on disk: the actor, its revision and its state. */
function carryOut(db: Awaited<ReturnType<typeof open>>["db"], panel: Panel, command: Command): Promise<Answer> {
  const origin = { via: "cli", actor: `c${command.n}`, adminId: 0, tokenId: 0, ip: "" } as const;
  return db.commits.submit({
    name: command.op,
    locks: command.op === "create" ? [] : [lock(Jobs, command.id)],
    decide: (draft) => {
      const { n, op } = command;
      if (op === "create") {
        const id = draft.nextId("jobs");
        panel.supervisor.create(
          draft,
          panel.kind,
          { id, name: `job ${n}`, patience: command.patience, deadline: null, count: 0 },
          origin,
        );
        return { n, id, seq: 1, state: "idle", handled: true };
      }
      const { handled, state } = panel.supervisor.step(draft, panel.kind, command.id, { type: command.type }, origin);
      return { n, id: command.id, seq: draft.find(Jobs, command.id)?.rev ?? 0, state, handled };
    },
  });
}

let opened: ReturnType<typeof open> | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  if (!opened) {
    opened = open(Open.parse(JSON.parse(line)));
    await opened;
    say({ ready: true });
    continue;
  }
  const { db, panel } = await opened;
  carryOut(db, panel, JSON.parse(line) as Command).then(say, (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
}
