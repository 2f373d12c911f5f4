// One connection of a panel: greeting first, then what its kind (writer or reader) may ask; the writer also gets
// heartbeats and usage (rules agents.hello).
import type { WebSocket } from "ws";
import { panelMethods, RpcErrorCode } from "../protocol/messages.ts";
import type { PanelParams, PanelResult, agentMethods } from "../protocol/messages.ts";
import { createPeer } from "../protocol/peer.ts";
import type { PeerClosed, RpcPeer } from "../protocol/peer-contract.ts";
import { PeerClosedError, RpcError } from "../protocol/rpc-error.ts";
import type { News, ServedNode } from "./served-node.ts";

const GREETING_MS = 10_000;
const CALL_TIMEOUT_MS = 30_000;
const USAGE_RETRY_MS = 3000;
/** Heartbeats without a pong in between after which a connection is taken for dead. */
const MISSED_PONGS = 3;

export interface LinkTimes {
  readonly heartbeatMs: number;
  /** Offset of the second heartbeat, so that a fleet's do not fall together; the first comes at once. */
  readonly heartbeatPhaseMs: number;
}

export interface LinkOptions {
  readonly socket: WebSocket;
  readonly node: ServedNode;
  readonly times: LinkTimes;
  /** Admits the link or throws; for a writer it resolves once this link is the writer. */
  readonly greet: (params: PanelParams<"hello">) => Promise<PanelResult<"hello">>;
  /** Throws unless this link is the node's writer. */
  readonly mayWrite: () => void;
  readonly onProblem: (problem: string, error?: unknown) => void;
}

export class Link {
  readonly closed: Promise<PeerClosed>;
  readonly #options: LinkOptions;
  readonly #peer: RpcPeer<typeof agentMethods>;
  readonly #timers = new Set<NodeJS.Timeout>();
  /**
   * `new`: nothing but hello is answered, also after a hello that meant another agent. `greeting`: hello is being
   * decided. Both end in `reader` or `writer`, or with the connection.
   */
  #state: "new" | "greeting" | "reader" | "writer" = "new";
  #missedPongs = 0;
  #sending = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    const { node, socket } = options;
    this.#peer = createPeer({
      socket,
      handles: panelMethods,
      timeoutMs: CALL_TIMEOUT_MS,
      onProblem: options.onProblem,
      handlers: {
        hello: (params) => this.#hello(params),
        "state.digests": () => {
          this.#mayRead();
          return node.digests();
        },
        "state.report": () => {
          this.#mayRead();
          return node.report();
        },
        "state.apply": async (params) => {
          this.#mayWrite();
          return node.apply(params, () => this.#mayWrite());
        },
        "sessions.list": async (params) => {
          this.#mayRead();
          return node.listSessions(params);
        },
        "sessions.close": async (params) => {
          this.#mayRead();
          return node.closeSessions(params);
        },
        "addresses.list": async (params) => {
          this.#mayRead();
          return node.listAddresses(params);
        },
        "rules.set": (params) => {
          this.#mayWrite();
          node.setRules(params);
          return {};
        },
        "engine.stop": async () => {
          this.#mayWrite();
          return node.stop(() => this.#mayWrite());
        },
      },
    });
    this.closed = this.#peer.closed;
    const greeting = this.#after(GREETING_MS, () => {
      if (this.#state === "new") this.#peer.close(1008, "no hello");
    });
    socket.on("pong", () => {
      this.#missedPongs = 0;
    });
    void this.closed.then(() => {
      clearTimeout(greeting);
      for (const timer of this.#timers) clearTimeout(timer);
      this.#timers.clear();
    });
  }

  /** It asks only, and may be closed for one that has more to do. */
  get reader(): boolean {
    return this.#state === "reader";
  }

  get open(): boolean {
    return this.#peer.open;
  }

  close(code: number, reason: string): void {
    this.#peer.close(code, reason);
  }

  /** Messages of the node, for the writer to send. */
  tell(news: News): void {
    if (this.#state !== "writer") return;
    if (news === "usage") void this.#sendUsage();
    else void this.#beat();
  }

  async #hello(params: PanelParams<"hello">): Promise<PanelResult<"hello">> {
    if (this.#state !== "new") throw new RpcError(RpcErrorCode.invalidRequest, "hello was already said");
    this.#state = "greeting";
    this.#peer.named(params.abilities);
    let answer;
    try {
      answer = await this.#options.greet(params);
    } catch (error) {
      this.#state = "new";
      throw error;
    }
    if (!params.readOnly && params.agentId !== undefined && params.agentId !== answer.agentId) {
      // Another agent was meant: the panel decides whether it means this one, and says so.
      this.#state = "new";
      return answer;
    }
    this.#state = params.readOnly ? "reader" : "writer";
    // The answer goes out in the microtasks that follow; the first heartbeat and the waiting usage come after it.
    setImmediate(() => this.#begin());
    return answer;
  }

  #begin(): void {
    if (!this.open) return;
    const { heartbeatMs, heartbeatPhaseMs } = this.#options.times;
    void this.#beat();
    void this.#sendUsage();
    const tick = (): void => {
      this.#probe();
      void this.#beat();
      this.#after(heartbeatMs, tick);
    };
    this.#after(heartbeatPhaseMs, tick);
  }

  /** A half-open connection answers no ping: it is cut, so that a dead panel's link does not stay the writer. */
  #probe(): void {
    this.#missedPongs += 1;
    if (this.#missedPongs > MISSED_PONGS) this.#peer.terminate();
    else this.#options.socket.ping();
  }

  async #beat(): Promise<void> {
    if (this.#state !== "writer" || !this.open) return;
    try {
      const heartbeat = await this.#options.node.heartbeat();
      this.#peer.notify("heartbeat", heartbeat);
    } catch (error) {
      this.#options.onProblem("heartbeat failed", error);
    }
  }

  /** Sends what waits, oldest first, one at a time. The same batch goes again until it is acknowledged. */
  async #sendUsage(): Promise<void> {
    if (this.#sending || this.#state !== "writer" || !this.open) return;
    this.#sending = true;
    const { node, onProblem } = this.#options;
    try {
      for (let batch = node.nextBatch(); batch !== undefined; batch = this.open ? node.nextBatch() : undefined) {
        const { acknowledged } = await this.#peer.call("usage", batch);
        // Replaced meanwhile: the ledger answers to the new writer alone, which is sent the batch again and knows
        // whether it was counted.
        if (!this.open) return;
        await node.acknowledge(acknowledged);
        if (acknowledged < batch.seq)
          throw new Error(`usage batch ${batch.seq} was not acknowledged (${acknowledged})`);
      }
    } catch (error) {
      if (error instanceof PeerClosedError) return;
      onProblem("usage could not be delivered; it will be sent again", error);
      this.#after(USAGE_RETRY_MS, () => void this.#sendUsage());
    } finally {
      this.#sending = false;
    }
  }

  #mayRead(): void {
    if (this.#state === "new" || this.#state === "greeting")
      throw new RpcError(RpcErrorCode.invalidRequest, "hello comes first");
  }

  #mayWrite(): void {
    this.#mayRead();
    if (this.#state === "reader") throw new RpcError(RpcErrorCode.invalidRequest, "this connection is read-only");
    this.#options.mayWrite();
  }

  #after(ms: number, act: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }
}
