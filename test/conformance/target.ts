// The panel under attack: a whole one on a real database, with something in every table that the routes speak of.
import { Agent, request } from "node:http";
import { WholePanel } from "../whole-panel.ts";
import type { Dialect } from "../../src/db/index.ts";
import type { Attempt } from "./attempts.ts";
import { Description, type Document, type Received } from "./described.ts";

const VLESS = { listen: "127.0.0.1", listen_port: 1 };
const ROUTE = { final: "direct" };

/** The descriptions of both prefixes as one. What they name alike is alike. */
function bothOf(documents: readonly Document[]): Document {
  const parts = (name: "schemas" | "responses" | "headers") =>
    Object.assign({}, ...documents.map(({ components }) => components[name] ?? {})) as Document["components"][string];
  return {
    paths: Object.assign({}, ...documents.map(({ paths }) => paths)) as Document["paths"],
    components: { schemas: parts("schemas"), responses: parts("responses"), headers: parts("headers") },
  };
}

export class Target {
  readonly panel: WholePanel;
  readonly description: Description;
  readonly document: Document;
  /** Ids of what it was filled with, by collection (`users`, `admins` …). */
  readonly ids = new Map<string, number[]>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });
  #source = 0;

  private constructor(panel: WholePanel, document: Document) {
    this.panel = panel;
    this.document = document;
    this.description = new Description(document);
  }

  static async open(dialect: Dialect): Promise<Target> {
    // Wrong codes are sent by the dozen: none of them waits for its turn.
    const panel = await WholePanel.open(dialect, undefined, async () => {});
    // Every request to an open route comes from an address of its own; otherwise all but sixty a minute were 429.
    await panel.call("PUT", "/api/settings/trusted_proxies", { value: "127.0.0.1" });
    await panel.call("PUT", "/api/settings/webhook_allow_private", { value: "true" });
    const documents = await Promise.all(
      ["api", "api/v1"].map(async (prefix) => {
        return (await panel.call("GET", `/api/openapi.json?prefix=${prefix}`)).body as Document;
      }),
    );
    const document = bothOf(documents);
    const target = new Target(panel, document);
    await target.#fill();
    return target;
  }

  async #fill(): Promise<void> {
    const made = async (path: string, body: unknown): Promise<number> => {
      const answer = await this.panel.call("POST", `/api${path}`, body);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
      const { id } = answer.body as { id: number };
      const collection = path.slice(1);
      this.ids.set(collection, [...(this.ids.get(collection) ?? []), id]);
      return id;
    };
    for (const name of ["Anna", "boris", "50%_off"])
      await made("/users", { name, group: "g", contact: { email: `${name}@example.org` } });
    const inbound = await made("/inbounds", { tag: "in", type: "vless", config: VLESS });
    const outbound = await made("/outbounds", { tag: "direct", type: "direct", config: {} });
    const templateId = await made("/templates", {
      name: "t",
      inboundIds: [inbound],
      outboundIds: [outbound],
      route: ROUTE,
    });
    await made("/nodes", { name: "n", address: "127.0.0.1", port: 9, templateId });
    await made("/plans", { name: "p", days: 30 });
    await made("/webhooks", { name: "w", url: "http://127.0.0.1:9/hook" });
    await made("/roles", { name: "narrow", base: "admin", scopes: ["users:read"] });
    await made("/admins", { username: "second", password: "correct horse", role: "admin" });
    await made("/admins", { username: "shop", password: "correct horse", role: "resale" });
    await made("/tokens", { desc: "spare" });
  }

  /** Sends a request with the panel's token, or with the session's cookie. */
  async send({ method, target, headers, body }: Attempt, by: "token" | "session" | "nobody"): Promise<Received> {
    const source = `10.${(this.#source >> 16) & 255}.${(this.#source >> 8) & 255}.${this.#source++ & 255}`;
    const credential =
      by === "token"
        ? { authorization: `Bearer ${this.panel.token}` }
        : by === "session"
          ? { cookie: this.panel.cookie }
          : undefined;
    const url = new URL(this.panel.url);
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: url.hostname,
          port: url.port,
          path: target,
          method,
          agent: this.#agent,
          headers: {
            ...credential,
            "x-forwarded-for": source,
            ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
            ...Object.fromEntries(
              Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString("latin1")]),
            ),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      // Status 0: the connection ended without an answer, which is a fault to report like any other.
      sent.on("error", (error) =>
        resolve({ status: 0, headers: {}, body: `${error.message}${sent.reusedSocket ? " (kept alive)" : ""}` }),
      );
      sent.end(body);
    });
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.panel.dispose();
  }
}
