// A panel's data without a panel: what commands work on where none runs on SQLite, and beside those that run on PostgreSQL.
import { join } from "node:path";
import { pino } from "pino";
import { Listeners } from "../access/index.ts";
import { panelCertificates } from "../certificates/index.ts";
import type { CommandDeps } from "../panel/commands.ts";
import { openDatabase } from "../db/index.ts";
import { echo } from "../panel/echo.ts";
import { entities } from "../panel/entities.ts";
import type { Environment } from "../panel/environment.ts";
import { createEvents, type Events } from "../events/index.ts";
import { registerKinds } from "../panel/kinds.ts";
import { SteadyClock } from "../lib/steady-clock.ts";
import { SoleShards, Supervisor } from "../runtime/index.ts";
import { openKey } from "../panel/secret-key.ts";
import { actorRoutes, Settings } from "../system/index.ts";

export interface Offline {
  readonly deps: CommandDeps;
  close(): Promise<void>;
}

const fail = (error: unknown) => {
  throw error;
};

/** Opens the database for commands; nothing moves by itself. On SQLite the caller holds the directory's lock. */
export async function openOffline(environment: Environment): Promise<Offline> {
  const { dataDirectory, databaseUrl: url, secretKey: fromEnvironment, privatePlaces } = environment;
  const database = await openDatabase({ url, entities, echo, now: Date.now, onListenerError: fail });
  try {
    const { commits, reads } = database;
    const secretKey = await openKey({ file: join(dataDirectory, "secret.key"), fromEnvironment }, reads);
    const settings = await Settings.open({ commits, reads, secretKey });
    const listeners = await Listeners.open(commits, reads);
    // Its dispatcher is not started: what it records for webhooks is sent by the panel that runs, or by the next one.
    const events = createEvents({
      database,
      now: Date.now,
      key: secretKey,
      allowPrivate: () => settings.flag("webhook_allow_private"),
      retentionDays: () => settings.number("event_retention_days"),
      listenerOf: (adminId) => listeners.of(adminId),
      log: pino({ level: "silent" }),
    });
    await events.load();
    const certificates = panelCertificates(secretKey, Date.now);
    const supervisor = standingSupervisor(database, events, () => settings.textAtStart("timezone"));
    const readable = actorRoutes({ reads, supervisor, now: Date.now });
    const deps = { settings, commits, reads, outbox: events.outbox, secretKey, privatePlaces, certificates, readable };
    return { deps, close: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Knows the charts, to read actors by them; it is never started, so no timer fires and no link is dialled. */
function standingSupervisor(
  { commits, reads, store, boot }: Awaited<ReturnType<typeof openDatabase>>,
  events: Events,
  timeZone: () => string,
): Supervisor {
  const clock = new SteadyClock(Date.now());
  const reserve = (sequence: string, count: number) => store.reserve(sequence, count);
  const shards = new SoleShards({ reserve, now: () => clock.now(), onError: fail });
  const supervisor = new Supervisor({ commits, reads, clock, deliveries: events.deliveries, shards, bootId: boot, onError: fail });
  const begin = () => fail(new Error("no node is linked without a panel"));
  registerKinds(supervisor, { timeZone, link: begin, turn: begin });
  return supervisor;
}
