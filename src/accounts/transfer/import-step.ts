// Some lines of an import as a part of one commit: each on its own, so that one that is refused leaves the others.
import { NeedLocks, UniqueConflict, type Draft, type Lock } from "../../db/index.ts";
import { Refusal } from "../../http/index.ts";
import { refusedProblem, type JobProblem, type Step } from "../../jobs/index.ts";
import type { Origin } from "../../lib/origin.ts";
import { ActorQuarantined } from "../../runtime/index.ts";
import { freshSecrets, type FreshSecrets } from "../credentials/credentials.ts";
import { beforeOf, madeOf, type KeptAccount } from "../bulk/before.ts";
import { stateOf, type UserWriter, type Writing } from "../users/user-change.ts";
import { createUser, patchUser } from "../users/users.commands.ts";
import type { OnConflict } from "./import.schema.ts";
import type { ImportBody, ParsedLine, Standing } from "./lines.ts";

export interface ImportPart {
  readonly lines: readonly ParsedLine[];
  readonly standing: Standing;
  readonly unentered: ReadonlySet<string>;
}

type Done =
  | { readonly what: "created" | "updated"; readonly id: number; readonly kept: KeptAccount }
  | { readonly what: "skipped"; readonly id: number };

export function importStep(
  writer: UserWriter,
  onConflict: OnConflict,
  origin: Origin,
  { lines, standing, unentered }: ImportPart,
): Pick<Step, "decide"> {
  const fresh = new Map(lines.map(({ line }) => [line, freshSecrets()]));
  return {
    decide(draft, caller) {
      const acting: Writing = { caller, origin, unentered };
      const taken = new Taken(standing);
      const affected: number[] = [];
      const before: KeptAccount[] = [];
      const problems: JobProblem[] = [];
      const counts = { matched: 0, blocked: 0 };
      const wanted: Lock[] = [];
      for (const { line, body, problem } of lines) {
        if (!body) {
          problems.push({ id: line, ...problem });
          continue;
        }
        try {
          const done = draft.attempt((part) => one(part, writer, acting, onConflict, taken, body, secretsOf(line)), {
            hushed: true,
          });
          taken.add(body, done.id);
          if (done.what !== "created") counts.matched++;
          if (done.what === "skipped") counts.blocked++;
          else {
            affected.push(done.id);
            before.push({ ...done.kept, at: line });
          }
        } catch (error) {
          if (error instanceof NeedLocks) wanted.push(...error.locks);
          else problems.push({ id: line, ...problemOf(error) });
        }
      }
      if (wanted.length > 0) throw new NeedLocks(wanted);
      return { ...counts, affected, failed: problems.length, problems, before };
    },
  };

  function secretsOf(line: number): FreshSecrets {
    const drawn = fresh.get(line);
    if (!drawn) throw new Error(`nothing was drawn for line ${line}`);
    return drawn;
  }
}

function one(
  draft: Draft,
  writer: UserWriter,
  acting: Writing,
  onConflict: OnConflict,
  taken: Taken,
  body: ImportBody,
  fresh: FreshSecrets,
): Done {
  const there = taken.named(body);
  // Somebody else's, as in a single create.
  if (there && there.id === undefined) refuseTaken("name");
  if (there?.id !== undefined && onConflict === "skip") return { what: "skipped", id: there.id };
  if (there && onConflict === "fail") refuseTaken("name");
  taken.refuse(body, there?.id);
  const { planId: _, disabledReason: __, activatedAt, nextReset, contact, name, ...fields } = body;
  const moments = {
    ...(activatedAt === undefined ? {} : { activatedAt }),
    ...(nextReset === undefined ? {} : { nextReset }),
  };
  if (there?.id !== undefined) {
    const patch = { ...written(fields), ...moments, ...(contact ? { contact } : {}) };
    const { changed, before, after } = patchUser(draft, writer, acting, there.id, patch, () => ({}));
    return changed
      ? { what: "updated", id: there.id, kept: beforeOf(before, after) }
      : { what: "skipped", id: there.id };
  }
  const { row } = createUser(draft, writer, acting, body, fresh);
  // Of an account that was in use: it goes on where it stood.
  const used = activatedAt !== undefined && activatedAt > 0 && row.duration > 0;
  const resets = nextReset !== undefined && nextReset > 0 && row.autoReset;
  if (used || resets) {
    const patch = { ...(used ? { activatedAt } : {}), ...(resets ? { nextReset } : {}) };
    patchUser(draft, writer, acting, row.id, patch, () => ({}));
  }
  return { what: "created", id: row.id, kept: madeOf(stateOf(draft, row.id), 0) };
}

/** Without what a line does not say. */
function written<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

function refuseTaken(field: string): never {
  throw new Refusal("duplicate", { message: `${field}: the value is taken`, field });
}

function problemOf(error: unknown): Omit<JobProblem, "id"> {
  if (error instanceof Refusal) return refusedProblem(error);
  if (error instanceof UniqueConflict)
    return { error: `${error.columns[0] ?? "a value"}: the value is taken`, code: "duplicate" };
  if (error instanceof ActorQuarantined) return { error: "its actor is in quarantine", code: "quarantined" };
  throw error;
}

/** Who has which name, link and reference: accounts that are there, and those of the lines before. */
class Taken {
  readonly #standing: Standing;
  readonly #names = new Map<string, number>();
  readonly #subIds = new Map<string, number>();
  readonly #externalIds = new Map<string, number>();

  constructor(standing: Standing) {
    this.#standing = standing;
  }

  named(body: ImportBody): { readonly id: number | undefined } | undefined {
    const name = this.#standing.nameOf(body);
    const made = this.#names.get(name);
    return made === undefined ? this.#standing.byName.get(name) : { id: made };
  }

  /** Throws 400 naming the field that another account has. The database would refuse the commit as a whole. */
  refuse({ subId, externalId }: ImportBody, id: number | undefined): void {
    if (subId && isOther(this.#subIds.get(subId) ?? this.#standing.bySubId.get(subId), id)) refuseTaken("subId");
    if (externalId && isOther(this.#externalIds.get(externalId) ?? this.#standing.byExternalId.get(externalId), id))
      refuseTaken("externalId");
  }

  add(body: ImportBody, id: number): void {
    this.#names.set(this.#standing.nameOf(body), id);
    if (body.subId) this.#subIds.set(body.subId, id);
    if (body.externalId) this.#externalIds.set(body.externalId, id);
  }
}

const isOther = (holder: number | undefined, id: number | undefined) => holder !== undefined && holder !== id;
