// The embedded engine behind the driver interface: holds what is served, and turns each desired state into the smallest
// change of it.
import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { SessionRow, SessionSelection } from "../../../protocol/messages.ts";
import type {
  ApplyResult,
  CounterReading,
  DesiredState,
  DriverContext,
  EngineDriver,
  EngineInfo,
  EngineStatus,
  HeldPort,
  SeenAddress,
  UserChange,
} from "../contract/driver.ts";
import { portTaken } from "../process/ports/holder.ts";
import type { Grounds } from "./connection.ts";
import { readInbound } from "./inbounds.ts";
import type { InboundSpec } from "./inbounds.ts";
import { Admission, Listener } from "./listener.ts";
import { DIRECT_TAG, readOutbound } from "./outbounds.ts";
import type { Outbound } from "./outbounds.ts";
import { compileRoute } from "./route.ts";
import type { Session } from "./live-user.ts";
import { SessionRegistry } from "./sessions.ts";
import { rememberingResolve } from "./targets.ts";
import type { Resolve } from "./targets.ts";
import { kernelSilences } from "./silences.ts";
import { readMaterial, secureContext } from "./tls-context.ts";
import type { TlsMaterial } from "./tls-context.ts";
import { UserDirectory, uuidKey } from "./users.ts";
import { WayOut } from "./way-out.ts";
import { type AgentNotice, noticeOf, hostNotice, itemPlace, blockPlace, firstDetails } from "../../notices.ts";
import { type Reason, reason } from "../../../protocol/notices/index.ts";

export interface EmbeddedOptions {
  readonly resolve: Resolve;
  /** Open client connections of all inbounds together. */
  readonly maxConnections: number;
  readonly headTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly refusalMs: number;
}

interface Served {
  readonly listener: Listener;
  material: TlsMaterial | undefined;
}

/** Milliseconds that never run backwards. */
function clock(): number {
  return performance.now();
}

/** Users taken in before traffic gets its turn. */
const USERS_AT_A_TIME = 2000;

/** Idle time is measured in this many steps. */
const SWEEPS = 20;

export class EmbeddedEngine implements EngineDriver {
  readonly info: EngineInfo;
  readonly #context: DriverContext;
  readonly #instance = randomUUID();
  readonly #users: UserDirectory;
  readonly #sessions: SessionRegistry;
  readonly #wayOut: WayOut;
  readonly #grounds: Grounds;
  readonly #admission: Admission;
  readonly #sweeper: NodeJS.Timeout;
  readonly #served = new Map<number, Served>();
  #status: EngineStatus = { state: "stopped" };
  #last: DesiredState["structure"] = {};
  #warnings: readonly AgentNotice[] = [];
  #held: readonly HeldPort[] = [];

