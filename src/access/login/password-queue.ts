// The one way to argon2id in this process (rule access.login.6). A derivation takes a core for some sixty milliseconds
// and 19 MiB, on the pool of threads that names, files and compression need too: so few run at a time, few wait, and of
// those that wait the ones from known places come first. A flood of sign-ins costs itself an answer, and nobody else
// theirs.
import { availableParallelism } from "node:os";
import { Refusal } from "../../http/index.ts";
import { DECOY_HASH, hashPassword, verifyPassword } from "../../lib/password.ts";

/** Waiting derivations for each core. */
const WAITING = 8;
/** Seconds in which a full queue is worked off, more or less. */
const RETRY_AFTER = 2;

/** `known`: somebody who is signed in, or at an address from which somebody did. */
export type Standing = "known" | "stranger";

interface Waiter {
  readonly begin: () => void;
  readonly refuse: (error: Refusal) => void;
}

export class PasswordQueue {
  readonly #width: number;
  readonly #room: number;
  #running = 0;
  readonly #waiting: Record<Standing, Waiter[]> = { known: [], stranger: [] };

  constructor(cores = availableParallelism()) {
    // The pool has four threads: half of them at most, and half of the cores.
    this.#width = Math.max(1, Math.min(2, Math.floor(cores / 2)));
    this.#room = WAITING * cores;
  }

  /** The stored form of a password. Throws 503 with `Retry-After` where too many wait. */
  hash(password: string, standing: Standing): Promise<string> {
    return this.#run(standing, () => hashPassword(password));
  }

  /**
   * Whether `password` is the one behind `stored`. Without an account the same work is done, in the same queue: neither
   * time nor refusal tells whether it exists.
   */
  async matches(stored: string | undefined, password: string, standing: Standing): Promise<boolean> {
    // A longer text is no password of anybody; it is not worth the work of hashing.
    if (password.length > 1024) return false;
    const matches = await this.#run(standing, () => verifyPassword(stored ?? DECOY_HASH, password));
    return stored !== undefined && matches;
  }

  async #run<T>(standing: Standing, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#width) await this.#wait(standing);
    else this.#running++;
    try {
      return await work();
    } finally {
      // The place goes to the next one at once: nobody who comes meanwhile takes it.
      const next = this.#waiting.known.shift() ?? this.#waiting.stranger.shift();
      if (next) next.begin();
      else this.#running--;
    }
  }

  #wait(standing: Standing): Promise<void> {
    const { known, stranger } = this.#waiting;
    if (known.length + stranger.length >= this.#room) {
      const gives = standing === "known" ? stranger.pop() : undefined;
      if (!gives) throw full();
      gives.refuse(full());
    }
    return new Promise((begin, refuse) => this.#waiting[standing].push({ begin, refuse }));
  }
}

function full(): Refusal {
  return new Refusal("unavailable", {
    message: "too many passwords are being checked",
    code: "too_busy",
    retryAfter: RETRY_AFTER,
  });
}

/** The process's own: its threads are shared by all that runs in it. */
export const passwords = new PasswordQueue();
