// Processes that were replaced and finish their connections: each ends when it has none any more, when its time is up,
// or when memory asks for it.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { DriverContext } from "../../contract/driver.ts";
import type { PortMap } from "../../../net-admin/nft/port-map.ts";
import { inEngineGroup } from "./engine-group.ts";
import { innerPortsOf } from "../ports/public-ports.ts";
import type { RunningEngine } from "./running-engine.ts";
import type { OpenInbound } from "../state/driver-state.ts";

/** How long a replaced process, or a replaced version of an inbound, may finish its connections. */
export const DRAIN_MS = 600_000;
const LOOK_MS = { shortest: 1000, longest: 10_000 };
/** What a process with few connections takes. */
const PROCESS_BYTES = 48 * 2 ** 20;
const MEMORY_SHARE = 0.25;

export interface DrainingOptions {
  readonly context: DriverContext;
  portMap(): PortMap | undefined;
  serving(): RunningEngine | undefined;
  /** Ends a process after a last reading. */
  finish(engine: RunningEngine): Promise<void>;
  /** Closes a replaced version of an inbound of the serving process. */
  close(engine: RunningEngine, retired: OpenInbound): Promise<void>;
}

/** How many processes may finish their connections at once, given the memory that is left, in bytes. */
export function mostDraining(availableMemory: number): number {
  return Math.max(2, Math.min(16, Math.floor((availableMemory * MEMORY_SHARE) / PROCESS_BYTES)));
}

export class Draining {
  readonly #options: DrainingOptions;
  /** Oldest first. */
  readonly #engines = new Set<RunningEngine>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DrainingOptions) {
    this.#options = options;
  }

  get engines(): readonly RunningEngine[] {
    return [...this.#engines];
  }

  add(engine: RunningEngine): void {
    this.#engines.add(engine);
    this.watch();
  }

  delete(engine: RunningEngine): boolean {
    return this.#engines.delete(engine);
  }

  /** Ends those that are done, and then the oldest, if there are as many as memory allows. */
  async makeRoom(): Promise<void> {
    const most = mostDraining(process.availableMemory());
    if (this.#engines.size >= most) await this.#look();
    while (this.#engines.size >= most) {
      const [oldest] = this.#engines;
      if (!oldest) return;
      this.#options.context.log(
        "info",
        "a replaced engine is ended before its connections are, for others need its memory",
        {
          pid: oldest.identity.pid,
          most,
        },
      );
      await this.#options.finish(oldest);
    }
  }

  /** Looks after what drains until nothing does. */
  watch(): void {
    if (this.#timer === undefined) this.#schedule(LOOK_MS.shortest);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(wait: number): void {
    this.#timer = setTimeout(() => {
      const began = performance.now();
      this.#look()
        .catch((error: unknown) =>
          this.#options.context.log("debug", "replaced engines could not be looked at", { error: String(error) }),
        )
        .finally(() => {
          // Looking costs what there are connections on the machine: it must stay a small share of the time.
          const next = Math.min(LOOK_MS.longest, Math.max(LOOK_MS.shortest, 20 * (performance.now() - began)));
          if (this.#timer === undefined) return;
          if (this.#engines.size > 0 || (this.#options.serving()?.retired.length ?? 0) > 0) this.#schedule(next);
          else this.stop();
        });
    }, wait);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const now = this.#options.context.now();
    const busy = await this.#busy();
    for (const engine of this.#engines) {
      const idle =
        !busy.pids.has(engine.identity.pid) &&
        !innerPortsOf(engine.record.inbounds).some((port) => busy.flows.has(port));
      if (idle || now >= (engine.record.drainUntil ?? 0)) await this.#options.finish(engine);
    }
    const serving = this.#options.serving();
    for (const retired of serving?.retired ?? []) {
      const port = retired.inner ?? retired.port;
      const idle = !busy.ports.has(port) && !busy.flows.has(port);
      if (serving && (idle || now >= (retired.retireAt ?? 0))) await this.#options.close(serving, retired);
    }
  }

  /** Finds what has connections: processes over TCP, and local ports over TCP and UDP. */
  async #busy(): Promise<{ pids: Set<number>; ports: Set<number>; flows: Set<number> }> {
    const serving = this.#options.serving();
    const engines = [...(serving ? [serving] : []), ...this.#engines];
    const own = new Set(engines.flatMap(({ record }) => record.endpoint.ports));
    // `ss` looks into the engines to see whose a connection is.
    const listing = inEngineGroup(() =>
      promisify(execFile)("ss", ["-tnpHO", "state", "established"], { maxBuffer: 256 * 2 ** 20 }),
    );
    const { stdout } = await listing;
    const pids = new Set<number>();
    const ports = new Set<number>();
    for (const line of stdout.split("\n")) {
      const local = line.trim().split(/\s+/)[2];
      const port = Number(local?.slice(local.lastIndexOf(":") + 1));
      if (own.has(port)) continue;
      ports.add(port);
      for (const match of line.matchAll(/pid=(\d+),/g)) pids.add(Number(match[1]));
    }
    const inner = new Set(
      engines.flatMap(({ record }) => innerPortsOf(record.inbounds.filter(({ networks }) => networks.includes("udp")))),
    );
    const flows = inner.size > 0 ? ((await this.#options.portMap()?.flows(inner)) ?? []) : [];
    return { pids, ports, flows: new Set(flows.map(({ localPort }) => localPort)) };
  }
}
