// `signalbox actors`: which actors are in which state, since when, and what wakes them; as GET /api/v1/actors answers.
import { parseArgs } from "node:util";
import { z } from "zod";
import { ActorList, Machines } from "./actors/answers.ts";
import { MOMENTS, parseMoment } from "./terminal/moments.ts";
import { show } from "./terminal/show.ts";
import type { Source } from "./source.ts";
import { tableLines } from "./actors/table.ts";
import { refuseLimit } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { onRecords } from "./on-records.ts";

export const ACTORS_HELP = `signalbox actors [--kind KIND] [--state STATE] [--fault] [--since WHEN] [--search TEXT]
                 [--sort BY] [--reverse] [--limit N] [--watch] [--json]

What every record that moves by itself is in: nodes, users. Beside a running panel or without one.

  --kind KIND     of one kind: node, user
  --state STATE   in a state, as its whole path; with .* at the end in any state within it: 'error.*'
  --fault         only those that are left alone after faults
  --since WHEN    that came into their state since then: ${MOMENTS}
  --search TEXT   whose name contains it
  --sort BY       since (longest first), wakeAt (soonest first), name or id
  --reverse       the other way round
  --limit N       how many at most, up to 1000 (100)
  --watch         goes on until Ctrl-C
  --json          as in a pipe: what GET /api/v1/actors answers, with --watch one line for each change
`;

const OPTIONS = {
  kind: { type: "string" },
  state: { type: "string" },
  fault: { type: "boolean", default: false },
  since: { type: "string" },
  search: { type: "string" },
  sort: { type: "string" },
  reverse: { type: "boolean", default: false },
  limit: { type: "string", default: "100" },
  watch: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;

const SORTS = ["since", "wakeAt", "name", "id"];

interface Asked {
  readonly target: string;
  readonly kind: string | undefined;
  readonly watch: boolean;
  readonly json: boolean;
}

/** Throws a sentence for bad usage. */
function readArguments(argv: readonly string[]): Asked {
  const { values } = parseArgs({ args: [...argv], options: OPTIONS, strict: true, allowPositionals: false });
  const { kind, state, fault, since, search, sort, reverse, limit, watch, json } = values;
  refuseLimit("--limit", limit);
  if (sort !== undefined && !SORTS.includes(sort)) throw new Error(`--sort must be one of ${SORTS.join(", ")}`);
  const query = new URLSearchParams({ limit });
  const from = since === undefined ? undefined : String(parseMoment(since, "--since"));
  const given = {
    kind,
    state,
    q: search,
    updated_since: from,
    fault: fault ? "true" : undefined,
    sort,
    order: reverse ? "desc" : undefined,
  };
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, value);
  if (reverse && sort === undefined) query.set("sort", "id");
  return { target: `/actors?${query.toString()}`, kind, watch, json };
}

export function actors(argv: readonly string[]): Promise<number> {
  return onRecords(argv, { read: readArguments, help: ACTORS_HELP, carryOut });
}

async function carryOut(asked: Asked, source: Source): Promise<number> {
  if (asked.kind !== undefined) await refuseUnknownKind(source, asked.kind);
  const view = {
    targets: [asked.target],
    answer: ([list]: readonly unknown[]) => z.looseObject({}).parse(list),
    lines: (answer: unknown, look: Parameters<typeof tableLines>[1]) => tableLines(ActorList.parse(answer), look),
  };
  await show(source, view, { json: asked.json || !process.stdout.isTTY, watch: asked.watch });
  return EXIT.done;
}

/** A list of an unknown kind is empty; a person who mistyped the kind needs an error. */
export async function refuseUnknownKind(source: Source, kind: string): Promise<void> {
  const [machines] = z.tuple([Machines]).parse(await source.read(["/machines"]));
  const kinds = machines.items.map((machine) => machine.kind);
  if (!kinds.includes(kind)) throw new Error(`there are no actors of kind ${kind}: kinds are ${kinds.join(", ")}`);
}
