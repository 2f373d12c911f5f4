// WebSockets: upgraded after the same gate as a GET, cookies only from the panel's own pages. The caller that a stream
// was opened with is its caller for as long as it is open: a stream whose credential ended, or reaches anything else by
// now, is closed, and started again it is looked at again. So no stream has to follow rights itself.
import type { WebSocket } from "ws";
import { sameReach, type Caller } from "./caller.ts";
import { refuseUnreached } from "./gate.ts";
import { Refusal } from "./refusals/errors.ts";
import type { HttpPorts } from "./ports.ts";
import type { Credential } from "./request/facts.ts";
import type { Socket } from "./route.ts";

/** Close code of a socket whose session or token ended. */
export const CREDENTIAL_ENDED = 4401;
/** Close code of a socket whose credential reaches more, less or something else than when it was opened. */
export const REACH_CHANGED = 4403;
/**
 * What ends by a change is noticed within a second, what ends by time too. The rows behind a credential are in memory,
 * so a look costs next to nothing.
 */
const RECHECK = 500;

/** Sockets that may be open at a time. */
const PER_CREDENTIAL = 16;
const IN_ALL = 1024;

/** An open socket and what it was opened with. */
interface Open {
  readonly route: Socket;
  readonly credential: Credential;
  readonly caller: Caller;
  readonly params: unknown;
  readonly ip: string;
}

/**
 * The open sockets. Their callers are looked up again twice a second, and at once when a commit, this process's or
 * another's, ended credentials.
 */
export class OpenSockets {
  readonly #ports: Pick<HttpPorts, "authenticate">;
  readonly #onError: (error: unknown) => void;
  readonly #open = new Map<WebSocket, Open>();
  /** Places taken, by credential and in all. */
  readonly #places = new Map<string, number>();
  #taken = 0;
  readonly #timer: NodeJS.Timeout;
  #checking: Promise<void> | undefined;
  #failing = false;

  constructor(ports: Pick<HttpPorts, "authenticate">, onError: (error: unknown) => void) {
    this.#ports = ports;
    this.#onError = onError;
    this.#timer = setInterval(() => void (this.#checking ?? this.check()), RECHECK);
    this.#timer.unref();
  }

  add(socket: WebSocket, open: Open): void {
    this.#open.set(socket, open);
    socket.on("close", () => this.#open.delete(socket));
    socket.on("error", this.#onError);
  }

  /**
   * Takes a place for a socket that is about to be opened, 16 for each credential and 1,024 in all (rule http.limit.6);
   * throws 429 where there is none. The caller releases it once, when the underlying connection is closed: a socket
   * that is still being upgraded, or does not end, holds its place.
   */
  takePlace(caller: Caller): () => void {
    const key = caller.via === "token" ? `token:${caller.tokenId}` : `session:${caller.sessionId}`;
    const held = this.#places.get(key) ?? 0;
    if (held >= PER_CREDENTIAL)
      throw new Refusal("rate_limited", { message: `${held} sockets of this credential are open`, retryAfter: 1 });
    if (this.#taken >= IN_ALL)
      throw new Refusal("rate_limited", { message: `${this.#taken} sockets are open`, retryAfter: 1 });
    this.#places.set(key, held + 1);
    this.#taken++;
    return () => {
      const left = (this.#places.get(key) ?? 1) - 1;
      if (left === 0) this.#places.delete(key);
      else this.#places.set(key, left);
      this.#taken--;
    };
  }

  get size(): number {
    return this.#open.size;
  }

  /** Closes the sockets whose credential no longer reaches what it did. Never rejects. */
  async check(): Promise<void> {
    const checking = this.#check().finally(() => {
      if (this.#checking === checking) this.#checking = undefined;
    });
    this.#checking = checking;
    return checking;
  }

  /** Ends every socket; for shutdown. */
  close(): void {
    clearInterval(this.#timer);
    for (const socket of this.#open.keys()) socket.close(1001, "shutting down");
  }

  async #check(): Promise<void> {
    const errors: unknown[] = [];
    const look = async ([socket, open]: readonly [WebSocket, Open]): Promise<void> => {
      try {
        const code = await this.#endOf(open);
        if (code !== undefined) socket.close(code, code === REACH_CHANGED ? "rights changed" : "credential ended");
      } catch (error) {
        errors.push(error);
      }
    };
    await Promise.all([...this.#open].map(look));
    // A database that is away is told of once, not for each socket and look.
    if (errors.length > 0 && !this.#failing) this.#onError(errors[0]);
    this.#failing = errors.length > 0;
  }

  /** The code with which a socket must be closed now; undefined: it stays. */
  async #endOf({ route, credential, caller, params, ip }: Open): Promise<number | undefined> {
    const now = await orRefused(this.#ports.authenticate(credential, { ip }, false));
    if (now === undefined) return CREDENTIAL_ENDED;
    if (!sameReach(caller, now)) return REACH_CHANGED;
    const reached = await orRefused(
      (async () => {
        refuseUnreached(route, now, false);
        await route.admit?.(now, params);
        return true;
      })(),
    );
    return reached === undefined ? REACH_CHANGED : undefined;
  }
}

/** What a promise resolves to; undefined where it is refused. */
async function orRefused<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
