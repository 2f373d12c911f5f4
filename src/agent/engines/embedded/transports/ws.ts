// A tunnel through WebSocket frames: the server's end, after the opening handshake.
import type { Socket } from "node:net";
import { nothing } from "./channel.ts";
import type { Channel } from "./channel.ts";
import { encodeControlFrame, FrameDecoder, frameHeadLength, Opcode, writeFrameHead } from "./ws-frames.ts";

/** Pongs waiting to be sent at most; a peer that pings without reading is not answered beyond. */
const MAX_PONG_BACKLOG_BYTES = 64 * 1024;

/**
 * From the last byte to our close frame. v2ray clients take the frame for a failure and drop what they have received
 * and not yet handed on, so they get the time to hand it on, as they do from a server of their own kind.
 */
const LINGER_MS = 1000;

/** Starts paused, like every channel. A close frame is the peer's end: nothing can be sent after it. */
export class WsChannel implements Channel {
  onData: (chunk: Buffer) => void = nothing;
  onEnd: () => void = nothing;
  onDrain: () => void = nothing;
  onClose: () => void = nothing;
  readonly #socket: Socket;
  readonly #decoder: FrameDecoder;
  #ended = false;
  #peerEnded = false;
  #linger: NodeJS.Timeout | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#decoder = new FrameDecoder({
      onPayload: (bytes) => this.onData(bytes),
      onPing: (payload) => {
        if (!this.#ended && socket.writable && socket.writableLength < MAX_PONG_BACKLOG_BYTES)
          socket.write(encodeControlFrame(Opcode.pong, payload));
      },
      onClose: () => this.#peerCloses(),
    });
    socket.on("data", (chunk: Buffer) => this.feed(chunk));
    socket.on("end", () => this.#peerEnds());
    socket.on("drain", () => this.onDrain());
    socket.on("close", () => {
      clearTimeout(this.#linger);
      this.onClose();
    });
    socket.pause();
  }

  /** Takes bytes that were read beyond the handshake. */
  feed(chunk: Buffer): void {
    if (this.#decoder.feed(chunk) === undefined || this.#ended) return;
    // 1002: protocol error.
    this.#ended = true;
    this.#socket.end(encodeControlFrame(Opcode.close, Buffer.from([0x03, 0xea])));
    this.#socket.destroySoon();
  }

  get writable(): boolean {
    return !this.#ended && this.#socket.writable;
  }

  write(bytes: Buffer): boolean {
    const socket = this.#socket;
    if (this.#ended || !socket.writable) return true;
    const head = Buffer.allocUnsafe(frameHeadLength(bytes.length));
    writeFrameHead(head, 0, Opcode.binary, bytes.length);
    socket.cork();
    socket.write(head);
    const more = socket.write(bytes);
    socket.uncork();
    return more;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** The peer gets the close frame a moment after all data, or immediately if it sends one itself. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    // An empty write is called back after all before it.
    if (this.#socket.writable) this.#socket.write("", () => this.#lingerOn());
  }

  #lingerOn(): void {
    if (this.#peerEnded) this.#sayGoodbye();
    else if (this.#socket.writable) this.#linger = setTimeout(() => this.#sayGoodbye(), LINGER_MS);
  }

  #sayGoodbye(): void {
    clearTimeout(this.#linger);
    this.#ended = true;
    // 1000: normal closure.
    if (this.#socket.writable) this.#socket.end(encodeControlFrame(Opcode.close, Buffer.from([0x03, 0xe8])));
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #peerCloses(): void {
    this.#sayGoodbye();
    this.#peerEnds();
  }

  #peerEnds(): void {
    if (this.#peerEnded) return;
    this.#peerEnded = true;
    if (this.#linger) this.#sayGoodbye();
    this.onEnd();
  }
}
