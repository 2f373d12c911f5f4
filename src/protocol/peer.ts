// One end of the JSON-RPC link, the same code for panel and agent: typed calls out, validated calls in, bounds on
// everything a hostile other end could grow (rules agents.message).
import type { z } from "zod";
import { understandingOf, type Understanding } from "./abilities.ts";
import { Calls } from "./calls.ts";
import { Inlet } from "./inlet.ts";
import { agentMethods, MAX_MESSAGE_BYTES, panelMethods, RpcErrorCode } from "./messages.ts";
import { SMALL_BYTES } from "./json-size.ts";
import {
  DEFAULT_LIMITS,
  type PeerClosed,
  type PeerLimits,
  type PeerOptions,
  type PeerSocket,
  type RpcPeer,
} from "./peer-contract.ts";
import { readMessage, type MethodTable, type Reading, type Tables } from "./read-message.ts";
import { PeerBusyError, PeerClosedError, RpcError } from "./rpc-error.ts";
import { failureFrame, requestFrame, successFrame, type RequestId } from "./rpc-frame.ts";
import { plainLine } from "./said-text.ts";

/** How long the other side may take to end a connection that was ended for its wrong messages. */
const LEAVE_MS = 1000;
/** How much is said of what the other side complains of, and of what it kept from being read. */
const SAID_BYTES = 150;

type PanelMethods = typeof panelMethods;
type AgentMethods = typeof agentMethods;

/** Puts a peer on an open socket; it calls what the other side handles. */
export function createPeer(options: PeerOptions<AgentMethods>): RpcPeer<PanelMethods>;
export function createPeer(options: PeerOptions<PanelMethods>): RpcPeer<AgentMethods>;
export function createPeer(
  options: PeerOptions<AgentMethods> | PeerOptions<PanelMethods>,
): RpcPeer<PanelMethods> | RpcPeer<AgentMethods> {
  return isPanelSide(options) ? new Peer(options, panelMethods) : new Peer(options, agentMethods);
}

function isPanelSide(
  options: PeerOptions<AgentMethods> | PeerOptions<PanelMethods>,
): options is PeerOptions<AgentMethods> {
  return Object.hasOwn(options.handles, "heartbeat");
}

class Peer<H extends MethodTable, C extends MethodTable> implements RpcPeer<C> {
  readonly closed: Promise<PeerClosed>;
  readonly #socket: PeerSocket;
  readonly #options: PeerOptions<H>;
  readonly #tables: Tables;
  readonly #limits: PeerLimits;
  readonly #calls = new Calls();
  readonly #inlet: Inlet;
  #understands = understandingOf([]);
  #handling = 0;
  #wrongMessages = 0;
  #answered = false;
  #open = true;
  #resolveClosed: (closed: PeerClosed) => void = () => {};

