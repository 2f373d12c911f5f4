// The time that a connection or a request has, and its end by the caller, as one signal.
import { OutgoingError } from "./failure.ts";

/**
 * A signal that fires with an OutgoingError: `timeout` when the time is over, `aborted` when `outer` fires. `end` when
 * the work is done: the signal does not fire any more.
 */
export class Deadline {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #outer: AbortSignal | undefined;

  constructor(ms: number, outer?: AbortSignal, message = `no answer within ${ms / 1000} s`) {
    this.signal = this.#controller.signal;
    this.#timer = setTimeout(() => this.#controller.abort(new OutgoingError("timeout", message)), ms).unref();
    this.#outer = outer;
    if (outer?.aborted === true) this.#leave();
    else outer?.addEventListener("abort", this.#leave, { once: true });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#leave);
  }

  readonly #leave = (): void => {
    const cause: unknown = this.#outer?.reason;
    const given = cause instanceof OutgoingError ? cause : undefined;
    this.#controller.abort(given ?? new OutgoingError("aborted", "the request was ended", { cause }));
  };
}

/** Rejects with the signal's reason as soon as it fires: name look-ups cannot be stopped, only left behind. */
export function bound<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
