// A browser before the panel: keeps the cookies that the panel gives, starts sign-ins and links, comes back from the
// provider.
import type { AccessPanel, Answer } from "../panel.ts";

/** Requests of tests come to `localhost:80`. */
export const CALLBACK = "http://localhost/api/login/oidc/callback";

export class Browser {
  readonly panel: AccessPanel;
  readonly ip: string;
  readonly #cookies = new Map<string, string>();

  constructor(panel: AccessPanel, ip = "192.0.2.7") {
    this.panel = panel;
    this.ip = ip;
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  async send(method: "GET" | "POST" | "DELETE", url: string, body?: unknown): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await this.panel.send(method, url, {
      ip: this.ip,
      headers: { cookie },
      ...(body === undefined ? {} : { body }),
    });
    const set = answer.headers["set-cookie"];
    for (const text of Array.isArray(set) ? set.map(String) : typeof set === "string" ? [set] : []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (/; Max-Age=0\b/.test(text)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }

  /** The start of a sign-in. */
  start(provider: number, more: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    return this.send("POST", "/api/login/oidc/start", { provider, redirectUri: CALLBACK, ...more });
  }

  /** The start of a link; the browser must be signed in. */
  link(provider: number, password: string): Promise<Answer> {
    return this.send("POST", "/api/me/oidc/link", { provider, redirectUri: CALLBACK, password });
  }

  /** Comes back with what the provider said; resolves to where it lands. */
  async back(said: URLSearchParams): Promise<string> {
    const answer = await this.send("GET", `/api/login/oidc/callback?${said.toString()}`);
    if (answer.status !== 302) throw new Error(`the callback answered ${answer.status}: ${answer.text}`);
    return String(answer.headers["location"]);
  }
}

/** The address of the provider in a start's answer. */
export function urlOf(answer: Answer): string {
  if (answer.status !== 200) throw new Error(`not started: ${answer.status} ${answer.text}`);
  return String(answer.body["url"]);
}
