// Brings the rows of a reseller's accounts in line with the reseller: switches them off after it closed, and back to
// their own limits after it opened (rules resellers.follow).
//
// Each step is one commit that moves the reseller's cursor together with the accounts. It is committed only where the
// cursor is where the step was read: whoever is killed, and whoever else does the same, no account is left out. What
// an account becomes is for its own chart to say, which looks at the reseller in the same commit.
import { setImmediate as nextTick, setTimeout as pause } from "node:timers/promises";
import { resellerStateOf } from "../../../machines/reseller.ts";
import {
  lock,
  NeedLocks,
  sql,
  type Committer,
  type Draft,
  type Lock,
  type Query,
  type Reader,
} from "../../db/index.ts";
import { StepSize, StepWatch } from "../../jobs/index.ts";
import { systemOrigin } from "../../lib/origin.ts";
import { asideOf, type ResidentEffect, type Supervisor } from "../../runtime/index.ts";
import { userLocks, type UserActor } from "../users/user.actor.ts";
import { UserRows } from "../records/user.entity.ts";
import type { ResellerActor } from "../resellers/reseller.actor.ts";
import { ResellerRows, type ResellerRow } from "../records/reseller.entity.ts";

/** Between tries while the database is away, doubling. */
const AGAIN_FIRST_MS = 100;
const AGAIN_MAX_MS = 5000;

export interface FollowerDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly supervisor: Supervisor;
  readonly user: UserActor;
  readonly reseller: ResellerActor;
  readonly onError: (error: unknown) => void;
}

interface Life {
  over: boolean;
}

export class Follower {
  readonly #deps: FollowerDeps;
  readonly #running = new Map<number, Promise<void>>();

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
  }

  /** The resident effect of the chart's states `closing` and `opening`. */
  readonly follow: ResidentEffect["start"] = ({ id }) => {
    const life: Life = { over: false };
    const before = this.#running.get(id) ?? Promise.resolve();
    const run = before
      .then(() => this.#persist(id, life))
      .finally(() => {
        if (this.#running.get(id) === run) this.#running.delete(id);
      });
    this.#running.set(id, run);
    return () => {
      life.over = true;
    };
  };

  /** Nothing is under way any more. */
  async stopped(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  async #persist(id: number, life: Life): Promise<void> {
    for (let wait = AGAIN_FIRST_MS; !life.over; wait = Math.min(wait * 2, AGAIN_MAX_MS)) {
      try {
        return await this.#steps(id, life);
      } catch (error) {
        this.#deps.onError(error);
        await pause(wait);
      }
    }
  }

  async #steps(id: number, life: Life): Promise<void> {
    const size = new StepSize(this.#deps.reads.dialect);
    while (!life.over) {
      const row = await this.#deps.reads.find(ResellerRows, id);
      if (!row || !isFollowed(row)) return;
      const found = await this.#deps.reads.query<{ id: number }>(behind(row, size.records));
      await this.#step(
        row,
        found.map((each) => each.id),
        size,
      );
      // Work that arrived meanwhile runs first.
      await nextTick();
    }
  }

  /** Some accounts; without any the reseller has arrived. */
  async #step(row: ResellerRow, ids: readonly number[], size: StepSize): Promise<void> {
    const { commits, supervisor, reseller } = this.#deps;
    const watch = new StepWatch();
    try {
      await commits.submit({
        name: "reseller.follow",
        locks: [lock(ResellerRows, row.id), ...ids.flatMap(userLocks)],
        decide: (draft) => {
          watch.begin();
          const now = draft.find(ResellerRows, row.id);
          if (!now || now.cursor !== row.cursor || now.closedBy !== row.closedBy || !isFollowed(now)) return;
          const last = ids.at(-1);
          if (last === undefined) {
            supervisor.step(draft, reseller, row.id, { type: "followed" }, systemOrigin("reseller"));
            return;
          }
          this.#look(draft, row.id, ids);
          draft.update(ResellerRows, row.id, { cursor: last });
        },
        worked: watch.worked,
      });
      if (ids.length > 0) size.took(ids.length, watch.end());
    } catch (error) {
      size.failed(ids.length);
      throw error;
    }
  }

  /** Each account looks at its limits, its reseller's among them. Rows that all of them miss are asked for at once. */
  #look(draft: Draft, owner: number, ids: readonly number[]): void {
    const { supervisor, user } = this.#deps;
    const wanted: Lock[] = [];
    for (const id of ids) {
      // It moved to another owner, or was deleted, after the step was read.
      if (draft.find(UserRows, id)?.adminId !== owner) continue;
      try {
        draft.attempt((inner) => supervisor.step(inner, user, id, { type: "due" }, systemOrigin("reseller")));
      } catch (error) {
        if (error instanceof NeedLocks) wanted.push(...error.locks);
        // What a person must resume, or a newer panel wrote, keeps its row; no node serves it while the reseller is
        // closed.
        else if (!asideOf(error)) throw error;
      }
    }
    if (wanted.length > 0) throw new NeedLocks(wanted);
  }
}

function isFollowed({ mstate }: Pick<ResellerRow, "mstate">): boolean {
  const state = resellerStateOf(mstate);
  return state === "closing" || state === "opening";
}

/** The next accounts whose rows say something else than the reseller, in id order. */
function behind({ id, cursor, closedBy }: ResellerRow, limit: number): Query<{ id: number }> {
  const off = sql`disabled_reason in ('resale-volume', 'resale-expiry')`;
  const which = closedBy === "" ? off : sql`(enable or (${off} and disabled_reason <> ${`resale-${closedBy}`}))`;
  return sql<{
    id: number;
  }>`select id from users where admin_id = ${id} and id > ${cursor} and ${which} order by id limit ${limit}`;
}
