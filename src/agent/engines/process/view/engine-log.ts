// The log that the engines of one driver write to: hands out who connected, counts what block outbounds refused, keeps
// the last other words.
import { rmSync } from "node:fs";
import type { AccessLine } from "./access-log.ts";
import { LogFollower } from "./log-follower.ts";

/** The log is emptied above this many bytes. */
const LOG_LIMIT = 8 * 1024 * 1024;
const KEPT_LINES = 20;
/**
 * What one client did: never the reason why an engine ended, and engines quote the credentials there that did not fit.
 */
const OF_A_CONNECTION = /\[\d+ [\dhmsµ.]+\]|\] \[\d+\] |\brejected\b/;

export interface EngineLogOptions {
  readonly path: string;
  /** `Dialect.lineReader`. */
  lineReader(): (line: string) => AccessLine | undefined;
  isBlock(outbound: string): boolean;
  onAccess(line: AccessLine): void;
}

/** Where to go on after a restart of the agent. */
export interface EngineLogStart {
  readonly offset: number;
  readonly rejected: Readonly<Record<string, number>>;
}

export class EngineLog {
  readonly #options: EngineLogOptions;
  readonly #rejected = new Map<string, number>();
  readonly #recent: string[] = [];
  readonly #readLine: (line: string) => AccessLine | undefined;
  #follower: LogFollower;

  constructor(options: EngineLogOptions) {
    this.#options = options;
    this.#readLine = options.lineReader();
    this.#follower = this.#follow(0);
  }

  /** Begins at a checkpoint; without one, with an empty log: its lines belong to engines that are gone. */
  start(from: EngineLogStart | undefined): void {
    if (!from) rmSync(this.#options.path, { force: true });
    this.#follower = this.#follow(from?.offset ?? 0);
    for (const [tag, count] of Object.entries(from?.rejected ?? {})) this.#rejected.set(tag, count);
  }

  /** Hands out what was written since. */
  read(): void {
    this.#follower.read();
  }

  /**
   * Empties the log when it has grown. `keep` is called before and after, so that what the lines said survives this
   * agent at any moment.
   */
  tidy(keep: () => void): void {
    if (this.#follower.truncateAbove(LOG_LIMIT, keep)) keep();
  }

  checkpoint(): EngineLogStart {
    this.read();
    return { offset: this.#follower.offset, rejected: Object.fromEntries(this.#rejected) };
  }

  /** Refused connections by outbound. */
  rejected(): ReadonlyMap<string, number> {
    this.read();
    return new Map(this.#rejected);
  }

  /** What engines wrote last, other than access lines. Never throws. */
  lastWords(): string {
    try {
      this.read();
    } catch {
      // Asked for when an engine died, perhaps with its disk: what was read before must do.
    }
    return this.#recent.join("\n");
  }

  #follow(offset: number): LogFollower {
    return new LogFollower(this.#options.path, offset, (line) => this.#take(line));
  }

  #take(line: string): void {
    const access = this.#readLine(line);
    if (access) {
      if (this.#options.isBlock(access.outbound))
        this.#rejected.set(access.outbound, (this.#rejected.get(access.outbound) ?? 0) + 1);
      this.#options.onAccess(access);
    } else if (line.trim() !== "" && !OF_A_CONNECTION.test(line)) {
      this.#recent.push(line.trim());
      if (this.#recent.length > KEPT_LINES) this.#recent.shift();
    }
  }
}
