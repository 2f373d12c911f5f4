// Restores as the panel carries them out: what their errands do, and who waits for one (rules backups.restore).
import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Logger } from "pino";
import { restoreHasEnded } from "../../../machines/restore.ts";
import { openDatabase, sql, type AnyEntity, type Database, type Draft } from "../../db/index.ts";
import type { Restores as Restored } from "../../feature/index.ts";
import type { Clock } from "../../lib/clock.ts";
import { alphanumeric } from "../../lib/ids.ts";
import type { Origin } from "../../lib/origin.ts";
import type { Supervisor } from "../../runtime/index.ts";
import type { Spool, Uploads } from "../../uploads/index.ts";
import { readManifest } from "../archive/read-archive.ts";
import type { Loaded, LoadTarget } from "../load/load-archive.ts";
import { loadInThread } from "../load/load-in-thread.ts";
import { receiverOf, type Receiver } from "../load/receiver.ts";
import { newBackupName, PRE_RESTORE } from "../stored/backup-names.ts";
import type { MakeBackup } from "../stored/make-backup.ts";
import { exchangeStatements, RESTORED, RESTORED_SCHEMA } from "./exchange.ts";
import { keptOf, NOTHING_KEPT, withSettings } from "./kept.ts";
import { foreignLocals, nodesOf, tellToStop, unknownIn, type FleetNode } from "./left-nodes.ts";
import { restoredMark } from "./mark.ts";
import { busy, isBusy, refusalOf, refusedAs } from "./refused.ts";
import type { RestoreActor, RestoreErrand } from "./restore.actor.ts";
import { RestoreRows, type RestoreRow } from "./restore.entity.ts";
import { clearStaging, stage, stagingPlace } from "./staging.ts";

/** Between looks at a restore: the database in which it was is another one meanwhile. */
const LOOK_MS = 300;
/** Secrets are kept for as long as all errands may take. */
const SECRETS_MS = 24 * 3_600_000;
const PASSPHRASE = "passphrase";

export interface RestoreDeps {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly dataDirectory: string;
  readonly entities: readonly AnyEntity[];
  readonly restored: Restored;
  readonly secretKey: Uint8Array;
  readonly clock: Clock;
  readonly log: Logger;
  readonly supervisor: Supervisor;
  readonly kind: RestoreActor;
  readonly uploads: Pick<Uploads, "started" | "ended">;
  readonly spool: Pick<Spool, "pathOf">;
  /** The path of a stored archive. */
  readonly stored: (name: string) => string;
  readonly makeBackup: MakeBackup;
  /** The schedule's; empty: none. */
  readonly schedulePassphrase: () => string;
  /** Has a node's engine stopped; false: its agent was not reached. */
  readonly standDown: (nodeId: number, timeoutMs: number) => Promise<boolean>;
}

/** A restore as it is asked for. */
export interface RestoreOrder extends Pick<
  RestoreRow,
  "source" | "archive" | "upload" | "fresh" | "keepWebSettings" | "keepLicense" | "settings"
> {
  readonly passphrase: string;
}

export class Restores {
  readonly #deps: RestoreDeps;

  constructor(deps: RestoreDeps) {
    this.#deps = deps;
  }

