// Ports that keep inbounds from being served. The program that has such a port may end at any moment, so the ports are
// looked at every few seconds, and at once when a panel asks.
import type { HeldPort } from "./engines/contract/driver.ts";

const LOOK_MS = 3000;

export interface PortWatchOptions {
  /** Whether somebody could listen there now. */
  readonly canListen: (port: HeldPort) => Promise<boolean>;
  /** It is time to look; never rejects. */
  readonly onTime: () => Promise<void>;
}

export class PortWatch {
  readonly #options: PortWatchOptions;
  /** Ports of inbounds that the engine leaves out of the stored state. */
  #leftOut: readonly HeldPort[] = [];
  /** Because of which a state was refused as a whole: its panel has to send it again. */
  #refused: readonly HeldPort[] = [];
  #freed = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PortWatchOptions) {
    this.#options = options;
  }

  /** Times that such a refused state could be sent again. */
  get freed(): number {
    return this.#freed;
  }

  get idle(): boolean {
    return this.#leftOut.length === 0 && this.#refused.length === 0;
  }

  leftOut(ports: readonly HeldPort[]): void {
    this.#leftOut = ports;
    this.#lookLater();
  }

  refused(ports: readonly HeldPort[]): void {
    this.#refused = ports;
    this.#lookLater();
  }

  /**
   * `now`: what the engine leaves out. `again`: the stored state is to be applied again; `freed`: the one that was
   * refused can be sent again.
   */
  async look(now: readonly HeldPort[]): Promise<{ readonly again: boolean; readonly freed: boolean }> {
    // The engine may have been brought back meanwhile, with what was left out before.
    const again = JSON.stringify(now) !== JSON.stringify(this.#leftOut) || (await this.#anyFree(now));
    const freed = await this.#anyFree(this.#refused);
    if (freed) {
      this.#freed += 1;
      this.#refused = [];
    }
    return { again, freed };
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftOut = [];
    this.#refused = [];
  }

  async #anyFree(ports: readonly HeldPort[]): Promise<boolean> {
    for (const port of ports) if (await this.#options.canListen(port)) return true;
    return false;
  }

  #lookLater(): void {
    if (this.idle) return;
    this.#timer ??= setTimeout(() => {
      void this.#options.onTime().then(() => {
        this.#timer = undefined;
        this.#lookLater();
      });
    }, LOOK_MS).unref();
  }
}
