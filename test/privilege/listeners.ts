// The listeners: event streams of random credentials, and the receiver of all webhooks. A receiver of a message must
// have had the right to it at some time between one second before the message and now: a demotion may take that second
// to reach a stream, not longer.
import { createServer, type Server } from "node:http";
import { WebSocket } from "ws";
import type { Chance } from "../simulation/chance.ts";
import type { Events } from "./answers.ts";
import type { Model, Reach, Thing } from "./model.ts";
import { mayHear } from "./verdict.ts";
import type { Secrets } from "./secrets.ts";

const GRACE_MS = 1000;
const STREAMS = 14;
/** History that is kept: longer than any judgement looks back. */
const KEPT_MS = 30_000;

interface Heard {
  readonly at: number;
  /** Unix milliseconds since which it may have been decided who hears it. */
  readonly since: number;
  readonly who: string;
  readonly text: string;
  readonly path: "/events/stream" | "/actors/stream" | "webhook";
}

interface Past {
  readonly at: number;
  readonly reach: ReadonlyMap<string, Reach>;
  readonly scopes: ReadonlyMap<string, { base: Reach["base"]; scopes: ReadonlySet<string>; id: number }>;
  readonly hooks: ReadonlyMap<string, Thing>;
}

export class Listeners {
  readonly #model: Model;
  readonly #secrets: Secrets;
  readonly #events: Events;
  readonly #sockets = new Map<WebSocket, string>();
  readonly #heard: Heard[] = [];
  #past: Past[] = [];
  #server: Server | undefined;
  /** Frames and deliveries that were judged. */
  judged = 0;

  constructor(model: Model, secrets: Secrets, events: Events) {
    this.#model = model;
    this.#secrets = secrets;
    this.#events = events;
  }

