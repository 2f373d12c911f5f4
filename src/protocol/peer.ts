// One end of the JSON-RPC link, the same code for panel and agent: typed calls out, validated calls in, bounds on everything a hostile other end could grow.
import { z } from "zod";
import { Intake } from "./intake.ts";
import { agentMethods, MAX_MESSAGE_BYTES, MAX_MESSAGE_PARTS, panelMethods, RpcErrorCode } from "./messages.ts";
import { hasTooManyParts } from "./parts.ts";
import { PeerBusyError, PeerClosedError, PeerTimeoutError, RpcError } from "./rpc-error.ts";
import { failureFrame, readFrame, requestFrame, successFrame } from "./rpc-frame.ts";
import type { Frame, RequestId } from "./rpc-frame.ts";
import { firstIssue, plainLine } from "./said-text.ts";

interface Method {
  readonly params: z.ZodType;
  readonly result: z.ZodType;
  /** Largest message that calls it, and that answers it; absent: as large as any. */
  readonly paramsBytes?: number;
  readonly resultBytes?: number;
}
export type MethodTable = Readonly<Record<string, Method>>;

/** What a side does when it is called. A thrown `RpcError` chooses code and text of the answer, any other error becomes `internal`. */
export type Handlers<T extends MethodTable> = {
  readonly [M in keyof T]: (params: z.output<T[M]["params"]>) => Promise<z.input<T[M]["result"]>> | z.input<T[M]["result"]>;
};

