// The interface that a panel serves: the one that belongs to its sources, built in a child process where there is none
// yet.
import { access, constants, mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { freemem } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import type { InterfaceBuild, InterfaceSource, Notice } from "../http/index.ts";
import { buildsIn, readBuild } from "./builds.ts";
import { runBuild } from "./child.ts";
import { CHECKOUT, OUTPUT } from "./paths.ts";
import { stampOf } from "./stamp.ts";

/** What a build needs at its peak, measured, and a little room. */
const MEMORY_BYTES = 600_000_000;

export interface Interface extends InterfaceSource {
  /** Looks whether a build is needed, and builds. Once in a process: a restart of the panel serves what is there. */
  begin(): void;
  /** Ends a build that runs. */
  stop(): Promise<void>;
}

export interface InterfaceSettings {
  /** `auto`, `off`, or an absolute directory that holds an interface (`SIGNALBOX_WEB`). */
  readonly web: string;
  /** Takes the builds where the checkout cannot be written. */
  readonly dataDirectory: string;
  readonly log: Logger;
}

/** Undefined: the panel serves no interface. */
export function openInterface(settings: InterfaceSettings): Interface | undefined {
  if (settings.web === "off") return undefined;
  return settings.web === "auto" ? new OwnInterface(settings) : new GivenInterface(settings.web);
}

/** A directory that somebody else keeps, such as a build that watches its sources: looked at again for each page. */
class GivenInterface implements Interface {
  readonly #directory: string;
  constructor(directory: string) {
    this.#directory = directory;
  }
  begin(): void {}
  async stop(): Promise<void> {}
  async current(): Promise<InterfaceBuild | Notice> {
    const build = await readBuild(this.#directory).catch(() => undefined);
    return build ?? noInterface("The directory that SIGNALBOX_WEB names holds no interface (yet).", 2);
  }
}

class OwnInterface implements Interface {
  readonly #settings: InterfaceSettings;
  readonly #found = Promise.withResolvers<InterfaceBuild | Notice>();
  readonly #stopping = new AbortController();
  #work: Promise<void> | undefined;

  constructor(settings: InterfaceSettings) {
    this.#settings = settings;
  }

  begin(): void {
    this.#work ??= this.#find().then(this.#found.resolve, (error: unknown) => {
      if (!this.#stopping.signal.aborted) this.#settings.log.error({ err: error }, "the interface cannot be served");
      this.#found.resolve(noInterface("It could not be built; the panel's log says why."));
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#work;
  }

  current(): Promise<InterfaceBuild | Notice> {
    return this.#found.promise;
  }

  /** The build of these sources; else the newest that there is, rather than none. */
  async #find(): Promise<InterfaceBuild | Notice> {
    const { dataDirectory, log } = this.#settings;
    const places = [OUTPUT, join(dataDirectory, "web")];
    const stamp = await stampOf(CHECKOUT);
    for (const place of places) {
      const build = await readBuild(join(place, stamp));
      if (build) return build;
    }
    const obstacle = buildObstacle();
    if (obstacle === undefined) {
      const output = await firstWritable(places);
      const begun = performance.now();
      const result = await runBuild(output, this.#stopping.signal);
      const build = result.done ? await readBuild(result.directory) : undefined;
      if (build) {
        log.info({ ms: Math.round(performance.now() - begun) }, "the interface was built");
        return build;
      }
      if (!result.done)
        log.error({ reason: result.reason }, "the interface could not be built; the API serves without it");
    }
    for (const directory of (await Promise.all(places.map((place) => buildsIn(place)))).flat()) {
      const older = await readBuild(directory);
      if (!older) continue;
      log.warn(
        { ...(obstacle !== undefined && { reason: obstacle }) },
        "the interface is older than the panel: `npm run web` builds it",
      );
      return older;
    }
    if (obstacle === undefined) return noInterface("It could not be built; the panel's log says why.");
    log.warn({ reason: obstacle }, "there is no interface");
    return noInterface(obstacle);
  }
}

function noInterface(reason: string, retryAfter = 30): Notice {
  return { title: "There is no interface to show", lines: [reason, "The API serves without it."], retryAfter };
}

/** Why no build can be tried here; undefined: it can. */
function buildObstacle(): string | undefined {
  try {
    createRequire(import.meta.url).resolve("vite/package.json");
  } catch {
    return "The packages that build it are not installed: run `npm ci` and start again, or unpack a release, which brings it.";
  }
  const limit = process.constrainedMemory();
  // In a container the container's limit counts: memory that files take is given back when it is needed.
  const room = Math.min(freemem(), limit > 0 ? limit : Number.MAX_SAFE_INTEGER);
  if (room >= MEMORY_BYTES) return undefined;
  return "Building it needs 600 MB of free memory: run `npm run web` on another machine and copy the directory .web, or unpack a release, which brings it.";
}

async function firstWritable(places: readonly string[]): Promise<string> {
  let last: unknown;
  for (const place of places) {
    try {
      await mkdir(place, { recursive: true });
      await access(place, constants.W_OK);
      return place;
    } catch (error) {
      last = error;
    }
  }
  throw new Error("no directory for the interface can be written", { cause: last });
}
