// What lines of an import say, and who holds what they name already: read before the commit that does them.
import { check, unstorable } from "../../http/index.ts";
import { z } from "zod";
import { refusedProblem, type JobProblem } from "../../jobs/index.ts";
import { holdersNow } from "../credentials/credential-holders.ts";
import { namesOf, type Credential } from "../credentials/credential-keys.ts";
import { bodyOfCells } from "./columns.ts";
import { ImportLine, isOffByPanel } from "./import.schema.ts";
import type { StagedLine } from "./staging.ts";
import { UserName } from "../users/users.schema.ts";
import type { TransferDeps } from "./import.work.ts";

export type ImportBody = z.output<typeof ImportLine>;

export interface ParsedLine {
  readonly line: number;
  /** Undefined: `problem` says why. */
  readonly body: ImportBody | undefined;
  readonly problem: Omit<JobProblem, "id">;
}

const FINE = { error: "", code: "" };

export function parsedLine([line, said]: StagedLine, head: readonly string[] | undefined): ParsedLine {
  const bad = (error: string, code: string): ParsedLine => ({ line, body: undefined, problem: { error, code } });
  if (said === null) return bad("the line is too long", "too_large");
  let raw: unknown;
  try {
    raw = typeof said === "string" ? JSON.parse(said) : bodyOfCells(head ?? [], said);
  } catch {
    return bad("the line is not valid JSON", "malformed_json");
  }
  // Bodies of requests are held to the same before their fields are looked at.
  const refused = unstorable(raw);
  if (refused) return { line, body: undefined, problem: refusedProblem(refused) };
  const { data, refusal } = check(ImportLine, raw);
  if (refusal) return { line, body: undefined, problem: { ...refusedProblem(refusal), ...nameIn(raw) } };
  const { enable, ...body } = data;
  const on = isOffByPanel(body.disabledReason) ? true : enable;
  return { line, body: { ...body, ...(on === undefined ? {} : { enable: on }) }, problem: FINE };
}

const Named = z.object({ name: UserName });

/** The name of a line that is refused for something else: by it a person finds the account. */
function nameIn(raw: unknown): { readonly name?: string } {
  const { data } = Named.safeParse(raw);
  return data ? { name: data.name } : {};
}

/** Those of the credentials that an account holds already: ids, with who holds them (0: not entered yet). */
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
