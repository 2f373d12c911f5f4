// What is going on in the engines of one driver right now: whose connections live, from where, what was refused. Fed by the access log and the socket list.
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { SessionRow, SessionSelection } from "../../../protocol/messages.ts";
import { engineUserName } from "../../../protocol/plan.ts";
import type { SeenAddress } from "../driver.ts";
import { LogFollower, parseAccessLine } from "./access-log.ts";
import { type ListeningInbound, type LiveSession, matches, type SessionSnapshot, SessionTable } from "./session-table.ts";
import { killSockets, listSockets, type SocketRow } from "./sockets.ts";

/** The log is emptied above this many bytes. */
const LOG_LIMIT = 8 * 1024 * 1024;
const READ_EVERY_MS = 500;
/** The table forgets ended connections at least this often, in milliseconds. */
const JOIN_EVERY_MS = 30_000;
const KEPT_LINES = 20;

export interface LiveViewOptions {
  readonly directory: string;
  /** Unix milliseconds. */
  now(): number;
  /** What listens now. `anonymous`: its log lines name no user. */
  inbounds(): readonly (ListeningInbound & { readonly anonymous: boolean })[];
  isBlock(outbound: string): boolean;
  /** Called before the log is emptied, to keep what its lines said. */
  keep(checkpoint: LiveViewStart): void;
  onError(error: unknown): void;
}

/** Where to go on after a restart of the agent. */
export interface LiveViewStart {
  readonly offset: number;
  readonly rejected: Readonly<Record<string, number>>;
  readonly sessions: SessionSnapshot;
}

export class LiveView {
  readonly logPath: string;
  readonly #options: LiveViewOptions;
  readonly #table = new SessionTable();
  readonly #rejected = new Map<string, number>();
  readonly #recent: string[] = [];
  #follower: LogFollower;
  #timer: NodeJS.Timeout | undefined;
  #joinedAt = 0;
  #connections: number | undefined;

  constructor(options: LiveViewOptions) {
    this.#options = options;
    this.logPath = join(options.directory, "engine.log");
    this.#follower = this.#follow(0);
  }

  /** Begins at a checkpoint; without one, with an empty log: its lines belong to engines that are gone. */
  start(from: LiveViewStart | undefined): void {
    if (!from) rmSync(this.logPath, { force: true });
    this.#follower = this.#follow(from?.offset ?? 0);
    if (from) {
      this.#table.restore(from.sessions);
      for (const [tag, count] of Object.entries(from.rejected)) this.#rejected.set(tag, count);
    }
    this.#timer ??= setInterval(() => void this.#tick().catch((error: unknown) => this.#options.onError(error)), READ_EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Everything that the next agent needs to go on. */
  checkpoint(): LiveViewStart {
    this.#follower.read();
    return { offset: this.#follower.offset, rejected: Object.fromEntries(this.#rejected), sessions: this.#table.snapshot() };
  }

  /** The engine's last words that are no access lines. */
  lastWords(): string {
    this.#follower.read();
    return this.#recent.join("\n");
  }

  rejected(): ReadonlyMap<string, number> {
    this.#follower.read();
    return new Map(this.#rejected);
  }

  /** Open connections of all inbounds, counted not more than ten seconds ago. */
  async connections(): Promise<number> {
    if (this.#connections === undefined || this.#options.now() - this.#joinedAt > 10_000) await this.#join();
    return this.#connections ?? 0;
  }

  async sessions(selection: SessionSelection): Promise<SessionRow[]> {
    return (await this.#join()).map(({ row }) => row).filter((row) => matches(row, selection));
  }

  async addresses(userId: number | undefined): Promise<SeenAddress[]> {
    await this.#join();
    return this.#table.addresses(userId, this.#seconds());
  }

  /** Cuts the sessions that match; of inbounds that do not tell users apart only when neither a user nor an outbound is asked for. */
  async close(selection: SessionSelection): Promise<number> {
    const chosen = new Map<string, SocketRow>();
    const add = (socket: SocketRow): void => void chosen.set(`${socket.localPort}|${socket.peer}`, socket);
    for (const { row, socket } of await this.#join()) if (matches(row, selection)) add(socket);
    if (selection.userId === undefined && selection.outbound === undefined) {
      const ports = this.#options.inbounds().filter((inbound) => selection.inbound === undefined || inbound.tag === selection.inbound);
      for (const socket of await listSockets(ports.map((inbound) => inbound.port))) add(socket);
    }
    await killSockets([...chosen.values()]);
    return chosen.size;
  }

  /** Cuts what these engine users (`<user>.<inbound>`) have open. */
  async cutUsers(names: ReadonlySet<string>): Promise<void> {
    if (names.size === 0) return;
    const sessions = await this.#join();
    await killSockets(sessions.filter(({ row }) => names.has(engineUserName(row.userId, row.inboundId))).map(({ socket }) => socket));
  }

  /** Cuts connections of these inbounds that no log line accounts for: all of them, or those from addresses that the user was seen at. */
  async cutUnaccounted(userId: number, inboundIds: ReadonlySet<number>, all: boolean): Promise<void> {
    const inbounds = this.#options.inbounds().filter((inbound) => inboundIds.has(inbound.id));
    const sockets = await listSockets(inbounds.map((inbound) => inbound.port));
    const owned = new Set((await this.#join()).map(({ socket }) => `${socket.localPort}|${socket.peer}`));
    const known = new Set(this.#table.addresses(userId, this.#seconds()).map(({ address }) => address));
    await killSockets(sockets.filter((socket) => !owned.has(`${socket.localPort}|${socket.peer}`) && (all || known.has(socket.address))));
  }

  /** Cuts every connection that came in on these ports. */
  async cutPorts(ports: readonly number[]): Promise<void> {
    if (ports.length > 0) await killSockets(await listSockets(ports));
  }

  async #join(): Promise<LiveSession[]> {
    const inbounds = this.#options.inbounds();
    const sockets = await listSockets(inbounds.map((inbound) => inbound.port));
    // Lines are read after the sockets: a connection in the list has its line by now, or never will.
    this.#follower.read();
    this.#joinedAt = this.#options.now();
    this.#connections = sockets.length;
    return this.#table.join(sockets, inbounds, this.#seconds());
  }

  async #tick(): Promise<void> {
    this.#follower.read();
    const keep = (): void => this.#options.keep(this.checkpoint());
    if (this.#follower.truncateAbove(LOG_LIMIT, keep)) keep();
    if (this.#table.waiting || this.#options.now() - this.#joinedAt > JOIN_EVERY_MS) await this.#join();
  }

  #follow(offset: number): LogFollower {
    return new LogFollower(this.logPath, offset, (line) => this.#take(line));
  }

  #take(line: string): void {
    const access = parseAccessLine(line);
    if (access) {
      if (this.#options.isBlock(access.outbound)) this.#rejected.set(access.outbound, (this.#rejected.get(access.outbound) ?? 0) + 1);
      this.#table.see(access, this.#seconds());
    } else if (line.trim() !== "") {
      this.#recent.push(line.trim());
      if (this.#recent.length > KEPT_LINES) this.#recent.shift();
    }
  }

  #seconds(): number {
    return Math.floor(this.#options.now() / 1000);
  }
}
