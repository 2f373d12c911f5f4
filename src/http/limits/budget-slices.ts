// Budgets shared by several processes on one database: a row per token holds what was taken of the current minute.
import { lock, type Committer } from "../../db/index.ts";
import { TokenBudgetRows } from "./budget.entity.ts";
import { SLICES, type SliceSource } from "./limits.ts";

export function sharedSlices(commits: Committer): SliceSource {
  return {
    take: (id, minute, want, limit) =>
      commits.submit({
        name: "http.budget",
        locks: [lock(TokenBudgetRows, id)],
        decide(draft) {
          const row = draft.find(TokenBudgetRows, id);
          // A process whose clock is a minute behind takes from the newer minute rather than reopening the old one; a
          // minute further ahead was counted before the clock was set back.
          const current = row !== undefined && row.minute <= minute + 1 ? Math.max(minute, row.minute) : minute;
          const taken = row?.minute === current ? row.taken : 0;
          // A slice is a share of what is left. So every further process still gets something, even if there are many,
          // or some ended.
          const granted = Math.max(0, Math.min(want, Math.ceil((limit - taken) / SLICES)));
          draft.upsert(TokenBudgetRows, { id, minute: current, taken: taken + granted });
          return { granted, taken: taken + granted };
        },
      }),
  };
}
