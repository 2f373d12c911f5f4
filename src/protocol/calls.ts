// Calls of ours that wait for an answer, and those that were given up, whose answers may still come.
import { PeerTimeoutError } from "./rpc-error.ts";
import type { OpenCalls } from "./read-message.ts";

export interface WaitingCall {
  readonly method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Calls that were given up whose answers are still known to be ours. */
const LATE_ANSWERS = 1000;

export class Calls {
  readonly #waiting = new Map<number, WaitingCall & { readonly timer: NodeJS.Timeout }>();
  readonly #methods = new Map<number, string>();
  /** Calls that were given up, oldest first. */
  readonly #late = new Set<number>();
  #next = 1;

  /** The id of the call that is begun next. */
  get nextId(): number {
    return this.#next;
  }

  get size(): number {
    return this.#waiting.size;
  }

  get open(): OpenCalls {
    return this.#methods;
  }

  /** Resolves to what it is settled with; rejects when nothing comes in time. */
  begin(method: string, timeoutMs: number): Promise<unknown> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.take(id, method);
        this.#expectLate(id);
        reject(new PeerTimeoutError(`${method}: no answer within ${timeoutMs} ms`));
      }, timeoutMs);
      this.#waiting.set(id, { method, timer, resolve, reject });
      this.#methods.set(id, method);
    });
  }

  /**
   * The call that is answered, which waits no more. `method`: what the answer was read for; one to another call, begun
   * since, is not taken for it.
   */
  take(id: number, method = this.#methods.get(id)): WaitingCall | undefined {
    const call = this.#waiting.get(id);
    if (call?.method !== method) return undefined;
    this.#waiting.delete(id);
    this.#methods.delete(id);
    clearTimeout(call?.timer);
    return call;
  }

  /** Whether this is the one answer to a call that was given up: it is late, not wrong. */
  wasLate(id: number): boolean {
    return this.#late.delete(id);
  }

  /** Every call that waits. */
  takeAll(): WaitingCall[] {
    return [...this.#waiting.keys()].flatMap((id) => this.take(id) ?? []);
  }

  #expectLate(id: number): void {
    this.#late.add(id);
    const [oldest] = this.#late;
    if (this.#late.size > LATE_ANSWERS && oldest !== undefined) this.#late.delete(oldest);
  }
}
