// How local agents are confined: a user of their own and a copy of their programs, where the panel is root and the
// machine lets it; else a warning that says what is weaker.
import { userObjection } from "./agent-user.ts";
import { openStage, pruneStage, type Stage } from "./agent-stage.ts";

export interface ConfinementOptions {
  /** The checkout that the panel runs from, its node, and its PATH. */
  readonly root: string;
  readonly node: string;
  readonly searchPath: string;
  readonly stagedEngine: (name: string) => Promise<string | undefined>;
  /** Where the copies are kept. */
  readonly directory: string;
  readonly now: () => number;
  readonly log: (level: "info" | "warn" | "error", message: string, fields: Record<string, unknown>) => void;
}

/**
 * There is no space, or a limit is reached: that passes, and is no reason to start an agent with more rights than it
 * needs.
 */
const PASSING = ["ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "EIO"];

export class Confinement {
  readonly #options: ConfinementOptions;
  #opened: Promise<Stage | undefined> | undefined;
  #tried: string | undefined;
  #pruned = false;
  #objection: string | undefined;

  constructor(options: ConfinementOptions) {
    this.#options = options;
  }

  /** Why agents are not confined here; undefined where they are, and before that was looked at. */
  get objection(): string | undefined {
    return this.#objection;
  }

  /**
   * The programs of a confined agent as they are now; undefined where none can be confined, which the log is told once.
   * Rejects for what passes.
   */
  open(): Promise<Stage | undefined> {
    // Agents that start together ask once.
    this.#opened ??= this.#open().finally(() => (this.#opened = undefined));
    return this.#opened;
  }

  async #open(): Promise<Stage | undefined> {
    if (process.getuid?.() !== 0)
      return this.#refuse("the panel does not run as root and cannot give them a user of their own");
    const { directory, log, now } = this.#options;
    try {
      const stage = await openStage(this.#options);
      if (this.#tried !== stage.node) {
        const objection = await userObjection([stage.node, "--version"]);
        if (objection !== undefined) return this.#refuse(objection);
        this.#tried = stage.node;
      }
      if (!this.#pruned) {
        this.#pruned = true;
        void pruneStage(directory, now()).catch((error: unknown) =>
          log("warn", "old programs of local agents were not removed", { directory, error: String(error) }),
        );
      }
      return stage;
    } catch (error) {
      if (error instanceof Error && "code" in error && PASSING.includes(String(error.code))) throw error;
      return this.#refuse(String(error));
    }
  }

  #refuse(reason: string): undefined {
    if (this.#objection === reason) return undefined;
    this.#objection = reason;
    this.#options.log(
      "warn",
      "local agents and their engines run as the panel's own user: whoever breaks into one reads the panel's database and key",
      { reason },
    );
    return undefined;
  }
}
