// What a peer needs, keeps to and offers: its socket, its limits, its handlers and its calls.
import type { z } from "zod";
import type { Understanding } from "./abilities.ts";
import { MAX_MESSAGE_BYTES } from "./messages.ts";
import type { MethodTable, OpenCalls, Reading } from "./read-message.ts";

/**
 * What a side does when it is called. A thrown `RpcError` chooses code and text of the answer, any other error becomes
 * `internal`.
 */
export type Handlers<T extends MethodTable> = {
  readonly [M in keyof T]: (
    params: z.output<T[M]["params"]>,
  ) => Promise<z.input<T[M]["result"]>> | z.input<T[M]["result"]>;
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
  /**
   * Wrong messages that end the connection (1008): malformed, an unknown method, wrong params, a wrong answer, one call
   * too many at a time.
   */
  readonly protocolErrors: number;
  /** Unsent bytes above which notifications are dropped and calls refused; at twice as much the connection is cut. */
  readonly bufferedBytes: number;
  /** Largest message until the first of our calls was answered. */
  readonly firstBytes: number;
  /**
   * What is read in the long run, and at once; the sender is held back beyond. Every message, ping and pong costs 2 KiB
   * at least.
   */
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
/** Reads the large messages of one connection, one at a time. */
export interface LargeReader {
  /**
   * Takes `bytes` for itself. Resolves to undefined after `drop`; rejects when the message was more than reading can
   * bear.
   */
  read(bytes: Buffer, open: OpenCalls): Promise<Reading | undefined>;
  /** The connection is gone: what waits to be read need not be. */
  drop(): void;
}

export interface PeerOptions<H extends MethodTable> {
  readonly socket: PeerSocket;
  /** What the other side may call here: `panelMethods` on the agent, `agentMethods` on the panel. */
  readonly handles: H;
  readonly handlers: Handlers<H>;
  /** Default time for an answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Reads large messages elsewhere; absent: everything is read here. */
  readonly reader?: LargeReader;
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
  /** How many wrong messages there were. */
  readonly wrongMessages: number;
}

/** `C`: the methods of the other side. */
export interface RpcPeer<C extends MethodTable> {
  /** False as soon as either side has begun to close: nothing more is sent or heard. */
  readonly open: boolean;
  /** Unsent bytes; callers with much to say wait while it is high. */
  readonly bufferedAmount: number;
  /** Resolves, never rejects, when the connection is gone. */
  readonly closed: Promise<PeerClosed>;
  /** What the other side understands: what every version does, until it `named` its abilities. */
  readonly understands: Understanding;
  /** The other side said in `hello` what it can be asked for; older ones say nothing. */
  named(abilities?: readonly string[]): void;
  /**
   * Rejects with `RpcError` (the other side refused, or answered nonsense: `internal`; or it is not asked, since it
   * would not understand: `unsupported`), `PeerTimeoutError`,
   * `PeerClosedError` or `PeerBusyError` (was not sent).
   */
  call<M extends keyof C & string>(
    method: M,
    params: z.input<C[M]["params"]>,
    options?: { readonly timeoutMs?: number },
  ): Promise<z.output<C[M]["result"]>>;
  /** Sends without an answer. False when it was dropped: connection closed, not understood, or too much unsent. */
  notify<M extends keyof C & string>(method: M, params: z.input<C[M]["params"]>): boolean;
  close(code?: number, reason?: string): void;
  terminate(): void;
}
