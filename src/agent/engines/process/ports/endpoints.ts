// Where the agent reaches its engines: a Unix socket for each process, or loopback ports from a pool that is fixed for
// long, so that every configuration can close all of them to proxy users.
import { randomBytes } from "node:crypto";
import { accessSync, constants, lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Endpoint } from "../dialect.ts";
import { discard } from "../state/state-file.ts";
import { innerPorts, isReached, takenPorts } from "./ports.ts";

/** Processes that may live at once: the serving one, those that finish their connections, and one that starts. */
export const MOST_PROCESSES = 18;
/** The kernel takes 107 bytes. */
const LONGEST_PATH = 100;

export class Endpoints {
  readonly #directory: string;
  readonly #portsEach: number;
  #ports: readonly number[] = [];
  #socketDirectory: string | undefined;

  /** `portsEach`: loopback ports of one process, 0 for a Unix socket. */
  constructor(directory: string, portsEach: number) {
    // An engine has a working directory of its own; a name that it cannot use either is refused below.
    this.#directory = resolve(directory);
    this.#portsEach = portsEach;
  }

  get ports(): readonly number[] {
    return this.#ports;
  }

  /** Where the sockets are if the driver's own directory has too long a name, or refuses them. */
  get socketDirectory(): string | undefined {
    return this.#socketDirectory;
  }

  /** Goes on with what an earlier agent had chosen. */
  restore(ports: readonly number[], socketDirectory: string | undefined): void {
    this.#ports = ports;
    // Something cleaned /tmp, perhaps, and another user has the name now.
    if (socketDirectory !== undefined && isPrivate(socketDirectory)) this.#socketDirectory = socketDirectory;
  }

  /**
   * Chooses the pool, before anything is compiled: outside the range that connections of the engines themselves take
   * their ports from.
   */
  async prepare(avoid: ReadonlySet<number>): Promise<void> {
    if (this.#ports.length === 0 && this.#portsEach > 0)
      this.#ports = await innerPorts(MOST_PROCESSES * this.#portsEach, avoid, Math.random);
  }

  /**
   * An endpoint for a new process; undefined when all ports of the pool are used, held by other programs, or closed by
   * other agents.
   */
  async allocate(engineId: string, used: readonly Endpoint[]): Promise<Endpoint | undefined> {
    if (this.#portsEach === 0) return { grpc: `unix:${this.#socketPath(engineId)}`, ports: [] };
    const mine = new Set(used.flatMap(({ ports }) => ports));
    const candidates = this.#ports
      .filter((port) => !mine.has(port))
      .map((port) => ({ port, listen: "127.0.0.1", networks: ["tcp"] as const }));
    const taken = await takenPorts(candidates, new Set());
    const found: number[] = [];
    for (const candidate of candidates) {
      if (found.length === this.#portsEach) break;
      if (!taken.has(candidate) && (await isReached(candidate.port))) found.push(candidate.port);
    }
    const [first, second] = found;
    if (first === undefined) return undefined;
    if (this.#portsEach === 1) return { grpc: `127.0.0.1:${first}`, ports: [first] };
    if (second === undefined) return undefined;
    return {
      grpc: `127.0.0.1:${first}`,
      clash: { port: second, secret: randomBytes(24).toString("base64url") },
      ports: [first, second],
    };
  }

  /** Takes away what an ended process may have left. */
  free(endpoint: Endpoint): void {
    if (endpoint.grpc.startsWith("unix:")) discard(endpoint.grpc.slice("unix:".length));
  }

  /** Takes away the socket directory, once no process is left. */
  remove(): void {
    if (this.#socketDirectory !== undefined) rmSync(this.#socketDirectory, { recursive: true, force: true });
    this.#socketDirectory = undefined;
  }

  #socketPath(engineId: string): string {
    const name = `api.${engineId.slice(0, 8)}`;
    const fits = Buffer.byteLength(join(this.#directory, name)) <= LONGEST_PATH;
    if (fits && isWritable(this.#directory)) return join(this.#directory, name);
    this.#socketDirectory ??= mkdtempSync(join(tmpdir(), "signalbox-"));
    return join(this.#socketDirectory, name);
  }
}

/** Whether it is a directory of this user's into which nobody else gets. */
function isPrivate(directory: string): boolean {
  const stat = lstatSync(directory, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0;
}

/** False too on a disk that became read-only: no socket can be made there. */
function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
