// What a bulk operation would do: its own decisions on the accounts as they are, thrown away (rule jobs.bulk.3).
import { setImmediate as nextTick } from "node:timers/promises";
import { trialIds, tryOut } from "../../db/index.ts";
import type { Caller } from "../../http/index.ts";
import type { JobProblem } from "../../jobs/index.ts";
import type { Origin } from "../../lib/origin.ts";
import type { BulkAnswer, BulkOp } from "./bulk.schema.ts";
import { amongNamed, newestUser, nextSelected } from "./selection.ts";
import { bulkStep } from "./step.ts";
import type { BulkDeps, BulkPlan } from "./works.ts";

/** Accounts at a time. */
const AT_ONCE = 200;
const PROBLEMS = 100;

export async function tryBulk(
  deps: BulkDeps,
  { caller, origin }: { readonly caller: Caller; readonly origin: Origin },
  op: BulkOp,
  { selection, given }: BulkPlan,
  chosen: readonly number[],
  signal: AbortSignal,
): Promise<BulkAnswer> {
  const sum = { matched: 0, affected: 0, blocked: 0, failed: 0 };
  const problems: JobProblem[] = [];
  const { named } = selection;
  const upTo = await newestUser(deps);
  let cursor = 0;
  for (;;) {
    signal.throwIfAborted();
    const ids = named
      ? chosen.filter((id) => id > cursor).slice(0, AT_ONCE)
      : await nextSelected(deps, selection, { cursor, upTo }, AT_ONCE);
    const last = ids.at(-1);
    if (last === undefined) return { op, ...sum, problems: problems.slice(0, PROBLEMS) };
    const found = named ? await amongNamed(deps, selection, ids) : { ids, missing: [] };
    const step = bulkStep(deps, { op, given, origin, ...found, named });
    const tally = await tryOut(
      deps.reads,
      deps.now() * 1000,
      step.locks,
      (draft) => step.decide(draft, caller),
      trialIds(),
    );
    sum.matched += tally.matched;
    sum.affected += tally.affected.length;
    sum.blocked += tally.blocked;
    sum.failed += tally.failed;
    problems.push(...tally.problems.slice(0, PROBLEMS - problems.length));
    cursor = last;
    await nextTick();
  }
}
