// WebSockets: upgraded after the same gate as a GET, cookies only from the panel's own pages, closed with 4401 when the credential ends.
import type { WebSocket } from "ws";
import type { Caller } from "./caller.ts";
import { refuseUnreached } from "./gate.ts";
import { Refusal } from "./errors.ts";
import type { Credential, HttpPorts } from "./ports.ts";
import type { Socket } from "./route.ts";

/** Close code of a socket whose session or token ended (decisions 13). */
export const CREDENTIAL_ENDED = 4401;
const RECHECK = 5000;

interface Open {
  readonly route: Socket;
  readonly credential: Credential;
  readonly ip: string;
}

/** The open sockets. Checks their credentials every few seconds and at once when this process ended some. */
export class OpenSockets {
  readonly #ports: Pick<HttpPorts, "authenticate">;
  readonly #onError: (error: unknown) => void;
  readonly #open = new Map<WebSocket, Open>();
  readonly #timer: NodeJS.Timeout;

  constructor(ports: Pick<HttpPorts, "authenticate">, onError: (error: unknown) => void) {
    this.#ports = ports;
    this.#onError = onError;
    this.#timer = setInterval(() => void this.check(), RECHECK);
    this.#timer.unref();
  }

  add(socket: WebSocket, open: Open): void {
    this.#open.set(socket, open);
    socket.on("close", () => this.#open.delete(socket));
    socket.on("error", this.#onError);
  }

  get size(): number {
    return this.#open.size;
  }

  /** Closes the sockets whose credential no longer reaches their route. Never rejects. */
  async check(): Promise<void> {
    await Promise.all(
      [...this.#open].map(async ([socket, open]) => {
        try {
          if (!(await this.#stillReaches(open))) socket.close(CREDENTIAL_ENDED, "credential ended");
        } catch (error) {
          this.#onError(error);
        }
      }),
    );
  }

  /** Ends every socket; for shutdown. */
  close(): void {
    clearInterval(this.#timer);
    for (const socket of this.#open.keys()) socket.close(1001, "shutting down");
  }

  async #stillReaches({ route, credential, ip }: Open): Promise<boolean> {
    try {
      const caller: Caller | undefined = await this.#ports.authenticate(credential, { ip }, false);
      if (caller === undefined) return false;
      refuseUnreached(route, caller, false);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }
}
