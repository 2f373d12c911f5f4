// Requests to the panel, each from an address of its own.
import { Agent, request } from "node:http";
import type { Credential } from "./model.ts";

export interface Received {
  readonly status: number;
  /** Body and headers: both are looked through for secrets. */
  readonly text: string;
  /** The session cookie that it set, as a `Cookie` header. */
  readonly cookie: string;
}

export class Wire {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  #source = 0;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  send({ method, target, body }: { method: string; target: string; body: unknown }, credential: Credential | undefined): Promise<Received> {
    const source = `10.${(this.#source >> 16) & 255}.${(this.#source >> 8) & 255}.${this.#source++ & 255}`;
    const bytes = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      "x-forwarded-for": source,
      ...(credential?.via === "token" ? { authorization: `Bearer ${credential.text}` } : {}),
      ...(credential?.via === "session" ? { cookie: credential.text } : {}),
      ...(bytes === undefined ? {} : { "content-type": "application/json", "content-length": String(Buffer.byteLength(bytes)) }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(
        { host: this.#url.hostname, port: this.#url.port, path: target, method, agent: this.#agent, headers },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const cookies = (response.headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0] ?? "");
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(chunks).toString(),
              cookie: cookies.find((cookie) => cookie.startsWith("panel_session=")) ?? "",
            });
          });
        },
      );
      sent.on("error", reject);
      sent.end(bytes);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
