// What lines of an import say, and what is there of them already: read before the commit that does them.
import { sql } from "../../db/index.ts";
import { unstorable, validationRefusal, visibleTo, type Owning } from "../../http/index.ts";
import type { z } from "zod";
import { refusedProblem, type JobProblem } from "../../jobs/index.ts";
import { holdersNow } from "../credentials/credential-holders.ts";
import { namesOf, type Credential } from "../credentials/credential-keys.ts";
import { PlanRows } from "../plans/plan.entity.ts";
import { UserName } from "../users/users.schema.ts";
import { bodyOfCells } from "./columns.ts";
import { ImportLine, isOffByPanel } from "./import.schema.ts";
import type { StagedLine } from "./staging.ts";
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
  const parsed = ImportLine.safeParse(raw);
  if (!parsed.success) return { line, body: undefined, problem: refusedProblem(validationRefusal(parsed.error, raw)) };
  const { enable, ...body } = parsed.data;
  const on = isOffByPanel(body.disabledReason) ? true : enable;
  return { line, body: { ...body, ...(on === undefined ? {} : { enable: on }) }, problem: FINE };
}

/** What accounts that are there have of the values that only one may have. */
export interface Standing {
  /** The name that a line's account has in the end: a plan may wrap it. */
  nameOf(body: ImportBody): string;
  /** Accounts by name; those of others have no id. */
  readonly byName: ReadonlyMap<string, { readonly id: number | undefined }>;
  /** The account that has a value. */
  readonly bySubId: ReadonlyMap<string, number>;
  readonly byExternalId: ReadonlyMap<string, number>;
}

export async function standingOfLines(
  { reads }: TransferDeps,
  owner: Owning,
  bodies: readonly ImportBody[],
): Promise<Standing> {
  const nameOf = await namesByPlan(reads, bodies);
  const [names, subIds, externalIds] = await Promise.all([
    found(reads, "name", bodies.map(nameOf)),
    found(
      reads,
      "sub_id",
      bodies.map(({ subId }) => subId),
    ),
    found(
      reads,
      "external_id",
      bodies.map(({ externalId }) => externalId),
    ),
  ]);
  const ids = (rows: readonly FoundRow[]) => new Map(rows.map(({ value, id }) => [value, Number(id)]));
  return {
    nameOf,
    byName: new Map(
      names.map(({ value, id, owned }) => [value, { id: visibleTo(owner, Number(owned)) ? Number(id) : undefined }]),
    ),
    bySubId: ids(subIds),
    byExternalId: ids(externalIds),
  };
}

interface FoundRow {
  readonly id: number | string;
  readonly value: string;
  readonly owned: number | string;
}

async function found(
  reads: TransferDeps["reads"],
  column: "name" | "sub_id" | "external_id",
  values: readonly (string | undefined)[],
): Promise<readonly FoundRow[]> {
  const wanted = [...new Set(values.filter((value) => value !== undefined && value !== ""))];
  if (wanted.length === 0) return [];
  const by = sql.raw(column);
  return reads.query<FoundRow>(
    sql`select id, ${by} as value, admin_id as owned from users where ${by} in (${sql.join(wanted)})`,
  );
}

async function namesByPlan(
  reads: TransferDeps["reads"],
  bodies: readonly ImportBody[],
): Promise<(body: ImportBody) => string> {
  const ids = [...new Set(bodies.map(({ planId = 0 }) => planId).filter((id) => id > 0))];
  const plans =
    ids.length === 0 ? [] : await reads.rows(PlanRows, sql`select * from plans where id in (${sql.join(ids)})`);
  const byId = new Map(plans.map((plan) => [plan.id, plan]));
  return ({ name, planId = 0 }) => {
    const plan = byId.get(planId);
    const wrapped = plan ? UserName.safeParse(`${plan.namePrefix}${name}${plan.nameSuffix}`) : undefined;
    return wrapped?.success ? wrapped.data : name;
  };
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
