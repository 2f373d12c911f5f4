// How much of the panel's disk a local agent may use. A limit of the process keeps each of its files small
// (`agent-launch.ts`); here its log is cut, and all that is in its directory is added up.
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  writeFileSync,
} from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { userOf } from "../../lib/proc.ts";
import { enginesOf } from "./agent-connections.ts";
import { ownerOf } from "./agent-home.ts";
import { signalProcess } from "./agent-process.ts";
import { isAgentUser } from "./agent-user.ts";

const MIB = 1024 ** 2;
/** A log is cut at this size; as much of its end stays beside it. */
const LOG_BYTES = 8 * MIB;
/** What a directory may hold. */
export interface RoomLimits {
  readonly warnBytes: number;
  readonly mostBytes: number;
  readonly mostFiles: number;
}
/** An agent's own files are some hundred MB at most, with 100,000 users. */
const ROOM: RoomLimits = { warnBytes: 1024 * MIB, mostBytes: 4096 * MIB, mostFiles: 20_000 };
const LOOK_MS = 10_000;
/** Between two warnings of a directory that grows. */
const WARN_MS = 3_600_000;
/** One that starts processes as fast as they are ended is met again at the next look. */
const ROUNDS = 5;

export interface AgentRoomOptions {
  readonly home: string;
  readonly nodeId: number;
  readonly clock: Clock;
  readonly log: (level: "info" | "warn" | "error", message: string, fields: Record<string, unknown>) => void;
  /** Ends the agent. What it started is ended after it. */
  readonly end: () => Promise<void>;
  /** `ROOM` where left out. */
  readonly limits?: RoomLimits;
}

/** The room of one agent. */
export class AgentRoom {
  readonly #options: AgentRoomOptions;
  #lookAt = 0;
  #warnAt = 0;
  #looking = false;
  #full = false;

  constructor(options: AgentRoomOptions) {
    this.#options = options;
  }

  /** There is so much in it that no agent is started. */
  get full(): boolean {
    return this.#full;
  }

  /** Looks at it where that is due. Never rejects. */
  async look(): Promise<void> {
    const { clock, home, limits = ROOM, log, nodeId } = this.#options;
    if (this.#looking || Math.abs(clock.now() - this.#lookAt) < LOOK_MS) return;
    this.#looking = true;
    this.#lookAt = clock.now();
    try {
      boundLog(home);
      await this.#judge(await homeUse(home, limits.mostFiles));
    } catch (error) {
      log("warn", "the room of a local agent was not looked at", { nodeId, error: String(error) });
    } finally {
      this.#looking = false;
    }
  }

  async #judge(use: HomeUse): Promise<void> {
    const { clock, end, home, limits = ROOM, log, nodeId } = this.#options;
    const full = use.bytes > limits.mostBytes || use.files > limits.mostFiles;
    if (full) {
      if (!this.#full)
        log("error", "a local agent is ended until somebody makes room: its directory holds more than it may", {
          nodeId,
          home,
          ...use,
        });
      this.#full = true;
      await end();
      endAll(home);
    } else if (this.#full) {
      log("info", "a local agent has room again", { nodeId });
      this.#full = false;
    } else if (use.bytes > limits.warnBytes && clock.now() > this.#warnAt) {
      this.#warnAt = clock.now() + WARN_MS;
      log("warn", "the directory of a local agent holds more than an agent's does", { nodeId, home, ...use });
    }
  }
}

interface HomeUse {
  readonly bytes: number;
  readonly files: number;
}

/**
 * Cuts an agent's log. The agent and its keeper have it open for appending and go on at its beginning. Its end is kept
 * as `<node id>.log.1`.
 */
function boundLog(home: string): void {
  if (!existsSync(`${home}.log`)) return;
  const log = openSync(`${home}.log`, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    const { size } = fstatSync(log);
    if (size <= LOG_BYTES) return;
    const end = Buffer.alloc(LOG_BYTES);
    const length = readSync(log, end, 0, LOG_BYTES, size - LOG_BYTES);
    ftruncateSync(log, 0);
    const kept = openSync(`${home}.log.1`, "w", 0o600);
    try {
      fchmodSync(kept, 0o600);
      writeFileSync(kept, end.subarray(0, length));
    } finally {
      closeSync(kept);
    }
  } finally {
    closeSync(log);
  }
}

/** What lies in an agent's directory; no further than what is too much. Follows no link. */
async function homeUse(home: string, mostFiles: number): Promise<HomeUse> {
  let bytes = 0;
  let files = 0;
  const folders = [home];
  for (let folder = folders.pop(); folder !== undefined && files <= mostFiles; folder = folders.pop()) {
    try {
      for await (const entry of await opendir(folder)) {
        files += 1;
        if (files > mostFiles) break;
        const path = join(folder, entry.name);
        if (entry.isDirectory()) folders.push(path);
        else bytes += (await lstat(path)).blocks * 512;
      }
    } catch (error) {
      if (!(error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")))
        throw error; // What is gone meanwhile takes no room.
    }
  }
  return { bytes, files };
}

/** Ends every process that may write into the directory. */
function endAll(home: string): void {
  const owner = ownerOf(home) ?? 0;
  for (let round = 0; round < ROUNDS; round++) {
    const pids = isAgentUser(owner) ? processesOf(owner) : enginesOf(home);
    if (pids.length === 0) return;
    for (const pid of pids) signalProcess(pid, "SIGKILL");
  }
}

function processesOf(user: number): number[] {
  return readdirSync("/proc").flatMap((name) =>
    /^\d+$/.test(name) && userOf(Number(name)) === user ? [Number(name)] : [],
  );
}
