// An archive as a job: it goes on while nobody waits for it, and begins again where a kill ended it.
import { setTimeout as pause } from "node:timers/promises";
import { sealPlace, type Committer, type Draft, type Reader } from "../../db/index.ts";
import { Refusal } from "../../http/index.ts";
import { JobRows, type JobOrder, type JobRow, type Jobs, type JobWork, type Tally } from "../../jobs/index.ts";
import type { Origin } from "../../lib/origin.ts";
import { openSecret, sealSecret } from "../../lib/seal.ts";
import type { Included } from "../archive/archived-tables.ts";
import { isThere, type BackupFolder } from "./backup-folder.ts";
import type { BackupOrder, MakeBackup } from "./make-backup.ts";
import { BackupOrderRows } from "./order.entity.ts";

export const BACKUP_WORK = "backups.create";
/** Between looks at an archive that is being made. */
const LOOK_MS = 200;

export interface BackupWorkDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly folder: BackupFolder;
  readonly makeBackup: MakeBackup;
  readonly secretKey: Uint8Array;
  /** What the cause of a failure is logged by. */
  readonly onError: (error: unknown) => void;
}

/** What the job's row holds. */
interface BackupPlan extends Included {
  readonly name: string;
}

/** One that is being made, or was. */
interface Making {
  readonly life: AbortController;
  ended: { readonly error?: unknown } | undefined;
}

const NOTHING: Tally = { matched: 0, affected: [], blocked: 0, failed: 0, problems: [], before: [] };
/** The one record of the job. */
const RECORD = 1;

/** Starts the job within a change. Returns its id. */
export function startBackup(
  draft: Draft,
  { jobs, secretKey }: { readonly jobs: Jobs; readonly secretKey: Uint8Array },
  order: Required<BackupOrder>,
  origin: Origin,
): number {
  const { history, audit, name, passphrase } = order;
  const plan = { history, audit, name } satisfies BackupPlan;
  const asked: JobOrder = { work: BACKUP_WORK, op: "backup", plan, upTo: RECORD };
  const id = jobs.start(draft, asked, origin);
  if (passphrase !== "") {
    const sealed = sealSecret(secretKey, passphrase, sealPlace(BackupOrderRows, "passphrase", id));
    draft.insert(BackupOrderRows, { id, passphrase: sealed });
  }
  return id;
}

/** The work, and the way to give up what is under way. */
export function backupWork(deps: BackupWorkDeps): { readonly work: JobWork; readonly stop: () => void } {
  const { commits, folder, onError } = deps;
  const making = new Map<number, Making>();
  const giveUp = (id: number): void => {
    making.get(id)?.life.abort(new Error("the job was stopped"));
    making.delete(id);
  };
  const unlisten = commits.onCommit(({ changes }) => {
    for (const { table, id, after } of changes)
      if (table === JobRows.name && making.has(Number(id)) && !goesOn(after)) giveUp(Number(id));
  });
  const begin = (job: JobRow): Making => {
    const known = making.get(job.id);
    if (known) return known;
    const one: Making = { life: new AbortController(), ended: undefined };
    making.set(job.id, one);
    make(deps, job, one.life.signal).then(
      () => (one.ended = {}),
      (error: unknown) => {
        one.ended = { error };
        if (!one.life.signal.aborted) onError(error);
      },
    );
    return one;
  };
  const work: JobWork = {
    name: BACKUP_WORK,
    scope: "backup:write",
    count: async () => RECORD,
    async next(job, _, rest) {
      if (job.cursor >= RECORD) return [];
      const one = begin(job);
      // A job that leaves rests no more, and must not keep this thread from everything else.
      while (!one.ended) {
        one.life.signal.throwIfAborted();
        await Promise.all([rest(LOOK_MS), pause(LOOK_MS)]);
      }
      return [RECORD];
    },
    async step(job) {
      const ended = making.get(job.id)?.ended;
      if (!ended) throw new Error(`the archive of job ${job.id} was given up`);
      const tally = tallyOf(ended);
      return { locks: [], decide: () => tally };
    },
    stepped: giveUp,
    ended(draft, { id }) {
      if (draft.find(BackupOrderRows, id)) draft.delete(BackupOrderRows, id);
    },
  };
  const stop = (): void => {
    unlisten();
    for (const id of making.keys()) giveUp(id);
  };
  return { work, stop };

  async function make({ makeBackup }: BackupWorkDeps, job: JobRow, signal: AbortSignal): Promise<void> {
    const { name, history, audit } = planOf(job);
    // The one that a killed panel finished.
    if (await isThere(folder.file(name))) return;
    await makeBackup({ history, audit, name, passphrase: await passphraseOfJob(deps, job.id) }, signal);
  }
}

function goesOn(row: object | undefined): boolean {
  const state = row && "mstate" in row ? String(row.mstate) : "";
  return state === "queued" || state.startsWith("running");
}

const planOf = (job: Readonly<JobRow>): BackupPlan => job.plan as unknown as BackupPlan;

async function passphraseOfJob({ reads, secretKey }: BackupWorkDeps, id: number): Promise<string> {
  const row = await reads.find(BackupOrderRows, id);
  return row ? openSecret(secretKey, row.passphrase, sealPlace(BackupOrderRows, "passphrase", id)) : "";
}

function tallyOf({ error }: NonNullable<Making["ended"]>): Tally {
  if (error === undefined) return { ...NOTHING, matched: 1, affected: [RECORD] };
  const told = error instanceof Refusal;
  const why = told
    ? { error: error.message, code: error.detail.code ?? error.kind }
    : { error: "internal error", code: "internal" };
  return { ...NOTHING, matched: 1, failed: 1, problems: [{ id: RECORD, ...why }] };
}
