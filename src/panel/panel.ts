// A panel from start to stop: its parts, its surface and its background work. They start in order and stop in reverse
// order (rules process.start).
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { panelCertificates } from "../certificates/index.ts";
import type { Ending, Undo } from "../feature/index.ts";
import { Door, type InterfaceSource } from "../http/index.ts";
import { actorRoutes } from "../system/index.ts";
import { commandRoutes } from "./command-routes.ts";
import { startControl } from "./control.ts";
import type { Environment } from "./environment.ts";
import type { PanelParts } from "./features.ts";
import { openParts, type Parts, type Pause } from "./parts.ts";
import { openSurface } from "./surface.ts";

const HOUR_MS = 3_600_000;
/** How long one part may take to stop: running requests finish in this time, and effects are released. */
const PART_MS = 20_000;

export interface PanelOptions {
  readonly environment: Environment;
  readonly log: Logger;
  /** The web interface; undefined: none is served. */
  readonly web?: InterfaceSource | undefined;
  /**
   * Stays open during a restart of the panel, and answers meanwhile. Absent: the panel opens its own, which closes with
   * it.
   */
  readonly door?: Door;
  /** How codes wait for their turn, where a test has no time for it. */
  readonly pause?: Pause;
  /** How long it serves on when it is told to stop beside neighbours, where no load balancer looks at it. */
  readonly leaveMs?: number;
  /** What the panel is made of, where it is more than what is shipped. */
  readonly panel?: PanelParts;
}

export interface Panel {
  /** `http://127.0.0.1:8080`, with the base path. */
  readonly url: string;
  /** Where setup is done, with its token, while it is pending. */
  readonly setupUrl: string | undefined;
  /** Resolves when the panel asked for a restart of itself. */
  readonly restartWanted: Promise<void>;
  /** `stop` also ends the local agents; `restart` leaves them to the next start. */
  stop(how: Ending): Promise<void>;
}

/**
 * How long a panel that has neighbours still serves after it was told to stop: load balancers look about once a second.
 */
const LEAVE_MS = 2000;

/**
 * Starts a panel. Throws a sentence when it cannot: data directory taken, database away or too new, key wrong, address
 * in use.
 */
export async function startPanel({
  environment,
  log,
  web,
  door: lasting,
  pause: waiting,
  leaveMs = LEAVE_MS,
  panel,
}: PanelOptions): Promise<Panel> {
  const undo: Undo = [];
  const stop = async (how: Ending) => {
    // A part that waits for a database that is away must not keep the others from ending, nor the process.
    for (const [index, step] of [...undo.splice(0).entries()].toReversed()) {
      const late = new AbortController();
      try {
        const patience = pause(PART_MS, "late" as const, { signal: late.signal });
        if ((await Promise.race([step(how), patience])) === "late")
          log.warn({ part: index }, "a part of the panel does not end; it is left");
      } catch (error) {
        log.warn({ err: error, part: index }, "a part of the panel did not end in order");
      } finally {
        late.abort();
      }
    }
  };
  const door = lasting ?? new Door();
  /** It stops first, so no request reaches a panel whose other parts have stopped. */
  const leave = (how: Ending) => (how === "restart" && lasting ? door.shut() : door.close());
  try {
    const parts = await openParts({ environment, log, undo, pause: waiting, panel, door });
    const { features, serves } = parts;
    const { api, url } = await openSurface(parts, web);
    await setMoving(parts);
    undo.push(everyHour(() => Promise.all([api.prune(), ...features.map(({ hourly }) => hourly?.())]), log));
    await announceStart(parts, url);
    undo.push(() => announce(parts, "panel.stopping", {}));
    // Codes that wait for their turn, and requests that wait for events, are no reason to wait for.
    undo.push(leave, serves.releaseCodes, () => api.release());
    if (!parts.alone) undo.push((how) => (how === "stop" ? api.leave(leaveMs) : undefined));
    // Another process that started with this one may have made the token.
    await parts.caughtUp();
    const token = await serves.setup.token();
    const setupUrl =
      token === undefined ? undefined : `${url}${web ? "" : "/api"}/setup?t=${encodeURIComponent(token)}`;
    return { url, setupUrl, restartWanted: parts.restartWanted, stop };
  } catch (error) {
    await leave("restart");
    await stop("restart");
    throw error;
  }
}

/** Begins everything that works without being asked. */
async function setMoving(parts: Parts): Promise<void> {
  const {
    alone,
    clock,
    commits,
    environment,
    features,
    log,
    outbox,
    panel,
    reads,
    secretKey,
    settings,
    supervisor,
    undo,
  } = parts;
  // What an older version or a restore left: it is named once at every start, and left out on nodes until it is mended.
  const forbidden = await panel.forbidden(reads, environment.privateTargets);
  if (forbidden.length > 0)
    log.warn(
      { forbidden },
      "stored configuration could reach what belongs to a host or what is private there; nodes leave it out until it is changed",
    );
  for (const { prepare } of features) await prepare?.();
  await supervisor.start();
  undo.push(() => supervisor.drain());
  for (const { start } of features) start?.();
  if (!alone) return;
  const control = await startControl(join(environment.dataDirectory, "control.sock"), {
    settings,
    commits,
    reads,
    outbox,
    secretKey,
    privatePlaces: environment.privatePlaces,
    certificates: panelCertificates(secretKey, () => clock.now()),
    subListen: parts.subListen,
    routes: [
      ...actorRoutes({ reads, supervisor, now: () => clock.now() }),
      ...commandRoutes(features.flatMap(({ routes = [] }) => routes)),
    ],
  });
  undo.push(() => control.close());
}

/** Whether a restore was applied is said once, with what is said of the restore itself. */
async function announceStart({ commits, outbox, program, serves }: Parts, listen: string): Promise<void> {
  const told = await serves.restoreToTell();
  await commits.submit({
    name: "panel.started",
    locks: told?.locks ?? [],
    decide(draft) {
      const restored = told?.tell(draft) ?? false;
      const data = { version: program.version, listen, restored };
      outbox.raise(draft, { event: "panel.started", data, subject: "panel" });
    },
  });
}

function announce(
  { commits, outbox, program }: Parts,
  event: "panel.stopping",
  data: Record<string, unknown>,
): Promise<void> {
  return commits.submit({
    name: event,
    locks: [],
    decide: (draft) => outbox.raise(draft, { event, data: { version: program.version, ...data }, subject: "panel" }),
  });
}

function everyHour(work: () => Promise<unknown>, log: Logger): () => void {
  const timer = setInterval(
    () => void work().catch((error: unknown) => log.warn({ err: error }, "hourly housekeeping failed")),
    HOUR_MS,
  );
  timer.unref();
  return () => clearInterval(timer);
}
