// The one interface behind which every proxy engine stands, and what a driver must honour (rules agents.engine).
import type { Log } from "../../problem-log.ts";
import type { EngineKind, SessionRow, SessionSelection } from "../../../protocol/messages.ts";
import type { PlanUser, Structure } from "../../../protocol/plan.ts";
import type { AgentNotice } from "../../notices.ts";

/** What an engine can do live. What it cannot is either done by restarting (`hot…` false) or a warning. */
export interface Capabilities {
  /** Users are added and removed without touching other users' connections. */
  readonly hotUsers: boolean;
  /** Inbounds are added, changed and removed without touching other inbounds' connections. */
  readonly hotInbounds: boolean;
  readonly sessions: boolean;
  readonly closeSessions: boolean;
  readonly speedLimit: boolean;
  /** The engine is a process of its own that outlives the agent. */
  readonly outlivesAgent: boolean;
}

export interface EngineInfo {
  readonly kind: EngineKind;
  readonly version: string;
  /** Build tags, where the engine has such. */
  readonly tags: readonly string[];
  readonly can: Capabilities;
}

/** Everything the engine should serve. A user is on every inbound that is theirs (`isOnInbound`) and takes them. */
export interface DesiredState {
  readonly structure: Structure;
  readonly users: ReadonlyMap<number, PlanUser>;
}

/**
 * What an apply or a change of users came to. `warnings`: all that hold now, not only this change's; one for
 * each item that is not served, naming it and, where one does, the engine that serves it. The rest runs.
 */
export interface ApplyResult {
  readonly warnings: readonly AgentNotice[];
  /**
   * `swap`: another process took over, or will within four seconds if several changes are collected; removed users are
   * already disconnected.
   */
  readonly how: "unchanged" | "hot" | "swap" | "restart" | "stopped";
}

/** Users that changed since the last apply; `put` holds added and changed ones. */
export interface UserChange {
  readonly put: readonly PlanUser[];
  readonly drop: readonly number[];
}

/**
 * Monotonic byte counters of one life of an engine. `instance` differs for every life, so that a restart is never taken
 * for negative traffic.
 */
export interface CounterReading {
  readonly instance: string;
  /** By `engineUserName`: bytes since the instance began. A counter may only vanish together with its instance. */
  readonly users: ReadonlyMap<string, { up: number; down: number }>;
  /** Refused connections by outbound tag since the instance began. */
  readonly rejected: ReadonlyMap<string, number>;
  readonly connections: number | undefined;
}

export interface SeenAddress {
  readonly userId: number;
  readonly inboundId: number;
  readonly address: string;
  /** Unix seconds. */
  readonly lastSeenAt: number;
}

/** A port of an inbound that is left out, since nobody can listen there now. */
export interface HeldPort {
  readonly port: number;
  readonly listen: string;
  readonly networks: readonly ("tcp" | "udp")[];
}

export type EngineStatus = { state: "stopped" | "starting" | "running" } | { state: "failed"; message: string };

/** What a driver is given by the agent. */
export interface DriverContext {
  /** A directory of the driver's own (mode 0700): configuration, sockets, pid files. */
  readonly directory: string;
  readonly privateTargets: "block" | "allow";
  /** Whether of addresses beyond an `ipLimit` the newest is served; absent: the oldest is. */
  ipLimitNewest?(): boolean;
  readonly log: Log;
  /** Called on every change of status, a crash and its mending included. */
  onStatus(status: EngineStatus): void;
  now(): number;
}

export interface EngineDriver {
  readonly info: EngineInfo;
  status(): EngineStatus;
  /** How often the engine was restarted after a crash. */
  restarts(): number;
  /**
   * Warnings that appear and disappear without a change, in addition to those of the last apply: for example, a disk
   * error.
   */
  passing?(): readonly AgentNotice[];
  /**
   * Ports of the inbounds that the last apply left out because nobody could listen there: another program has the port,
   * the host has no such address, or it gives the port to no such user. Also after an apply that threw.
   */
  heldPorts?(): readonly HeldPort[];
  /**
   * Adopts an engine that outlived the agent, if there is one that matches; resolves to whether it did. Called once,
   * before the first apply.
   */
  adopt(): Promise<boolean>;
  /**
   * Makes the engine serve `desired`, whatever it served before; never throws for an item that cannot be served (that
   * is a warning). Throws when nothing can be served. Calls never overlap.
   */
  apply(desired: DesiredState): Promise<ApplyResult>;
  /**
   * The fast path: only users changed. `desired` already holds the change. Within a second for few users; others'
   * connections are untouched where `can.hotUsers`. Removed users' open sessions are closed where `can.closeSessions`.
   */
  changeUsers(change: UserChange, desired: DesiredState): Promise<ApplyResult>;
  counters(): Promise<CounterReading>;
  sessions(selection: SessionSelection, limit: number): Promise<{ total: number; rows: SessionRow[] }>;
  /** Closes what matches and resolves to how many. */
  closeSessions(selection: SessionSelection): Promise<number>;
  /** Distinct sources of the last ten minutes; empty where the engine cannot tell. */
  addresses(userId?: number): Promise<SeenAddress[]>;
  /**
   * `detach` leaves a process engine running for the next agent to adopt; `stop` ends it. Resolves when done, within 5
   * s.
   */
  close(how: "detach" | "stop"): Promise<void>;
}

/** Finds an engine on this machine. Undefined when it is not installed. */
export interface DriverFactory {
  readonly kind: EngineKind;
  probe(): Promise<EngineInfo | undefined>;
  /** Why `probe` does not take what is installed, in a sentence; undefined when nothing is. */
  obstacle?(): Promise<string | undefined>;
  create(info: EngineInfo, context: DriverContext): EngineDriver;
}
