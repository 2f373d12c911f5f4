// Agents for the panel's own machine: a node with `isLocal` gets a process of ours, kept running while the node exists.
//
// The agent is detached: a restart or a kill of the panel does not touch it, and the next panel takes it over by its pid file (pid and start time must both match). A clean stop ends it.
// Where several panels share a database, an agent belongs to the one in whose data directory its folder is: the one that made the node local. The others leave it alone.
import { spawn } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sql, type Committed, type Committer, type Reader } from "../db/index.ts";
import type { Cancel, Clock } from "../lib/clock.ts";
import { AgentProcess, findAgent, isAlive, signalProcess, startTimeOf } from "./agent-process.ts";
import { NodeRows, type NodeRow } from "./node.entity.ts";

export interface LocalAgentOptions {
  readonly reads: Reader;
  readonly commits: Committer;
  readonly clock: Clock;
  /** `<data>/agents`. */
  readonly directory: string;
  /** Other panels, with directories of their own, are on this database. */
  readonly shared: boolean;
  /** PEM that the agents trust. */
  readonly trust: string;
  /** SIGNALBOX_ENGINE and SIGNALBOX_PRIVATE_TARGETS. */
  readonly engine: string;
  readonly privateTargets: string;
  /** The command that runs an agent: node and the entry point. */
  readonly command: readonly [string, ...string[]];
  readonly log: (level: "info" | "warn" | "error", message: string, fields: Record<string, unknown>) => void;
}

const WATCH_MS = 1000;
const BACKOFF_MAX_MS = 30_000;
const STOP_MS = 6000;
/** An agent that ran for so long had no trouble with its start: whatever ended it, the next one need not wait. */
const CALM_MS = 5000;

interface Kept {
  /** As it was last written; an agent that listens elsewhere is replaced. */
  node: Pick<NodeRow, "id" | "address" | "port">;
  process: AgentProcess | undefined;
  /** The agent before is being ended: nothing is started until it is gone. */
  ending: boolean;
  failures: number;
  startAfter: number;
  /** Since when it is known to run, milliseconds. */
  since: number;
}

export class LocalAgents {
  readonly #options: LocalAgentOptions;
  readonly #kept = new Map<number, Kept>();
  #cancel: Cancel = () => {};
  #stopListening: () => void = () => {};
  #stopped = false;

  constructor(options: LocalAgentOptions) {
    this.#options = options;
  }

