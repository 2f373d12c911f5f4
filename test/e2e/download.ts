// A download as a user's program makes it: HTTP through the SOCKS5 port of a proxy client, every byte of the body
// counted when it arrives.
import { connect, type Socket } from "node:net";
import { startStopwatch } from "../stopwatch.ts";

export interface DownloadOptions {
  readonly socksPort: number;
  readonly originPort: number;
  readonly bytes: number;
  /** Bytes a second; as fast as it goes without. */
  readonly rate?: number;
}

export class Download {
  /** Resolves when every byte arrived; rejects when the connection was refused or ended before. */
  readonly finished: Promise<void>;
  readonly #socket: Socket;
  readonly #options: DownloadOptions;
  readonly #watchers = new Set<() => void>();
  #received = 0;
  /** Since the last piece. */
  #pause = startStopwatch();
  #longestGap = 0;
  #over = false;

  constructor(options: DownloadOptions) {
    this.#options = options;
    this.#socket = connect(options.socksPort, "127.0.0.1");
    this.finished = this.#run().finally(() => {
      this.#over = true;
      this.#socket.destroy();
      this.#look();
    });
    // A caller that only asks for `received` need not hear of the end.
    this.finished.catch(() => undefined);
  }

  /** Bytes of the body so far. */
  get received(): number {
    return this.#received;
  }

  get over(): boolean {
    return this.#over;
  }

  /** The longest time between two pieces, in milliseconds of a quiet machine. */
  get longestGap(): number {
    return this.#longestGap;
  }

  /** Resolves when `bytes` have arrived or the download is over; to whether they have. */
  reached(bytes: number): Promise<boolean> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.#received < bytes && !this.#over) return;
        this.#watchers.delete(look);
        resolve(this.#received >= bytes);
      };
      this.#watchers.add(look);
      look();
    });
  }

  stop(): void {
    this.#socket.destroy(new Error("stopped by the test"));
  }

  async #run(): Promise<void> {
    const { originPort, bytes, rate } = this.#options;
    const socket = this.#socket;
    const port = Buffer.from([originPort >> 8, originPort & 255]);
    socket.write(Buffer.from([5, 1, 0]));
    let stage: "greeting" | "connecting" | "head" | "body" = "greeting";
    let buffer: Buffer = Buffer.alloc(0);
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      if (stage === "body") {
        this.#count(chunk.length);
      } else {
        buffer = Buffer.concat([buffer, chunk]);
        if (stage === "greeting" && buffer.length >= 2) {
          socket.write(Buffer.concat([Buffer.from([5, 1, 0, 1, 127, 0, 0, 1]), port]));
          buffer = buffer.subarray(2);
          stage = "connecting";
        }
        if (stage === "connecting" && buffer.length >= 10) {
          if (buffer[1] !== 0) throw new Error(`the proxy refused: ${buffer[1]}`);
          socket.write(
            `GET /bytes/${bytes}${rate === undefined ? "" : `?rate=${rate}`} HTTP/1.1\r\nHost: 127.0.0.1:${originPort}\r\nConnection: close\r\n\r\n`,
          );
          buffer = buffer.subarray(10);
          stage = "head";
        }
        const end = stage === "head" ? buffer.indexOf("\r\n\r\n") : -1;
        if (end >= 0) {
          stage = "body";
          this.#count(buffer.length - end - 4);
        }
      }
      if (this.#received >= bytes) return;
    }
    throw new Error(`the connection ended after ${this.#received} of ${bytes} bytes`);
  }

  #count(bytes: number): void {
    if (this.#received > 0) this.#longestGap = Math.max(this.#longestGap, this.#pause());
    this.#pause = startStopwatch();
    this.#received += bytes;
    this.#look();
  }

  #look(): void {
    for (const look of this.#watchers) look();
  }
}