  /**
   * Looks at the beginning of an archive before anything is done for it. Throws 400 where it is none, or another
   * passphrase opens it.
   */
  async checkUpload(order: Pick<RestoreOrder, "upload" | "archive" | "passphrase">): Promise<void> {
    try {
      await readManifest(createReadStream(this.#fileOf(order)), order.passphrase);
    } catch (error) {
      throw refusalOf(refusedAs(error)) ?? error;
    }
  }

  /** Throws 409 `busy` while another one is at work. */
  async refuseBusy(): Promise<void> {
    const [found] = await this.#deps.database.reads.query(sql`select id from restores where running is not null`);
    if (found) throw busy();
  }

  /** Starts one, in a commit of its own. Resolves to its id. */
  async start({ passphrase, ...order }: RestoreOrder, origin: Origin): Promise<number> {
    const { database, supervisor, kind, uploads } = this.#deps;
    const secrets = supervisor.secrets.hand({ [PASSPHRASE]: passphrase }, SECRETS_MS);
    try {
      return await database.commits.submit({
        name: "restore.start",
        locks: [],
        decide(draft) {
          if (order.upload > 0) uploads.started(draft, order.upload);
          const id = draft.nextId(RestoreRows.name);
          const nothing = { snapshot: "", superseded: "", tables: 0, rows: 0, warnings: [], foreignNodes: [] };
          const row = {
            ...order,
            ...nothing,
            id,
            adminId: origin.adminId,
            actor: origin.actor,
            via: origin.via,
            ip: origin.ip,
            error: "",
            code: "",
            running: "yes",
            toldAt: 0,
            createdAt: draft.time,
            finishedAt: 0,
          };
          supervisor.secrets.give(draft, kind.definition.kind, id, secrets);
          supervisor.create(draft, kind, row, origin);
          return id;
        },
      });
    } catch (error) {
      secrets.forget();
      if (isBusy(error)) throw busy();
      throw error;
    }
  }

  /** The restore once it has ended. Rejects when nobody waits any longer. */
  async ended(id: number, signal: AbortSignal | undefined): Promise<RestoreRow> {
    const { database, clock } = this.#deps;
    for (;;) {
      signal?.throwIfAborted();
      const row = await database.reads.find(RestoreRows, id);
      if (!row) throw new Error(`restore ${id} is gone`);
      if (restoreHasEnded(row.mstate)) return row;
      await moved(database, clock, id, signal);
    }
  }

  /** Nobody waits any longer: the restore goes on, and the panel starts again once it is done. */
  finishAlone(id: number, restart: () => void): void {
    void this.ended(id, undefined).then(
      ({ mstate }) => mstate !== "failed" && restart(),
      (error: unknown) => this.#deps.log.warn({ err: error, restore: id }, "a restore is no longer waited for"),
    );
  }

  /** Another process exchanged the database: `act` is called, and this one must start again. */
  onExchanged(act: () => void): () => void {
    return this.#deps.database.commits.onCommit(({ facts }) => {
      if (facts.has(RESTORED)) act();
    });
  }

  /** A restore has ended, in this draft. */
  left(draft: Draft, row: Readonly<RestoreRow>): void {
    const { supervisor, uploads, kind } = this.#deps;
    supervisor.secrets.drop(draft, kind.definition.kind, row.id);
    if (row.upload > 0) uploads.ended(draft, row.upload);
  }

  readonly snapshot: RestoreErrand = async (_, run) => {
    const { makeBackup, schedulePassphrase, clock } = this.#deps;
    const row = await this.#row(run.actorId);
    if (row.fresh) return { snapshot: "" };
    const passphrase = schedulePassphrase();
    const name = newBackupName(clock.now(), passphrase !== "", randomBytes, PRE_RESTORE);
    run.log("info", "snapshot_begun", name);
    try {
      await makeBackup({ history: true, audit: true, passphrase, name }, run.signal);
    } catch (error) {
      const refused = refusedAs(error);
      if (refused) return refused;
      throw error;
    }
    run.log("info", "snapshot_made", name);
    return { snapshot: this.#deps.stored(name) };
  };

  readonly build: RestoreErrand = async (_, run) => {
    const row = await this.#row(run.actorId);
    const passphrase = run.secrets?.text(PASSPHRASE) ?? "";
    const file = this.#fileOf(row);
    try {
      const { tables } = await readManifest(createReadStream(file), passphrase);
      const rows = tables.reduce((sum, each) => sum + each.rows, 0);
      run.log("info", "archive_read", tables.length, rows);
      const before = await nodesOf(this.#deps.database.reads);
      const { target, superseded } = await this.#target(row);
      const receiver = await this.#receiver(row, { tables: tables.length, rows, superseded });
      const loaded = await loadInThread({ file, passphrase, target, receiver }, run.signal);
      // The database in use is the new one already.
      if ("postgresql" in target) await this.#settle(this.#deps.database, row, before, loaded, run);
      return { tables: loaded.tables, rows: loaded.rows, warnings: loaded.warnings };
    } catch (error) {
      const refused = refusedAs(error);
      if (refused) return refused;
      throw error;
    }
  };

  readonly exchange: RestoreErrand = async (_, run) => {
    const { database, databaseUrl, dataDirectory, entities } = this.#deps;
    const row = await this.#row(run.actorId);
    const place = stagingPlace(dataDirectory, databaseUrl);
    // Opened as a start opens it: what keeps it from that is found now.
    const next = await openDatabase({
      url: `sqlite:${place.next}`,
      entities,
      now: () => this.#deps.clock.now(),
      onListenerError: (error) => this.#deps.log.warn({ err: error }, "a listener of commits failed"),
    });
    try {
      await this.#settle(next, row, await nodesOf(database.reads), undefined, run);
    } finally {
      await next.close();
    }
    run.signal.throwIfAborted();
    await stage(place);
    run.log("info", "staged");
    return { how: "staged" };
  };

  async #row(id: number): Promise<RestoreRow> {
    const row = await this.#deps.database.reads.find(RestoreRows, id);
    if (!row) throw new Error(`restore ${id} is gone`);
    return row;
  }

  #fileOf({ upload, archive }: Pick<RestoreRow, "upload" | "archive">): string {
    return upload > 0 ? this.#deps.spool.pathOf(upload) : this.#deps.stored(archive);
  }

