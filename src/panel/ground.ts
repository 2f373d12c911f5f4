// What features stand on: database, key, settings, and what they provide to each other. A running panel opens them on
// it; the command line reads by it without opening anything.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import type { Database } from "../db/index.ts";
import type { Follow, Ground, Program, Undo } from "../feature/index.ts";
import type { Clock } from "../lib/clock.ts";
import type { Signals } from "../lib/signals.ts";
import {
  Outbox,
  Supervisor,
  type Deliveries,
  type ErrandWork,
  type ResidentEffect,
  type SupervisorOptions,
} from "../runtime/index.ts";
import { Settings } from "../system/index.ts";
import { COMMIT, VERSION } from "../version.ts";
import type { Kinds } from "../feature/index.ts";
import { STAGE_DIRECTORY, type Environment } from "./environment.ts";
import type { Answers, EventName, PanelParts, SettingKey } from "./features.ts";

const PROGRAM: Program = {
  version: VERSION,
  commit: COMMIT,
  command: [process.execPath, fileURLToPath(new URL("../main.ts", import.meta.url))],
  root: resolve(fileURLToPath(new URL("../..", import.meta.url))),
  stage: STAGE_DIRECTORY,
};

export interface GroundOptions {
  readonly environment: Environment;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signals: Signals;
  readonly secretKey: Uint8Array;
  readonly undo: Undo;
}

/** Settings are read, and features have provided; nothing is open. */
export interface Laid {
  readonly ground: Ground<SettingKey> & { readonly settings: Settings<SettingKey> };
  readonly provided: Answers;
  readonly deliveries: Deliveries;
  readonly outbox: Outbox<EventName>;
}

export async function layGround(panel: PanelParts, options: GroundOptions): Promise<Laid> {
  const { database, environment, secretKey, undo } = options;
  const { commits, reads } = database;
  const settings = await Settings.open<SettingKey>({ commits, reads, secretKey, entries: panel.settings });
  undo.push(() => settings.close());
  const alone = environment.databaseUrl.startsWith("sqlite:");
  const ground = {
    ...options,
    commits,
    reads,
    alone,
    settings,
    program: PROGRAM,
    catalogue: panel.events,
    entities: panel.entities,
    restores: panel.restores,
  };
  const provided = await panel.provide(ground);
  const deliveries = provided.deliveries(provided.listenerOf);
  return { ground, provided, deliveries, outbox: new Outbox(deliveries) };
}

/**
 * A runtime that knows every kind of actors. `residents` begins the resident effect of a name, `<feature>.<effect>`;
 * `errands` is the work of an errand, `follows` is what a feature adds to steps under a name of the same form.
 * `setting`: a setting as it holds now.
 */
export function knowKinds(
  panel: PanelParts,
  options: SupervisorOptions,
  timeZone: () => string,
  setting: (key: string) => string,
  residents: (name: string) => ResidentEffect["start"],
  errands: (name: string) => ErrandWork,
  follows: (name: string) => Follow,
): { readonly supervisor: Supervisor; readonly kinds: ReadonlyMap<string, Kinds> } {
  const supervisor = new Supervisor(options);
  const kinds = panel.kinds((feature) => ({
    timeZone,
    setting,
    resident: (name) => residents(`${feature}.${name}`),
    errand: (name) => errands(`${feature}.${name}`),
    // The row is one of the kind that asked.
    follow: (name) => (draft, row) => follows(`${feature}.${name}`)(draft, row as never),
  }));
  for (const own of kinds.values()) for (const kind of Object.values(own)) supervisor.register(kind);
  return { supervisor, kinds };
}
