// What the HTTP surface needs from above; features implement it and `main` wires it.
import type { Server as TlsServer } from "node:tls";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { z } from "zod";
import { defineFact, type Committer, type Draft, type Liveness, type Reader } from "../db/index.ts";
import type { AddressList } from "../lib/addresses.ts";
import type { Signals } from "../lib/signals.ts";
import type { UntrustedProxies } from "./request/untrusted-proxies.ts";
import type { AuditRecord } from "./audit.ts";
import type { Caller } from "./caller.ts";
import type { DescriptionPlace } from "./openapi/openapi.ts";
import type { RequestFacts } from "./context.ts";
import type { Credential } from "./request/facts.ts";
import type { Shortcut } from "./shortcuts.ts";

export interface HttpPorts {
  /**
   * The live caller behind a credential, or undefined. Throws a refusal where the address may not use it. `touch`: this
   * use keeps a session alive.
   */
  authenticate(credential: Credential, request: Pick<RequestFacts, "ip">, touch: boolean): Promise<Caller | undefined>;
  /** Writes an audit record with the change; called inside `decide`. */
  audit(draft: Draft, record: AuditRecord): void;
  /** Throws 404 while setup is pending and `token` (query `t`) is not the setup token, 429 for a banned address. */
  admitDuringSetup(token: string | undefined, ip: string): Promise<void>;
  /** Told of an error that no route expected, after it was logged. */
  crashed?(request: { readonly method: string; readonly path: string }, error: unknown): void;
}

/** What is served in addition to the declared routes: the answerer `subscriptions` (listeners/answerers.ts). */
export interface Plugin {
  register(app: FastifyInstance): void;
  /**
   * Whether an address is one of its own; outside a hidden base path, and on further listeners, it is asked for no
   * other.
   */
  owns(method: string, url: string): boolean;
  /** Answers what it can of the same before the framework does. */
  readonly shortcut?: Shortcut;
}

/** Credentials ended, of this session, token or account: open sockets are checked at once. */
export const CREDENTIALS_ENDED = defineFact("credentials.ended", z.int());

export interface HttpOptions {
  readonly commits: Committer;
  readonly reads: Reader;
  /**
   * Resolves when this process knows what the others on its database answered before; undefined where there are none.
   * Rejects when the database is away.
   */
  readonly caughtUp?: () => Promise<void> | undefined;
  /** Whether this panel is about to start again and serves nobody until then; `/healthz` says so. */
  readonly restarting?: () => Promise<boolean>;
  /** Resolves when the database answers; for `/healthz`. */
  readonly ping: () => Promise<void>;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
  /** Hears of requests; nobody where none is given. */
  readonly signals?: Signals;
  /** Seals stored answers that carry secrets; 32 bytes. */
  readonly secretKey: Uint8Array;
  /** Names this process's run. */
  readonly boot: string;
  /** Set where several processes share the database: which of their runs are alive. */
  readonly liveness?: Liveness;
  /** `` or `/segment[/segment…]`. */
  readonly basePath: string;
  readonly trustedProxies: () => AddressList;
  /** Hears of proxies that are not among them; absent: nobody does. */
  readonly untrusted?: UntrustedProxies;
  /** The panel's version, for the description document. */
  readonly version: string;
  /** What the features add to the description document. */
  readonly description?: Pick<DescriptionPlace, "words" | "events">;
  /**
   * Whether the panel is reached under this host name (`host[:port]`); under other names, only `/healthz` and what is
   * mounted outside the API is served. Absent: every name is accepted.
   */
  readonly servesPanel?: (host: string) => boolean;
  /** A web site at the addresses that are not the panel's; needs a base path. */
  readonly website?: WebsiteFolder;
  /** Nothing is served but setup. */
  readonly pending?: boolean;
}

/** The directory of a web site. */
export interface WebsiteFolder {
  readonly directory: string;
  /** Whether it may be served from this real path, to which its links lead now. */
  admits(root: string): boolean;
}

/** What an HTTPS listener begins with. */
export interface TlsOptions {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  readonly minVersion: "TLSv1.2" | "TLSv1.3";
  /** Told of each server that serves it: a later certificate is given to them. Returns the way to leave one out. */
  readonly onServer?: (server: Pick<TlsServer, "setSecureContext">) => () => void;
}