/** The part of a WebSocket (of the `ws` package) that a peer needs. It must be open. */
export interface PeerSocket {
  readonly bufferedAmount: number;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  /** Reads nothing until `resume`. */
  pause(): void;
  resume(): void;
  on(event: "message", listener: (data: Buffer | ArrayBuffer | Buffer[], isBinary: boolean) => void): unknown;
  on(event: "ping" | "pong", listener: (data: Buffer) => void): unknown;
  on(event: "close", listener: (code: number, reason: Buffer) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

export interface PeerLimits {
  /** Calls of ours that may be unanswered at a time. */
  readonly outstanding: number;
  /** Calls of the other side that may be in work at a time; one more counts as a protocol error and is refused. */
  readonly handling: number;
  /** Wrong messages that end the connection (1008): malformed, an unknown method, wrong params, a wrong answer, one call too many at a time. */
  readonly protocolErrors: number;
  /** Unsent bytes above which notifications are dropped and calls refused; at twice as much the connection is cut. */
  readonly bufferedBytes: number;
  /** Largest message until the first of our calls was answered. */
  readonly firstBytes: number;
  /** What is read in the long run, and at once; the sender is held back beyond. Every message, ping and pong costs 2 KiB at least. */
  readonly bytesPerSecond: number;
  readonly burstBytes: number;
}

export const DEFAULT_LIMITS: PeerLimits = {
  outstanding: 64,
  handling: 64,
  protocolErrors: 10,
  bufferedBytes: MAX_MESSAGE_BYTES,
  firstBytes: MAX_MESSAGE_BYTES,
  bytesPerSecond: 64 * 1024 * 1024,
  burstBytes: 4 * MAX_MESSAGE_BYTES,
};
/** How long the other side may take to end a connection that was ended for its wrong messages. */
const LEAVE_MS = 1000;
/** Calls that were given up whose answers are still known to be ours. */
const LATE_ANSWERS = 1000;

export interface PeerOptions<H extends MethodTable> {
  readonly socket: PeerSocket;
  /** What the other side may call here: `panelMethods` on the agent, `agentMethods` on the panel. */
  readonly handles: H;
  readonly handlers: Handlers<H>;
  /** Default time for an answer, in milliseconds. */
  readonly timeoutMs: number;
  readonly limits?: Partial<PeerLimits>;
  /** Told of malformed messages, failed handlers and socket errors; for logs only. */
  readonly onProblem?: (problem: string, error?: unknown) => void;
}

export interface PeerClosed {
  /** WebSocket close code, 1006 when the connection broke. */
  readonly code: number;
  readonly reason: string;
  /** It was ended here, for wrong messages; `reason` says the last. */
  readonly wrong: boolean;
}

/** `C`: the methods of the other side. */
export interface RpcPeer<C extends MethodTable> {
  /** False as soon as either side has begun to close: nothing more is sent or heard. */
  readonly open: boolean;
  /** Unsent bytes; callers with much to say wait while it is high. */
  readonly bufferedAmount: number;
  /** Resolves, never rejects, when the connection is gone. */
  readonly closed: Promise<PeerClosed>;
  /** Rejects with `RpcError` (the other side refused, or answered nonsense: `internal`), `PeerTimeoutError`, `PeerClosedError` or `PeerBusyError` (was not sent). */
  call<M extends keyof C & string>(
    method: M,
    params: z.input<C[M]["params"]>,
    options?: { readonly timeoutMs?: number },
  ): Promise<z.output<C[M]["result"]>>;
  /** Sends without an answer. False when it was dropped: connection closed, or too much unsent. */
  notify<M extends keyof C & string>(method: M, params: z.input<C[M]["params"]>): boolean;
  close(code?: number, reason?: string): void;
  terminate(): void;
}

type PanelMethods = typeof panelMethods;
type AgentMethods = typeof agentMethods;

/** Puts a peer on an open socket; it calls what the other side handles. */
export function createPeer(options: PeerOptions<AgentMethods>): RpcPeer<PanelMethods>;
export function createPeer(options: PeerOptions<PanelMethods>): RpcPeer<AgentMethods>;
export function createPeer(options: PeerOptions<AgentMethods> | PeerOptions<PanelMethods>): RpcPeer<PanelMethods> | RpcPeer<AgentMethods> {
  return isPanelSide(options) ? createPeerOf(options, panelMethods) : createPeerOf(options, agentMethods);
}

function isPanelSide(options: PeerOptions<AgentMethods> | PeerOptions<PanelMethods>): options is PeerOptions<AgentMethods> {
  return Object.hasOwn(options.handles, "heartbeat");
}

/** As `createPeer`, for any two method tables. */
export function createPeerOf<H extends MethodTable, C extends MethodTable>(options: PeerOptions<H>, calls: C): RpcPeer<C> {
  return new Peer(options, calls);
}

/** How much of a method's name, or of what the other side complains of, is said. */
const NAMED_BYTES = 60;
const SAID_BYTES = 150;

/** A call that no honest end makes. */
class WrongCall extends RpcError {}

interface Pending {
  readonly method: string;
  readonly timer: NodeJS.Timeout;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

class Peer<H extends MethodTable, C extends MethodTable> implements RpcPeer<C> {
  readonly closed: Promise<PeerClosed>;
  readonly #socket: PeerSocket;
  readonly #options: PeerOptions<H>;
  readonly #calls: C;
  readonly #limits: PeerLimits;
  readonly #pending = new Map<number, Pending>();
  /** Calls that were given up, oldest first. */
  readonly #late = new Set<number>();
  readonly #intake: Intake;
  #nextId = 1;
  #handling = 0;
  #protocolErrors = 0;
  #answered = false;
  #open = true;
  #resume: NodeJS.Timeout | undefined;
  #resolveClosed: (closed: PeerClosed) => void = () => {};

  constructor(options: PeerOptions<H>, calls: C) {
    this.#options = options;
    this.#calls = calls;
    this.#socket = options.socket;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#intake = new Intake(this.#limits, () => performance.now());
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    this.#socket.on("close", (code, reason) => this.#end({ code, reason: reason.toString(), wrong: false }));
    this.#socket.on("error", (error) => this.#problem("connection failed", error));
    this.#socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    for (const frame of ["ping", "pong"] as const) this.#socket.on(frame, () => this.#charge(0));
  }

  get open(): boolean {
    return this.#open;
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount;
  }

  async call<M extends keyof C & string>(
    method: M,
    params: z.input<C[M]["params"]>,
    options?: { readonly timeoutMs?: number },
  ): Promise<z.output<C[M]["result"]>> {
    if (!this.#open) throw new PeerClosedError(`${method}: the connection is closed`);
    if (this.#pending.size >= this.#limits.outstanding) throw new PeerBusyError(`${method}: ${this.#pending.size} calls are unanswered`);
    if (this.#socket.bufferedAmount > this.#limits.bufferedBytes) throw new PeerBusyError(`${method}: the other side reads too slowly`);
    const id = this.#nextId;
    const frame = requestFrame(id, method, params);
    if (Buffer.byteLength(frame) > MAX_MESSAGE_BYTES)
      throw new PeerBusyError(`${method}: the message is larger than ${MAX_MESSAGE_BYTES} bytes`);
    this.#nextId += 1;
    const timeoutMs = options?.timeoutMs ?? this.#options.timeoutMs;
    const answer = await new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        this.#expectLate(id);
        reject(new PeerTimeoutError(`${method}: no answer within ${timeoutMs} ms`));
      }, timeoutMs);
      this.#pending.set(id, { method, timer, resolve, reject });
      this.#send(frame);
    });
    const result = this.#calls[method]?.result.safeParse(answer);
    if (result?.success) return result.data as z.output<C[M]["result"]>;
    const text = result === undefined ? "unknown method" : firstIssue(result.error);
    const wrong = `${method}: the answer is malformed: ${text}`;
    this.#countWrong(wrong);
    throw new RpcError(RpcErrorCode.internal, wrong);
  }

  notify<M extends keyof C & string>(method: M, params: z.input<C[M]["params"]>): boolean {
    if (!this.#open || this.#socket.bufferedAmount > this.#limits.bufferedBytes) return false;
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

  #receive(data: Buffer | ArrayBuffer | Buffer[], isBinary: boolean): void {
    if (!this.#open) return;
    const bytes = Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data;
    this.#charge(bytes.length);
    if (isBinary) return this.#refuse(RpcErrorCode.invalidRequest, "only text messages are understood");
    if (!this.#answered && bytes.length > this.#limits.firstBytes)
      return this.#refuse(RpcErrorCode.invalidRequest, `the first message is larger than ${this.#limits.firstBytes} bytes`);
    if (hasTooManyParts(bytes, MAX_MESSAGE_PARTS)) return this.#refuse(RpcErrorCode.invalidRequest, "the message has too many parts");
    const frame = readFrame(bytes.toString());
    switch (frame.kind) {
      case "request":
        return this.#handle(frame, bytes.length);
      case "success":
      case "failure":
        return this.#settle(frame, bytes.length);
      case "unparsable":
        return this.#refuse(RpcErrorCode.parse, "the message is not JSON");
      case "invalid":
        return this.#refuse(RpcErrorCode.invalidRequest, "the message is not a JSON-RPC 2.0 request or answer");
    }
  }

  /** Counts what was read; the socket rests when that was too much in its time. */
  #charge(bytes: number): void {
    const ms = this.#intake.charge(bytes);
    if (ms === 0 || !this.#open) return;
    clearTimeout(this.#resume);
    this.#socket.pause();
    this.#resume = setTimeout(() => this.#socket.resume(), ms);
  }

  #expectLate(id: number): void {
    this.#late.add(id);
    const [oldest] = this.#late;
    if (this.#late.size > LATE_ANSWERS && oldest !== undefined) this.#late.delete(oldest);
  }

  #handle({ id, method, params }: Extract<Frame, { kind: "request" }>, bytes: number): void {
    if (this.#handling >= this.#limits.handling) {
      if (id !== undefined) this.#answer(failureFrame(id, RpcErrorCode.internal, `${this.#handling} calls are already in work`));
      return this.#countWrong("too many calls at a time");
    }
    const most = Object.hasOwn(this.#options.handles, method) ? this.#options.handles[method]?.paramsBytes : undefined;
    if (most !== undefined && bytes > most) return this.#refuse(RpcErrorCode.invalidRequest, `${method}: larger than ${most} bytes`, id);
    this.#handling += 1;
    void this.#run(id, method, params).finally(() => {
      this.#handling -= 1;
    });
  }

  /** Never rejects. */
  async #run(id: RequestId | undefined, method: string, params: unknown): Promise<void> {
    let frame: string;
    try {
      const result = await this.#dispatch(method, params);
      if (id === undefined) return;
      frame = successFrame(id, result);
      if (Buffer.byteLength(frame) > MAX_MESSAGE_BYTES)
        throw new RpcError(RpcErrorCode.internal, `${method}: the answer is larger than ${MAX_MESSAGE_BYTES} bytes`);
    } catch (error) {
      if (error instanceof WrongCall) this.#countWrong(error.message);
      else this.#problem(`${plainLine(method, NAMED_BYTES)} failed`, error);
      if (id === undefined) return;
      const code = error instanceof RpcError ? error.code : RpcErrorCode.internal;
      frame = failureFrame(id, code, error instanceof Error ? error.message : `${method} failed`);
    }
    this.#answer(frame);
  }

  async #dispatch(method: string, params: unknown): Promise<unknown> {
    const entry = Object.hasOwn(this.#options.handles, method) ? this.#options.handles[method] : undefined;
    const handler = Object.hasOwn(this.#options.handlers, method) ? this.#options.handlers[method] : undefined;
    if (entry === undefined || handler === undefined)
      throw new WrongCall(RpcErrorCode.unknownMethod, `unknown method ${JSON.stringify(plainLine(method, NAMED_BYTES))}`);
    const parsed = entry.params.safeParse(params);
    if (!parsed.success) throw new WrongCall(RpcErrorCode.invalidParams, `${method}: ${firstIssue(parsed.error)}`);
    // The schema of this very method has just parsed the value: that is the type the handler was declared with.
    return handler(parsed.data as z.output<H[string]["params"]>);
  }

  #settle(frame: Extract<Frame, { kind: "success" | "failure" }>, bytes: number): void {
    const id = typeof frame.id === "number" ? frame.id : 0;
    const pending = this.#pending.get(id);
    if (pending === undefined) {
      // An answer that comes after its timeout is late, not wrong. An error without an id says that we sent something malformed; it is never answered, or two peers could quarrel for ever.
      if (this.#late.delete(id)) return;
      return this.#countWrong(
        frame.kind === "failure" ? `the other side says: ${plainLine(frame.message, SAID_BYTES)}` : "answer to a call that was never made",
      );
    }
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    this.#answered = true;
    const most = this.#calls[pending.method]?.resultBytes ?? MAX_MESSAGE_BYTES;
    if (bytes > most) {
      const wrong = `${pending.method}: the answer is larger than ${most} bytes`;
      pending.reject(new RpcError(RpcErrorCode.internal, wrong));
      return this.#countWrong(wrong);
    }
    if (frame.kind === "success") pending.resolve(frame.result);
    else pending.reject(new RpcError(frame.code, frame.message));
  }

  /** A malformed message: said so once, counted, and enough of them end the connection. */
  #refuse(code: number, message: string, id: RequestId | null = null): void {
    this.#answer(failureFrame(id, code, message));
    this.#countWrong(message);
  }

  #countWrong(message: string): void {
    if (!this.#open) return;
    this.#protocolErrors += 1;
    this.#problem(message);
    if (this.#protocolErrors < this.#limits.protocolErrors) return;
    this.close(1008, "too many wrong messages");
    // It is over now, whether the other side takes its leave or not.
    setTimeout(() => this.#socket.terminate(), LEAVE_MS).unref();
    this.#end({ code: 1008, reason: message, wrong: true });
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
  #end(closed: PeerClosed): void {
    this.#open = false;
    this.#resolveClosed(closed);
    if (this.#resume) {
      // What was not read yet may be the other side's leave.
      clearTimeout(this.#resume);
      this.#socket.resume();
    }
    for (const [id, pending] of this.#pending) {
      this.#pending.delete(id);
      clearTimeout(pending.timer);
      pending.reject(
        new PeerClosedError(`${pending.method}: the connection closed (${closed.code}${closed.reason === "" ? "" : ` ${closed.reason}`})`),
      );
    }
  }
}
