// A WebSocket that is kept: opened again after a failure, let go while the tab is hidden, and after a session that
// ended opened once somebody signed in again.
import { passHurdle } from "./hurdles.ts";
import type { KeptSocket, LinkState, SocketOwner } from "./socket-owner.ts";

/** Close code of a socket whose session ended. */
const SESSION_ENDED = 4401;
const FIRST_RETRY = 500;
const LONGEST_RETRY = 8000;
/** A tab that is only switched away from for a moment keeps its connection. */
const HIDDEN_FOR = 10_000;

export class SteadySocket implements KeptSocket {
  readonly #owner: SocketOwner;
  #state: LinkState = { status: "off" };
  #socket: WebSocket | undefined;
  #wanted = false;
  #failures = 0;
  #retry: number | undefined;
  #hiding: number | undefined;

  constructor(owner: SocketOwner) {
    this.#owner = owner;
  }

  get state(): LinkState {
    return this.#state;
  }

  open(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    document.addEventListener("visibilitychange", this.#seen);
    addEventListener("online", this.#retryNow);
    this.#connect();
  }

  close(): void {
    this.#wanted = false;
    document.removeEventListener("visibilitychange", this.#seen);
    removeEventListener("online", this.#retryNow);
    window.clearTimeout(this.#hiding);
    this.#drop();
    this.#become({ status: "off" });
  }

  /** Opens another connection in place of the one that is there: the path is another one. */
  renew(): void {
    if (this.#socket) this.#connect();
  }

  #connect(): void {
    this.#drop();
    if (!this.#wanted) return;
    if (document.hidden) return this.#become({ status: "paused" });
    if (this.#state.status !== "lost" && this.#state.status !== "live") this.#become({ status: "connecting" });
    const socket = new WebSocket(new URL(this.#owner.path(), document.baseURI));
    this.#socket = socket;
    socket.addEventListener("open", () => {
      if (this.#socket === socket) this.#owner.opened?.();
    });
    socket.addEventListener("message", (event) => {
      if (this.#socket !== socket) return;
      this.#owner.message(JSON.parse(String(event.data)));
    });
    socket.addEventListener("close", ({ code }) => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      if (code === SESSION_ENDED) return void this.#signInAgain();
      this.#owner.ended?.(code);
      // Started again under the rights of now; where they do not reach the stream any more, its owner closes it.
      this.#retryLater();
    });
  }

  /** The owner says that the connection works. */
  works(): void {
    this.#failures = 0;
    if (this.#state.status !== "live") this.#become({ status: "live" });
  }

  async #signInAgain(): Promise<void> {
    this.#become({ status: "lost", since: Date.now() });
    if (await passHurdle("session")) this.#connect();
  }

  #retryLater(): void {
    if (!this.#wanted) return;
    if (this.#state.status !== "lost") this.#become({ status: "lost", since: Date.now() });
    const most = Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** this.#failures);
    this.#failures++;
    // Half of it is random, so that not all readers reconnect to a restarted panel at the same moment.
    this.#retry = window.setTimeout(() => this.#connect(), most / 2 + Math.random() * (most / 2));
  }

  readonly #retryNow = (): void => {
    if (this.#wanted && !this.#socket) this.#connect();
  };

  readonly #seen = (): void => {
    window.clearTimeout(this.#hiding);
    if (!document.hidden) return this.#retryNow();
    this.#hiding = window.setTimeout(() => {
      this.#drop();
      this.#become({ status: "paused" });
    }, HIDDEN_FOR);
  };

  #drop(): void {
    window.clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    // Browsers complain on their console of one that is closed before it is open.
    if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener("open", () => socket.close(1000));
    else socket.close(1000);
  }

  #become(state: LinkState): void {
    this.#state = state;
    this.#owner.changed();
  }
}
