// What the net keeper of an agent does for it, and what it refuses. The agent, and the engines that are its user too,
// are not trusted: they may ask for anything. Public ports must be such as the panel says an inbound of the node has;
// everything else must concern sockets of the agent's own user, by the kernel's tables.
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import PQueue from "p-queue";
import type { EngineKind } from "../../protocol/messages.ts";
import type { Log } from "../problem-log.ts";
import { NftPortMap } from "./nft/nft-port-map.ts";
import { NftSpeedTable } from "./nft/nft-speed-table.ts";
import type { Mapping, TargetGuard } from "./nft/port-map.ts";
import { portMapObjection, speedLimitObjection } from "./nft/probe.ts";
import { plainAddress } from "../../lib/written-address.ts";
import { cutSocketsOf } from "./cut-sockets.ts";
import { ephemeralRange, type HeldPorts, heldPorts, holds, isOthers, NETWORKS } from "./facts.ts";
import type { Verb } from "./verbs.ts";

/** How often it is looked whether what was allowed still may be. */
const SWEEP_MS = 5000;
/** How often the panel is asked which inbounds the node still has. */
const ASK_MS = 60_000;
/** A port is closed before an engine listens on it, but not for long without one. */
const AHEAD_MS = 90_000;
/** Where engines listen behind the map. */
const INNER = { first: 20_000, last: 60_999 };

export interface NetKeeperOptions {
  /** The agent's user, and the group of its engines. */
  readonly uid: number;
  readonly engineGroup: number;
  /** The agent's directory: the names of its tables come from it. It is never opened. */
  readonly home: string;
  /** Ports that inbounds of the node have; as the panel last said where it does not answer. */
  readonly publicPorts: () => Promise<ReadonlySet<number>>;
  readonly log: Log;
  readonly now?: () => number;
}

interface Tables {
  readonly map: NftPortMap;
  readonly speeds: NftSpeedTable;
  /** Changes of the speeds, one at a time. */
  readonly steps: PQueue;
  mappings: readonly Mapping[];
  /** Ports that are to be closed, with when they were last held or first asked for. */
  readonly closed: Map<number, number>;
}

export class Refused extends Error {
  override readonly name = "Refused";
}

