// The kernel's network changed by the net keeper that a panel started beside this agent. A keeper that ended is
// followed by another one on the same socket: what it must keep is told to it again.
import { connect, type Socket } from "node:net";
import { basename } from "node:path";
import { z } from "zod";
import { EngineKind } from "../../protocol/messages.ts";
import type { Log } from "../problem-log.ts";
import type { Flow, Guarded, Mapping, PortMap, TargetGuard } from "./nft/port-map.ts";
import type { LimitedSession, SpeedTable } from "./nft/speed-table.ts";
import type { CutSocket, NetAdmin } from "./contract.ts";
import { onLines } from "./lines.ts";
import { Answer, Flows, Objections, type Verb } from "./verbs.ts";

/** How long a request waits for a keeper that is being started again. */
const PATIENCE_MS = 6000;
const RETRY_MS = 200;
/** Limit for one answer: the kernel needs seconds to change a large table. */
const ANSWER_MS = 30_000;
/** How much one request may name. */
const MANY = 50_000;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class KeeperNetAdmin implements NetAdmin {
  readonly #path: string;
  readonly #waiting = new Map<number, Waiting>();
  readonly #maps = new Set<KeptPortMap>();
  #socket: Promise<Socket> | undefined;
  #next = 1;

  constructor(path: string) {
    this.#path = path;
  }

  async portMapObjection(): Promise<string | undefined> {
    return this.#objection("portMap");
  }

  async speedLimitObjection(): Promise<string | undefined> {
    return this.#objection("speedLimits");
  }

  portMap(directory: string, log: Log): PortMap {
    const map = new KeptPortMap(
      kindOf(directory),
      log,
      (verb) => this.ask(verb),
      () => this.#maps.delete(map),
    );
    this.#maps.add(map);
    return map;
  }

  speedTable(directory: string): SpeedTable {
    const engine = kindOf(directory);
    return {
      hold: async (limits: ReadonlyMap<number, number>, sessions: readonly LimitedSession[]) => {
        const limited = sessions.filter(({ userId }) => limits.has(userId)).slice(0, MANY);
        await this.ask({
          verb: "limitSpeeds",
          engine,
          limits: [...limits],
          sessions: limited.map(({ userId, localPort, address, port }) => ({ userId, localPort, address, port })),
        });
      },
      takeAway: async () => {
        await this.ask({ verb: "freeSpeeds", engine });
      },
    };
  }

  async cutSockets(sockets: readonly CutSocket[]): Promise<void> {
    for (let from = 0; from < sockets.length; from += MANY)
      await this.ask({
        verb: "cut",
        sockets: sockets.slice(from, from + MANY).map(({ localPort, peer }) => ({ localPort, peer })),
      });
  }

  /** Rejects with the keeper's own words, or when there is none. */
  async ask(verb: Verb): Promise<unknown> {
    const socket = await this.#connected();
    return this.#askOn(socket, verb);
  }

  async #objection(what: keyof z.infer<typeof Objections>): Promise<string | undefined> {
    try {
      return Objections.parse(await this.ask({ verb: "objections" }))[what];
    } catch (error) {
      return `The net keeper cannot be asked (${error instanceof Error ? error.message : String(error)}).`;
    }
  }

  async #askOn(socket: Socket, verb: Verb): Promise<unknown> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error("the net keeper did not answer in time"));
      }, ANSWER_MS);
      const ended = <T>(then: (value: T) => void) => {
        return (value: T): void => {
          clearTimeout(timer);
          this.#waiting.delete(id);
          then(value);
        };
      };
      this.#waiting.set(id, { resolve: ended(resolve), reject: ended(reject) });
      socket.write(`${JSON.stringify({ id, ...verb })}\n`);
    });
  }

  async #connected(): Promise<Socket> {
    this.#socket ??= this.#connect().catch((error: unknown) => {
      this.#socket = undefined;
      throw error;
    });
    return this.#socket;
  }

  async #connect(): Promise<Socket> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        const socket = await opened(this.#path);
        socket.unref();
        onLines(socket, (line) => this.#take(line));
        socket.on("error", () => undefined);
        socket.once("close", () => this.#lost());
        await this.#repeat(socket);
        return socket;
      } catch (error) {
        if (performance.now() > until) throw new Error(`there is no net keeper: ${String(error)}`, { cause: error });
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** What the new keeper refuses, for the engine is gone by now perhaps, is told again with the next change. */
  async #repeat(socket: Socket): Promise<void> {
    for (const map of this.#maps)
      for (const verb of map.wanted())
        await this.#askOn(socket, verb).catch((error: unknown) => map.refused(String(error)));
  }

  /** A map must be kept whether or not anybody asks for something soon. */
  #lost(): void {
    this.#socket = undefined;
    for (const { reject } of this.#waiting.values()) reject(new Error("the net keeper ended"));
    if (this.#maps.size > 0) setTimeout(() => void this.#connected().catch(() => undefined), RETRY_MS).unref();
  }

  #take(line: string): void {
    const answer = Answer.parse(JSON.parse(line));
    const waiting = this.#waiting.get(answer.id);
    if ("error" in answer) waiting?.reject(new Error(answer.error));
    else waiting?.resolve(answer.value);
  }
}

class KeptPortMap implements PortMap {
  readonly #engine: EngineKind;
  readonly #log: Log;
  readonly #ask: (verb: Verb) => Promise<unknown>;
  readonly #over: () => void;
  #guard: Verb | undefined;
  #mappings: Verb | undefined;
  #closed: Verb | undefined;

  constructor(engine: EngineKind, log: Log, ask: (verb: Verb) => Promise<unknown>, over: () => void) {
    this.#engine = engine;
    this.#log = log;
    this.#ask = ask;
    this.#over = over;
  }

  /** What another keeper must be told. */
  *wanted(): Iterable<Verb> {
    for (const verb of [this.#guard, this.#closed, this.#mappings]) if (verb) yield verb;
  }

  refused(error: string): void {
    this.#log("warn", "the net keeper did not take over what the one before kept", { error });
  }

  async guardTargets(guard: TargetGuard): Promise<Guarded> {
    const { privateTargets, interfaces, upstreams } = guard;
    const verb: Verb = {
      verb: "guardTargets",
      engine: this.#engine,
      guard: { privateTargets, interfaces: [...interfaces], upstreams: [...upstreams] },
    };
    await this.#ask(verb);
    this.#guard = verb;
    return {};
  }

  async set(mappings: readonly Mapping[]): Promise<void> {
    const verb: Verb = {
      verb: "map",
      engine: this.#engine,
      mappings: mappings.map(({ listen, port, networks, inner }) => ({ listen, port, networks: [...networks], inner })),
    };
    await this.#ask(verb);
    this.#mappings = verb;
  }

  async keepClosed(inner: readonly number[]): Promise<void> {
    const verb: Verb = { verb: "keepClosed", engine: this.#engine, ports: [...inner] };
    await this.#ask(verb);
    this.#closed = verb;
  }

  async dropFlows(flows: readonly Flow[], seconds: number): Promise<void> {
    if (flows.length === 0) return;
    const plain = flows.slice(0, MANY).map(({ address, port, localPort }) => ({ address, port, localPort }));
    await this.#ask({ verb: "dropFlows", engine: this.#engine, flows: plain, seconds });
  }

  async flows(localPorts: ReadonlySet<number>, fresh = false): Promise<readonly Flow[]> {
    if (localPorts.size === 0) return [];
    return Flows.parse(await this.#ask({ verb: "flows", engine: this.#engine, ports: [...localPorts], fresh }));
  }

  async remove(): Promise<void> {
    this.detach();
    await this.#ask({ verb: "unmap", engine: this.#engine });
    this.#log("debug", "the port map was removed");
  }

  detach(): void {
    this.#over();
    this.#guard = undefined;
    this.#mappings = undefined;
    this.#closed = undefined;
  }
}

/** A driver's directory is named after its engine. */
function kindOf(directory: string): EngineKind {
  return EngineKind.parse(basename(directory));
}

async function opened(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}
