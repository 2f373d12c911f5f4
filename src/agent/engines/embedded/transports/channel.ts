// The byte stream that the relay sees, whatever carries it. A channel is event callbacks on plain fields: one reader at
// a time, no listener lists per chunk.
import type { Socket } from "node:net";

export interface Channel {
  /** The fresh chunk belongs to the callee, who may change it in place. */
  onData: (chunk: Buffer) => void;
  /** The peer sends no more; writing may go on. */
  onEnd: () => void;
  /** `write` may go on after it answered false. */
  onDrain: () => void;
  /** Once, last of all, after an error too. */
  onClose: () => void;
  /** Whether bytes still go anywhere. What is written when not is dropped. */
  readonly writable: boolean;
  /** Whether more is welcome at once; the bytes are taken in either case. */
  write(bytes: Buffer): boolean;
  pause(): void;
  resume(): void;
  /** Sends what was written, then says that no more comes. */
  end(): void;
  destroy(): void;
}

/**
 * What one socket may hold in each direction before back-pressure sets in. Reads come in pieces of 64 KiB; less than
 * that and every write would wait.
 */
export const SOCKET_BUFFER_BYTES = 256 * 1024;

/**
 * Smaller chunks than this are gathered for the rest of the event loop's turn and leave in one system call: TLS and
 * WebSocket clients send 4 KiB at a time.
 */
const GATHER_BELOW_BYTES = 16 * 1024;

export function nothing(): void {}

/** TCP or TLS as it is. Starts paused: `resume` when the callbacks are set. */
export class SocketChannel implements Channel {
  onData: (chunk: Buffer) => void = nothing;
  onEnd: () => void = nothing;
  onDrain: () => void = nothing;
  onClose: () => void = nothing;
  readonly #socket: Socket;
  #gathering = false;
  readonly #flush = () => {
    this.#gathering = false;
    this.#socket.uncork();
  };

  /** The socket needs an error handler of its owner; its `close` follows every error. */
  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => this.onData(chunk));
    socket.on("end", () => this.onEnd());
    socket.on("drain", () => this.onDrain());
    socket.on("close", () => this.onClose());
    socket.pause();
  }

  get writable(): boolean {
    return this.#socket.writable;
  }

  write(bytes: Buffer): boolean {
    const socket = this.#socket;
    if (!socket.writable) return true;
    if (bytes.length < GATHER_BELOW_BYTES && !this.#gathering) {
      this.#gathering = true;
      socket.cork();
      setImmediate(this.#flush);
    }
    return socket.write(bytes);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}
