// Requests to the panel, each from an address of its own.
import { Agent, request } from "node:http";
import type { Credential } from "./model.ts";

export interface Received {
  readonly status: number;
  readonly text: string;
  /** The session cookie that it set, as a `Cookie` header. */
  readonly cookie: string;
  /** The value of the cookie `panel_oidc`, and where a redirect leads. */
  readonly browser: string;
  readonly landing: string;
}

export class Wire {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  #source = 0;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  send(
    { method, target, body, browser }: { method: string; target: string; body: unknown; browser?: string },
    credential: Credential | undefined,
  ): Promise<Received> {
    const source = `10.${(this.#source >> 16) & 255}.${(this.#source >> 8) & 255}.${this.#source++ & 255}`;
    const bytes = body === undefined ? undefined : JSON.stringify(body);
    const cookies = [...(credential?.via === "session" ? [credential.text] : []), ...(browser ? [browser] : [])];
    const headers = {
      "x-forwarded-for": source,
      ...(credential?.via === "token" ? { authorization: `Bearer ${credential.text}` } : {}),
      ...(cookies.length > 0 ? { cookie: cookies.join("; ") } : {}),
      ...(bytes === undefined
        ? {}
        : { "content-type": "application/json", "content-length": String(Buffer.byteLength(bytes)) }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(
        { host: this.#url.hostname, port: this.#url.port, path: target, method, agent: this.#agent, headers },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const set = (response.headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0] ?? "");
            const named = (name: string) => set.find((cookie) => cookie.startsWith(`${name}=`)) ?? "";
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(chunks).toString(),
              cookie: named("panel_session"),
              browser: named("panel_oidc"),
              landing: response.headers.location ?? "",
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