  /** Takes over what runs, starts what does not, and watches. */
  async start(): Promise<void> {
    const { reads, commits, directory, trust } = this.#options;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(this.#trustFile, trust, { mode: 0o600 });
    this.#stopListening = commits.onCommit((committed) => this.#committed(committed));
    const told = new Set<unknown>();
    const listening = commits.onCommit(({ changes }) => changes.forEach(({ table, id }) => table === NodeRows.name && told.add(id)));
    const nodes = await reads.rows(NodeRows, sql`select * from nodes where is_local`);
    listening();
    // What a commit told of meanwhile is newer than what was read.
    for (const node of nodes) if (!told.has(node.id) && this.#isOurs(node.id)) this.#keep(node);
    this.#endStrays();
    this.#watch();
  }

  /** `stop` ends the agents (a clean stop of the panel), `leave` leaves them to the next panel. */
  async stop(how: "stop" | "leave"): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    this.#stopListening();
    if (how === "stop") await Promise.all([...this.#kept.values()].map((kept) => this.#end(kept)));
  }

  get #trustFile(): string {
    return join(this.#options.directory, "panel.pem");
  }

  #committed({ changes, remote }: Committed): void {
    for (const { table, id, before, after } of changes) {
      if (table !== NodeRows.name) continue;
      const node = after as NodeRow | undefined;
      const kept = this.#kept.get(Number(id));
      if (kept) this.#follow(kept, node);
      else if (node?.isLocal && ((!remote && !before?.["isLocal"]) || this.#isOurs(node.id))) this.#keep(node);
    }
  }

  /** An agent of ours after a commit of any panel. */
  #follow(kept: Kept, node: NodeRow | undefined): void {
    if (!node?.isLocal) {
      this.#kept.delete(kept.node.id);
      void this.#end(kept).then(() => node ?? this.#clear(kept.node.id));
    } else if (listenOf(kept.node) !== listenOf(node)) {
      void this.#replace(kept, node);
    }
  }

  /** A panel that is alone has all agents, also those whose folder was lost. */
  #isOurs(nodeId: number): boolean {
    return !this.#options.shared || existsSync(this.#home(nodeId));
  }

  #keep(node: Pick<NodeRow, "id" | "address" | "port">): void {
    if (this.#stopped) return;
    const kept: Kept = { node, process: this.#running(node), ending: false, failures: 0, startAfter: 0, since: this.#options.clock.now() };
    this.#kept.set(node.id, kept);
    if (!kept.process) this.#start(kept);
  }

  /** The node listens elsewhere now. Several moves in a row end in one new agent, at the last place. */
  async #replace(kept: Kept, node: Kept["node"]): Promise<void> {
    kept.node = node;
    if (kept.ending) return;
    kept.ending = true;
    await this.#end(kept);
    kept.ending = false;
    kept.process = undefined;
    if (!this.#stopped && this.#kept.get(kept.node.id) === kept) this.#start(kept);
  }

  /** Agents of nodes that are gone: a panel that was killed between a deletion and its agent's end left them. Their folders stay, in case it is the database that is not the right one. */
  #endStrays(): void {
    for (const name of readdirSync(this.#options.directory)) {
      const nodeId = Number(name);
      if (!Number.isSafeInteger(nodeId) || this.#kept.has(nodeId)) continue;
      const stray = findAgent(this.#home(nodeId));
      if (!stray) continue;
      this.#options.log("warn", "a local agent of a node that is gone is ended", { nodeId });
      signalProcess(stray.pid, "SIGTERM");
    }
  }

  #clear(nodeId: number): void {
    try {
      rmSync(this.#home(nodeId), { recursive: true, force: true });
    } catch (error) {
      this.#options.log("warn", "the folder of a deleted local agent cannot be removed", { nodeId, error: String(error) });
    }
  }

  #watch(): void {
    const { clock, log } = this.#options;
    for (const kept of this.#kept.values()) {
      if (kept.ending || (kept.process && isAlive(kept.process))) continue;
      if (kept.process) {
        kept.process = undefined;
        if (clock.now() - kept.since > CALM_MS) kept.failures = 0;
        log("warn", "the local agent ended; it is started again", { nodeId: kept.node.id, wait: this.#putOff(kept) });
      }
      const wait = kept.startAfter - clock.now();
      // A wait longer than waits are was begun before the clock was set back.
      if (wait <= 0 || wait > BACKOFF_MAX_MS) this.#start(kept);
    }
    if (!this.#stopped) this.#cancel = clock.after(WATCH_MS, () => this.#watch());
  }

  /** Longer with every failure. */
  #putOff(kept: Kept): number {
    kept.failures++;
    const wait = Math.min(BACKOFF_MAX_MS, 250 * 2 ** Math.min(kept.failures, 10));
    kept.startAfter = this.#options.clock.now() + wait;
    return wait;
  }

  /** A disk that is full or a limit that is reached is no reason for the panel to end: it is tried again. */
  #start(kept: Kept): void {
    try {
      this.#spawn(kept);
    } catch (error) {
      this.#options.log("error", "the local agent cannot be started", {
        nodeId: kept.node.id,
        error: String(error),
        wait: this.#putOff(kept),
      });
    }
  }

  #spawn(kept: Kept): void {
    const { command, engine, privateTargets, log } = this.#options;
    const home = this.#home(kept.node.id);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    chmodSync(home, 0o700);
    const [program, ...leading] = command;
    const listen = listenOf(kept.node);
    const output = openSync(join(home, "agent.log"), "a", 0o600);
    try {
      const options = [
        "--listen",
        listen,
        "--data",
        home,
        "--trust",
        this.#trustFile,
        "--engine",
        engine,
        "--private-targets",
        privateTargets,
      ];
      const child = spawn(program, [...leading, "agent", ...options], { detached: true, stdio: ["ignore", output, output] });
      child.on("error", (error) => log("error", "the local agent cannot be started", { nodeId: kept.node.id, error: error.message }));
      if (child.pid === undefined) return;
      child.unref();
      kept.since = this.#options.clock.now();
      kept.process = { pid: child.pid, startedAt: startTimeOf(child.pid) ?? "", listen };
      writePidFile(home, kept.process);
    } finally {
      closeSync(output);
    }
  }

  /** The agent that an earlier panel left, if it is that very process; also one whose pid that panel was killed before writing down. */
  #running(node: Pick<NodeRow, "id" | "address" | "port">): AgentProcess | undefined {
    const home = this.#home(node.id);
    const found = readPidFile(pidFile(home));
    if (found && isAlive(found) && found.listen === listenOf(node)) return found;
    const running = findAgent(home);
    if (!running) return undefined;
    if (running.listen !== listenOf(node)) {
      signalProcess(running.pid, "SIGTERM");
      return undefined;
    }
    writePidFile(home, running);
    return running;
  }

  async #end(kept: Kept): Promise<void> {
    const running = kept.process;
    if (!running || !isAlive(running)) return;
    signalProcess(running.pid, "SIGTERM");
    const until = Date.now() + STOP_MS;
    while (isAlive(running) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
    if (isAlive(running)) signalProcess(running.pid, "SIGKILL");
  }

  #home(nodeId: number): string {
    return join(this.#options.directory, String(nodeId));
  }
}

function listenOf({ address, port }: Pick<NodeRow, "address" | "port">): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

const pidFile = (home: string) => join(home, "agent.pid");

/** Whole or not at all: whoever reads it meanwhile, or after a kill, sees the one before or this one. */
function writePidFile(home: string, agent: AgentProcess): void {
  const fresh = `${pidFile(home)}.new`;
  writeFileSync(fresh, JSON.stringify(agent), { mode: 0o600 });
  renameSync(fresh, pidFile(home));
}

/** Undefined when there is none, or none of ours. */
function readPidFile(file: string): AgentProcess | undefined {
  try {
    return AgentProcess.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}
