// The matrix as Markdown: a row for each cell, a column for each server engine, in it the clients that get through, and
// below it why the others do not.
import { CLIENTS } from "./clients.ts";
import type { Outcome } from "./prepare.ts";
import type { MatrixRun } from "./run.ts";
import { SERVERS, type Server } from "./servers.ts";

const LETTERS: Readonly<Record<(typeof CLIENTS)[number], string>> = { xray: "X", "sing-box": "S", v2ray: "V" };

/** What the table says of a cell: `X S V`, `–` with the number of the reason where the server refuses it. */
function entryOf(outcomes: readonly Outcome[], footnotes: Footnotes): string {
  if (outcomes.length === 0) return "";
  const [first] = outcomes;
  if (first && outcomes.every(({ state }) => state === "refused")) return `– ${footnotes.mark(reasonOf(first))}`;
  return CLIENTS.flatMap((client) => {
    const outcome = outcomes.find((each) => each.client === client);
    if (outcome?.state === "ok") return [LETTERS[client]];
    if (outcome?.state === "failed") return [`**${LETTERS[client]} failed**`];
    return outcome?.state === "refused" ? [footnotes.mark(reasonOf(outcome))] : [];
  }).join(" ");
}

/** The reason without the tag of one inbound. */
function reasonOf({ reason }: Outcome): string {
  return reason.replace(/^inbound \S+: /, "");
}

/** Numbers reasons in the order in which they are first needed. */
class Footnotes {
  readonly #numbers = new Map<string, number>();

  mark(reason: string): string {
    const number = this.#numbers.get(reason) ?? this.#numbers.size + 1;
    this.#numbers.set(reason, number);
    return `(${number})`;
  }

  get lines(): readonly string[] {
    return [...this.#numbers].map(([reason, number]) => item(`${number}. `, reason));
  }
}

/** Columns that a text takes: of what stands in these tables, one for each code point. */
function width(text: string): number {
  return Array.from(text).length;
}

/** A table with columns as wide as their widest entry, as the formatter of the repository writes it. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => width(row[column] ?? ""))));
  const line = (row: readonly string[]) =>
    `| ${row.map((text, column) => text + " ".repeat((widths[column] ?? 0) - width(text))).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((columns) => "-".repeat(columns))), ...body.map(line)].join("\n");
}

/** Columns of a line of prose in the repository. */
const COLUMNS = 120;

/** A list's item: `mark` and a text, its further lines beneath the first. */
function item(mark: string, text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line === "") lines[lines.length - 1] = word;
    else if (width(mark) + width(line) + 1 + width(word) <= COLUMNS) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return mark + lines.join(`\n${" ".repeat(width(mark))}`);
}

/** The matrix of a run. Ends without a line break. */
export function matrixMarkdown({ cells, outcomes }: MatrixRun): string {
  const footnotes = new Footnotes();
  const servers = SERVERS.filter((server) => outcomes.some((outcome) => outcome.server === server));
  const of = (cell: string, server: Server) =>
    outcomes.filter((each) => each.cell.name === cell && each.server === server);
  const rows = cells.map(({ name, protocol, transport, security }) => [
    protocol,
    transport,
    security,
    ...servers.map((server) => entryOf(of(name, server), footnotes)),
  ]);
  const unspoken = CLIENTS.flatMap((client) => {
    const limits = outcomes
      .filter((each) => each.client === client && each.state === "unspoken")
      .map(({ reason }) => reason);
    return limits.length === 0
      ? []
      : [item("- ", `${LETTERS[client]} (${client}): ${[...new Set(limits)].join("; ")}.`)];
  });
  return [
    markdownTable([["protocol", "transport", "security", ...servers.map((server) => `${server} serves`)], ...rows]),
    "",
    "What the node says where its engine does not serve a cell:",
    "",
    ...footnotes.lines,
    "",
    "Where a client is not named, it or its format cannot do it:",
    "",
    ...unspoken,
  ].join("\n");
}

/** What depends on the rights that the machine gives is not part of the table. */
const OF_THE_MACHINE = /CAP_NET_ADMIN|\bnft\b/;

/** Warnings of nodes for what they do serve, by engine. */
export function notesMarkdown(run: MatrixRun): string {
  const notes = [...run.notes].map(
    ([server, lines]) => [server, lines.filter((line) => !OF_THE_MACHINE.test(line))] as const,
  );
  return [...notes]
    .map(([server, lines]) =>
      [`- \`${server}\`:${lines.length === 0 ? " none." : ""}`, ...lines.map((line) => item("  - ", line))].join("\n"),
    )
    .join("\n");
}

/** What each engine's driver says of itself, as far as it is the same on every machine. */
export function capabilitiesMarkdown({ engines }: MatrixRun): string {
  const says = (able: boolean) => (able ? "yes" : "no");
  const rows = engines.map(({ kind, can }) => [
    `\`${kind}\``,
    says(can.hotUsers),
    says(can.hotInbounds),
    says(can.outlivesAgent),
  ]);
  return markdownTable([["engine", "users change live", "inbounds change live", "outlives a killed agent"], ...rows]);
}
