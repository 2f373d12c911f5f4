// What one kind of process engine is to the driver that all of them share: a pure translation of the plan, and how to
// talk with a running process.
import { createHash } from "node:crypto";
import { canonicalJson } from "../../../protocol/digest.ts";
import type { EngineKind } from "../../../protocol/messages.ts";
import type { PlanUser, Structure } from "../../../protocol/plan.ts";
import type { AccessLine } from "./view/access-log.ts";
import type { ByteCount } from "./state/counter-tally.ts";
import type { AgentNotice } from "../../notices.ts";
import type { Reason } from "../../../protocol/notices/index.ts";

export type Json = Readonly<Record<string, unknown>>;

/** Where a running process is reached by its agent. */
export interface Endpoint {
  /** Its gRPC interface, as a gRPC target: `127.0.0.1:<port>` or `unix:<path>`. */
  readonly grpc: string;
  /** Its second interface, where it has one. */
  readonly clash?: { readonly port: number; readonly secret: string };
  /** Loopback ports that the two above take. Closed to proxy users in every configuration. */
  readonly ports: readonly number[];
}

export interface CompileOptions {
  readonly privateTargets: "block" | "allow";
  /**
   * All loopback ports that processes of this driver may ever use: closed to proxy users whatever `privateTargets`
   * says.
   */
  readonly apiPorts: readonly number[];
  /** `PortMap.packetMark`, where there is one. */
  readonly packetMark?: number;
  /** The mark for connections to users' targets, see `PortMap.guardTargets`. */
  readonly targetMark?: number;
}

/** An inbound that the engine can serve, without its users. */
export interface CompiledInbound {
  readonly id: number;
  /** The operator's tag. The engine knows the inbound by one of its `engineTags`. */
  readonly tag: string;
  readonly listen: string;
  readonly port: number;
  /**
   * What it listens on. An inbound on `udp` alone (hysteria2, tuic) has no sockets of its clients that the kernel could
   * list or cut.
   */
  readonly networks: readonly ("tcp" | "udp")[];
  /**
   * Closing its listener cuts what is open on it, so it stands behind the port map where there is one. Always so over
   * UDP.
   */
  readonly cutByClosing?: boolean;
  readonly protocol: string;
  /** `live`: users are added and removed while the inbound runs. `fixed`: they are part of it. */
  readonly users: "live" | "fixed";
  /** More changes of users than this at once are quicker done by a second process. */
  readonly mostLiveOperations: number;
  /**
   * The engine believes an address in a header of the client there, so its log lines are no evidence of the address.
   */
  readonly fronted: boolean;
  /** It believes only what comes with a header of the inbound's fronts, and logs such an address without a port. */
  readonly trusting?: boolean;
  /** Its log lines do not name users. */
  readonly anonymous: boolean;
  /** Clients may use XTLS Vision there. */
  readonly vision: boolean;
  /** The engine's inbound without tag, address and users. */
  readonly body: Json;
  readonly settings: Json;
  readonly notes: readonly Reason[];
}

/** A configuration without its users, listeners and endpoint. */
export interface Compiled {
  /** Everything but the inbounds. */
  readonly frame: Json;
  readonly frameDigest: string;
  /**
   * Over the part of the frame that only another process can change; equal to `frameDigest` where the engine changes no
   * part of it live.
   */
  readonly coreDigest: string;
  /** How many of the first route rules are our own guards, never left out. */
  readonly guards: number;
  readonly inbounds: readonly CompiledInbound[];
  readonly blockTags: readonly string[];
  readonly warnings: readonly AgentNotice[];
}

/** An engine user's secret, by protocol. `method`: the cipher of older shadowsocks. */
export type EngineAccount =
  | { readonly protocol: "vless"; readonly uuid: string; readonly flow: string }
  | { readonly protocol: "vmess"; readonly uuid: string }
  | { readonly protocol: "tuic"; readonly uuid: string; readonly password: string }
  | { readonly protocol: "shadowsocks"; readonly method: string; readonly password: string }
  | {
      readonly protocol: "trojan" | "shadowsocks-2022" | "hysteria2" | "anytls" | "naive" | "shadowtls";
      readonly password: string;
    }
  | { readonly protocol: "socks" | "http" | "mixed"; readonly username: string; readonly password: string };

/** A user on an inbound: `email` is their `engineUserName`, `digest` changes with their secret. */
export interface LiveAccount {
  readonly email: string;
  readonly account: EngineAccount;
  readonly digest: string;
}

/** An inbound with its users. */
export interface PopulatedInbound {
  readonly inbound: CompiledInbound;
  /** Without tag and address; with `fixed` users, without `live` ones. */
  readonly config: Json;
  /** Over what can only be changed by replacing the inbound. */
  readonly digest: string;
  readonly accounts: ReadonlyMap<string, LiveAccount>;
  /** Names under which the engine counts users of protocols that have names of their own, by `engineUserName`. */
  readonly aliases: ReadonlyMap<string, string>;
}

/**
 * Users who cannot be told apart or have no usable secret; what is in it is the dialect's own. `key` is equal when the
 * same users are screened out in the same way.
 */
export interface Screening {
  readonly key: string;
  readonly warnings: readonly AgentNotice[];
}

/**
 * How an inbound is opened by a process: with which of its tags, and where it really listens (the port map may redirect
 * to it).
 */
export interface Listening {
  readonly tag: string;
  readonly listen: string;
  readonly port: number;
}

