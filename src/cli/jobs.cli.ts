// `signalbox jobs list|show|cancel`: long work from the command line, under the rules of the routes.
import { z } from "zod";
import { readVerb, refuseLimit } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { onRecords } from "./on-records.ts";
import { Job, JobList } from "./jobs/answers.ts";
import { jobLines, jobTable } from "./jobs/detail.ts";
import type { Source } from "./source.ts";
import { show, type View } from "./terminal/show.ts";
import type { Look } from "./terminal/table.ts";

const STATES = ["queued", "running", "cancelling", "succeeded", "failed", "cancelled"];

export const JOBS_HELP = `signalbox jobs list [--state STATE] [--limit N] [--watch] [--json]
signalbox jobs show ID [--watch] [--json]
signalbox jobs cancel ID [--json]

Long work over many accounts, beside a running panel or without one, under the rules of the API.

  list      newest first, as GET /api/v1/jobs answers
  show      one: how far it is, what it came to, and the first hundred records that it refused
  cancel    stops it; what was done stays done. One that has ended stays as it is. Without a running panel one that was
            under way ends when a panel runs again

  --state STATE   ${STATES.join(", ")}, or several with commas
  --limit N       how many at most, up to 1000 (20)
  --watch         goes on until Ctrl-C
  --json          as in a pipe: what the API answers, with --watch one line for each change
`;

const OPTIONS = {
  state: { type: "string" },
  limit: { type: "string" },
  watch: { type: "boolean" },
  json: { type: "boolean", default: false },
} as const;

/** Which options a verb takes. */
const TAKEN = {
  list: ["state", "limit", "watch"],
  show: ["watch"],
  cancel: [],
} as const satisfies Readonly<Record<string, readonly (keyof typeof OPTIONS)[]>>;

interface Asked {
  readonly verb: keyof typeof TAKEN;
  readonly target: string;
  readonly watch: boolean;
  readonly json: boolean;
}

/** Throws a sentence for bad usage. */
function readArguments(argv: readonly string[]): Asked {
  const { verb, values, rest } = readVerb(argv, OPTIONS, TAKEN);
  const [id, ...more] = rest;
  const { state, limit = "20", watch = false, json } = values;
  if (verb === "list") {
    if (id !== undefined) throw new Error("list takes no id");
    return { verb, target: listTarget(state, limit), watch, json };
  }
  if (id === undefined || !/^\d{1,15}$/.test(id) || more.length > 0) throw new Error(`${verb} needs the id of a job`);
  return { verb, target: `/jobs/${id}`, watch, json };
}

function listTarget(state: string | undefined, limit: string): string {
  refuseLimit("--limit", limit);
  if (state !== undefined && !state.split(",").every((each) => STATES.includes(each)))
    throw new Error(`--state must be one of ${STATES.join(", ")}`);
  return `/jobs?${new URLSearchParams({ limit, ...(state === undefined ? {} : { state }) }).toString()}`;
}

export function jobs(argv: readonly string[]): Promise<number> {
  return onRecords(argv, { read: readArguments, help: JOBS_HELP, carryOut });
}

async function carryOut(asked: Asked, source: Source): Promise<number> {
  if (asked.verb === "cancel") return cancel(source, asked.target, asked.json);
  const lines =
    asked.verb === "list"
      ? (answer: object, look: Look) => jobTable(JobList.parse(answer), look)
      : (answer: object, look: Look) => jobLines(Job.parse(answer), look);
  const view: View = {
    targets: [asked.target],
    answer: ([answer]) => z.looseObject({}).parse(answer),
    lines,
  };
  await show(source, view, { json: asked.json || !process.stdout.isTTY, watch: asked.watch });
  return EXIT.done;
}

async function cancel(source: Source, target: string, json: boolean): Promise<number> {
  const answer = await source.write("POST", `${target}/cancel`);
  const { id, state, done, total } = Job.parse(answer);
  if (json || !process.stdout.isTTY) process.stdout.write(`${JSON.stringify(answer)}\n`);
  else process.stdout.write(`job ${id}: ${state}, ${done} of ${total} done\n`);
  return EXIT.done;
}
