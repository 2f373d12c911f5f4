// What is going on in the engines of one driver right now: whose connections live, from where, what was refused. Fed by
// the access log, the kernel and the engines' own lists.
import { join } from "node:path";
import type { SessionRow, SessionSelection } from "../../../../protocol/messages.ts";
import { engineUserName, parseEngineUserName, type PlanUser } from "../../../../protocol/plan.ts";
import type { SeenAddress } from "../../contract/driver.ts";
import type { AccessLine } from "./access-log.ts";
import { closeStreams, type CutKind, cutSessions, DROP_SECONDS } from "./cuts.ts";
import { inboundOfTag } from "../dialect.ts";
import { EngineLog, type EngineLogStart } from "./engine-log.ts";
import type { EnginesInView, ListeningInbound } from "./engines-in-view.ts";
import { type Evidence, gather, type Look, portsOf } from "./evidence.ts";
import { IpLimits } from "./ip-limits.ts";
import type { LiveSession } from "./liveness.ts";
import { matches, type SessionSnapshot } from "./session-row.ts";
import { SessionTable } from "./session-table.ts";
import { killSockets, listSockets, type SocketRow } from "./sockets.ts";

const READ_EVERY_MS = 500;
/** While somebody is watched for, their connections must be found sooner. */
const WATCH_EVERY_MS = 200;
/**
 * The table forgets ended connections at least this often, in milliseconds; it looks sooner for connections without an
 * owner, and for users with a limit.
 */
const JOIN_EVERY_MS = { idle: 30_000, waiting: 2000, limited: 1000 };

export interface LiveViewOptions {
  readonly directory: string;
  /** Unix milliseconds. */
  now(): number;
  /** See `IpLimits`. */
  ipLimitNewest(): boolean;
  readonly engines: EnginesInView;
  /** Whether sockets can be cut here (CAP_NET_ADMIN). */
  able(): Promise<boolean>;
  /** `Dialect.lineReader`. */
  lineReader(): (line: string) => AccessLine | undefined;
  isBlock(outbound: string): boolean;
  /** Called before the log is emptied, to keep what its lines said. */
  keep(checkpoint: LiveViewStart): void;
  onError(error: unknown): void;
}

/** Where to go on after a restart of the agent. */
export interface LiveViewStart extends EngineLogStart {
  readonly sessions: SessionSnapshot;
}

/** A user's TCP connection as the kernel names it. */
export interface UserPeer {
  readonly userId: number;
  readonly localPort: number;
  readonly address: string;
  readonly port: number;
}

export class LiveView {
  readonly logPath: string;
  readonly #options: LiveViewOptions;
  readonly #table = new SessionTable();
  readonly #limits: IpLimits;
  readonly #log: EngineLog;
  #inbounds: ReadonlyMap<number, ListeningInbound> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  #joinedAt = 0;
  #connections: number | undefined;
  /** Somebody may have come from one address too many. */
  #questioned = false;
  #watched: { names: ReadonlySet<string>; onSeen: (names: ReadonlySet<string>) => void } | undefined;
  #seen = new Set<string>();

