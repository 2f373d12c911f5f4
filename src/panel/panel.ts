// A panel from start to stop: its parts, its surface, and what moves by itself, begun in order and ended in the reverse one (rules process.start).
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { carryOutDepartures, releaseOwnedUsers } from "../accounts/index.ts";
import { panelCertificates } from "../certificates/index.ts";
import { startControl } from "./control.ts";
import { STAGE_DIRECTORY, type Environment } from "./environment.ts";
import { Confinement, enterStoredAddresses, LocalAgents, nodesForbidden } from "../fleet/index.ts";
import { Door, type InterfaceSource } from "../http/index.ts";
import { storedForbidden } from "../pool/index.ts";
import { openParts, type Ending, type Parts, type Pause, type Undo } from "./parts.ts";
import { openSurface } from "./surface.ts";
import { actorRoutes } from "../system/index.ts";
import { VERSION } from "../version.ts";

const HOUR_MS = 3_600_000;
/** How long one part may take to end: requests under way end in it, effects are given back. */
const PART_MS = 20_000;

export interface PanelOptions {
  readonly environment: Environment;
  readonly log: Logger;
  /** The web interface; undefined: none is served. */
  readonly web?: InterfaceSource | undefined;
  /** Outlasts a restart of the panel, and answers while it is under way. Absent: one of the panel's own, which closes with it. */
  readonly door?: Door;
  /** How codes wait for their turn, where a test has no time for it. */
  readonly pause?: Pause;
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

/** How long a panel that has neighbours still serves after it was told to stop: load balancers look about once a second. */
const LEAVE_MS = 2000;

/** Starts a panel. Throws a sentence when it cannot: data directory taken, database away or too new, key wrong, address in use. */
export async function startPanel({ environment, log, web, door: lasting, pause: waiting }: PanelOptions): Promise<Panel> {
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
  /** The first that ends: nobody is served by a panel of which parts have ended. */
  const leave = (how: Ending) => (how === "restart" && lasting ? door.shut() : door.close());
  try {
    const parts = await openParts(environment, log, undo, waiting);
    const { api, url } = await openSurface(parts, undo, door, web);
    await setMoving(parts, undo);
    undo.push(everyHour(() => Promise.all([parts.events.prune(), parts.access.prune(), api.prune()]), log));
    await announce(parts, "panel.started", { listen: url, restored: false });
    undo.push(() => announce(parts, "panel.stopping", {}));
    // Codes that wait for their turn are no reason to wait for.
    undo.push(leave, () => parts.access.codes.release());
    if (!parts.alone) undo.push((how) => (how === "stop" ? api.leave(LEAVE_MS) : undefined));
    // Another process that started with this one may have made the token.
    await parts.caughtUp();
    const token = await parts.access.setup.token();
    const setupUrl = token === undefined ? undefined : `${url}${web ? "" : "/api"}/setup?t=${encodeURIComponent(token)}`;
    return { url, setupUrl, restartWanted: parts.restartWanted, stop };
  } catch (error) {
    await leave("restart");
    await stop("restart");
    throw error;
  }
}

/** Begins everything that works without being asked. Local agents outlast the links to them, so that no link is lost at a stop. */
async function setMoving(parts: Parts, undo: Undo): Promise<void> {
  const { alone, clock, database, environment, events, identity, log, secretKey, settings, supervisor } = parts;
  const { commits, reads } = database;
  const seconds = () => Math.floor(clock.now() / 1000);
  await tellForbidden(parts);
  await enterStoredAddresses(commits, reads);
  await carryOutDepartures(commits, reads, seconds);
  await releaseOwnedUsers(commits, reads, seconds);
  const entering = parts.credentialEntry.run();
  undo.push(async () => {
    parts.credentialEntry.stop();
    await entering;
  });
  const say = (level: "info" | "warn" | "error", message: string, fields: Record<string, unknown>) => log[level](fields, message);
  const agents = new LocalAgents({
    reads,
    commits,
    clock,
    directory: join(environment.dataDirectory, "agents"),
    shared: !alone,
    trust: identity.certificate,
    engine: environment.engine,
    privateTargets: environment.privateTargets,
    command: [process.execPath, fileURLToPath(new URL("../main.ts", import.meta.url))],
    confinement: new Confinement({
      root: resolve(fileURLToPath(new URL("../..", import.meta.url))),
      node: process.execPath,
      searchPath: process.env["PATH"] ?? "",
      directory: STAGE_DIRECTORY,
      now: Date.now,
      log: say,
    }),
    log: say,
  });
  await agents.start();
  undo.push((how) => agents.stop(how === "stop" ? "stop" : "leave"));
  await supervisor.start();
  undo.push(() => supervisor.drain());
  events.dispatcher.start();
  if (!alone) return;
  const control = await startControl(join(environment.dataDirectory, "control.sock"), {
    settings,
    commits,
    reads,
    outbox: events.outbox,
    secretKey,
    privatePlaces: environment.privatePlaces,
    certificates: panelCertificates(secretKey, () => clock.now()),
    readable: actorRoutes({ reads, supervisor, now: () => clock.now() }),
  });
  undo.push(() => control.close());
}

/** What an older version or a restore left: it is named once at every start, and left out on nodes until it is mended. */
async function tellForbidden({ database: { reads }, environment: { privateTargets }, log }: Parts): Promise<void> {
  const found = (await Promise.all([storedForbidden(reads, privateTargets), nodesForbidden(reads, privateTargets)])).flat();
  if (found.length === 0) return;
  log.warn(
    { forbidden: found },
    "stored configuration could reach what belongs to a host or what is private there; nodes leave it out until it is changed",
  );
}

function announce({ database, events }: Parts, event: string, data: Record<string, unknown>): Promise<void> {
  return database.commits.submit({
    name: event,
    locks: [],
    decide: (draft) => events.outbox.raise(draft, { event, data: { version: VERSION, ...data }, subject: "panel" }),
  });
}

function everyHour(work: () => Promise<unknown>, log: Logger): () => void {
  const timer = setInterval(() => void work().catch((error: unknown) => log.warn({ err: error }, "hourly housekeeping failed")), HOUR_MS);
  timer.unref();
  return () => clearInterval(timer);
}