export class NetKeeper {
  readonly #options: NetKeeperOptions;
  readonly #tables = new Map<EngineKind, Tables>();
  #objections: Promise<{ portMap?: string; speedLimits?: string }> | undefined;
  #askedAt = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(options: NetKeeperOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      this.#sweep().catch((error: unknown) =>
        options.log("warn", "the net keeper could not look after its tables", { error: String(error) }),
      );
    }, SWEEP_MS).unref();
  }

  /** Leaves the tables as they are, for the next keeper. */
  stop(): void {
    clearInterval(this.#timer);
    for (const { map } of this.#tables.values()) map.detach();
  }

  /** Rejects with `Refused` for what the agent may not. */
  async answer(verb: Verb): Promise<unknown> {
    switch (verb.verb) {
      case "objections":
        return (this.#objections ??= objections());
      case "guardTargets":
        return this.#of(verb.engine).map.guardTargets(withResolvers(verb.guard));
      case "map":
        return this.#set(this.#of(verb.engine), verb.mappings);
      case "keepClosed":
        return this.#keepClosed(this.#of(verb.engine), verb.ports);
      case "dropFlows": {
        const { udp } = heldPorts();
        const own = verb.flows.filter(({ localPort }) => this.#isOwn(udp, localPort));
        return this.#of(verb.engine).map.dropFlows(own, verb.seconds);
      }
      case "flows":
        return this.#of(verb.engine).map.flows(new Set(verb.ports), verb.fresh);
      case "unmap": {
        const { map } = this.#of(verb.engine);
        this.#tables.delete(verb.engine);
        return map.remove();
      }
      case "limitSpeeds": {
        const { speeds, steps } = this.#of(verb.engine);
        const { tcp } = heldPorts();
        const own = verb.sessions.filter(({ localPort }) => this.#isOwn(tcp, localPort));
        return steps.add(() => speeds.hold(new Map(verb.limits), own));
      }
      case "freeSpeeds": {
        const { speeds, steps } = this.#of(verb.engine);
        return steps.add(() => speeds.takeAway());
      }
      case "cut":
        return cutSocketsOf(this.#options.uid, verb.sockets);
    }
  }

  #of(kind: EngineKind): Tables {
    const known = this.#tables.get(kind);
    if (known) return known;
    const { home, log, engineGroup } = this.#options;
    const directory = join(home, "engine", kind);
    const tables = {
      map: new NftPortMap({ directory, log, engineGroup }),
      speeds: new NftSpeedTable(directory),
      steps: new PQueue({ concurrency: 1 }),
      mappings: [],
      closed: new Map<number, number>(),
    };
    this.#tables.set(kind, tables);
    return tables;
  }

  async #set(tables: Tables, mappings: readonly Mapping[]): Promise<void> {
    const allowed = await this.#options.publicPorts();
    this.#askedAt = this.#now();
    const held = heldPorts();
    for (const mapping of mappings) {
      const problem = this.#problemOf(mapping, allowed, held);
      if (problem !== undefined) throw new Refused(problem);
    }
    await tables.map.set(mappings);
    tables.mappings = mappings;
  }

  #problemOf(
    { listen, port, networks, inner }: Mapping,
    allowed: ReadonlySet<number>,
    held: HeldPorts,
  ): string | undefined {
    const { uid } = this.#options;
    if (!allowed.has(port)) return `port ${port} is no inbound's of this node`;
    for (const network of networks) {
      if (isOthers(held[network], port, uid, plainAddress(listen)))
        return `${network} port ${port} is held by a program of another user`;
      if (!this.#isOwn(held[network], inner)) return `no engine of this agent listens on ${network} port ${inner}`;
    }
    return undefined;
  }

  async #keepClosed(tables: Tables, ports: readonly number[]): Promise<void> {
    const held = heldPorts();
    const now = this.#now();
    const before = new Map(tables.closed);
    for (const port of ports)
      if (!this.#mayClose(port, held, before.get(port) ?? now))
        throw new Refused(`port ${port} is not this agent's to close`);
    tables.closed.clear();
    for (const port of ports) tables.closed.set(port, before.get(port) ?? now);
    await tables.map.keepClosed(ports);
  }

  /** Nobody else has it, and the agent has it or is about to. `since`: when it had it last, or asked for it. */
  #mayClose(port: number, held: HeldPorts, since: number): boolean {
    const { uid } = this.#options;
    if (isOthers(held.tcp, port, uid) || (isOthers(held.udp, port, uid) && !isEphemeral(port))) return false;
    if (NETWORKS.some((network) => holds(held[network], port, uid))) return true;
    return port >= INNER.first && port <= INNER.last && this.#now() - since < AHEAD_MS;
  }

  /**
   * Whether the agent alone has the port. If several programs have it, the kernel chooses between them, so it does not
   * count as the agent's own.
   */
  #isOwn(held: HeldPorts["tcp"], port: number): boolean {
    const { uid } = this.#options;
    return holds(held, port, uid) && !isOthers(held, port, uid);
  }

  /** Takes back what is no longer the agent's: a port that another program has by now, or an inbound that is gone. */
  async #sweep(): Promise<void> {
    if (this.#tables.size === 0) return;
    const ask = this.#now() - this.#askedAt > ASK_MS;
    const allowed = ask ? await this.#options.publicPorts() : undefined;
    if (ask) this.#askedAt = this.#now();
    const held = heldPorts();
    const { uid, log } = this.#options;
    for (const tables of this.#tables.values()) {
      const stay = tables.mappings.filter(
        ({ listen, port, networks, inner }) =>
          allowed?.has(port) !== false &&
          !networks.some(
            (network) =>
              isOthers(held[network], inner, uid) || isOthers(held[network], port, uid, plainAddress(listen)),
          ),
      );
      if (stay.length < tables.mappings.length) {
        log("warn", "ports were taken back from the port map: they are others' by now, or no inbound's", {
          ports: tables.mappings.filter((mapping) => !stay.includes(mapping)).map(({ port }) => port),
        });
        await tables.map.set(stay);
        tables.mappings = stay;
      }
      const size = tables.closed.size;
      for (const [port, since] of tables.closed) {
        if (NETWORKS.some((network) => holds(held[network], port, uid))) tables.closed.set(port, this.#now());
        if (!this.#mayClose(port, held, since)) tables.closed.delete(port);
      }
      if (tables.closed.size < size) await tables.map.keepClosed([...tables.closed.keys()]);
    }
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

/** Datagram sockets of clients have any such number; what answers them passes a closed port. */
function isEphemeral(port: number): boolean {
  const [first, last] = ephemeralRange();
  return port >= first && port <= last;
}

async function objections(): Promise<{ portMap?: string; speedLimits?: string }> {
  const [portMap, speedLimits] = await Promise.all([portMapObjection(), speedLimitObjection()]);
  return { ...(portMap !== undefined && { portMap }), ...(speedLimits !== undefined && { speedLimits }) };
}

/** The machine's own resolvers may be at private addresses too. */
function withResolvers(guard: TargetGuard): TargetGuard {
  return { ...guard, upstreams: [...guard.upstreams, ...resolvers().map((address) => ({ address, port: 53 }))] };
}

function resolvers(): string[] {
  try {
    return [...readFileSync("/etc/resolv.conf", "utf8").matchAll(/^nameserver\s+(\S+)/gm)]
      .map(([, address = ""]) => plainAddress(address))
      .filter((address) => isIP(address) !== 0);
  } catch {
    return [];
  }
}