  constructor(options: LiveViewOptions) {
    this.#options = options;
    this.#limits = new IpLimits(() => options.ipLimitNewest());
    this.logPath = join(options.directory, "engine.log");
    this.#log = new EngineLog({
      path: this.logPath,
      lineReader: () => options.lineReader(),
      isBlock: (outbound) => options.isBlock(outbound),
      onAccess: (line) => this.#takeAccess(line),
    });
  }

  /** Begins at a checkpoint; without one, with an empty log: its lines belong to engines that are gone. */
  start(from: LiveViewStart | undefined): void {
    this.#log.start(from);
    if (from) this.#table.restore(from.sessions);
    this.#running = true;
    this.#schedule();
  }

  stop(): void {
    this.#running = false;
    clearTimeout(this.#timer);
  }

  /** Everything that the next agent needs to go on. */
  checkpoint(): LiveViewStart {
    this.#readLog();
    return { ...this.#log.checkpoint(), sessions: this.#table.snapshot() };
  }

  /** The engine's last words that are no access lines. */
  lastWords(): string {
    return this.#log.lastWords();
  }

  rejected(): ReadonlyMap<string, number> {
    return this.#log.rejected();
  }

  /** Open connections of all inbounds, counted not more than ten seconds ago. */
  async connections(): Promise<number> {
    if (this.#connections === undefined || this.#options.now() - this.#joinedAt > 10_000) await this.#join();
    return this.#connections ?? 0;
  }

  async sessions(selection: SessionSelection): Promise<SessionRow[]> {
    return (await this.#join()).filter(({ idle, row }) => !idle && matches(row, selection)).map(({ row }) => row);
  }

  async addresses(userId: number | undefined): Promise<SeenAddress[]> {
    await this.#join();
    return this.#table.addresses(userId, this.#seconds());
  }

  /** Engine users (`<user>.<inbound>`) who have something open. */
  async openNames(): Promise<string[]> {
    return [...new Set((await this.#join()).map(({ row }) => engineUserName(row.userId, row.inboundId)))];
  }

  /**
   * TCP connections whose user is known. Asked every second or two where users have speed limits, so only sockets are
   * looked at.
   */
  async peers(): Promise<UserPeer[]> {
    const inbounds = this.#options.engines.inbounds();
    const sockets = await listSockets(portsOf(inbounds.filter(({ networks }) => networks.includes("tcp"))));
    this.#readLog();
    return this.#table
      .owners(sockets, inbounds)
      .map(({ userId, socket: { localPort, address, port } }) => ({ userId, localPort, address, port }));
  }

  /** Holds these users' `ipLimit` from now on: sessions from more sources are closed, the newest source first. */
  setIpLimits(users: ReadonlyMap<number, PlanUser>): void {
    const limits = new Map<number, number>();
    for (const { id, ipLimit } of users.values()) if (ipLimit > 0) limits.set(id, ipLimit);
    this.#limits.set(limits);
    this.#questioned = true;
  }

  /**
   * Calls back within a quarter of a second whenever the log names one of these engine users. Replaces the last watch.
   */
  watch(names: ReadonlySet<string>, onSeen: (names: ReadonlySet<string>) => void): void {
    this.#watched = names.size > 0 ? { names, onSeen } : undefined;
    this.#schedule();
  }

  /**
   * Cuts the sessions that match; of inbounds that do not tell users apart only when neither a user nor an outbound is
   * asked for. Resolves to how many.
   */
  async close(selection: SessionSelection): Promise<number> {
    const { engines } = this.#options;
    const able = await this.#options.able();
    const chosen = (await this.#join(!able)).filter(({ row }) => matches(row, selection));
    const cut = await this.#cut(chosen, "close");
    if (!able || selection.userId !== undefined || selection.outbound !== undefined)
      return cut.filter(({ idle }) => !idle).length;
    const meant = engines
      .inbounds()
      .filter((inbound) => selection.inbound === undefined || inbound.tag === selection.inbound);
    const known = new Set(cut.flatMap(({ socket }) => (socket ? [socketKey(socket)] : [])));
    const others = (await listSockets(portsOf(meant))).filter((socket) => !known.has(socketKey(socket)));
    await killSockets(others);
    return cut.filter(({ idle }) => !idle).length + others.length;
  }

  /** Permanently closes the open connections of these engine users (`<user>.<inbound>`). */
  async cutUsers(names: ReadonlySet<string>): Promise<void> {
    this.#readLog();
    if (!this.#table.hasAny(names)) return;
    const sessions = await this.#join(!(await this.#options.able()));
    await this.#cut(
      sessions.filter(({ row }) => names.has(engineUserName(row.userId, row.inboundId))),
      "removal",
    );
  }

  /**
   * Cuts connections of these inbounds that no log line accounts for: all of them, or those from addresses that the
   * user was seen at.
   */
  async cutUnaccounted(userId: number, inboundIds: ReadonlySet<number>, all: boolean): Promise<void> {
    const { engines } = this.#options;
    const able = await this.#options.able();
    const inbounds = engines.inbounds().filter((inbound) => inboundIds.has(inbound.id));
    const { evidence, sessions } = await this.#look({ streams: false, fresh: true });
    const ports = new Set(portsOf(inbounds));
    const known = new Set(this.#table.addresses(userId, this.#seconds()).map(({ address }) => address));
    const owned = new Set(
      sessions.flatMap(({ socket, flows }) => [...(socket ? [socketKey(socket)] : []), ...flows.map(flowKey)]),
    );
    const mayBeHis = (address: string): boolean =>
      known.has(address) || (all && !isOthers(evidence.online, userId, inboundIds, address));
    if (able)
      await killSockets(
        evidence.sockets.filter(
          (socket) =>
            ports.has(socket.localPort) && !owned.has(socketKey(socket)) && (all || known.has(socket.address)),
        ),
      );
    const flows = (evidence.flows ?? []).filter(
      (flow) => ports.has(flow.localPort) && !owned.has(flowKey(flow)) && mayBeHis(flow.address),
    );
    if (flows.length > 0) await engines.portMap?.dropFlows(flows, DROP_SECONDS);
  }

  /**
   * Cuts every connection that came in on these local ports, by whatever way there is. `inboundIds`: whose they were.
   */
  async cutPorts(ports: ReadonlySet<number>, inboundIds: ReadonlySet<number>): Promise<void> {
    const { engines } = this.#options;
    if (ports.size > 0 && (await this.#options.able())) await killSockets(await listSockets([...ports]));
    const flows = ports.size > 0 ? await engines.portMap?.flows(ports, true) : undefined;
    if (flows && flows.length > 0) await engines.portMap?.dropFlows(flows, DROP_SECONDS);
    for (const { control } of engines.controls()) {
      const streams = (await control.streams()) ?? [];
      const gone = streams.filter((stream) => inboundIds.has(inboundOfTag(stream.inboundTag) ?? 0));
      await closeStreams(gone.map((stream) => ({ stream, control })));
    }
  }

  async #cut(sessions: readonly LiveSession[], kind: CutKind): Promise<LiveSession[]> {
    const cut = await cutSessions(sessions, this.#options.engines, await this.#options.able(), kind);
    this.#table.forget(cut);
    return cut;
  }

  async #join(streams = false, fresh = true): Promise<LiveSession[]> {
    return (await this.#look({ streams, fresh })).sessions;
  }

  async #look(how: Omit<Look, "at">): Promise<{ evidence: Evidence; sessions: LiveSession[] }> {
    const inbounds = this.#options.engines.inbounds();
    const evidence = await gather(this.#options.engines, inbounds, { ...how, at: this.#seconds() }, (error) =>
      this.#options.onError(error),
    );
    // Lines are read after the sockets: a connection in the list has its line by now, or never will.
    this.#readLog();
    this.#joinedAt = this.#options.now();
    const sessions = this.#table.join(evidence, inbounds, this.#seconds());
    this.#connections = evidence.sockets.length + sessions.filter(({ socket, idle }) => !socket && !idle).length;
    return { evidence, sessions };
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#running) return;
    const tick = (): void => {
      this.#tick()
        .catch((error: unknown) => this.#options.onError(error))
        .finally(() => this.#schedule());
    };
    this.#timer = setTimeout(tick, this.#watched ? WATCH_EVERY_MS : READ_EVERY_MS);
    this.#timer.unref();
  }

  async #tick(): Promise<void> {
    this.#readLog();
    this.#log.tidy(() => this.#options.keep(this.checkpoint()));
    if (this.#seen.size > 0) {
      const seen = this.#seen;
      this.#seen = new Set();
      this.#watched?.onSeen(seen);
    }
    const age = this.#options.now() - this.#joinedAt;
    if (
      this.#questioned
        ? age > JOIN_EVERY_MS.limited
        : age > (this.#table.waiting ? JOIN_EVERY_MS.waiting : JOIN_EVERY_MS.idle)
    ) {
      this.#questioned = false;
      const excess = this.#limits.excess(await this.#join(!(await this.#options.able()), false));
      if (excess.length > 0) await this.#cut(excess, "close");
    }
  }

  #readLog(): void {
    this.#inbounds = new Map(this.#options.engines.inbounds().map((inbound) => [inbound.id, inbound]));
    this.#log.read();
  }

  #takeAccess(access: AccessLine): void {
    if (access.user === undefined) return;
    const resolved = this.#options.engines.resolve(access.user);
    const user = parseEngineUserName(resolved);
    if (!user) return;
    // The engine's own name may mean one user on several inbounds.
    const tagged =
      resolved === access.user || access.inboundTag === undefined ? undefined : inboundOfTag(access.inboundTag);
    const name = tagged === undefined ? user : { ...user, inboundId: tagged };
    // The inbound may be gone: then nobody knows whether its headers were believed, and `fronted` is assumed.
    const { fronted = true, trusting = false } = this.#inbounds.get(name.inboundId) ?? {};
    this.#table.see(access, name, fronted, this.#seconds(), trusting);
    // Behind a header the address is found by the look that finds the socket.
    if (!fronted && this.#limits.questions(name.userId, access.source)) this.#questioned = true;
    const engineUser = engineUserName(name.userId, name.inboundId);
    if (this.#watched?.names.has(engineUser)) this.#seen.add(engineUser);
  }

  #seconds(): number {
    return Math.floor(this.#options.now() / 1000);
  }
}

function socketKey(socket: SocketRow): string {
  return `${socket.localPort}|${socket.peer}`;
}

function flowKey(flow: { address: string; port: number; localPort: number }): string {
  return `${flow.localPort}|${flow.address}|${flow.port}`;
}

/** Whether the engine's own list gives an address on one of these inbounds to other users, and not to this one. */
function isOthers(
  online: Evidence["online"],
  userId: number,
  inboundIds: ReadonlySet<number>,
  address: string,
): boolean {
  let others = false;
  for (const [name, addresses] of online ?? []) {
    const user = parseEngineUserName(name);
    if (!user || !inboundIds.has(user.inboundId) || !addresses.has(address)) continue;
    if (user.userId === userId) return false;
    others = true;
  }
  return others;
}
