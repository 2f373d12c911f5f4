// `signalbox actor KIND ID`: one actor, why it is in its state and what wakes it next; as GET /api/v1/actors/{kind}/{id} answers, with its journal.
import { parseArgs } from "node:util";
import { z } from "zod";
import { refuseUnknownKind } from "./actors.ts";
import { ActorDetail, Journal } from "./actors/answers.ts";
import { detailLines } from "./actors/detail.ts";
import { show } from "./actors/show.ts";
import { openSource } from "./actors/source.ts";
import type { Look } from "./actors/table.ts";
import { EXIT } from "./exit.ts";

export const ACTOR_HELP = `signalbox actor KIND ID [--journal N] [--watch] [--json]

One actor: its state and why it is in it, what wakes it next, what it runs, its fault, the events that it takes, its
context, and its last transitions. Beside a running panel or without one.

  --journal N   so many transitions, up to 1000 (10)
  --watch       goes on until Ctrl-C
  --json        as in a pipe: what GET /api/v1/actors/KIND/ID answers, with the rows of its journal as \`journal\`; with
                --watch one line for each change
`;

const OPTIONS = {
  journal: { type: "string", default: "10" },
  watch: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;

interface Asked {
  readonly kind: string;
  readonly id: string;
  readonly journal: string;
  readonly watch: boolean;
  readonly json: boolean;
}

/** Throws a sentence for bad usage. */
function readArguments(argv: readonly string[]): Asked {
  const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, strict: true, allowPositionals: true });
  const [kind, id, ...more] = positionals;
  if (kind === undefined || id === undefined || more.length > 0) throw new Error("a kind and an id are needed");
  if (!/^\d{1,4}$/.test(values.journal) || Number(values.journal) < 1 || Number(values.journal) > 1000)
    throw new Error("--journal must be 1 to 1000");
  return { kind, id, ...values };
}

const Shown = z.looseObject({ journal: Journal.shape.items });

export async function actor(argv: readonly string[]): Promise<number> {
  let asked: Asked;
  try {
    asked = readArguments(argv);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${ACTOR_HELP}`);
    return EXIT.usage;
  }
  const { kind, id, journal, watch } = asked;
  const source = await openSource();
  try {
    await refuseUnknownKind(source, kind);
    if (!/^\d{1,15}$/.test(id))
      throw new Error(`there is no ${kind} ${id}: an id is a number, \`signalbox actors --kind ${kind}\` lists them`);
    const path = `/actors/${encodeURIComponent(kind)}/${id}`;
    let rows = 0;
    const view = {
      targets: [path, `${path}/journal?limit=${journal}`],
      answer: ([detail, entries]: readonly unknown[]) => {
        const page = z.looseObject({ items: z.array(z.unknown()), total: z.number() }).parse(entries);
        rows = page.total;
        return { ...z.looseObject({}).parse(detail), journal: page.items };
      },
      lines: (answer: object, look: Look) =>
        detailLines(ActorDetail.parse(answer), { items: Shown.parse(answer).journal, total: rows }, look),
    };
    await show(source, view, { json: asked.json || !process.stdout.isTTY, watch });
    return EXIT.done;
  } finally {
    await source.close();
  }
}
