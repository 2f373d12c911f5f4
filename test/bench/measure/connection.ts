// The HTTP side of the generator: one keep-alive connection that sends a request and waits for its answer. Small on
// purpose: what the generator uses up of the machine's cores is missing to whoever is measured.
import { connect, type Socket } from "node:net";

export interface Answer {
  readonly status: number;
  readonly body: string;
}

const HEAD_END = "\r\n\r\n";
const LAST_CHUNK = "0\r\n\r\n";

export class Connection {
  readonly #socket: Socket;
  #received = "";
  #settle: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      this.#received += text;
      this.#look();
    });
    const failed = (error?: Error) => this.#settle?.reject(error ?? new Error("the server closed the connection"));
    socket.on("error", failed);
    socket.on("close", () => failed());
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(new Connection(socket));
      });
    });
  }

  /** Sends a request (see `requestText`) and resolves to the answer. One at a time. */
  ask(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request, "latin1");
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #look(): void {
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.#received.slice(0, headEnd);
    const from = headEnd + HEAD_END.length;
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    let body: string;
    if (length !== undefined) {
      if (this.#received.length < from + Number(length)) return;
      body = this.#received.slice(from, from + Number(length));
    } else if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      if (!this.#received.endsWith(LAST_CHUNK)) return;
      body = this.#received.slice(from);
    } else body = "";
    this.#received = "";
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.resolve({ status: Number(head.slice(9, 12)), body });
  }
}

/** A request as bytes on the wire. ASCII alone. */
export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  if (body !== undefined) lines.push("content-type: application/json", `content-length: ${body.length}`);
  return `${lines.join("\r\n")}${HEAD_END}${body ?? ""}`;
}
