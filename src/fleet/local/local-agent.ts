// Agents for the panel's own machine: a node with `isLocal` gets a process of ours, kept running while the node exists
// (rules agents.local).
//
// The agent is detached: a restart or a kill of the panel does not touch it, and the next panel takes it over by its
// pid file (pid and start time must both match). A clean stop ends it. Where several panels share a database, an agent
// belongs to the one in whose data directory its folder is: the one that made the node local. The others leave it
// alone. An agent that an older version left running as root goes on until nobody is connected through it, or for hours
// at most; then its directory is given to the user of the one that follows it, ledger and all.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sql, type Committed, type Committer, type Reader } from "../../db/index.ts";
import type { Cancel, Clock } from "../../lib/clock.ts";
import { startTimeOf } from "../../lib/proc.ts";
import { Handover } from "./agent-handover.ts";
import { makeHome, readPidFile, writePidFile } from "./agent-home.ts";
import { AgentLauncher, type LaunchOptions } from "./agent-launch.ts";
import { AgentRoom } from "./agent-room.ts";
import { findAgent, isAlive, signalProcess, type AgentProcess } from "./agent-process.ts";
import { hasMoreRights } from "./agent-user.ts";
import { NodeRows, type NodeRow } from "../records/node.entity.ts";

export interface LocalAgentOptions extends Omit<LaunchOptions, "environment"> {
  readonly reads: Reader;
  readonly commits: Committer;
  readonly clock: Clock;
  /** Other panels, with directories of their own, are on this database. */
  readonly shared: boolean;
  /** The panel's own; this process's unless a test says otherwise. */
  readonly environment?: LaunchOptions["environment"];
}

const WATCH_MS = 1000;
const BACKOFF_MAX_MS = 30_000;
const STOP_MS = 6000;
/** An agent that ran for so long had no trouble with its start: whatever ended it, the next one need not wait. */
const CALM_MS = 5000;
/** Between two starts of a net keeper that ends again and again. */
const KEEP_MS = 2000;
interface Kept {
  /** As it was last written; an agent that listens elsewhere is replaced. */
  node: Pick<NodeRow, "id" | "address" | "port">;
  process: AgentProcess | undefined;
  /** The agent before is being ended: nothing is started until it is gone. */
  ending: boolean;
  /** One is being started, which takes a moment. */
  starting: boolean;
  /** It has more rights than it should. */
  handover: Handover | undefined;
  readonly room: AgentRoom;
  /** Its net keeper is being looked after, and when that is done again. */
  keeping: boolean;
  keepAfter: number;
  failures: number;
  startAfter: number;
  /** Since when it is known to run, milliseconds. */
  since: number;
}

export class LocalAgents {
  readonly #options: LocalAgentOptions;
  readonly #launcher: AgentLauncher;
  readonly #kept = new Map<number, Kept>();
  #cancel: Cancel = () => {};
  #stopListening: () => void = () => {};
  #stopped = false;

  constructor(options: LocalAgentOptions) {
    this.#options = options;
    this.#launcher = new AgentLauncher({ ...options, environment: options.environment ?? process.env });
  }

