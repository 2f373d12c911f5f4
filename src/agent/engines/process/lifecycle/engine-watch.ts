// Notices that an engine is gone, or that it hangs: a stopped or stuck process keeps its ports and serves nobody.
import type { DriverContext } from "../../contract/driver.ts";
import type { RunningEngine } from "./running-engine.ts";
import { watchExit } from "./spawn.ts";

const PING_EVERY_MS = 5000;
/** An engine that has not answered for so long is ended. */
const HUNG_MS = 15_000;

export interface WatchEvents {
  gone(engine: RunningEngine): void;
  hung(engine: RunningEngine, reason: string): Promise<void>;
}

export class EngineWatch {
  readonly #context: DriverContext;
  readonly #events: WatchEvents;

  constructor(context: DriverContext, events: WatchEvents) {
    this.#context = context;
    this.#events = events;
  }

  /** Watches until `engine.unwatch`. `pinged`: it is also asked from time to time whether it still answers. */
  start(engine: RunningEngine, pinged: boolean): void {
    engine.unwatch();
    const stopExit = watchExit(engine.identity, () => this.#events.gone(engine));
    const stopPing = pinged ? this.#ping(engine) : () => undefined;
    engine.unwatch = () => {
      stopExit();
      stopPing();
    };
  }

  #ping(engine: RunningEngine): () => void {
    let stopped = false;
    let silentSince: number | undefined;
    let timer: NodeJS.Timeout | undefined;
    const round = async (): Promise<void> => {
      const asked = this.#context.now();
      try {
        await engine.ping(PING_EVERY_MS);
        silentSince = undefined;
      } catch {
        silentSince ??= asked;
        if (!stopped && this.#context.now() - silentSince >= HUNG_MS) {
          stopped = true;
          await this.#events.hung(engine, `did not answer for ${Math.round(HUNG_MS / 1000)} seconds and was ended`);
        }
      }
    };
    const again = (): void => {
      if (stopped) return;
      timer = setTimeout(() => {
        round()
          .catch((error: unknown) =>
            this.#context.log("error", "a hung engine could not be ended", { error: String(error) }),
          )
          .finally(again);
      }, PING_EVERY_MS);
      timer.unref();
    };
    again();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }
}