  async open(): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const at = Date.now();
        const text = Buffer.concat(chunks).toString();
        if (request.url?.startsWith("/oauth")) {
          response.end(JSON.stringify(vouched(request.headers.authorization, text)));
          return;
        }
        const { time } = JSON.parse(text) as { time: number };
        const headers = JSON.stringify(request.headers);
        this.#heard.push({
          at,
          since: time * 1000 - GRACE_MS,
          who: (request.url ?? "").slice(1),
          text: text + headers,
          path: "webhook",
        });
        response.end();
      });
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (typeof address === "object" && address) this.#model.receiver = `http://127.0.0.1:${address.port}`;
  }

  /** Keeps some streams open: of credentials that the model knows. */
  tune(url: string, chance: Chance): void {
    if (this.#sockets.size >= STREAMS) return;
    const labels = [...this.#model.credentials.keys()];
    if (labels.length === 0) return;
    // A session's rights end with it; a token's change while it lives.
    const tokens = labels.filter((each) => this.#model.credentials.get(each)?.via === "token");
    const label = chance.pick(tokens.length > 0 && chance.happens(0.7) ? tokens : labels);
    const credential = this.#model.credentials.get(label);
    const path = chance.happens(0.7) ? "/events/stream" : "/actors/stream";
    const headers: Record<string, string> =
      credential?.via === "token"
        ? { authorization: `Bearer ${credential.text}` }
        : { cookie: credential?.text ?? "", origin: url };
    const socket = new WebSocket(`${url.replace("http", "ws")}/api/v1${path}`, { headers });
    this.#sockets.set(socket, label);
    socket.on("message", (data: Buffer) => {
      const at = Date.now();
      this.#heard.push({ at, since: at - GRACE_MS, who: label, text: data.toString(), path });
    });
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => this.#sockets.delete(socket));
  }

  /** Ends one stream, so that others get their turn. */
  drop(chance: Chance): void {
    const [socket] = this.#sockets.size > 0 ? [chance.pick([...this.#sockets.keys()])] : [];
    socket?.close();
  }

  /** Takes down who may hear what from now on. */
  note(now: number): void {
    const model = this.#model;
    const reach = new Map(
      [...model.credentials.keys()].flatMap((label) =>
        ((by) => (by ? [[label, by] as const] : []))(model.reach(label)),
      ),
    );
    const scopes = new Map(
      [...model.accounts.keys()].map((name) => {
        const id = model.things.get(`admins/${name}`)?.id ?? 0;
        return [name, { base: model.tierOf(name) ?? "resale", scopes: model.accountScopes(name), id }] as const;
      }),
    );
    const hooks = new Map(
      [...model.things]
        .filter(([key]) => key.startsWith("webhooks/"))
        .map(([key, hook]) => [key.slice("webhooks/".length), hook] as const),
    );
    this.#past.push({ at: now, reach, scopes, hooks });
    this.#past = this.#past.filter(({ at }, index) => index >= this.#past.length - 2 || at > now - KEPT_MS);
  }

  /** What was heard by somebody who might not. */
  judge(): string[] {
    return this.#heard.splice(0).flatMap((heard) => this.#faults(heard));
  }

  #faults(heard: Heard): string[] {
    this.judged++;
    const { who, text, path, since } = heard;
    const first = Math.max(
      0,
      this.#past.findLastIndex(({ at }) => at <= since),
    );
    const moments = this.#past.slice(first);
    const told = path === "webhook" ? `the webhook ${who}` : `${who} on ${path}`;
    const known = path === "webhook" ? "" : who;
    const was = moments[0]?.reach.get(who);
    const secrets =
      path === "/events/stream"
        ? this.#secrets.found(text, known, { was })
        : this.#secrets.found(text, known, { was }).filter((what) => !what.startsWith("the name"));
    const leaks = secrets.map((what) => `${told} was sent ${what}: ${text.slice(0, 300)}`);
    if (path === "/actors/stream") {
      const lawful = moments.some(({ reach }) => reach.get(who)?.scopes.has("stats:read"));
      return lawful ? leaks : [...leaks, `${told} heard of actors without stats:read`];
    }
    const { event, recipients, data } = JSON.parse(
      path === "webhook" ? text.slice(0, text.lastIndexOf("}{") + 1) : text,
    ) as {
      event: string;
      recipients?: number[];
      data: { adminId?: number };
    };
    if (event === "panel.ping") return leaks;
    const entry = this.#events.get(event) ?? { scope: "", family: "" };
    const about = { ...entry, about: recipients?.[0] ?? data.adminId };
    const lawful = moments.some((moment) =>
      path === "webhook" ? hookHears(moment, who, about) : streamHears(moment, who, about),
    );
    return lawful
      ? leaks
      : [...leaks, `${told} heard ${event} (needs ${entry.scope}, about ${about.about ?? "nobody"})`];
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.keys()) socket.terminate();
    this.#server?.closeAllConnections();
    await new Promise<void>((resolve) => (this.#server ? this.#server.close(() => resolve()) : resolve()));
  }
}

/** An identity provider that says of everybody what it is asked to: the code, then the token, begin with the name. */
function vouched(authorization: string | undefined, form: string): object {
  const name = authorization?.replace("Bearer ", "");
  return name === undefined
    ? { access_token: new URLSearchParams(form).get("code"), token_type: "bearer" }
    : { id: name.split("~")[0] };
}

type About = Parameters<typeof mayHear>[2];

function streamHears({ reach, scopes }: Past, label: string, about: About): boolean {
  const by = reach.get(label);
  return by !== undefined && mayHear(by, scopes.get(by.account)?.id ?? 0, about);
}

/** What the webhook's maker and its last writer both may hear, with what they wrote it with. */
function hookHears({ hooks, scopes }: Past, name: string, about: About): boolean {
  const hook = hooks.get(name);
  if (!hook || (hook.reach && about.scope !== "" && !hook.reach.has(about.scope))) return false;
  return [hook.owner, hook.editor ?? ""].every((writer) => {
    const account = scopes.get(writer);
    return writer === "" || (account !== undefined && mayHear(account, account.id, about));
  });
}
