// The desired state on disk, so that an agent that starts serves at once, without its panel. One record a change,
// rewritten when it has grown.
import { rename } from "node:fs/promises";
import { z } from "zod";
import { PlanUser, Structure } from "../protocol/plan.ts";
import { DesiredPlan } from "./desired-state.ts";
import type { Step } from "./desired-state.ts";
import { RecordLog } from "./record-log.ts";
import type { OpenRecordFile } from "./record-log.ts";

const COMPACT_BYTES = 4 << 20;
const USERS_PER_RECORD = 1000;

const StepRecord = z.object({
  revision: z.int().nonnegative(),
  objects: z.object({ put: Structure, drop: z.array(z.string()) }),
  users: z.object({ put: z.array(PlanUser), drop: z.array(z.int().positive()) }),
});

export interface DesiredStoreOptions {
  readonly path: string;
  readonly openFile?: OpenRecordFile;
  readonly onProblem?: (problem: string, error?: unknown) => void;
  /** The file is rewritten when it has grown by this much beyond its last rewrite. */
  readonly compactBytes?: number;
}

/** Calls must not overlap: they belong into the engine's queue. */
export class DesiredStore {
  readonly plan: DesiredPlan;
  readonly #options: DesiredStoreOptions;
  readonly #log: RecordLog;
  #rewrittenSize: number;
  /** A step is missing on disk: only a rewrite makes the file true again. */
  #behind = false;

  private constructor(options: DesiredStoreOptions, log: RecordLog, plan: DesiredPlan) {
    this.#options = options;
    this.#log = log;
    this.plan = plan;
    this.#rewrittenSize = log.size;
  }

  /**
   * Reads what the last agent served. A damaged file is set aside and serves nothing until the panel has sent its
   * state, which it does on finding other digests.
   */
  static async open(options: DesiredStoreOptions): Promise<DesiredStore> {
    const opened = await RecordLog.open(options.path, options.openFile);
    const plan = new DesiredPlan();
    const steps = opened.records.map((record) => StepRecord.safeParse(record));
    if (opened.damaged || steps.some((step) => !step.success)) {
      await opened.log.close();
      await rename(options.path, `${options.path}.damaged`);
      options.onProblem?.("the stored desired state was damaged; nothing is served until the panel sends it again");
      return new DesiredStore(options, (await RecordLog.open(options.path, options.openFile)).log, plan);
    }
    for (const step of steps) if (step.success) plan.take(step.data);
    return new DesiredStore(options, opened.log, plan);
  }

  /** True while the disk refuses what is served; `keep` and `mend` try again. */
  get behind(): boolean {
    return this.#behind;
  }

  /**
   * Writes down a step that the plan has taken. Never rejects: what cannot be written is tried again, and the engine
   * serves it meanwhile.
   */
  async keep(step: Step): Promise<void> {
    if (this.#behind) return this.mend();
    try {
      await this.#log.append([step]);
      if (this.#log.size > 2 * this.#rewrittenSize + (this.#options.compactBytes ?? COMPACT_BYTES))
        await this.#rewrite();
    } catch (error) {
      this.#behind = true;
      this.#options.onProblem?.("the desired state could not be stored; a restart would serve an older one", error);
    }
  }

  /** Rewrites the file if a step is missing in it. Never rejects. */
  async mend(): Promise<void> {
    if (!this.#behind) return;
    try {
      await this.#rewrite();
      this.#behind = false;
    } catch (error) {
      this.#options.onProblem?.("the desired state could still not be stored", error);
    }
  }

  /** Forgets everything, on disk too. */
  async clear(): Promise<void> {
    this.plan.take(this.plan.clearing());
    this.#behind = true;
    await this.mend();
  }

  async close(): Promise<void> {
    await this.#log.close();
  }

  async #rewrite(): Promise<void> {
    await this.#log.rewrite(this.#snapshot());
    this.#rewrittenSize = this.#log.size;
  }

  *#snapshot(): Iterable<Step> {
    const { revision, state } = this.plan;
    const nothing = { put: {}, drop: [] };
    yield { revision, objects: { put: state.structure, drop: [] }, users: { put: [], drop: [] } };
    let users: PlanUser[] = [];
    for (const user of state.users.values()) {
      users.push(user);
      if (users.length < USERS_PER_RECORD) continue;
      yield { revision, objects: nothing, users: { put: users, drop: [] } };
      users = [];
    }
    if (users.length > 0) yield { revision, objects: nothing, users: { put: users, drop: [] } };
  }
}
