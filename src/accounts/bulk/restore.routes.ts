// Many deleted accounts at once: as a job that is waited for, or looked at later.
import { route, type Route } from "../../http/index.ts";
import { JobStarted, type JobOrder, type JobRow, type Jobs } from "../../jobs/index.ts";
import {
  RestorationQuery,
  RestorationResult,
  UserRestorations,
  type RestorationAnswer,
} from "../deleted/deleted.schema.ts";
import { RESTORE_WORK } from "./restore.work.ts";

const BODY_LIMIT = 8 * 1024 * 1024;

export function restoreRoutes({ jobs }: { readonly jobs: Jobs }): Route[] {
  return [
    route({
      method: "POST",
      path: "/users/deleted/restore",
      scope: "users:write",
      summary: "Bring back many deleted users",
      description:
        "Each on its own: one that is refused stays deleted and is listed in `problems`. With `async=true` it is answered 202 with the job at once, else when the job has ended.",
      query: RestorationQuery,
      body: UserRestorations,
      answer: RestorationResult,
      accepted: JobStarted,
      bodyLimit: BODY_LIMIT,
      statuses: [400, 402],
      handle: async ({ query, body, caller, origin, signal, accept, submit }) => {
        const chosen = [...new Set(body.ids)].toSorted((one, other) => one - other);
        await jobs.refuseMany(caller.adminId);
        const order: JobOrder = {
          work: RESTORE_WORK,
          op: "restore",
          plan: { base: caller.base },
          upTo: chosen.at(-1) ?? 0,
          chosen,
        };
        if (query.async === true)
          return accept({ locks: [], decide: (draft) => ({ answer: { job: jobs.start(draft, order, origin) } }) });
        const id = await submit({
          name: "users.restore",
          locks: [],
          decide: (draft) => jobs.start(draft, order, origin),
        });
        return resultOf(await jobs.ended(id, signal()));
      },
    }),
  ];
}

function resultOf({ id, matched, affected, blocked, failed, problems, error }: JobRow): RestorationAnswer {
  const counts = { matched, affected, blocked, failed, problems };
  return { op: "restore", ...counts, job: id, ...(error === "" ? {} : { error }) };
}
