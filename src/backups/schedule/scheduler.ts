// Makes archives by the schedule: when one is due, soon after a start where one became due meanwhile, and again within
// the hour where one failed. The settings hold from the next look on, which is an hour away at most.
//
// Invariant: whether one is due follows from the folder and the rows alone. So a restart forgets nothing, and who takes
// the duty over goes on where the other was.
import type { Logger } from "pino";
import { isToldByWatch, type Committer } from "../../db/index.ts";
import type { SettingsReader } from "../../feature/index.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Outbox } from "../../runtime/index.ts";
import type { BackupFile, BackupResult } from "../backup.schema.ts";
import type { BackupFolder } from "../stored/backup-folder.ts";
import type { MakeBackup } from "../stored/make-backup.ts";
import { noteResult, scheduleLock, type BackupOutcomes } from "../stored/outcomes.ts";
import { attemptAt, dueAt } from "./due.ts";
import { scheduleOf, type ScheduleKey, type ScheduleValues } from "./schedule-settings.ts";

/** After a start: requests come first. */
const FIRST_MS = 15_000;
const HOUR_MS = 3_600_000;

export type ScheduleEvent = "panel.backup_done" | "panel.backup_failed";

export interface SchedulerDeps {
  readonly clock: Clock;
  readonly commits: Committer;
  readonly folder: BackupFolder;
  readonly makeBackup: MakeBackup;
  readonly outcomes: BackupOutcomes;
  readonly outbox: Outbox<ScheduleEvent>;
  readonly settings: SettingsReader<ScheduleKey>;
  /** Whether this process has the duty, and how to hear that it moved. */
  readonly holds: () => boolean;
  readonly onMoved: (moved: () => void) => () => void;
  /** What is done with an archive of the schedule once it is there. Resolves to what is wrong with it, or to "". */
  readonly made: (file: BackupFile, schedule: ScheduleValues, signal: AbortSignal) => Promise<string>;
  readonly log: Pick<Logger, "info" | "warn">;
}

export class Scheduler {
  readonly #deps: SchedulerDeps;
  readonly #life = new AbortController();
  #cancel: () => void = () => {};
  #unlisten: () => void = () => {};
  #looking: Promise<void> | undefined;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#unlisten = this.#deps.onMoved(() => this.#wakeIn(FIRST_MS));
    this.#wakeIn(FIRST_MS);
  }

  /** Gives up what is being made. */
  async stop(): Promise<void> {
    this.#life.abort(new Error("the panel stops"));
    this.#cancel();
    this.#unlisten();
    await this.#looking;
  }

  /** Makes an archive if one is due. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Makes an archive now, due or not. Throws what kept it from being made; that is noted and told of before. */
  async run(): Promise<BackupFile> {
    const { clock, folder, makeBackup, settings } = this.#deps;
    const schedule = scheduleOf(settings);
    const { signal } = this.#life;
    let file: BackupFile;
    try {
      const passphrase = settings.text("backup_passphrase");
      const included = { history: schedule.includeHistory, audit: schedule.includeAudit };
      file = await makeBackup({ ...included, passphrase }, signal);
    } catch (error) {
      // A panel that stops has not failed: its next start makes it.
      if (!signal.aborted) {
        const message = error instanceof Error ? error.message : String(error);
        const at = Math.floor(clock.now() / 1000);
        await this.#note({ at, ok: false, error: message, name: "", size: 0 }, folder.directory);
      }
      throw error;
    }
    const { name, size } = file;
    await this.#note({ at: Math.floor(clock.now() / 1000), ok: true, error: "", name, size }, folder.directory);
    const problem = await this.#deps.made(file, schedule, signal);
    if (problem !== "")
      await this.#note({ at: Math.floor(clock.now() / 1000), ok: false, error: problem, name, size }, folder.directory);
    return file;
  }

  async #look(): Promise<void> {
    const { clock, folder, holds, log, outcomes, settings } = this.#deps;
    let wait = HOUR_MS;
    try {
      if (holds()) {
        const schedule = scheduleOf(settings);
        const attempt = async (): Promise<number> => {
          const now = Math.floor(clock.now() / 1000);
          const due = schedule.enabled ? dueAt(schedule, await folder.list(), now) : null;
          return due === null ? Infinity : attemptAt(due, await outcomes.last(), now) - now;
        };
        if ((await attempt()) <= 0) await this.run();
        wait = Math.min(wait, (await attempt()) * 1000);
      }
    } catch (error) {
      wait = HOUR_MS / 2;
      if (!this.#life.signal.aborted && !isToldByWatch(error))
        log.warn({ err: error }, "no backup was made; it is tried again within the hour");
    }
    if (!this.#life.signal.aborted) this.#wakeIn(wait);
  }

  #wakeIn(ms: number): void {
    this.#cancel();
    this.#cancel = this.#deps.clock.after(Math.max(ms, 1000), () => void this.look());
  }

  async #note(result: BackupResult, directory: string): Promise<void> {
    const { commits, outbox, log } = this.#deps;
    const { ok, error, name, size } = result;
    await commits.submit({
      name: "backups.scheduled",
      locks: [scheduleLock()],
      decide: (draft) => {
        noteResult(draft, result);
        outbox.raise(
          draft,
          ok
            ? { event: "panel.backup_done", data: { name, size }, subject: "panel" }
            : { event: "panel.backup_failed", data: { error }, subject: "panel" },
        );
      },
    });
    if (ok) log.info({ directory, name, size }, "a backup was made");
  }
}
