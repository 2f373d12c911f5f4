// Accounts from a name pattern (rules jobs.generate).
import { sql, trialIds, tryOut } from "../../db/index.ts";
import { idParams, notFound, route, visibleTo, type Caller, type Route } from "../../http/index.ts";
import { JobRows, JobStarted, seesJob, type JobOrder, type JobRow, type Jobs } from "../../jobs/index.ts";
import type { Origin } from "../../lib/origin.ts";
import { z } from "zod";
import type { BulkDeps } from "../bulk/works.ts";
import { freshSecrets } from "../credentials/credentials.ts";
import { askedBy, subUrlOf } from "../links/sub-url.ts";
import { UserRows } from "../records/user.entity.ts";
import { NONE_CHOSEN } from "../users/user-change.ts";
import { createUser } from "../users/users.commands.ts";
import type { ViewDeps } from "../users/users.queries.ts";
import { GenerateBody, GeneratedUser, GenerateQuery, GenerateResult, type GenerateAnswer } from "./generate.schema.ts";
import { bodiesAt, GENERATE_WORK } from "./generate.work.ts";

export interface GenerateRoutesDeps extends BulkDeps, ViewDeps {
  readonly jobs: Jobs;
}

export function generateRoutes(deps: GenerateRoutesDeps): Route[] {
  const { jobs, reads } = deps;
  return [
    route({
      method: "POST",
      path: "/users/generate",
      scope: "users:write",
      summary: "Make up to 1000 users from a name pattern",
      description:
        "Names that are taken are skipped. With `async=true` it is answered 202 with the job at once, else when the job has ended.",
      query: GenerateQuery,
      body: GenerateBody,
      answer: GenerateResult,
      accepted: JobStarted,
      secretAnswer: true,
      statuses: [400, 402],
      handle: async ({ body, query, caller, origin, request, submit, accept, signal }) => {
        await jobs.refuseMany(caller.adminId);
        await refuseFirst(deps, { caller, origin }, body);
        const order: JobOrder = {
          work: GENERATE_WORK,
          op: "generate",
          plan: { body, base: caller.base },
          upTo: body.count,
        };
        if (query.async === true)
          return accept({ locks: [], decide: (draft) => ({ answer: { job: jobs.start(draft, order, origin) } }) });
        const id = await submit({
          name: "users.generate",
          locks: [],
          decide: (draft) => jobs.start(draft, order, origin),
        });
        return resultOf(askedBy(deps, request), caller, await jobs.ended(id, signal()));
      },
    }),
    route({
      method: "GET",
      path: "/jobs/{id}/users",
      scope: "users:read",
      summary: "The users that a job made from a pattern",
      description: "Those that are still there, in the order of their ids; of other jobs none.",
      params: idParams,
      answer: z.array(GeneratedUser),
      statuses: [404],
      handle: async ({ params: { id }, caller, request }) => {
        const job = await reads.find(JobRows, id);
        if (!job || !seesJob(caller, job)) notFound("job", id);
        return job.work === GENERATE_WORK ? generatedUsers(askedBy(deps, request), caller, job) : [];
      },
    }),
  ];
}

/** What is wrong with every one of them is told at once, as by a single create. */
async function refuseFirst(
  deps: GenerateRoutesDeps,
  { caller, origin }: { readonly caller: Caller; readonly origin: Origin },
  body: GenerateBody,
): Promise<void> {
  const [first] = bodiesAt(body, [1]);
  if (!first) return;
  const acting = { caller, origin, ...NONE_CHOSEN };
  const fresh = freshSecrets();
  await tryOut(
    deps.reads,
    deps.now() * 1000,
    [],
    (draft) => createUser(draft, deps, acting, first.body, fresh),
    trialIds(),
  );
}

async function generatedUsers(deps: GenerateRoutesDeps, caller: Caller, { ids }: JobRow) {
  if (ids.length === 0) return [];
  const rows = await deps.reads.rows(
    UserRows,
    sql`select * from users where id in (${sql.join([...ids])}) order by id`,
  );
  return rows
    .filter(({ adminId }) => visibleTo(caller, adminId))
    .map((row) => ({ id: row.id, name: row.name, subUrl: subUrlOf(row, deps.settings, deps.publicAddress()) }));
}

async function resultOf(deps: GenerateRoutesDeps, caller: Caller, job: JobRow): Promise<GenerateAnswer> {
  const { id, affected: created, blocked: skipped, failed, problems, error } = job;
  const users = await generatedUsers(deps, caller, job);
  return { created, skipped, failed, users, problems, job: id, ...(error === "" ? {} : { error }) };
}
