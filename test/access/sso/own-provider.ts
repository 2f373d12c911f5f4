// An identity provider that does what a test tells it: by itself it is a correct OpenID Connect and OAuth 2.0 provider;
// every answer can be made wrong.
import { createHash, createSign, generateKeyPairSync, randomUUID, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { listening } from "./real-provider.ts";

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export function signingKey(): SigningKey {
  return { kid: randomUUID(), ...generateKeyPairSync("rsa", { modulusLength: 2048 }) };
}

type Answer = (request: IncomingMessage, response: ServerResponse, form: URLSearchParams) => void;

/** An issued code: what the authorization request said, and for which account. */
interface Granted {
  readonly asked: URLSearchParams;
  readonly subject: string;
}

export class OwnProvider {
  readonly issuer: string;
  /** Calls so far, as `METHOD /path`. */
  readonly calls: string[] = [];
  /** Subject that signs in. */
  subject = "subject-1";
  /** Key that signs, and keys that are published. */
  key = signingKey();
  published: readonly SigningKey[] = [this.key];
  /** Changes the claims, the header, or the whole id_token. */
  claims: (claims: Record<string, unknown>) => Record<string, unknown> = (claims) => claims;
  header: (header: Record<string, unknown>) => Record<string, unknown> = (header) => header;
  token: (token: string) => string = (token) => token;
  /** Changes the discovery document. */
  document: (document: Record<string, unknown>) => Record<string, unknown> = (document) => document;
  /** The user endpoint's answer. */
  user: () => unknown = () => ({ id: this.subject, email: `${this.subject}@example.com` });
  /** Sends a code wherever it is asked to, and gives tokens without comparing that address: as little as any does. */
  loose = false;
  /** Answers in place of the provider, by path. */
  readonly instead = new Map<string, Answer>();
  readonly #codes = new Map<string, Granted>();
  readonly #tokens = new Map<string, Granted>();
  readonly #server: Server;
  /** Unix milliseconds. */
  readonly #now: () => number;

  private constructor(server: Server, issuer: string, now: () => number) {
    this.#server = server;
    this.issuer = issuer;
    this.#now = now;
    server.on("request", (request, response) => void this.#serve(request, response));
  }

  /** `now`: the clock that id_tokens are dated by. */
  static async open(now: () => number = Date.now): Promise<OwnProvider> {
    const server = createServer();
    return new OwnProvider(server, await listening(server), now);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** A correct provider again, with the keys that it has. */
  behave(): void {
    this.claims = this.header = this.document = (given) => given;
    this.token = (token) => token;
    this.user = () => ({ id: this.subject, email: `${this.subject}@example.com` });
    this.published = [this.key];
    this.instead.clear();
    this.calls.length = 0;
  }

  /** What the browser brings back: the subject agreed to what the panel asked for. */
  agree(authorizationUrl: string, more: Readonly<Record<string, string>> = {}): URLSearchParams {
    const asked = new URL(authorizationUrl).searchParams;
    const code = randomUUID();
    this.#codes.set(code, { asked, subject: this.subject });
    return new URLSearchParams({ code, state: asked.get("state") ?? "", ...more });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", this.issuer);
    this.calls.push(`${request.method} ${pathname}`);
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const form = new URLSearchParams(Buffer.concat(parts).toString());
    const answer = this.instead.get(pathname) ?? this.#answers[pathname];
    if (answer) answer(request, response, form);
    else response.writeHead(404).end();
  }

  readonly #answers: Readonly<Record<string, Answer>> = {
    "/.well-known/openid-configuration": (_request, response) => {
      const { issuer } = this;
      const endpoints = {
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
      };
      send(
        response,
        this.document({
          issuer,
          ...endpoints,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
        }),
      );
    },
    "/jwks": (_request, response) =>
      send(response, {
        keys: this.published.map(({ kid, publicKey }) => ({
          ...publicKey.export({ format: "jwk" }),
          kid,
          use: "sig",
          alg: "RS256",
        })),
      }),
    "/token": (request, response, form) => {
      const granted = this.#codes.get(form.get("code") ?? "");
      this.#codes.delete(form.get("code") ?? "");
      const challenge = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      const right =
        granted?.asked.get("code_challenge") === challenge &&
        (this.loose || granted.asked.get("redirect_uri") === form.get("redirect_uri"));
      if (!granted || !right) return send(response, { error: "invalid_grant" }, 400);
      const [, basic = ""] = /^Basic (.+)$/.exec(request.headers.authorization ?? "") ?? [];
      const [user = ""] = Buffer.from(basic, "base64").toString().split(":");
      const client = form.get("client_id") ?? decodeURIComponent(user);
      if (client !== granted.asked.get("client_id")) return send(response, { error: "invalid_client" }, 401);
      const access = randomUUID();
      this.#tokens.set(access, granted);
      const asksIdentity = (granted.asked.get("scope") ?? "").split(" ").includes("openid");
      send(response, {
        access_token: access,
        token_type: "Bearer",
        ...(asksIdentity ? { id_token: this.token(this.#idToken(client, granted)) } : {}),
      });
    },
    "/user": (request, response) => {
      const [, token = ""] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
      if (this.#tokens.has(token)) send(response, this.user());
      else response.writeHead(401).end();
    },
  };

  #idToken(client: string, { asked, subject }: Granted): string {
    const time = Math.floor(this.#now() / 1000);
    const claims = {
      iss: this.issuer,
      aud: client,
      sub: subject,
      iat: time,
      exp: time + 300,
      nonce: asked.get("nonce"),
    };
    const parts = [this.header({ alg: "RS256", kid: this.key.kid }), this.claims(claims)];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    return `${text}.${createSign("RSA-SHA256").update(text).sign(this.key.privateKey).toString("base64url")}`;
  }
}

function send(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
