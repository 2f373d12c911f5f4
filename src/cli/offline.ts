// A panel's data without a panel, for commands: on SQLite while no panel runs, on PostgreSQL also while panels run.
import { join } from "node:path";
import { pino } from "pino";
import { panelCertificates } from "../certificates/index.ts";
import { openDatabase } from "../db/index.ts";
import type { Undo } from "../feature/index.ts";
import { SteadyClock } from "../lib/steady-clock.ts";
import type { CommandDeps } from "../panel/panel.cli.ts";
import type { Environment } from "../panel/environment.ts";
import { PANEL } from "../panel/features.ts";
import { knowKinds, layGround } from "../panel/ground.ts";
import { openKey } from "../panel/secret-key.ts";
import { SoleShards } from "../runtime/index.ts";
import { actorRoutes } from "../system/index.ts";

export interface Offline {
  readonly deps: CommandDeps;
  close(): Promise<void>;
}

const fail = (error: unknown) => {
  throw error;
};

/** Opens the database for commands; no background work runs. On SQLite the caller holds the directory's lock. */
export async function openOffline(environment: Environment): Promise<Offline> {
  const { dataDirectory, databaseUrl: url, secretKey: fromEnvironment, privatePlaces } = environment;
  const { entities, echo } = PANEL;
  const database = await openDatabase({ url, entities, echo, now: Date.now, onListenerError: fail });
  try {
    const { boot, commits, reads, store } = database;
    const place = { file: join(dataDirectory, "secret.key"), fromEnvironment };
    const secretKey = await openKey(place, (key) => PANEL.sealedUnder(reads, key));
    const clock = new SteadyClock(Date.now());
    const undo: Undo = [];
    // No feature is opened: what is recorded for webhooks is sent by the panel that runs, or by the next one.
    const laid = await layGround(PANEL, {
      environment,
      database,
      clock,
      log: pino({ level: "silent" }),
      secretKey,
      undo,
    });
    const { deliveries, outbox } = laid;
    const { settings } = laid.ground;
    const reserve = (sequence: string, count: number) => store.reserve(sequence, count);
    // Knows the charts, to read actors by them; it is never started, so no timer fires and no link is dialled.
    const { supervisor } = knowKinds(
      PANEL,
      {
        commits,
        reads,
        clock,
        deliveries,
        shards: new SoleShards({ reserve, now: () => clock.now(), onError: fail }),
        bootId: boot,
        onError: fail,
      },
      () => settings.textAtStart("timezone"),
      (key) => settings.text(key as never),
      () => () => fail(new Error("no node is linked without a panel")),
      () => () => fail(new Error("no job ends without a panel")),
    );
    const readable = actorRoutes({ reads, supervisor, now: Date.now });
    const certificates = panelCertificates(secretKey, Date.now);
    const deps = { settings, commits, reads, outbox, secretKey, privatePlaces, certificates, readable };
    return { deps, close: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}
