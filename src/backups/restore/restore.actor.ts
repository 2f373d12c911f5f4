// Binds the chart of restores to their rows.
import {
  RESTORE_CHART_VERSION,
  restoreHasEnded,
  restoreMachine,
  type RestoreContext,
} from "../../../machines/restore.ts";
import type { Draft } from "../../db/index.ts";
import { defineActor, type Errand, type ErrandWork } from "../../runtime/index.ts";
import { RestoreRows, type RestoreRow } from "./restore.entity.ts";

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/** Carries out an errand of a restore. */
export type RestoreErrand = ErrandWork;

export interface RestoreActorPorts {
  readonly snapshot: RestoreErrand;
  readonly build: RestoreErrand;
  readonly exchange: RestoreErrand;
  /** A restore has ended, in this draft. */
  ended(draft: Draft, restore: Readonly<RestoreRow>): void;
}

/**
 * Tried once: what failed is said to the person who waits, and they ask again. The archive is in this process alone.
 */
function once(run: RestoreErrand, hours: number): Errand {
  const deadlineMs = hours * HOUR_MS;
  return {
    mode: "errand",
    run,
    secrets: true,
    concurrency: 1,
    attempts: 1,
    timeoutMs: deadlineMs - SECOND_MS,
    deadlineMs,
    backoffMs: SECOND_MS,
    backoffMaxMs: SECOND_MS,
  };
}

export function defineRestoreActor(ports: RestoreActorPorts) {
  return defineActor<RestoreRow, RestoreContext>({
    kind: "restore",
    description: "A database brought back from an archive.",
    entity: RestoreRows,
    machine: restoreMachine,
    version: RESTORE_CHART_VERSION,
    contextOf: ({ snapshot, tables, rows, error, code, finishedAt }, _, draft) => ({
      now: draft.time,
      snapshot,
      tables,
      rows,
      error,
      code,
      finishedAt,
    }),
    columnsOf: ({ snapshot, tables, rows, error, code, finishedAt }, state) => ({
      snapshot,
      tables,
      rows,
      error,
      code,
      finishedAt,
      running: restoreHasEnded(state) ? null : "yes",
    }),
    rememberedOf: () => ({}),
    nameOf: ({ archive }) => archive || "archive",
    nameSql: "(case u.archive when '' then 'archive' else u.archive end)",
    follow(draft, emitted, row) {
      if (emitted.type === "ended") ports.ended(draft, row);
    },
    errorOf: ({ error }) => error,
    shown: ({
      source,
      archive,
      fresh,
      keepWebSettings,
      keepLicense,
      snapshot,
      superseded,
      tables,
      rows,
      warnings,
    }) => ({
      source,
      archive,
      fresh,
      keepWebSettings,
      keepLicense,
      snapshot,
      superseded,
      tables,
      rows,
      warnings,
    }),
    effects: {
      snapshot: once(ports.snapshot, 6),
      build: once(ports.build, 12),
      exchange: once(ports.exchange, 1),
    },
    safe: [],
  });
}
export type RestoreActor = ReturnType<typeof defineRestoreActor>;
