// Accounts as files, out of the panel and into it (rules jobs.export, jobs.import).
import { z } from "zod";
import { idParams, notFound, RawAnswer, route, type Route } from "../../http/index.ts";
import {
  JobRows,
  JobStarted,
  requestKeyOf,
  seesJob,
  startOnce,
  type JobOrder,
  type JobRow,
  type Jobs,
} from "../../jobs/index.ts";
import type { Uploads } from "../../uploads/index.ts";
import { BulkSelection } from "../bulk/bulk.schema.ts";
import { askedBy } from "../links/sub-url.ts";
import type { ViewDeps } from "../users/users.queries.ts";
import { UserView } from "../users/users.schema.ts";
import { exportStream } from "./export.ts";
import {
  FileFormat,
  ImportQuery,
  ImportResult,
  ImportTrial,
  LEFT_LINES,
  LeftLines,
  LeftQuery,
  type ImportAnswer,
} from "./import.schema.ts";
import { tryImport } from "./import-trial.ts";
import { countsOf, IMPORT_WORK } from "./import.work.ts";
import type { TransferDeps } from "./lines.ts";
import { firstLeft, leftStream } from "./left-lines.ts";
import { FileReader } from "./file-reader.ts";
import { IMPORT_LIMIT, IMPORTS, stage } from "./staging.ts";

export interface TransferRoutesDeps extends TransferDeps, ViewDeps {
  readonly jobs: Jobs;
  readonly uploads: Uploads;
}

const TYPES = { csv: "text/csv; charset=utf-8", ndjson: "application/x-ndjson" } as const;
const ExportQuery = BulkSelection.omit({ all: true }).extend({ format: FileFormat.default("csv") });

export function transferRoutes(deps: TransferRoutesDeps): Route[] {
  const { jobs, uploads } = deps;
  return [
    route({
      method: "GET",
      path: "/users/export",
      scope: "users:read",
      summary: "Users as a file",
      description:
        "Those that the list's filters select, in the order of their ids, with the fields of a user but for `since` and `offBy`. `csv` has a head line, a column for each known key of `contact`, the other keys as JSON in `contact`, and lists as JSON; cells that a spreadsheet would calculate begin with `'`. An import reads both.",
      query: ExportQuery,
      answer: UserView.omit({ since: true, offBy: true }),
      produces: ["text/csv", "application/x-ndjson"],
      statuses: [400, 404],
      handle: async ({ caller, request, query: { format, q, updated_since: updatedSince, ...filters } }) => {
        const owner = { base: caller.base, adminId: caller.adminId };
        const selection = { owner, filters, q, updatedSince, named: false };
        const stream = await exportStream(askedBy(deps, request), selection, format);
        return new RawAnswer(TYPES[format], stream, 200, {
          "cache-control": "no-store",
          "content-disposition": `attachment; filename="users.${format}"`,
        });
      },
    }),
    route({
      method: "POST",
      path: "/users/import",
      scope: "users:write",
      summary: "Make users from a file",
      description:
        "NDJSON or CSV in UTF-8, up to 1 GiB: each line the body of a create, or what an export wrote. Counters, links' tokens and ids of an export are not taken over; a line with the token or the UUID of a user that was deleted has its link again. Names of columns are read in any case, with spaces or underscores; sizes with units (`50GB`, in powers of 1024), dates (`2026-12-31`, `1405/10/10`) as days of the panel's zone, of which `expiry` is the end. An empty cell says nothing, and in a limit is refused unless `empty=unlimited`. `dryRun=true` answers what it would do. The file is on disk before the answer; with `async=true` that is 202 with the job, else it comes when the job has ended.",
      query: ImportQuery,
      answer: z.union([ImportTrial, ImportResult]),
      accepted: JobStarted,
      bodyLimit: IMPORT_LIMIT,
      stream: true,
      statuses: [400],
      codes: ["disk_full"],
      handle: async ({ caller, origin, query, request, stream, submit, accept, repeated, signal }) => {
        const { onConflict, empty } = query;
        const format = query.format ?? formatOf(request.header("content-type"));
        const dry = query.dryRun === true;
        if (!dry) await jobs.refuseMany(caller.adminId);
        const sending = await uploads.begin(caller, IMPORTS, request.header("content-length"));
        let id: number;
        let unknown: readonly string[] = [];
        try {
          const { records, lastLine, head, file } = await stage(sending, stream, format);
          const reader = () => new FileReader(format);
          const owner = { base: caller.base, adminId: caller.adminId };
          unknown = head?.unknown ?? [];
          const read = { head: head?.columns ?? null, empty, unlimited: head?.unlimited ?? [], unknown };
          const plan = { format, onConflict, records, ...read, owner };
          if (dry) {
            await jobs.lines.take(file, reader);
            return await tryImport({ ...deps, lines: jobs.lines }, { caller, origin }, sending.id, plan, signal());
          }
          const replay = await repeated(file.sha256);
          if (replay) return replay;
          await jobs.lines.take(file, reader);
          const order: JobOrder = { id: sending.id, work: IMPORT_WORK, op: "import", plan, upTo: lastLine };
          if (query.async === true)
            return await accept({
              locks: [],
              decide: (draft) => ({ answer: { job: jobs.start(draft, order, origin) } }),
            });
          const key = request.header("idempotency-key");
          const requestKey = key && requestKeyOf(caller, key, ["import", file.sha256, plan]);
          id = await startOnce({ jobs, submit, now: deps.now() }, "users.import", { ...order, requestKey }, origin);
        } finally {
          await sending.end();
        }
        return resultOf(await jobs.ended(id, signal()), unknown);
      },
    }),
    route({
      method: "GET",
      path: "/jobs/{id}/lines",
      scope: "users:read",
      summary: "The lines that an import skipped or refused",
      description:
        "In the order of the file, each with why; of other jobs none. Of one import 100,000 lines are kept, for as long as its job is. `csv` has a head line; cells that a spreadsheet would calculate begin with `'`.",
      params: idParams,
      query: LeftQuery,
      answer: LeftLines,
      produces: ["application/json", "text/csv", "application/x-ndjson"],
      statuses: [400, 404],
      handle: async ({ params: { id }, query, caller }) => {
        const { format, limit = LEFT_LINES.usual } = query;
        const job = await deps.reads.find(JobRows, id);
        if (!job || !seesJob(caller, job)) notFound("job", id);
        const isImport = job.work === IMPORT_WORK;
        if (format === "json") return isImport ? firstLeft(deps.reads, job, query, limit) : { total: 0, lines: [] };
        return new RawAnswer(TYPES[format], leftStream(deps.reads, job, query, format), 200, {
          "cache-control": "no-store",
          "content-disposition": `attachment; filename="import-${id}-lines.${format}"`,
        });
      },
    }),
  ];
}

/** A table says so itself, whatever the file is called. */
function formatOf(contentType: string | undefined): FileFormat {
  return /^\s*text\/csv\b/i.test(contentType ?? "") ? "csv" : "ndjson";
}

function resultOf(job: JobRow, unknownColumns: readonly string[]): ImportAnswer {
  const { id, problems, error } = job;
  return {
    ...countsOf(job),
    problems: problems.map(({ id: line, ...problem }) => ({ ...problem, line })),
    unknownColumns: [...unknownColumns],
    job: id,
    ...(error === "" ? {} : { error }),
  };
}