  /** Takes over what runs, starts what does not, and watches. */
  async start(): Promise<void> {
    const { reads, commits, directory } = this.#options;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#launcher.writePanelTrust();
    this.#stopListening = commits.onCommit((committed) => this.#committed(committed));
    const told = new Set<unknown>();
    const listening = commits.onCommit(({ changes }) =>
      changes.forEach(({ table, id }) => table === NodeRows.name && told.add(id)),
    );
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
      void this.#end(kept).then(() => (node ? undefined : this.#clear(kept.node.id)));
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
    const process = this.#running(node);
    const times = { failures: 0, startAfter: 0, keepAfter: 0, since: this.#options.clock.now() };
    const states = { ending: false, starting: false, keeping: false };
    const room = new AgentRoom({
      ...this.#options,
      home: this.#home(node.id),
      nodeId: node.id,
      end: async () => this.#end(kept),
    });
    const kept: Kept = { node, process, room, handover: undefined, ...states, ...times };
    this.#kept.set(node.id, kept);
    if (process) this.#takeOver(kept, process);
    else this.#start(kept);
  }

  #takeOver(kept: Kept, { pid }: AgentProcess): void {
    try {
      this.#launcher.writeTrust(this.#home(kept.node.id));
    } catch (error) {
      this.#options.log("warn", "the trust file of a local agent was not written", {
        nodeId: kept.node.id,
        error: String(error),
      });
    }
    if (hasMoreRights(pid)) this.#planHandover(kept);
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

  /**
   * Agents of nodes that are gone: a panel that was killed between a deletion and its agent's end left them. Their
   * folders stay, in case it is the database that is not the right one.
   */
  #endStrays(): void {
    for (const name of readdirSync(this.#options.directory)) {
      const nodeId = Number(name);
      if (!Number.isSafeInteger(nodeId) || this.#kept.has(nodeId)) continue;
      const stray = findAgent(this.#home(nodeId));
      if (!stray) {
        this.#launcher.endNet(this.#home(nodeId));
        continue;
      }
      this.#options.log("warn", "a local agent of a node that is gone is ended", { nodeId });
      signalProcess(stray.pid, "SIGTERM");
    }
  }

  async #clear(nodeId: number): Promise<void> {
    try {
      await this.#launcher.clear(this.#home(nodeId));
    } catch (error) {
      this.#options.log("warn", "the folder of a deleted local agent cannot be removed", {
        nodeId,
        error: String(error),
      });
    }
  }

  #watch(): void {
    const { clock, log } = this.#options;
    for (const kept of this.#kept.values()) {
      void kept.room.look();
      if (kept.ending || kept.starting || kept.room.full) continue;
      if (kept.process && isAlive(kept.process)) {
        void this.#handOver(kept, kept.process).catch((error: unknown) => this.#failed(kept, error));
        this.#keepNet(kept);
        continue;
      }
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

  /** Its net keeper may have ended, or be an earlier panel's. */
  #keepNet(kept: Kept): void {
    const { clock, log } = this.#options;
    if (kept.keeping || clock.now() < kept.keepAfter) return;
    kept.keeping = true;
    kept.keepAfter = clock.now() + KEEP_MS;
    this.#launcher
      .keepNet(this.#home(kept.node.id))
      .catch((error: unknown) =>
        log("error", "the net keeper of a local agent cannot be started", {
          nodeId: kept.node.id,
          error: String(error),
        }),
      )
      .finally(() => (kept.keeping = false));
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
    // What is being started looks at the node as it is then.
    if (kept.starting) return;
    try {
      makeHome(this.#home(kept.node.id));
    } catch (error) {
      this.#failed(kept, error);
      return;
    }
    kept.starting = true;
    this.#spawn(kept)
      .catch((error: unknown) => this.#failed(kept, error))
      .finally(() => (kept.starting = false));
  }

  #failed(kept: Kept, error: unknown): void {
    this.#options.log("error", "the local agent cannot be started", {
      nodeId: kept.node.id,
      error: String(error),
      wait: this.#putOff(kept),
    });
  }

  async #spawn(kept: Kept): Promise<void> {
    const home = this.#home(kept.node.id);
    const wanted = () => !this.#stopped && !kept.ending && this.#kept.get(kept.node.id) === kept;
    const launched = await this.#launcher.launch(home, () => (wanted() ? listenOf(kept.node) : undefined));
    if (!launched) return;
    const { child, listen, unconfined } = launched;
    child.on("error", (error) => this.#failed(kept, error));
    if (child.pid === undefined) return;
    kept.since = this.#options.clock.now();
    kept.process = { pid: child.pid, startedAt: startTimeOf(child.pid) ?? "", listen };
    kept.handover = undefined;
    writePidFile(home, kept.process);
    if (unconfined) this.#planHandover(kept);
  }

  #planHandover(kept: Kept): void {
    const { clock, log } = this.#options;
    const nodeId = kept.node.id;
    kept.handover = new Handover({
      clock,
      log,
      nodeId,
      home: this.#home(nodeId),
      confines: async () => this.#launcher.confines(),
    });
  }

  /**
   * Replaces an agent that has too many rights once nobody is connected through it. Its end counts what there is to
   * count, and its directory goes to the next one.
   */
  async #handOver(kept: Kept, running: AgentProcess): Promise<void> {
    const plan = kept.handover;
    const what = await plan?.look(running);
    if (what === undefined || what === "wait" || kept.handover !== plan) return;
    if (what === "replace" && (kept.ending || this.#stopped)) return;
    kept.handover = undefined;
    if (what === "replace") await this.#replace(kept, kept.node);
  }

  /**
   * The agent that an earlier panel left, if it is that very process; also one whose pid that panel was killed before
   * writing down.
   */
  #running(node: Pick<NodeRow, "id" | "address" | "port">): AgentProcess | undefined {
    const home = this.#home(node.id);
    const found = readPidFile(home);
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
    if (running && isAlive(running)) {
      signalProcess(running.pid, "SIGTERM");
      const until = Date.now() + STOP_MS;
      while (isAlive(running) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
      if (isAlive(running)) signalProcess(running.pid, "SIGKILL");
    }
    // An agent takes its tables away at its end.
    this.#launcher.endNet(this.#home(kept.node.id));
  }

  #home(nodeId: number): string {
    return join(this.#options.directory, String(nodeId));
  }
}

function listenOf({ address, port }: Pick<NodeRow, "address" | "port">): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}
