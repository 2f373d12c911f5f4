// A panel's data without a panel, for commands: on SQLite while no panel runs, on PostgreSQL also while panels run.
import { join } from "node:path";
import { pino } from "pino";
import { panelCertificates } from "../certificates/index.ts";
import { swapStaged } from "../backups/index.ts";
import { openDatabase } from "../db/index.ts";
import type { Follow, Undo } from "../feature/index.ts";
import { Signals } from "../lib/signals.ts";
import { SteadyClock } from "../lib/steady-clock.ts";
import { openOutgoing } from "../outgoing/index.ts";
import { COMMAND_FEATURES, commandRoutes } from "../panel/command-routes.ts";
import type { CommandDeps } from "../panel/panel.cli.ts";
import type { Environment } from "../panel/environment.ts";
import { PANEL, type Core } from "../panel/features.ts";
import { knowKinds, layGround } from "../panel/ground.ts";
import { settledPlace } from "../panel/listener.ts";
import { publicAddress } from "../panel/public-address.ts";
import { setClock } from "../panel/timekeeping.ts";
import { openKey } from "../panel/secret-key.ts";
import { SoleShards } from "../runtime/index.ts";
import { actorRoutes } from "../system/index.ts";

export interface Offline {
  readonly deps: CommandDeps;
  close(): Promise<void>;
}

const fail = (error: unknown): never => {
  throw error;
};

/** Opens the database for commands; no background work runs. On SQLite the caller holds the directory's lock. */
export async function openOffline(environment: Environment): Promise<Offline> {
  const { dataDirectory, databaseUrl: url, secretKey: fromEnvironment, privatePlaces } = environment;
  const { consequences, echo, entities } = PANEL;
  const clock = new SteadyClock(Date.now());
  const now = () => clock.now();
  // A restore that waits comes first: what is changed in the database before would be lost with it.
  swapStaged(dataDirectory, url);
  const database = await openDatabase({ url, entities, echo, consequences, now, onListenerError: fail });
  const undo: Undo = [];
  const close = async () => {
    for (const step of undo.splice(0).toReversed()) await step("stop");
    await database.close();
  };
  try {
    const { boot, commits, reads, store } = database;
    const place = { file: join(dataDirectory, "secret.key"), fromEnvironment };
    const secretKey = await openKey(place, (key) => PANEL.sealedUnder(reads, key));
    // Changes are made at the panels' time, which is the database's where they share one.
    await setClock({ clock, database });
    // What is recorded for webhooks is sent by the panel that runs, or by the next one.
    const laid = await layGround(PANEL, {
      environment,
      database,
      clock,
      log: pino({ level: "silent" }),
      // Nobody watches a command.
      signals: new Signals(),
      secretKey,
      undo,
    });
    const { deliveries, outbox } = laid;
    const { settings } = laid.ground;
    const reserve = (sequence: string, count: number) => store.reserve(sequence, count);
    const shards = new SoleShards({ reserve, now, onError: fail });
    const follows = new Map<string, Follow>();
    // Knows the charts; it is never started, so no timer fires, no link is dialled and no job goes on here.
    const { supervisor, kinds } = knowKinds(
      PANEL,
      { commits, reads, clock, deliveries, shards, bootId: boot, onError: fail },
      () => settings.textAtStart("timezone"),
      (key) => settings.text(key as never),
      () => () => fail(new Error("nothing goes on without a panel")),
      () => () => fail(new Error("nothing goes on without a panel")),
      (name) => (draft, row) =>
        (follows.get(name) ?? fail(new Error(`without a panel nothing follows from ${name}`)))(draft, row),
    );
    const closed = () => fail(new Error("nothing is listened on without a panel"));
    const core: Core = {
      ...laid.ground,
      outbox,
      outgoing: openOutgoing(),
      supervisor,
      shards,
      processes: undefined,
      follower: undefined,
      caughtUp: () => undefined,
      restart: () => fail(new Error("no panel is there to restart")),
      listenerObstacle: async () => undefined,
      listeners: { open: closed, proofs: { addText: closed, addCertificate: closed } },
      subListen: { obstacle: async () => undefined, settled: async () => {}, closed: () => [] },
      untrustedProxies: { busiest: () => undefined },
      publicAddress: () => publicAddress(settledPlace({ environment, settings }), settings),
      pause: undefined,
    };
    const features = await PANEL.openSome(COMMAND_FEATURES, core as never, laid.provided, kinds);
    for (const { name, follows: own = {} } of features)
      for (const [step, follow] of Object.entries(own)) follows.set(`${name}.${step}`, follow);
    const routes = [
      ...actorRoutes({ reads, supervisor, now }),
      ...commandRoutes(features.flatMap(({ routes: own = [] }) => own)),
    ];
    const certificates = panelCertificates(secretKey, now);
    const deps = { settings, commits, reads, outbox, secretKey, privatePlaces, certificates, routes };
    return { deps, close };
  } catch (error) {
    await close();
    throw error;
  }
}
