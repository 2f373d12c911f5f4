// An import as long work: its records are the lines that were staged, their numbers its ids. Lines that name an account
// are skipped, laid over it or refused; the others make one, by the rules of a single create (rules jobs.import).
import { jobOrigin, type JobRow, type JobWork, type StagedLines } from "../../jobs/index.ts";
import { ownsOnly, Refusal, type Owning } from "../../http/index.ts";
import { tell, UNDO_WORK, type BulkDeps } from "../bulk/works.ts";
import type { CredentialEntry } from "../credentials/credential-entry.ts";
import { credentialLocks } from "../credentials/credential-holders.ts";
import { namesOf } from "../credentials/credential-keys.ts";
import { userLocks } from "../users/user.actor.ts";
import { importStep } from "./import-step.ts";
import { OnConflict } from "./import.schema.ts";
import { isOthersLink, linkLocks, type LinkDeps } from "../links/link-holders.ts";
import { holdersForImport } from "../links/returning-links.ts";
import { standingOf, type Standing } from "../users/taken.ts";
import type { Guesses } from "../links/guesses.ts";
import { holdersOf, parsedLine, type ParsedLine } from "./lines.ts";
import { lengthOf, type StagedLine } from "./staging.ts";

export const IMPORT_WORK = "users.import";

export interface TransferDeps extends BulkDeps, LinkDeps {
  readonly reads: BulkDeps["reads"];
  readonly credentialEntry: Pick<CredentialEntry, "unentered">;
  readonly guesses: Guesses;
}

/** What the job's row holds of what was asked for. */
export interface ImportPlan {
  readonly format: string;
  readonly onConflict: OnConflict;
  readonly records: number;
  readonly head: readonly string[] | null;
  readonly owner: Owning;
}

/**
 * Lines of a step whose credentials or links others have, and what each costs: nobody guesses them by importing.
 * Callers that see no accounts of others are told of a few in a minute (`Guesses`): by many imports at once they would
 * learn more.
 */
const MOST_HELD = 10;
const HELD_PAUSE_MS = 1000;

interface Prepared {
  readonly cursor: number;
  readonly lines: readonly ParsedLine[];
  readonly standing: Standing;
  readonly unentered: ReadonlySet<string>;
}

/** Characters of the lines that are read at once, without anybody else being answered meanwhile; one line at least. */
const CHARACTERS = 64 * 1024;

function readAtOnce(lines: readonly StagedLine[]): readonly StagedLine[] {
  let characters = 0;
  const end = lines.findIndex((line, at) => (characters += lengthOf(line)) > CHARACTERS && at > 0);
  return end < 0 ? lines : lines.slice(0, end);
}

const planOf = (job: Readonly<JobRow>): ImportPlan => job.plan as unknown as ImportPlan;

export function importWork(deps: TransferDeps & { readonly lines: StagedLines }): JobWork {
  /** What was read of the lines that come next, so that they are read once. */
  const prepared = new Map<number, Prepared>();
  /** Lines whose guesses were counted, by job: from which one on, and how many. */
  const counted = new Map<number, { readonly cursor: number; readonly lines: number }>();

  async function prepare(
    job: JobRow,
    limit: number,
    rest: (ms: number) => Promise<void> = async () => {},
  ): Promise<Prepared> {
    const { owner, head, records } = planOf(job);
    const part = (await deps.lines.after(job.id, job.cursor)) as readonly StagedLine[] | undefined;
    if (!part && job.done < records)
      throw new Refusal("conflict", { message: `the lines behind line ${job.cursor} are not there any more` });
    const staged = (part ?? []).filter(([line]) => line > job.cursor).slice(0, limit);
    const lines = readAtOnce(staged).map((line) => parsedLine(line, head ?? undefined));
    const bodies = lines.flatMap(({ body }) => (body ? [body] : []));
    const standing = await standingOf(deps, owner, bodies, await holdersForImport(deps, owner, bodies));
    const { credentialKeys: keys } = deps;
    const { holders, unentered } = await holdersOf(
      deps,
      bodies.flatMap(({ config }) => keys.of(config)),
    );
    const held = bodies.filter((body) => {
      const there = standing.byName.get(standing.nameOf(body));
      if (there && planOf(job).onConflict !== "update") return false;
      const isHeld = (id: string) => unentered.has(id) || (holders.get(id) ?? there?.id) !== there?.id;
      if (body.subId !== undefined && isOthersLink(standing.links, body.subId, there?.id)) return true;
      return keys.of(body.config).some((one) => namesOf(one).some(isHeld));
    }).length;
    const from = `from line ${lines[0]?.line ?? 0} on,`;
    const before = counted.get(job.id);
    // What is read again after a failure was counted before.
    const again = before?.cursor === job.cursor && before.lines >= lines.length;
    if (!again && ownsOnly(owner) && !deps.guesses.take(owner.adminId, held))
      throw new Refusal("duplicate", {
        message: `${from} too many lines for one minute have credentials or links of other accounts`,
      });
    counted.set(job.id, { cursor: job.cursor, lines: again ? before.lines : lines.length });
    if (held > MOST_HELD)
      throw new Refusal("duplicate", {
        message: `${from} more than ${MOST_HELD} lines have credentials or links of other accounts`,
      });
    if (held > 0 && !ownsOnly(owner)) await rest(held * HELD_PAUSE_MS);
    return { cursor: job.cursor, lines, standing, unentered };
  }

  return {
    name: IMPORT_WORK,
    scope: "users:write",
    staged: true,
    keepsLeft: true,
    count: async (job) => planOf(job).records,
    async next(job, limit, rest) {
      const next = await prepare(job, limit, rest);
      prepared.set(job.id, next);
      return next.lines.map(({ line }) => line);
    },
    async step(job, ids) {
      const known = prepared.get(job.id);
      const { lines, ...rest } = known?.cursor === job.cursor ? known : await prepare(job, ids.length);
      const bodies = lines.slice(0, ids.length).flatMap(({ body }) => (body ? [body] : []));
      return {
        locks: bodies.flatMap((body) => {
          const id = rest.standing.byName.get(rest.standing.nameOf(body))?.id;
          return [
            ...(id === undefined ? [] : userLocks(id)),
            ...credentialLocks(deps.credentialKeys.of(body.config)),
            ...linkLocks([body.subId]),
          ];
        }),
        ...importStep(deps, planOf(job).onConflict, jobOrigin(job), { ...rest, lines: lines.slice(0, ids.length) }),
      };
    },
    stepped: (id) => void prepared.delete(id),
    undo: ({ upTo }) => ({ work: UNDO_WORK, upTo }),
    ended(draft, job) {
      prepared.delete(job.id);
      counted.delete(job.id);
      const { format, onConflict, owner } = planOf(job);
      tell(draft, deps.outbox, job, "import", owner.base);
      const { error, ids } = job;
      deps.audit(draft, {
        origin: jobOrigin(job),
        key: "users",
        entityId: "",
        action: "import",
        obj: { job: job.id, format, onConflict, ...countsOf(job), ...(error === "" ? {} : { error }), ids },
      });
    },
  };
}

/**
 * What an import came to. Its row counts as every job's does: `matched` are lines whose account was there, `blocked`
 * those of them that stayed as they were.
 */
export function countsOf({ matched, affected, blocked, failed }: Readonly<JobRow>) {
  const updated = matched - blocked;
  return { created: affected - updated, updated, skipped: blocked, failed };
}
