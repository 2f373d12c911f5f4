// Accounts from a name pattern as long work: its records are the places in the row, from 1 (rules jobs.generate).
import { NeedLocks, sql, type Lock } from "../../db/index.ts";
import { Refusal, type Tier } from "../../http/index.ts";
import { jobOrigin, refusedProblem, type JobProblem, type JobRow, type JobWork } from "../../jobs/index.ts";
import { alphanumeric, pooledRandom } from "../../lib/ids.ts";
import { nameFrom, readPattern } from "../../lib/name-pattern.ts";
import { madeOf, type KeptAccount } from "../bulk/before.ts";
import { UNDO_WORK, type BulkDeps } from "../bulk/works.ts";
import { freshSecrets } from "../credentials/credentials.ts";
import { PlanRows } from "../records/plan.entity.ts";
import { NONE_CHOSEN } from "../users/user-change.ts";
import { createUser } from "../users/users.commands.ts";
import type { UserCreateBody } from "../users/users.schema.ts";
import type { GenerateBody } from "./generate.schema.ts";

export const GENERATE_WORK = "users.generate";

/** What the job's row holds of what was asked for. */
export interface GeneratePlan {
  readonly body: GenerateBody;
  readonly base: Tier;
}

const planOf = (job: Readonly<JobRow>): GeneratePlan => job.plan as unknown as GeneratePlan;
const random = pooledRandom();

/** The bodies of the accounts at these places. Names are drawn here. */
export function bodiesAt({ pattern, count: _, start = 1, config, ...fields }: GenerateBody, places: readonly number[]) {
  const read = readPattern(pattern) ?? [];
  return places.map((place): { readonly place: number; readonly body: UserCreateBody } => ({
    place,
    body: {
      ...fields,
      config,
      subId: undefined,
      name: nameFrom(read, start + place - 1, (length) => alphanumeric(length, random)),
    },
  }));
}

export function generateWork(deps: BulkDeps): JobWork {
  return {
    name: GENERATE_WORK,
    scope: "users:write",
    keepsIds: true,
    count: async (job) => job.upTo,
    next: async ({ cursor, upTo }, limit) =>
      Array.from({ length: Math.min(limit, upTo - cursor) }, (_, index) => cursor + 1 + index),
    async step(job, places) {
      const bodies = bodiesAt(planOf(job).body, places);
      const finalName = await namesByPlan(deps, planOf(job).body.planId ?? 0);
      const taken = await takenNames(
        deps,
        bodies.map(({ body }) => finalName(body.name)),
      );
      const drawn = bodies.map((each) => ({ ...each, fresh: freshSecrets() }));
      const origin = jobOrigin(job);
      return {
        locks: [],
        decide(draft, caller) {
          const names = new Set(taken);
          const affected: number[] = [];
          const before: KeptAccount[] = [];
          const problems: JobProblem[] = [];
          const wanted: Lock[] = [];
          let skipped = 0;
          for (const { place, body, fresh } of drawn) {
            const name = finalName(body.name);
            if (names.has(name)) {
              skipped++;
              continue;
            }
            names.add(name);
            try {
              const acting = { caller, origin, ...NONE_CHOSEN };
              const made = draft.attempt((part) => createUser(part, deps, acting, body, fresh), { hushed: true });
              affected.push(made.row.id);
              before.push(madeOf(made, place));
            } catch (error) {
              if (error instanceof NeedLocks) wanted.push(...error.locks);
              else if (error instanceof Refusal) problems.push({ id: place, ...refusedProblem(error) });
              else throw error;
            }
          }
          if (wanted.length > 0) throw new NeedLocks(wanted);
          const failed = problems.length;
          return { matched: affected.length, affected, blocked: skipped, failed, problems, before };
        },
      };
    },
    ended(draft, job) {
      const { body, base } = planOf(job);
      const { pattern, planId = 0 } = body;
      const { id, affected, blocked: skipped, failed, error, ids, actor } = job;
      deps.outbox.raise(draft, {
        event: "user.generated",
        data: { pattern, count: affected, skipped, planId, actor, adminId: base === "resale" ? job.adminId : 0 },
        subject: `job:${id}`,
      });
      deps.audit(draft, {
        origin: jobOrigin(job),
        key: "users",
        entityId: "",
        action: "generate",
        obj: { job: id, ...body, created: affected, skipped, failed, ...(error === "" ? {} : { error }), ids },
      });
    },
    undo: ({ upTo }) => ({ work: UNDO_WORK, upTo }),
  };
}

/** A plan wraps names: what is taken is the name that comes of it. */
async function namesByPlan({ reads }: BulkDeps, planId: number): Promise<(name: string) => string> {
  const plan = planId === 0 ? undefined : await reads.find(PlanRows, planId);
  return (name) => (plan ? `${plan.namePrefix}${name}${plan.nameSuffix}` : name);
}

async function takenNames({ reads }: BulkDeps, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await reads.query<{ name: string }>(sql`select name from users where name in (${sql.join([...names])})`);
  return new Set(rows.map(({ name }) => name));
}
