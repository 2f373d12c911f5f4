// Changes of accounts that are parts of one piece of work, such as a bulk operation: nodes are told of many at once, so
// that the work is a few large pushes to each node instead of one for each of its commits (rule nodes.sync.6).
//
// Invariants:
// - What is gathered is told of after `TELL_MS` at the latest: a cut-off reaches its nodes within seconds.
// - A node is told of an account's changes in their order. One that may not wait takes along what is gathered of the
//   same account.
import type { Cancel, Clock } from "../../lib/clock.ts";
import type { PlanUser } from "../../protocol/plan.ts";

/** A user's change, for the nodes concerned. `user` undefined: no longer served there. */
export interface ServedChange {
  readonly userId: number;
  readonly user: PlanUser | undefined;
  /** Templates that carried it before or carry it now; `all` = every template. */
  readonly templates: "all" | ReadonlySet<number>;
  /** Templates on which it is served now. */
  readonly servedOn: "all" | ReadonlySet<number>;
}

/** Longest time that a change waits for others. */
const TELL_MS = 1500;
/** Accounts that are told of together: fewer than a node is sent singly, with room for one more commit. */
const MOST = 4000;

export class GatheredChanges {
  readonly #clock: Clock;
  readonly #tell: (change: ServedChange) => void;
  /** The latest word on each account. */
  #changes = new Map<number, ServedChange>();
  #templates: Set<number> | "all" = new Set();
  #cancel: Cancel | undefined;

  constructor(clock: Clock, tell: (change: ServedChange) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** Whether the nodes of a template were not told of something yet. */
  waitsFor(templateId: number): boolean {
    return this.#templates === "all" || this.#templates.has(templateId);
  }

  /** `waits`: it may wait for others. */
  add(change: ServedChange, waits: boolean): void {
    const { userId } = change;
    const earlier = this.#changes.get(userId);
    const whole = earlier ? { ...change, templates: union(earlier.templates, change.templates) } : change;
    if (!waits) {
      this.#changes.delete(userId);
      this.#tell(whole);
      return;
    }
    this.#changes.set(userId, whole);
    this.#templates = union(this.#templates, whole.templates);
    this.#cancel ??= this.#clock.after(TELL_MS, () => this.tell());
    if (this.#changes.size >= MOST) this.tell();
  }

  /** Tells of everything that is gathered. */
  tell(): void {
    this.stop();
    const changes = this.#changes;
    this.#changes = new Map();
    this.#templates = new Set();
    for (const change of changes.values()) this.#tell(change);
  }

  /** What is gathered is not told of any more, unless more comes. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}

function union(one: ServedChange["templates"], other: ServedChange["templates"]): Set<number> | "all" {
  return one === "all" || other === "all" ? "all" : new Set([...one, ...other]);
}