  constructor(options: PeerOptions<H>, calls: C) {
    this.#options = options;
    this.#tables = { handles: options.handles, calls };
    this.#socket = options.socket;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    this.#socket.on("close", (code, reason) => this.#end(code, reason.toString(), false));
    this.#socket.on("error", (error) => this.#problem("connection failed", error));
    this.#inlet = new Inlet({
      socket: this.#socket,
      rate: this.#limits,
      take: (bytes, isBinary) => this.#receive(bytes, isBinary),
      onTooMany: () => this.#countWrong("too many messages at a time"),
    });
  }

  get open(): boolean {
    return this.#open;
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount;
  }

  get understands(): Understanding {
    return this.#understands;
  }

  named(abilities: readonly string[] = []): void {
    this.#understands = understandingOf(abilities);
  }

  async call<M extends keyof C & string>(
    method: M,
    params: z.input<C[M]["params"]>,
    options?: { readonly timeoutMs?: number },
  ): Promise<z.output<C[M]["result"]>> {
    if (!this.#open) throw new PeerClosedError(`${method}: the connection is closed`);
    if (!this.#understands.method(method))
      throw new RpcError(RpcErrorCode.unsupported, `${method}: the other side is too old for it`);
    if (this.#calls.size >= this.#limits.outstanding)
      throw new PeerBusyError(`${method}: ${this.#calls.size} calls are unanswered`);
    if (this.#socket.bufferedAmount > this.#limits.bufferedBytes)
      throw new PeerBusyError(`${method}: the other side reads too slowly`);
    const frame = requestFrame(this.#calls.nextId, method, params);
    if (Buffer.byteLength(frame) > MAX_MESSAGE_BYTES)
      throw new PeerBusyError(`${method}: the message is larger than ${MAX_MESSAGE_BYTES} bytes`);
    const answer = this.#calls.begin(method, options?.timeoutMs ?? this.#options.timeoutMs);
    this.#send(frame);
    // What a call is settled with was parsed by the schema of its method.
    return (await answer) as z.output<C[M]["result"]>;
  }

  notify<M extends keyof C & string>(method: M, params: z.input<C[M]["params"]>): boolean {
    if (!this.#open || !this.#understands.method(method)) return false;
    if (this.#socket.bufferedAmount > this.#limits.bufferedBytes) return false;
    this.#send(requestFrame(undefined, method, params));
    return true;
  }

  close(code = 1000, reason = ""): void {
    // A WebSocket close reason holds 123 bytes; characters of up to four bytes are cut to be safe.
    if (!this.#open) return;
    this.#open = false;
    this.#socket.close(code, Buffer.byteLength(reason) > 123 ? reason.slice(0, 30) : reason);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  /** Takes a message; a promise while another thread reads it. */
  #receive(bytes: Buffer, isBinary: boolean): Promise<void> | undefined {
    const { reader } = this.#options;
    if (!this.#open) return undefined;
    if (isBinary) this.#refuse(RpcErrorCode.invalidRequest, "only text messages are understood");
    else if (!this.#answered && bytes.length > this.#limits.firstBytes)
      this.#refuse(RpcErrorCode.invalidRequest, `the first message is larger than ${this.#limits.firstBytes} bytes`);
    else if (!reader || bytes.length < SMALL_BYTES) this.#take(readMessage(bytes, this.#tables, this.#calls.open));
    else
      return reader.read(bytes, this.#calls.open).then(
        (reading) => {
          if (reading && this.#open) this.#take(reading);
        },
        (error: unknown) => this.#giveUp(`a message could not be read: ${plainLine(String(error), SAID_BYTES)}`),
      );
    return undefined;
  }

  #take(reading: Reading): void {
    switch (reading.kind) {
      case "call":
        return this.#handle(reading.id, reading.method, reading.params);
      case "wrong":
        return this.#refuse(reading.code, reading.message, reading.id);
      case "result":
      case "wrong result":
      case "failure":
      case "stray":
        return this.#settle(reading);
    }
  }

  #handle(id: RequestId | undefined, method: string, params: unknown): void {
    if (this.#handling >= this.#limits.handling) {
      if (id !== undefined)
        this.#answer(failureFrame(id, RpcErrorCode.internal, `${this.#handling} calls are already in work`));
      return this.#countWrong("too many calls at a time");
    }
    this.#handling += 1;
    void this.#run(id, method, params).finally(() => {
      this.#handling -= 1;
    });
  }

  /** Never rejects. */
  async #run(id: RequestId | undefined, method: string, params: unknown): Promise<void> {
    let frame: string;
    try {
      // The schema of this very method has just parsed the value: that is the type the handler was declared with.
      const result = await this.#options.handlers[method]?.(params as z.output<H[string]["params"]>);
      if (id === undefined) return;
      frame = successFrame(id, result);
      if (Buffer.byteLength(frame) > MAX_MESSAGE_BYTES)
        throw new RpcError(RpcErrorCode.internal, `${method}: the answer is larger than ${MAX_MESSAGE_BYTES} bytes`);
    } catch (error) {
      this.#problem(`${method} failed`, error);
      if (id === undefined) return;
      const code = error instanceof RpcError ? error.code : RpcErrorCode.internal;
      frame = failureFrame(id, code, error instanceof Error ? error.message : `${method} failed`);
    }
    this.#answer(frame);
  }

  #settle(answer: Exclude<Reading, { kind: "call" | "wrong" }>): void {
    const id = typeof answer.id === "number" ? answer.id : 0;
    const call = this.#calls.take(id, answer.kind === "failure" ? undefined : answer.method);
    if (!call || answer.kind === "stray") {
      // An answer that comes after its timeout is late, not wrong. An error without an id says that we sent something
      // malformed; it is never answered, or two peers could quarrel for ever.
      if (this.#calls.wasLate(id)) return;
      return this.#countWrong(
        answer.kind === "failure"
          ? `the other side says: ${plainLine(answer.message, SAID_BYTES)}`
          : "answer to a call that was never made",
      );
    }
    this.#answered = true;
    if (answer.kind === "result") return call.resolve(answer.result);
    call.reject(new RpcError(answer.kind === "failure" ? answer.code : RpcErrorCode.internal, answer.message));
    if (answer.kind === "wrong result") this.#countWrong(answer.message);
  }

  /** A malformed message: said so once (not to a notification), counted, and enough of them end the connection. */
  #refuse(code: number, message: string, id: RequestId | null | undefined = null): void {
    if (id !== undefined) this.#answer(failureFrame(id, code, message));
    this.#countWrong(message);
  }

  #countWrong(message: string): void {
    if (!this.#open) return;
    if (this.#wrongMessages + 1 >= this.#limits.protocolErrors) return this.#giveUp(message);
    this.#wrongMessages += 1;
    this.#problem(message);
  }

  /** Ends the connection for what the other side said. */
  #giveUp(message: string): void {
    if (!this.#open) return;
    this.#wrongMessages += 1;
    this.#problem(message);
    this.close(1008, "too many wrong messages");
    // It is over now, whether the other side takes its leave or not.
    setTimeout(() => this.#socket.terminate(), LEAVE_MS).unref();
    this.#end(1008, message, true);
  }

  #answer(frame: string): void {
    if (!this.#open) return;
    if (this.#socket.bufferedAmount > 2 * this.#limits.bufferedBytes) {
      this.#problem("the other side does not read its answers");
      this.#socket.terminate();
      return;
    }
    this.#send(frame);
  }

  #send(frame: string): void {
    try {
      this.#socket.send(frame);
    } catch (error) {
      this.#problem("send failed", error);
      this.#socket.terminate();
    }
  }

  #problem(problem: string, error?: unknown): void {
    this.#options.onProblem?.(problem, error);
  }

  /** The first reason counts. */
  #end(code: number, reason: string, wrong: boolean): void {
    this.#open = false;
    this.#resolveClosed({ code, reason, wrong, wrongMessages: this.#wrongMessages });
    this.#inlet.end();
    this.#options.reader?.drop();
    for (const call of this.#calls.takeAll())
      call.reject(
        new PeerClosedError(`${call.method}: the connection closed (${code}${reason === "" ? "" : ` ${reason}`})`),
      );
  }
}