  async #target(row: Readonly<RestoreRow>): Promise<{ readonly target: LoadTarget; readonly superseded: string }> {
    const { database, databaseUrl, dataDirectory } = this.#deps;
    if (database.dialect === "sqlite") {
      const place = stagingPlace(dataDirectory, databaseUrl);
      await clearStaging(place);
      return { target: { sqlite: place.next }, superseded: place.superseded };
    }
    const [{ name } = { name: "public" }] = await database.reads.query<{ name: string }>(
      sql`select current_schema()::text as name`,
    );
    const schema = `${RESTORED_SCHEMA}${alphanumeric(12).toLowerCase()}`;
    const end = exchangeStatements(schema, name, database.boot);
    return { target: { postgresql: { url: databaseUrl, schema, end } }, superseded: row.snapshot };
  }

  async #receiver(
    row: Readonly<RestoreRow>,
    counts: { readonly tables: number; readonly rows: number; readonly superseded: string },
  ): Promise<Receiver> {
    const { database, secretKey, clock, restored: restores } = this.#deps;
    const { reads } = database;
    const now = clock.now();
    const epoch = () => alphanumeric(16);
    const deps = { database, reads, restores, secretKey, clock, epoch };
    const kept = row.keepWebSettings ? await keptOf(deps, row.fresh) : NOTHING_KEPT;
    const receiver = await receiverOf(deps, kept);
    return {
      ...receiver,
      restored: [...receiver.restored, ...restoredMark(reads, row, { ...counts, now })],
      kept: withSettings(receiver.kept, row.settings, Math.floor(now / 1000)),
    };
  }

  /** What must be known of the new database before anybody works on it: its nodes, and what a person should look at. */
  async #settle(
    next: Pick<Database, "reads" | "commits">,
    row: Readonly<RestoreRow>,
    before: readonly FleetNode[],
    loaded: Loaded | undefined,
    run: Parameters<RestoreErrand>[1],
  ): Promise<void> {
    const { dataDirectory, standDown } = this.#deps;
    const { reads, commits } = next;
    const after = await nodesOf(reads);
    const unknown = unknownIn(before, after);
    const silent = await tellToStop(unknown, standDown);
    const foreign = foreignLocals(before, after, dataDirectory);
    const [{ tokens } = { tokens: 0 }] = await reads.query<{ tokens: number }>(
      sql`select count(*) as tokens from api_tokens`,
    );
    for (const { name, address, port } of unknown)
      run.log(
        "info",
        "unknown_node",
        name,
        `${address}:${port}`,
        silent.some((each) => each.name === name) ? "silent" : "stopped",
      );
    const warnings = [
      ...(loaded?.warnings ?? []),
      ...silent.map(
        ({ name, address, port }) =>
          `node ${name} (${address}:${port}) is not in the archive and was not reached: stop its agent, or it goes on serving`,
      ),
      ...foreign.map(({ name }) => `node ${name} is local to another machine and is switched off`),
      ...(tokens > 0 ? [`${tokens} API tokens came back with the archive: delete those that should not work`] : []),
    ];
    const ids = foreign.map(({ id }) => id);
    const noted = sql`update restores set warnings = ${JSON.stringify(warnings)}, foreign_nodes = ${JSON.stringify(ids)}
      where id = ${row.id}`;
    await commits.execute({ name: "restore.settled", statements: [reads.statement("restore.settled", noted, 1)] });
  }
}

/** Resolves soon after the restore moved, or after a while. */
async function moved(
  { commits }: Pick<Database, "commits">,
  clock: Clock,
  id: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = commits.onCommit(({ changes }) => {
    if (changes.some((each) => each.table === RestoreRows.name && each.id === id)) resolve();
  });
  const cancel = clock.after(LOOK_MS, resolve);
  signal?.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  stop();
  cancel();
}
