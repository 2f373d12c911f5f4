// What came of archives, as rows: the last one of the schedule, and those that were tried out.
import { lock, sql, type Committer, type Draft, type Reader } from "../../db/index.ts";
import type { BackupResult } from "../backup.schema.ts";
import type { Rehearsed } from "./backup-folder.ts";
import { BackupOutcomeRows } from "./outcome.entity.ts";

const SCHEDULE = "schedule";
const REHEARSAL = "rehearsal:";
/** Rows of files that are not in this process's folder are kept so long: another process may have them. */
const KEPT_SECONDS = 90 * 86_400;

export class BackupOutcomes {
  readonly #commits: Committer;
  readonly #reads: Reader;

  constructor({ commits, reads }: { readonly commits: Committer; readonly reads: Reader }) {
    this.#commits = commits;
    this.#reads = reads;
  }

  /** How the last archive of the schedule went. */
  async last(): Promise<BackupResult | null> {
    const row = await this.#reads.find(BackupOutcomeRows, SCHEDULE);
    return row ? { at: row.at, ok: row.ok, error: row.error, name: row.name, size: row.size } : null;
  }

  /** The archives that were tried out, by name. */
  readonly rehearsed = async (): Promise<ReadonlyMap<string, Rehearsed>> => {
    const rows = await this.#reads.rows(
      BackupOutcomeRows,
      sql`select * from backup_outcomes where id like ${`${REHEARSAL}%`}`,
    );
    return new Map(rows.map(({ name, at, ok }) => [name, { at, outcome: ok ? "ok" : "failed" }]));
  };

  /** An archive was tried out. `at`: Unix seconds. */
  readonly recordRehearsal = (name: string, at: number, outcome: Rehearsed["outcome"]): Promise<void> =>
    this.#commits.submit({
      name: "backups.rehearsed",
      locks: [lock(BackupOutcomeRows, `${REHEARSAL}${name}`)],
      decide: (draft) => noteRehearsal(draft, name, at, outcome),
    });

  /** Drops what is known of files that are gone. `names`: those that are there; `now`: Unix seconds. */
  async forget(names: ReadonlySet<string>, now: number): Promise<void> {
    const rows = await this.rehearsed();
    for (const [name, { at }] of rows)
      if (!names.has(name) && at < now - KEPT_SECONDS)
        await this.#commits.submit({
          name: "backups.forget",
          locks: [lock(BackupOutcomeRows, `${REHEARSAL}${name}`)],
          decide: (draft) => forgetRehearsal(draft, name),
        });
  }
}

/** The archive of the schedule went so. Its row must be locked (`scheduleLock`). */
export function noteResult(draft: Draft, result: BackupResult): void {
  draft.upsert(BackupOutcomeRows, { id: SCHEDULE, ...result });
}

export const scheduleLock = () => lock(BackupOutcomeRows, SCHEDULE);

/** The archive is deleted. */
export function forgetRehearsal(draft: Draft, name: string): void {
  const id = `${REHEARSAL}${name}`;
  if (draft.find(BackupOutcomeRows, id)) draft.delete(BackupOutcomeRows, id);
}

export const rehearsalLock = (name: string) => lock(BackupOutcomeRows, `${REHEARSAL}${name}`);

function noteRehearsal(draft: Draft, name: string, at: number, outcome: Rehearsed["outcome"]): void {
  draft.upsert(BackupOutcomeRows, {
    id: `${REHEARSAL}${name}`,
    at,
    ok: outcome === "ok",
    error: "",
    name,
    size: 0,
  });
}
