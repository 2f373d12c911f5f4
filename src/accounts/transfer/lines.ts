// What lines of an import say, and who holds what they name already: read before the commit that does them.
import { check, Refusal, refusedField, unstorable } from "../../http/index.ts";
import { z } from "zod";
import { refusedProblem, type JobProblem } from "../../jobs/index.ts";
import { holdersNow } from "../credentials/credential-holders.ts";
import { namesOf, type Credential } from "../credentials/credential-keys.ts";
import { bodyOfCells, type Assumption, type CellReading, type ReadCells } from "./cells.ts";
import { CONTACT } from "./columns.ts";
import { isField } from "./head.ts";
import { ImportLine, isOffByPanel } from "./import.schema.ts";
import type { StagedLine } from "./line-reader.ts";
import { UserName } from "../records/limits.schema.ts";
import type { CredentialEntry } from "../credentials/credential-entry.ts";
import type { Guesses } from "../links/guesses.ts";
import type { LinkDeps } from "../links/link-holders.ts";
import type { BulkDeps } from "../bulk/works.ts";

/** What an import works with. */
export interface TransferDeps extends BulkDeps, LinkDeps {
  readonly reads: BulkDeps["reads"];
  readonly credentialEntry: Pick<CredentialEntry, "unentered">;
  readonly guesses: Guesses;
}

export type ImportBody = z.output<typeof ImportLine>;

export interface ParsedLine {
  readonly line: number;
  /** Undefined: `problem` says why. */
  readonly body: ImportBody | undefined;
  readonly problem: Omit<JobProblem, "id">;
  readonly assumed: readonly Assumption[];
  /** Fields of a line of JSON that are none of an account. */
  readonly unknown: readonly string[];
  /** What was read of a field, as text; empty where nothing is to be shown. */
  readonly valueAt: (field: string) => string;
}

/** How the lines of a file are read. */
export interface LineReading extends CellReading {
  /** The columns of a table; undefined: lines of JSON. */
  readonly head: readonly string[] | undefined;
}

const FINE = { error: "", code: "" };
/** Characters of a value that is repeated to the caller, and kept with the job. */
const SHOWN = 128;
/** Fields whose values are secrets. */
const SECRET = /^(config|subToken|subId)\b/;

export function parsedLine([line, said]: StagedLine, reading: LineReading): ParsedLine {
  const none = { line, body: undefined, assumed: [], unknown: [], valueAt: () => "" } as const;
  if (said === null) return { ...none, problem: { error: "the line is too long", code: "too_large" } };
  const read = rawOf(said, reading);
  if (!read) return { ...none, problem: { error: "the line is not valid JSON", code: "malformed_json" } };
  const { raw, assumed } = read;
  const valueAt = (field: string) => (SECRET.test(field) ? "" : shown(valueIn(raw, said, reading.head, field)));
  const unknown = typeof said === "string" ? Object.keys(isObject(raw) ? raw : {}).filter((key) => !isField(key)) : [];
  const parsed = { line, assumed, unknown, valueAt };
  const refused = (refusal: Refusal, named: { readonly name?: string } = {}): ParsedLine => ({
    ...parsed,
    body: undefined,
    problem: withValue({ ...refusedProblem(refusal), ...named }, valueAt),
  });
  // Bodies of requests are held to the same before their fields are looked at.
  const broken = unstorable(raw);
  if (broken) return refused(broken);
  const { data, refusal } = check(ImportLine, raw);
  const together = cellRefusal(read.problems, refusal);
  if (together) return refused(together, nameIn(raw));
  if (!data) throw new Error(`line ${line} was neither read nor refused`);
  const { enable, ...body } = data;
  const on = isOffByPanel(body.disabledReason) ? true : enable;
  return { ...parsed, body: { ...body, ...(on === undefined ? {} : { enable: on }) }, problem: FINE };
}

/** A problem with what was read of its field. */
export function withValue<P extends { readonly field?: string | undefined }>(
  problem: P,
  valueAt: ParsedLine["valueAt"],
): P & { readonly value?: string } {
  const value = problem.field === undefined ? "" : valueAt(problem.field);
  return value === "" ? problem : { ...problem, value };
}

function rawOf(said: string | readonly string[], reading: LineReading) {
  if (typeof said !== "string") {
    const { body, ...rest } = bodyOfCells(reading.head ?? [], said, reading);
    return { raw: body as unknown, ...rest };
  }
  try {
    return { raw: JSON.parse(said) as unknown, problems: [], assumed: [] };
  } catch {
    return undefined;
  }
}

/** What is wrong with cells, and with the fields of those that could be read. */
function cellRefusal(problems: ReadCells["problems"], refusal: Refusal | undefined): Refusal | undefined {
  const [first] = problems;
  if (!first) return refusal;
  const cells = problems.map(({ field, broken }) => refusedField(field, broken));
  const others = (refusal?.detail.issues ?? []).filter(({ path }) => !problems.some(({ field }) => field === path));
  return new Refusal("validation", {
    message: `${first.field}: ${first.broken.message}`,
    field: first.field,
    issues: [...cells, ...others],
  });
}

function valueIn(raw: unknown, said: unknown, head: readonly string[] | undefined, field: string): unknown {
  if (head && Array.isArray(said)) {
    const column = head.indexOf(field.startsWith("contact.") ? `${CONTACT}${field.slice(8)}` : field);
    if (column >= 0) return (said as readonly string[])[column];
  }
  let value = raw;
  for (const part of field.split("."))
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[part] : undefined;
  return value;
}

function shown(value: unknown): string {
  const said = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
  // Not every database stores these.
  const text = said.toWellFormed().replaceAll("\u0000", "\uFFFD");
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const Named = z.object({ name: UserName });

/** The name of a line that is refused for something else: by it a person finds the account. */
function nameIn(raw: unknown): { readonly name?: string } {
  const { data } = Named.safeParse(raw);
  return data ? { name: data.name } : {};
}

/**
 * Finds which of the credentials accounts hold already. `holders`: the account, by id of the credential (0: only the
 * accounts that share it). `unentered`: ids of credentials that accounts hold which are not entered yet.
 */
export async function holdersOf(
  { reads, credentialEntry }: TransferDeps,
  chosen: readonly Credential[],
): Promise<{ readonly holders: ReadonlyMap<string, number>; readonly unentered: ReadonlySet<string> }> {
  if (chosen.length === 0) return { holders: new Map(), unentered: new Set() };
  const [holders, unentered] = await Promise.all([
    holdersNow(reads, chosen.flatMap(namesOf)),
    credentialEntry.unentered(chosen),
  ]);
  return { holders, unentered };
}
