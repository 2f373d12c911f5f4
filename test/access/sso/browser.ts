// A browser before the panel: keeps the cookies that the panel gives, starts sign-ins and links, comes back from the
// provider.
import type { AccessPanel, Answer } from "../panel.ts";

/** What clients name; each provider is told its own below it. Requests of tests come to `localhost:80`. */
export const CALLBACK = "http://localhost/api/login/oidc/callback";

export class Browser {
  readonly panel: AccessPanel;
  readonly ip: string;
  readonly #cookies = new Map<string, string>();
  /** Where providers were told to send this browser, by state. */
  readonly #callbacks = new Map<string, string>();

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
    return this.#begin("/api/login/oidc/start", { provider, redirectUri: CALLBACK, ...more });
  }

  /** The start of a link; the browser must be signed in. */
  link(provider: number, password: string): Promise<Answer> {
    return this.#begin("/api/me/oidc/link", { provider, redirectUri: CALLBACK, password });
  }

  /**
   * Comes back with what the provider said; resolves to where it lands. `to`: the callback, which is the one that the
   * provider was told unless said.
   */
  async back(said: URLSearchParams, to = this.#callbacks.get(said.get("state") ?? "") ?? CALLBACK): Promise<string> {
    const answer = await this.send("GET", `${new URL(to).pathname}?${said.toString()}`);
    if (answer.status !== 302) throw new Error(`the callback answered ${answer.status}: ${answer.text}`);
    return String(answer.headers["location"]);
  }

  async #begin(path: string, body: object): Promise<Answer> {
    const answer = await this.send("POST", path, body);
    if (answer.status === 200) {
      const asked = new URL(String(answer.body["url"])).searchParams;
      this.#callbacks.set(asked.get("state") ?? "", asked.get("redirect_uri") ?? "");
    }
    return answer;
  }
}

/** The address of the provider in a start's answer. */
export function urlOf(answer: Answer): string {
  if (answer.status !== 200) throw new Error(`not started: ${answer.status} ${answer.text}`);
  return String(answer.body["url"]);
}
