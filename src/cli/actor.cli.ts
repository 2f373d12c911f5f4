// `signalbox actor KIND ID`: one actor, why it is in its state and what wakes it next; as GET
// /api/v1/actors/{kind}/{id} answers, with its journal. Where it stood at a moment, and what it would do with an event,
// on request.
import { parseArgs } from "node:util";
import { z } from "zod";
import { refuseUnknownKind } from "./actors.cli.ts";
import { ActorDetail, Journal, Preview } from "./actors/answers.ts";
import { idOf } from "./actors/asked.ts";
import { detailLines } from "./actors/detail.ts";
import { MOMENTS, parseMoment } from "./terminal/moments.ts";
import { show, type View } from "./terminal/show.ts";
import type { Source } from "./source.ts";
import type { Look } from "./terminal/table.ts";
import { previewLines, Then, thenLines } from "./actors/then.ts";
import { refuseLimit } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { onRecords } from "./on-records.ts";

export const ACTOR_HELP = `signalbox actor KIND ID|NAME [--journal N] [--since WHEN] [--event TYPE] [--entered STATE] [--watch] [--json]
signalbox actor KIND ID|NAME --at WHEN [--journal N] [--json]
signalbox actor KIND ID|NAME --try EVENT [--json]

One actor: its state and why it is in it, what wakes it next, what it runs, its fault, the events that it takes, its
context, and its last transitions. Beside a running panel or without one.

  --journal N      so many transitions, up to 1000 (10)
  --since WHEN     only transitions since then; with --event TYPE of that event; with --entered STATE those that
                   brought it into a state ('error.*': any within one). How many there are is said
  --at WHEN        where it stood at that moment, and what led there; of one that is gone too (by its id)
  --try EVENT      what it would do with an event now; changes nothing
  --watch          goes on until Ctrl-C
  --json           as in a pipe: what GET /api/v1/actors/KIND/ID answers, with the rows of its journal as \`journal\`; with
                   --watch one line for each change

WHEN: ${MOMENTS}
`;

const OPTIONS = {
  journal: { type: "string", default: "10" },
  since: { type: "string" },
  event: { type: "string" },
  entered: { type: "string" },
  at: { type: "string" },
  try: { type: "string" },
  watch: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;

interface Asked {
  readonly kind: string;
  /** An id or a name. */
  readonly who: string;
  /** Query of the journal. */
  readonly journal: string;
  /** Unix seconds. */
  readonly at: number | undefined;
  readonly event: string | undefined;
  readonly watch: boolean;
  readonly json: boolean;
}

/** Throws a sentence for bad usage. */
function readArguments(argv: readonly string[]): Asked {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: OPTIONS,
    strict: true,
    allowPositionals: true,
  });
  const [kind, who, ...more] = positionals;
  if (kind === undefined || who === undefined || more.length > 0) throw new Error("a kind and an id are needed");
  const { journal: limit, since, event, entered, watch, json } = values;
  refuseLimit("--journal", limit);
  const filtered = since !== undefined || event !== undefined || entered !== undefined;
  if ([values.at !== undefined, values.try !== undefined, filtered || watch].filter(Boolean).length > 1)
    throw new Error("--at and --try stand alone");
  const at = values.at === undefined ? undefined : parseMoment(values.at, "--at");
  const query = new URLSearchParams({ limit });
  const from = since === undefined ? undefined : parseMoment(since, "--since");
  for (const [name, value] of Object.entries({ since: from, until: at, event, entered }))
    if (value !== undefined) query.set(name, String(value));
  return { kind, who, journal: query.toString(), at, event: values.try, watch, json };
}

const Shown = z.looseObject({ journal: Journal.shape.items });
const Page = z.looseObject({ items: z.array(z.unknown()), total: z.number() });

export function actor(argv: readonly string[]): Promise<number> {
  return onRecords(argv, { read: readArguments, help: ACTOR_HELP, carryOut });
}

async function carryOut(asked: Asked, source: Source): Promise<number> {
  await refuseUnknownKind(source, asked.kind);
  const view = viewOf(asked, await idOf(source, asked.kind, asked.who));
  await show(source, view, { json: asked.json || !process.stdout.isTTY, watch: asked.watch });
  return EXIT.done;
}

function viewOf(asked: Asked, id: string): View {
  const { kind, journal, at, event } = asked;
  const path = `/actors/${encodeURIComponent(kind)}/${id}`;
  if (event !== undefined)
    return {
      targets: [`${path}/preview?${new URLSearchParams({ type: event }).toString()}`],
      answer: ([preview]) => z.looseObject({}).parse(preview),
      lines: (answer, look) => previewLines(event, Preview.parse(answer), look),
    };
  if (at !== undefined)
    return {
      targets: [`${path}/journal?${journal}`],
      answer: ([entries]) => {
        const { items, total } = Page.parse(entries);
        const [last] = z.array(z.looseObject({ to: z.string() })).parse(items);
        return { kind, id, at, state: last?.to ?? null, journal: items, total };
      },
      lines: (answer, look) => thenLines(Then.parse(answer), look),
    };
  let rows = 0;
  return {
    targets: [path, `${path}/journal?${journal}`],
    answer: ([detail, entries]) => {
      const page = Page.parse(entries);
      rows = page.total;
      return { ...z.looseObject({}).parse(detail), journal: page.items };
    },
    lines: (answer: object, look: Look) =>
      detailLines(ActorDetail.parse(answer), { items: Shown.parse(answer).journal, total: rows }, look),
  };
}
