// Some lines of an import as a part of one commit: each on its own, so that one that is refused leaves the others.
import { NeedLocks, UniqueConflict, type Draft, type Lock } from "../../db/index.ts";
import { Refusal, type Caller } from "../../http/index.ts";
import { refusedProblem, type JobProblem, type Tally } from "../../jobs/index.ts";
import type { Origin } from "../../lib/origin.ts";
import { asideOf } from "../../runtime/index.ts";
import { refuseHeld } from "../credentials/credential-holders.ts";
import { freshSecrets, type FreshSecrets } from "../credentials/credentials.ts";
import { beforeOf, madeOf, type KeptAccount } from "../bulk/before.ts";
import { stateOf, type UserWriter, type Writing } from "../users/user-change.ts";
import { refuseTaken, Taken, type Standing } from "../users/taken.ts";
import { createUser, patchUser } from "../users/users.commands.ts";
import type { OnConflict } from "./import.schema.ts";
import { withValue, type ImportBody, type ParsedLine } from "./lines.ts";

/** Why a line changes nothing. */
const SKIPPED = {
  exists: "an account has this name",
  unchanged: "the account is as the line says",
} as const;

export function isSkipped(code: string): boolean {
  return Object.hasOwn(SKIPPED, code);
}

export interface ImportPart {
  readonly lines: readonly ParsedLine[];
  readonly standing: Standing;
  readonly unentered: ReadonlySet<string>;
  /** In a trial: accounts that earlier lines would have made, and that are in no table. */
  readonly unwritten?: ReadonlySet<number>;
}

type Done =
  | { readonly what: "created" | "updated"; readonly id: number; readonly kept: Omit<KeptAccount, "at"> }
  | { readonly what: "skipped"; readonly id: number; readonly why: keyof typeof SKIPPED };

export interface ImportStep {
  /** Decides all lines. `before`: for each line that changed something, its account as it was before. */
  decide(draft: Draft, caller: Caller): Omit<Tally, "before"> & { readonly before: readonly KeptAccount[] };
}

export function importStep(
  writer: UserWriter,
  onConflict: OnConflict,
  origin: Origin,
  { lines, standing, unentered, unwritten = new Set() }: ImportPart,
): ImportStep {
  const fresh = new Map(lines.map(({ line }) => [line, freshSecrets()]));
  return {
    decide(draft, caller) {
      const acting: Writing = { caller, origin, unentered, links: standing.links };
      const taken = new Taken(standing);
      const affected: number[] = [];
      const before: KeptAccount[] = [];
      const problems: JobProblem[] = [];
      const skipped: JobProblem[] = [];
      const counts = { matched: 0, blocked: 0 };
      const wanted: Lock[] = [];
      for (const { line, body, problem, valueAt } of lines) {
        if (!body) {
          problems.push({ id: line, line, ...problem });
          continue;
        }
        try {
          const how = { onConflict, taken, unwritten, fresh: secretsOf(line) };
          const done = draft.attempt((part) => one(part, writer, acting, how, body), { hushed: true });
          // A line that was skipped gave its account nothing.
          if (done.what !== "skipped") taken.add(body, done.id);
          if (done.what !== "created") counts.matched++;
          if (done.what === "skipped") {
            counts.blocked++;
            skipped.push({ id: line, line, name: body.name, error: SKIPPED[done.why], code: done.why });
          } else {
            affected.push(done.id);
            before.push({ ...done.kept, at: line });
          }
        } catch (error) {
          if (error instanceof NeedLocks) wanted.push(...error.locks);
          else problems.push({ id: line, line, name: body.name, ...withValue(problemOf(error), valueAt) });
        }
      }
      if (wanted.length > 0) throw new NeedLocks(wanted);
      return { ...counts, affected, failed: problems.length, problems, skipped, before };
    },
  };

  function secretsOf(line: number): FreshSecrets {
    const drawn = fresh.get(line);
    if (!drawn) throw new Error(`nothing was drawn for line ${line}`);
    return drawn;
  }
}

interface How {
  readonly onConflict: OnConflict;
  readonly taken: Taken;
  readonly unwritten: ReadonlySet<number>;
  readonly fresh: FreshSecrets;
}

function one(
  draft: Draft,
  writer: UserWriter,
  acting: Writing,
  { onConflict, taken, unwritten, fresh }: How,
  body: ImportBody,
): Done {
  const there = taken.named(body);
  // Somebody else's, as in a single create.
  if (there && there.id === undefined) refuseTaken("name");
  if (there?.id !== undefined && onConflict === "skip") return { what: "skipped", id: there.id, why: "exists" };
  if (there && onConflict === "fail") refuseTaken("name");
  taken.refuse(body, there?.id);
  if (there?.id !== undefined && unwritten.has(there.id)) {
    refuseHeld(draft, writer.credentialKeys.of(body.config), there.id, acting.unentered);
    return { what: "updated", id: there.id, kept: { id: there.id, version: 0, fields: {} } };
  }
  const { planId: _, disabledReason: __, subToken: ___, activatedAt, nextReset, contact, name, ...fields } = body;
  const moments = {
    ...(activatedAt === undefined ? {} : { activatedAt }),
    ...(nextReset === undefined ? {} : { nextReset }),
  };
  if (there?.id !== undefined) {
    const patch = { ...written(fields), ...moments, ...(contact ? { contact } : {}) };
    const { changed, before, after } = patchUser(draft, writer, acting, there.id, patch, () => ({}));
    return changed
      ? { what: "updated", id: there.id, kept: beforeOf(before, after) }
      : { what: "skipped", id: there.id, why: "unchanged" };
  }
  const { row } = createUser(draft, writer, acting, body, fresh);
  // An account that was in use continues its term and its reset cycle where they stood.
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

function problemOf(error: unknown): Omit<JobProblem, "id"> {
  if (error instanceof Refusal) return refusedProblem(error);
  if (error instanceof UniqueConflict)
    return { error: `${error.columns[0] ?? "a value"}: the value is taken`, code: "duplicate" };
  const aside = asideOf(error);
  if (!aside) throw error;
  return aside;
}
