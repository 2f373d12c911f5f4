// The panel's own affairs as the panel takes them: settings, actors as operators see them, information, restart.
import { panelCertificates } from "../certificates/index.ts";
import type { AnyFeature, Core, Opened } from "../feature/index.ts";
import type { HttpPorts } from "../http/index.ts";
import { forgetLogs } from "../runtime/index.ts";
import { actorRoutes } from "./actors/actors.routes.ts";
import { StateCounts } from "./actors/counts.ts";
import { LogStream, logSockets } from "./actors/log-stream.ts";
import { existingLog } from "./actors/log.queries.ts";
import { ActorStream, actorSockets } from "./actors/stream.ts";
import { crashReporter } from "./crash-reports.ts";
import { systemEntities } from "./entities.ts";
import { infoRoutes, type BackupReadout } from "./info.routes.ts";
import { restartRoutes } from "./restart.routes.ts";
import { SettingRows } from "./settings/setting.entity.ts";
import type { Settings } from "./settings/settings.ts";
import { settingsRoutes } from "./settings/settings.routes.ts";
import { systemEvents } from "./system.events.ts";
import { systemSettings } from "./system.settings.ts";
import { systemWords } from "./system.words.ts";

type SystemSetting = keyof typeof systemSettings | "webhook_allow_private";
type SystemCore = Core<SystemSetting, keyof typeof systemEvents> & { readonly settings: Settings<SystemSetting> };

interface SystemNeeds {
  /** How many accounts are online at a moment (Unix seconds). */
  readonly onlineAt: (now: number) => Promise<number>;
  /** Archives at a glance. */
  readonly backupReadout: () => Promise<BackupReadout>;
}

async function open(
  core: SystemCore,
  { onlineAt, backupReadout }: SystemNeeds,
): Promise<Opened<Required<Pick<HttpPorts, "crashed">>>> {
  const {
    clock,
    commits,
    environment,
    follower,
    log,
    outbox,
    outgoing,
    program,
    reads,
    secretKey,
    settings,
    supervisor,
    undo,
  } = core;
  const now = () => clock.now();
  const counts = await StateCounts.open(reads, supervisor, follower);
  const stream = new ActorStream({ commits, counts, now });
  undo.push(() => stream.stop());
  const onLogError = (error: unknown) => log.warn({ err: error }, "the log of an actor could not be read");
  const logStream = new LogStream({ reads, commits, onError: onLogError });
  undo.push(() => logStream.stop());
  const { version, commit } = program;
  const onCrashError = (error: unknown) => log.warn({ err: error }, "a crash was not reported");
  return {
    routes: [
      ...settingsRoutes({
        settings,
        outbox,
        secretKey,
        privatePlaces: environment.privatePlaces,
        certificates: panelCertificates(secretKey, now),
        fetch: outgoing.fetch,
        subListen: core.subListen,
      }),
      ...actorRoutes({ reads, supervisor, now }),
      ...infoRoutes({
        reads,
        counts,
        dataDirectory: environment.dataDirectory,
        version,
        commit,
        now,
        online: onlineAt,
        backup: backupReadout,
        notListening: () => core.subListen.closed(),
        untrustedProxy: () => core.untrustedProxies.busiest(settings.addresses("trusted_proxies")),
      }),
      ...restartRoutes({ restart: core.restart, obstacle: core.listenerObstacle }),
    ],
    sockets: [...actorSockets(stream), ...logSockets(logStream, existingLog(reads, supervisor))],
    hourly: () => forgetLogs({ commits, reads }, supervisor.kinds),
    serves: { crashed: crashReporter({ commits, outbox, now, version, onError: onCrashError }) },
  };
}

export const feature = {
  name: "system",
  entities: systemEntities,
  echo: { tables: [SettingRows] },
  settings: systemSettings,
  events: systemEvents,
  words: systemWords,
  open,
} as const satisfies AnyFeature;
