// Bulk operations on users (rules jobs.bulk): counted, carried out at once, or as a job that the caller looks at later.
import { z } from "zod";
import { invalid, notFound, ownsOnly, Refusal, rule, route, type Caller, type Route } from "../../http/index.ts";
import { requestKeyOf, startOnce, type JobOrder, type JobRow, type Jobs } from "../../jobs/index.ts";
import { refuseAbsent, refuseForbidden } from "./absent.ts";
import { BULK_OPS, BulkBody, BulkQuery, BulkResult, BulkStarted, type BulkAnswer, type BulkOp } from "./bulk.schema.ts";
import { refuseIncomplete } from "./operations.ts";
import { foundBy, newestUser } from "./selection.ts";
import { tryBulk } from "./trial.ts";
import { BULK_WORK, type BulkDeps, type BulkPlan } from "./works.ts";

const BODY_LIMIT = 8 * 1024 * 1024;

export interface BulkRoutesDeps extends BulkDeps {
  readonly jobs: Jobs;
}

const OpParams = z.object({ op: z.string().meta({ enum: [...BULK_OPS] }) });

/** 404 for one that there is not. */
function opOf(name: string): BulkOp {
  return BULK_OPS.find((op) => op === name) ?? notFound("bulk operation", name);
}

export function bulkRoutes(deps: BulkRoutesDeps): Route[] {
  const { jobs } = deps;
  return [
    route({
      method: "POST",
      path: "/users/bulk/{op}",
      scope: "users:write",
      summary: "Do the same to many users",
      description:
        "To those that the list's filters select, to `ids`, or with `all=true` to all; without any of the three it is 400. `dryRun=true` counts and changes nothing. With `async=true` it is answered 202 with the job at once, else when the job has ended.",
      params: OpParams,
      query: BulkQuery,
      body: BulkBody.optional(),
      answer: BulkResult,
      accepted: BulkStarted,
      bodyLimit: BODY_LIMIT,
      statuses: [400, 402, 404],
      admit: (_, { op }) => void opOf(op),
      handle: async ({ params, query, body = {}, caller, origin, request, signal, accept, submit }) => {
        const op = opOf(params.op);
        const { ids, ...given } = body;
        const chosen = ids && [...new Set(ids)].toSorted((one, other) => one - other);
        const plan = planFor(caller, op, query, chosen, given);
        await refuseForbidden(deps.reads, caller, op, given);
        await refuseAbsent(deps.reads, caller, op, given);
        await foundBy(deps, plan.selection);
        if (query.dryRun === true) return tryBulk(deps, { caller, origin }, op, plan, chosen ?? [], signal());
        await jobs.refuseMany(caller.adminId);
        const upTo = chosen ? (chosen.at(-1) ?? 0) : await newestUser(deps);
        const order: JobOrder = { work: BULK_WORK, op, plan: { ...plan }, upTo, chosen };
        if (query.async === true)
          return accept({ locks: [], decide: (draft) => ({ answer: { job: jobs.start(draft, order, origin) } }) });
        const key = request.header("idempotency-key");
        const requestKey = key && requestKeyOf(caller, key, [op, plan, chosen ?? null]);
        const once = { jobs, submit, now: deps.now() };
        const id = await startOnce(once, "users.bulk", { ...order, requestKey }, origin);
        return resultOf(op, await jobs.ended(id, signal()));
      },
    }),
  ];
}

/** What is asked for. Throws 400 where it does not say what, or to which accounts. */
function planFor(
  caller: Caller,
  op: BulkOp,
  query: z.output<typeof BulkQuery>,
  chosen: readonly number[] | undefined,
  given: BulkPlan["given"],
): BulkPlan {
  const { dryRun: _, async: __, all, q, updated_since: updatedSince, ...filters } = query;
  const filtered = (q !== undefined && q !== "") || updatedSince !== undefined || Object.keys(filters).length > 0;
  if (!filtered && chosen === undefined && all !== true) invalid("ids", rule("required", "ids, a filter or all=true"));
  refuseIncomplete(op, given);
  if (op === "assign" && ownsOnly(caller))
    throw new Refusal("forbidden", { message: "a reseller's accounts stay its own", field: "adminId" });
  const owner = { base: caller.base, adminId: caller.adminId };
  return { selection: { owner, filters, q, updatedSince, named: chosen !== undefined }, given };
}

function resultOf(op: BulkOp, job: JobRow): BulkAnswer {
  const { id, matched, affected, blocked, failed, problems, error } = job;
  return { op, matched, affected, blocked, failed, problems, job: id, ...(error === "" ? {} : { error }) };
}
