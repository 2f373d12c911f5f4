// An agent that means harm: it has the TLS of an agent, keeps to the protocol as far as a test wants it to, and says
// whatever it is told to.
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { WebSocket } from "ws";
import { DesiredPlan } from "../../src/agent/desired-state.ts";
import { identityFromSeed } from "../../src/agent/identity.ts";
import { listen, type Listener } from "../../src/agent/listener.ts";
import { panelMethods } from "../../src/protocol/messages.ts";

export interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** What it does instead of what an agent does. */
export interface Behaviour {
  /** What it answers to a call: a result, a text as it is, or nothing. Absent, or `honest`: as an agent would. */
  answer?(call: Call, link: HostileLink): unknown;
  /** Called when the panel has heard that everything is applied. */
  synced?(link: HostileLink): void;
}

export const honest = Symbol("honest");

export class HostileLink {
  readonly socket: WebSocket;
  readonly plan = new DesiredPlan();
  readonly bootId = randomUUID();
  /** What the panel answered to calls of ours, by id. */
  readonly answers = new Map<unknown, Record<string, unknown>>();
  #next = 1;
  #waiting = new Map<unknown, (answer: Record<string, unknown>) => void>();

  constructor(socket: WebSocket, behaviour: () => Behaviour, address: string) {
    this.socket = socket;
    this.address = address;
    socket.on("error", () => {});
    let synced = false;
    socket.on("message", (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as { id?: unknown; method?: string; params?: Record<string, unknown> };
      if (frame.method === undefined) {
        this.answers.set(frame.id, frame);
        this.#waiting.get(frame.id)?.(frame);
        return;
      }
      const call = { id: frame.id, method: frame.method, params: frame.params ?? {} };
      const given = behaviour().answer?.(call, this) ?? honest;
      const result = given === honest ? this.honest(call) : given;
      if (typeof result === "string") this.send(result);
      else if (result !== null) this.send(JSON.stringify({ jsonrpc: "2.0", id: call.id, result }));
      if (synced || (call.method !== "state.apply" && call.method !== "state.report")) return;
      synced = true;
      setImmediate(() => behaviour().synced?.(this));
    });
  }
  readonly address: string;

  send(data: string | Buffer): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(data);
  }

  notify(method: string, params: unknown): void {
    this.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  /** Calls the panel; resolves to its answer. */
  call(method: string, params: unknown): Promise<Record<string, unknown>> {
    const id = `h${this.#next++}`;
    const answer = new Promise<Record<string, unknown>>((resolve) => this.#waiting.set(id, resolve));
    this.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return answer;
  }

  usage(rows: readonly (readonly number[])[], seq = 1, bootId: string = this.bootId): Promise<Record<string, unknown>> {
    const at = Math.floor(Date.now() / 1000);
    const sum = (cell: number) => rows.reduce((total, row) => total + (row[cell] ?? 0), 0);
    return this.call("usage", { bootId, seq, from: at - 2, to: at, rows, up: sum(2), down: sum(3) });
  }

  heartbeat(more: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      at: Math.floor(Date.now() / 1000),
      live: {},
      engine,
      applied: this.plan.applied(),
      warnings: [],
      online: 0,
      ...more,
    };
  }

  honest({ method, params }: Call): unknown {
    const state = () => ({ applied: this.plan.applied(), warnings: [], engine });
    switch (method) {
      case "hello":
        return {
          protocol: 1,
          agentVersion: "1",
          arch: "amd64",
          setup: "linux",
          ledger: { bootId: this.bootId, acknowledged: 0 },
          ...state(),
        };
      case "state.digests":
        return this.plan.digests();
      case "state.apply":
        this.plan.take(this.plan.plan(panelMethods["state.apply"].params.parse(params)));
        return state();
      case "state.report":
        return state();
      case "sessions.list":
        return { supported: true, total: 0, truncated: false, rows: [] };
      case "sessions.close":
        return { supported: true, closed: 0 };
      case "addresses.list":
        return { rows: [] };
      default:
        return { stopped: true };
    }
  }
}

export const engine = { kind: "embedded", version: "1", state: "running", message: "", restarts: 0 };

export class HostileAgent {
  /** `performance.now()` of each dial, by the address that was dialled. */
  readonly dials: { readonly address: string; readonly at: number }[] = [];
  readonly links: HostileLink[] = [];
  behaviour: (address: string) => Behaviour = () => ({});
  #listener: Listener | undefined;

  static async start(trust: string, trustFile: string, seed = "hostile"): Promise<HostileAgent> {
    await writeFile(trustFile, trust);
    const agent = new HostileAgent();
    const identity = await identityFromSeed(seed, Date.now());
    agent.#listener = await listen({
      identity,
      trustFile,
      host: "0.0.0.0",
      port: 0,
      onProblem: () => {},
      onCaller: ({ socket, localAddress }) => {
        agent.dials.push({ address: localAddress, at: performance.now() });
        agent.links.push(new HostileLink(socket, () => agent.behaviour(localAddress), localAddress));
      },
    });
    return agent;
  }

  get port(): number {
    return this.#listener?.port ?? 0;
  }

  async stop(): Promise<void> {
    await this.#listener?.close();
  }
}