  constructor(info: EngineInfo, context: DriverContext, options: EmbeddedOptions) {
    this.info = info;
    this.#context = context;
    this.#users = new UserDirectory(clock);
    this.#sessions = new SessionRegistry(
      () => context.now(),
      kernelSilences(
        () => [...this.#served.values()].map(({ listener }) => listener.spec.port),
        () => context.now(),
        (message, fields) => context.log("debug", message, fields),
      ),
    );
    this.#wayOut = new WayOut(rememberingResolve(options.resolve, clock), context.privateTargets);
    this.#admission = new Admission(options.maxConnections);
    this.#grounds = {
      users: this.#users,
      sessions: this.#sessions,
      wayOut: this.#wayOut,
      allowPrivate: context.privateTargets === "allow",
      ipLimitNewest: () => context.ipLimitNewest?.() ?? false,
      headTimeoutMs: options.headTimeoutMs,
      refusalMs: options.refusalMs,
      debug: (message, fields) => context.log("debug", message, fields),
    };
    this.#sweeper = setInterval(() => this.#sessions.sweep(SWEEPS), options.idleTimeoutMs / SWEEPS).unref();
  }

  status(): EngineStatus {
    return this.#status;
  }

  restarts(): number {
    return 0;
  }

  heldPorts(): readonly HeldPort[] {
    return this.#held;
  }

  async adopt(): Promise<boolean> {
    return false;
  }

  async apply(desired: DesiredState): Promise<ApplyResult> {
    const usersChanged = await this.#replaceUsers(desired.users);
    const warnings = this.#applyRouting(desired);
    const inbounds = await this.#applyInbounds(desired);
    warnings.push(
      ...inbounds.warnings,
      ...userWarnings(
        desired,
        [...this.#served.values()].map(({ listener }) => listener.spec),
      ),
    );
    const changed = usersChanged || inbounds.changed || !isDeepStrictEqual(this.#last, desired.structure);
    this.#last = desired.structure;
    this.#warnings = warnings;
    const idle = !Object.values(desired.structure).some(({ kind }) => kind === "inbound");
    this.#setStatus({ state: idle || this.#served.size === 0 ? "stopped" : "running" });
    if (!idle && this.#served.size === 0)
      throw new Error(`embedded can serve none of the inbounds: ${firstDetails(inbounds.warnings)}`);
    return { warnings, how: !changed ? "unchanged" : idle ? "stopped" : "hot" };
  }

  async changeUsers(change: UserChange): Promise<ApplyResult> {
    for (const id of change.drop) endSessions(this.#users.drop(id)?.open);
    for (const user of change.put) endSessions(this.#users.put(user).ended);
    return { warnings: this.#warnings, how: "hot" };
  }

  async counters(): Promise<CounterReading> {
    return {
      instance: this.#instance,
      users: this.#sessions.counters(),
      rejected: this.#wayOut.rejected(),
      connections: this.#sessions.size,
    };
  }

  async sessions(selection: SessionSelection, limit: number): Promise<{ total: number; rows: SessionRow[] }> {
    return this.#sessions.select(selection, limit);
  }

  async closeSessions(selection: SessionSelection): Promise<number> {
    return this.#sessions.close(selection);
  }

  async addresses(userId?: number): Promise<SeenAddress[]> {
    if (userId === undefined) return this.#sessions.addresses(this.#users.all());
    const user = this.#users.byId(userId);
    return user ? this.#sessions.addresses([user]) : [];
  }

  /** There is nothing to detach from: both ways end every connection. */
  async close(_how: "detach" | "stop"): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#served.values()].map(({ listener }) => listener.close()));
    this.#served.clear();
    this.#sessions.close({});
    this.#setStatus({ state: "stopped" });
  }

  /** Makes the directory hold exactly `wanted`; answers whether anything differed. Traffic goes on in between. */
  async #replaceUsers(wanted: DesiredState["users"]): Promise<boolean> {
    let changed = this.#users.size !== wanted.size;
    for (const id of this.#users.ids()) {
      if (wanted.has(id)) continue;
      endSessions(this.#users.drop(id)?.open);
      changed = true;
    }
    let done = 0;
    for (const user of wanted.values()) {
      const put = this.#users.put(user);
      endSessions(put.ended);
      changed ||= put.changed;
      if (++done % USERS_AT_A_TIME === 0) await setImmediate();
    }
    return changed;
  }

  #applyRouting(desired: DesiredState): AgentNotice[] {
    const warnings: AgentNotice[] = [];
    const outbounds = new Map<string, Outbound>();
    let route = {};
    for (const object of Object.values(desired.structure)) {
      if (object.kind === "outbound") {
        const read = readOutbound(object);
        outbounds.set(object.tag, read.outbound);
        warnings.push(...read.warnings);
      } else if (object.kind === "route") {
        route = object.route;
      } else if (
        object.kind === "core" &&
        object.core["dns"] !== undefined &&
        Object.keys(object.core["dns"] ?? {}).length > 0
      ) {
        warnings.push(noticeOf(blockPlace("core", "dns"), reason("system_resolver", "embedded")));
      }
    }
    const compiled = compileRoute(route, DIRECT_TAG);
    this.#wayOut.set(compiled.router, outbounds);
    const missing = compiled.tags.filter((tag) => tag !== DIRECT_TAG && !outbounds.has(tag));
    return [
      ...warnings,
      ...compiled.warnings,
      ...missing.map((tag) => noticeOf(blockPlace("route"), reason("no_outbound", tag))),
    ];
  }

  async #applyInbounds(desired: DesiredState): Promise<{ warnings: AgentNotice[]; changed: boolean }> {
    const warnings: AgentNotice[] = [];
    const wanted = new Map<number, InboundSpec>();
    for (const object of Object.values(desired.structure)) {
      if (object.kind !== "inbound") continue;
      const read = readInbound(object);
      warnings.push(...read.warnings);
      if (read.spec) wanted.set(object.id, read.spec);
    }
    let changed = false;
    // Ports are given back first, so that inbounds can take over each other's.
    for (const [id, { listener }] of this.#served) {
      const spec = wanted.get(id);
      if (spec && isDeepStrictEqual(withoutPem(listener.spec), withoutPem(spec))) continue;
      changed = true;
      this.#served.delete(id);
      await listener.close();
      this.#sessions.closeInbound(id);
    }
    const held: HeldPort[] = [];
    for (const [id, spec] of wanted) {
      try {
        changed = (await this.#serve(id, spec)) || changed;
      } catch (error) {
        const { port, listen } = spec;
        if (PORT_CODES.has(codeOf(error))) held.push({ port, listen, networks: ["tcp"] });
        warnings.push(noticeOf(itemPlace("inbound", spec.tag), await portProblem(error, spec)));
      }
    }
    this.#held = held;
    return { warnings, changed };
  }

  /** Opens an inbound, or gives an open one its new certificate. Answers whether anything changed. */
  async #serve(id: number, spec: InboundSpec): Promise<boolean> {
    const material = spec.tls && readMaterial(spec.tls);
    const served = this.#served.get(id);
    if (served && isDeepStrictEqual(served.material, material)) return false;
    const context = spec.tls && material && secureContext(spec.tls, material);
    if (served && context) {
      served.listener.setContext(context);
      served.material = material;
      return true;
    }
    const listener = new Listener(spec, context, this.#grounds, this.#admission);
    await listener.open();
    this.#served.set(id, { listener, material });
    return true;
  }

  #setStatus(status: EngineStatus): void {
    const changed = !isDeepStrictEqual(status, this.#status);
    this.#status = status;
    if (changed) this.#context.onStatus(status);
  }
}

/** The user or their credentials were removed: connections with those credentials are closed. */
function endSessions(sessions: readonly Session[] = []): void {
  for (const session of sessions) session.close();
}

/** A renewed certificate does not need a rebind: it is compared separately. */
function withoutPem(spec: InboundSpec): InboundSpec {
  return spec.tls ? { ...spec, tls: { ...spec.tls, certificate: undefined, key: undefined } } : spec;
}

/** Nobody can listen there now, and may be able to later. */
const PORT_CODES: ReadonlySet<string> = new Set(["EADDRINUSE", "EACCES", "EADDRNOTAVAIL"]);

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

async function portProblem(error: unknown, spec: InboundSpec): Promise<Reason> {
  const code = codeOf(error);
  if (code === "EADDRINUSE") return portTaken({ port: spec.port, networks: ["tcp"] });
  if (code === "EACCES") return reason("port_denied", spec.port);
  if (code === "EADDRNOTAVAIL") return reason("no_address", spec.listen);
  return reason("engine_refused", error instanceof Error ? error.message : String(error));
}

/** What users have that this engine passes over: said once, not for each user. */
function userWarnings(desired: DesiredState, specs: readonly InboundSpec[]): AgentNotice[] {
  const vless = specs.filter(({ protocol }) => protocol === "vless");
  if (vless.length === 0) return [];
  const warnings: AgentNotice[] = [];
  const vision = vless.find(({ tls, ws }) => tls && !ws);
  let flows = false;
  for (const user of desired.users.values()) {
    flows ||= user.flow !== "";
    if (uuidKey(user.uuid.toLowerCase()) === undefined) warnings.push(hostNotice("uuid_malformed", user.id));
  }
  if (flows && vision) warnings.push(noticeOf(itemPlace("inbound", vision.tag), reason("flow_unserved", "embedded")));
  return warnings.slice(0, 100);
}
