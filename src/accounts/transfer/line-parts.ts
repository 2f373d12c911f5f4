// The next lines of an import: read, with what stands of what they name. Guessing costs the same in a trial as in an
// import (rule jobs.import.4).
import { ownsOnly, Refusal, type Owning } from "../../http/index.ts";
import type { Lock } from "../../db/index.ts";
import type { StagedLines } from "../../jobs/index.ts";
import { credentialLocks } from "../credentials/credential-holders.ts";
import { namesOf } from "../credentials/credential-keys.ts";
import { isOthersLink, linkLocks } from "../links/link-holders.ts";
import { holdersForImport } from "../links/returning-links.ts";
import { standingOf, type Standing } from "../users/taken.ts";
import { userLocks } from "../users/user.actor.ts";
import type { Beside, EarlierLines } from "./earlier-lines.ts";
import type { ImportPart } from "./import-step.ts";
import { FileReader } from "./file-reader.ts";
import type { FileFormat, OnConflict } from "./import.schema.ts";
import { type TransferDeps, holdersOf, parsedLine, type LineReading, type ParsedLine } from "./lines.ts";
import { lengthOf } from "./staging.ts";
import type { StagedLine } from "./line-reader.ts";

/**
 * Lines of a step whose credentials or links others have, and what each costs: nobody guesses them by importing.
 * Callers that see no accounts of others are told of a few in a minute (`Guesses`): by many imports at once they would
 * learn more.
 */
const MOST_HELD = 10;
const HELD_PAUSE_MS = 1000;

/** Characters of the lines that are read at once, without anybody else being answered meanwhile; one line at least. */
const CHARACTERS = 64 * 1024;

function readAtOnce(lines: readonly StagedLine[]): readonly StagedLine[] {
  let characters = 0;
  const end = lines.findIndex((line, at) => (characters += lengthOf(line)) > CHARACTERS && at > 0);
  return end < 0 ? lines : lines.slice(0, end);
}

/** Lines that lie staged, from a place on. */
export interface LineSource {
  readonly job: number;
  readonly format: FileFormat;
  /** Lines up to it are done. */
  readonly cursor: number;
  /** Lines that are not done. */
  readonly rest: number;
  readonly owner: Owning;
  readonly onConflict: OnConflict;
  readonly reading: LineReading;
}

export interface Prepared extends Partial<Pick<Beside, "rows" | "unwritten">> {
  readonly cursor: number;
  readonly lines: readonly ParsedLine[];
  readonly standing: Standing;
  readonly unentered: ReadonlySet<string>;
}

export interface LineParts {
  /**
   * At most so many lines. Throws where too many of them have what is others'. `earlier`: lines of a trial, which are
   * in no table.
   */
  prepare(
    source: LineSource,
    limit: number,
    rest?: (ms: number) => Promise<void>,
    earlier?: EarlierLines,
  ): Promise<Prepared>;
  /** Drops what is kept about a job that has ended. */
  forget(job: number): void;
}

export function lineParts(deps: TransferDeps & { readonly lines: StagedLines }): LineParts {
  /** Lines whose guesses were counted, by job: from which one on, and how many. */
  const counted = new Map<number, { readonly cursor: number; readonly lines: number }>();

  async function prepare(
    source: LineSource,
    limit: number,
    rest: (ms: number) => Promise<void> = async () => {},
    earlier?: EarlierLines,
  ): Promise<Prepared> {
    const { job, format, cursor, owner, onConflict, reading } = source;
    const part = (await deps.lines.after(job, cursor, () => new FileReader(format))) as
      | readonly StagedLine[]
      | undefined;
    if (!part && source.rest > 0)
      throw new Refusal("conflict", { message: `the lines behind line ${cursor} are not there any more` });
    const staged = (part ?? []).filter(([line]) => line > cursor).slice(0, limit);
    const lines = readAtOnce(staged).map((line) => parsedLine(line, reading));
    const bodies = lines.flatMap(({ body }) => (body ? [body] : []));
    const { credentialKeys: keys } = deps;
    const found = {
      standing: await standingOf(deps, owner, bodies, await holdersForImport(deps, owner, bodies)),
      ...(await holdersOf(
        deps,
        bodies.flatMap(({ config }) => keys.of(config)),
      )),
    };
    const { holders, ...known } = { ...found, ...earlier?.beside(found, bodies) };
    const { standing, unentered } = known;
    const held = bodies.filter((body) => {
      const there = standing.byName.get(standing.nameOf(body));
      if (there && onConflict !== "update") return false;
      const isHeld = (id: string) => unentered.has(id) || (holders.get(id) ?? there?.id) !== there?.id;
      if (body.subId !== undefined && isOthersLink(standing.links, body.subId, there?.id)) return true;
      return keys.of(body.config).some((one) => namesOf(one).some(isHeld));
    }).length;
    const from = `from line ${lines[0]?.line ?? 0} on,`;
    const before = counted.get(job);
    // What is read again after a failure was counted before.
    const again = before?.cursor === cursor && before.lines >= lines.length;
    if (!again && ownsOnly(owner) && !deps.guesses.take(owner.adminId, held))
      throw new Refusal("duplicate", {
        message: `${from} too many lines for one minute have credentials or links of other accounts`,
      });
    counted.set(job, { cursor, lines: again ? before.lines : lines.length });
    if (held > MOST_HELD)
      throw new Refusal("duplicate", {
        message: `${from} more than ${MOST_HELD} lines have credentials or links of other accounts`,
      });
    if (held > 0 && !ownsOnly(owner)) await rest(held * HELD_PAUSE_MS);
    return { cursor, lines, ...known };
  }

  return { prepare, forget: (job) => void counted.delete(job) };
}

/** The rows that a part of an import is known to need. */
export function locksOf(
  { credentialKeys }: Pick<TransferDeps, "credentialKeys">,
  { lines, standing }: ImportPart,
): Lock[] {
  return lines.flatMap(({ body }) => {
    if (!body) return [];
    const id = standing.byName.get(standing.nameOf(body))?.id;
    return [
      ...(id === undefined ? [] : userLocks(id)),
      ...credentialLocks(credentialKeys.of(body.config)),
      ...linkLocks([body.subId]),
    ];
  });
}