/** A connection as the engine itself lists it. */
export interface EngineStream {
  readonly id: string;
  readonly inboundTag: string;
  readonly source: string;
  readonly sourcePort: number;
  readonly network: "tcp" | "udp";
  readonly destination: string;
  /** Where the list says it. */
  readonly outbound?: string;
  readonly up: number;
  readonly down: number;
  /** Unix seconds. */
  readonly startedAt: number;
}

/** A connection to the interfaces of one running process. */
export interface EngineControl {
  /** Resolves if the engine answers within the time. */
  ping(timeoutMs: number): Promise<void>;
  /** Bytes by counter name since the process began; names without traffic may be absent. Never resets. */
  userCounters(timeoutMs?: number): Promise<Map<string, ByteCount>>;
  /** One who is there already counts as done. */
  addUser(tag: string, email: string, account: EngineAccount): Promise<void>;
  /** One who is not there counts as done. What they have open stays open. */
  removeUser(tag: string, email: string): Promise<void>;
  /** The tag must not be open. */
  addInbound(config: Json): Promise<void>;
  /** An unknown tag counts as done. */
  removeInbound(tag: string): Promise<void>;
  /** Brings outbounds and rules from one frame to another of the same `coreDigest`; running connections go on. */
  changeFrame(before: Json, after: Json): Promise<void>;
  /** What the engine lists as open; undefined where it has no such list. */
  streams(): Promise<readonly EngineStream[] | undefined>;
  closeStreams(ids: readonly string[]): Promise<void>;
  /**
   * Where users are connected from by the engine's own account, as Unix seconds by engine user and address; absent
   * where it has none.
   */
  onlineAddresses?(): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>>;
  close(): void;
}

/** What an engine can do live; what it cannot is done by a second process, see `lifecycle/engine-set.ts`. */
export interface Abilities {
  readonly hotUsers: boolean;
  readonly hotInbounds: boolean;
  /** Outbounds and rules change live. */
  readonly hotFrame: boolean;
  /** Two processes may listen on one TCP port, so that one takes over from the other. */
  readonly reusePort: boolean;
  /** Loopback ports that one process needs for its interfaces; 0: it listens on a Unix socket. */
  readonly apiPorts: number;
  /**
   * A user taken off an inbound over UDP can go on as long as their QUIC connection lives: their flows must be dropped.
   */
  readonly keepsQuicUsers: boolean;
  /** A name is resolved for the rules and again to be dialled: only the kernel can hold it to the first answer. */
  readonly resolvesTwice?: true;
}

/**
 * Where a frame has what an engine may refuse item by item: `frame.outbounds[].tag` and
 * `frame[routing].rules[][target]`.
 */
export interface FrameShape {
  readonly routing: "routing" | "route";
  readonly target: "outboundTag" | "outbound";
  /** Whether an outbound refuses all that is sent to it. */
  isBlock(outbound: Json): boolean;
}

export interface Dialect {
  readonly kind: EngineKind;
  /** As operators read it: `v2ray`, `Xray`, `sing-box`. */
  readonly name: string;
  readonly abilities: Abilities;
  readonly frameShape: FrameShape;
  /**
   * The program, its arguments and its environment in addition to the common entries; the configuration comes through
   * stdin.
   */
  readonly program: {
    readonly binary: string;
    readonly args: readonly string[];
    readonly environment?: Readonly<Record<string, string>>;
  };

  /** Pure. Never throws for what an operator wrote: each item that cannot be served is a warning. */
  compile(structure: Structure, options: CompileOptions): Compiled;
  /** One pass over all users. */
  screen(users: ReadonlyMap<number, PlanUser>): Screening;
  /** The account of a user on an inbound; undefined for one who was screened out. */
  account(inbound: CompiledInbound, user: PlanUser, screening: Screening): LiveAccount | undefined;
  /** Undefined when the inbound may not run without users. */
  populate(
    inbound: CompiledInbound,
    users: ReadonlyMap<number, PlanUser>,
    screening: Screening,
  ): PopulatedInbound | undefined;
  /** Warnings that depend on who is served where. */
  populationWarnings(compiled: Compiled, users: ReadonlyMap<number, PlanUser>): AgentNotice[];
  /** An inbound as written in a configuration, with all its users. */
  inboundConfig(populated: PopulatedInbound, at: Listening): Json;
  /** The whole configuration. */
  config(compiled: Compiled, inbounds: readonly Json[], endpoint: Endpoint): Json;

  /** What the engine has against a configuration, in one line; undefined when it takes it. */
  objection(config: Json): Promise<string | undefined>;
  /**
   * What is left of a frame that the engine refuses; where absent, single outbounds and rules are left out by
   * `frameShape`. Throws when nothing is.
   */
  reduceFrame?(
    compiled: Compiled,
    objection: (frame: Json) => Promise<string | undefined>,
  ): Promise<{ frame: Json; warnings: AgentNotice[] }>;
  connect(endpoint: Endpoint): EngineControl;
  /**
   * A reader of the log of one or several processes that write to one file; it may remember earlier lines of a
   * connection.
   */
  lineReader(): (line: string) => AccessLine | undefined;
  /** The cause in what an engine wrote last. */
  lastReason(words: string): string;
}

/** 32 hex digits over a value, whatever the order of its keys. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 32);
}

/** Both names that an engine may know an inbound by, so that a new version can open before the old one closes. */
export function engineTags(inboundId: number): readonly [string, string] {
  return [`in.${inboundId}.a`, `in.${inboundId}.b`];
}

/** The inbound that one of `engineTags` names. */
export function inboundOfTag(tag: string): number | undefined {
  const match = /^in\.([1-9]\d{0,15})\.[ab]$/.exec(tag);
  return match ? Number(match[1]) : undefined;
}
