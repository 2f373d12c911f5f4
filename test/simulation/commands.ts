// The panel's side of what clients ask for: each command leaves a mark with its answer in the same commit, so that one
// that comes again is answered the same and not done twice.
import { Facts, lock, sql, type Draft, type Unit } from "../../src/db/index.ts";
import { systemOrigin } from "../../src/lib/origin.ts";
import { DUE, DUE_TIMER, timerId } from "../../src/runtime/index.ts";
import { ALLOWANCE, Jobs, Marks, Meters } from "./job.ts";
import type { Panel } from "./panel.ts";

/** What a command was answered with. `seq`: the job's revision after it, by job. */
export interface Answer {
  readonly handled: boolean;
  readonly seq: Readonly<Record<number, number>>;
}

export type Op =
  | { readonly type: "create"; readonly name: string; readonly patience: number; readonly deadlineIn: number | null }
  | { readonly type: "ask"; readonly job: number; readonly event: string }
  | { readonly type: "remove"; readonly job: number }
  | { readonly type: "transfer"; readonly from: number; readonly to: number; readonly amount: number }
  | { readonly type: "deadline"; readonly job: number; readonly inMs: number }
  | { readonly type: "meter"; readonly job: number; readonly amount: number }
  | { readonly type: "resume"; readonly job: number };

/** Carries out a command in a process. `id` names it through all its repetitions. */
export function carryOut(panel: Panel, id: string, op: Op): Promise<Answer> {
  if (op.type === "meter") return meter(panel, id, op.job, op.amount);
  if (op.type === "resume") return panel.supervisor.resume("job", op.job).then((handled) => ({ handled, seq: {} }));
  return panel.commits.submit(marked(id, unitOf(panel, id, op)));
}

/** Gives an event to a job without a mark: it cannot be repeated safely. */
export async function askOnce(panel: Panel, id: string, job: number, event: string): Promise<Answer> {
  const { handled } = await panel.supervisor.ask("job", job, { type: event }, systemOrigin(id));
  return { handled, seq: {} };
}

function marked(id: string, unit: Unit<Answer>): Unit<Answer> {
  return {
    ...unit,
    locks: [lock(Marks, id), ...unit.locks],
    decide(draft) {
      const mark = draft.find(Marks, id);
      if (mark) return JSON.parse(mark.answer) as Answer;
      const answer = unit.decide(draft);
      const [job = "0"] = Object.keys(answer.seq);
      draft.insert(Marks, { id, actorId: Number(job), answer: JSON.stringify(answer) });
      return answer;
    },
  };
}

type Stepping = Exclude<Op, { type: "meter" | "resume" }>;

function unitOf(panel: Panel, id: string, op: Stepping): Unit<Answer> {
  const { supervisor, kind } = panel;
  const origin = systemOrigin(id);
  const locks = (...jobs: number[]) => jobs.flatMap((job) => [lock(Jobs, job), lock(Meters, job)]);
  const seqOf = (draft: Draft, job: number) => draft.find(Jobs, job)?.rev ?? 0;
  switch (op.type) {
    case "create":
      return {
        name: "create",
        locks: [],
        decide(draft) {
          const job = draft.nextId("jobs");
          draft.insert(Meters, { id: job, used: 0, wakeAt: ALLOWANCE });
          const deadline = op.deadlineIn === null ? null : draft.now + op.deadlineIn;
          supervisor.create(
            draft,
            kind,
            { id: job, name: op.name, patience: op.patience, deadline, count: 0, balance: 0 },
            origin,
          );
          return { handled: true, seq: { [job]: 1 } };
        },
      };
    case "ask":
      return {
        name: op.event,
        locks: locks(op.job),
        decide(draft) {
          const { handled } = supervisor.step(draft, kind, op.job, { type: op.event }, origin);
          return { handled, seq: { [op.job]: seqOf(draft, op.job) } };
        },
      };
    case "remove":
      return {
        name: "remove",
        locks: locks(op.job),
        decide(draft) {
          const seq = seqOf(draft, op.job) + 1;
          supervisor.remove(draft, kind, op.job, origin);
          draft.delete(Meters, op.job);
          return { handled: true, seq: { [op.job]: seq } };
        },
      };
    case "transfer":
      return {
        name: "transfer",
        // The second row is asked for only when the first is known: the command is decided twice.
        locks: locks(op.from),
        decide(draft) {
          const seq: Record<number, number> = {};
          for (const [job, amount] of [
            [op.from, -op.amount],
            [op.to, op.amount],
          ] as const) {
            supervisor.step(draft, kind, job, { type: "note" }, origin);
            const row = draft.find(Jobs, job);
            if (row) draft.update(Jobs, job, { balance: row.balance + amount });
            seq[job] = row?.rev ?? 0;
          }
          return { handled: true, seq };
        },
      };
    case "deadline":
      return {
        name: "deadline",
        locks: locks(op.job),
        decide(draft) {
          if (draft.find(Jobs, op.job)) draft.update(Jobs, op.job, { deadline: draft.now + op.inMs });
          supervisor.touch(draft, kind, op.job);
          return { handled: true, seq: {} };
        },
      };
  }
}

/**
 * A set-based change that counts, and marks the job due in the same transaction when it crossed its line: as usage is
 * counted.
 */
async function meter(panel: Panel, id: string, job: number, amount: number): Promise<Answer> {
  const { reads, clock } = panel;
  const answer: Answer = { handled: true, seq: {} };
  await panel.commits.execute({
    name: "meter",
    statements: [
      reads.statement(
        "meter mark",
        sql`insert into marks (id, actor_id, answer) values (${id}, ${job}, ${JSON.stringify(answer)}) on conflict (id) do nothing`,
        1,
      ),
      reads.statement("meter", sql`update meters set used = used + ${amount} where id = ${job}`, 1),
      reads.statement(
        "meter due",
        sql`insert into timers (id, kind, actor_id, name, event, due_at)
          select ${timerId("job", job, DUE_TIMER)}, 'job', ${job}, ${DUE_TIMER}, ${DUE_TIMER}, ${clock.now()} from meters where id = ${job} and used >= wake_at
          on conflict (id) do update set due_at = min(timers.due_at, excluded.due_at)`,
      ),
    ],
    facts: new Facts().add(DUE, true),
  });
  return answer;
}
