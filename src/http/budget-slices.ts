// Budgets shared by several processes on one database: a row per token holds what was taken of the current minute.
import { lock, type Committer } from "../db/index.ts";
import { TokenBudgetRows } from "./budget.entity.ts";
import type { SliceSource } from "./limits.ts";

export function sharedSlices(commits: Committer): SliceSource {
  return {
    take: (id, minute, want, limit) =>
      commits.submit({
        name: "http.budget",
        locks: [lock(TokenBudgetRows, id)],
        decide(draft) {
          const row = draft.find(TokenBudgetRows, id);
          // A process whose clock is a minute behind takes from the newer minute rather than reopening the old one.
          const taken = row !== undefined && row.minute >= minute ? row.taken : 0;
          const granted = Math.max(0, Math.min(want, limit - taken));
          draft.upsert(TokenBudgetRows, { id, minute: Math.max(minute, row?.minute ?? 0), taken: taken + granted });
          return { granted, taken: taken + granted };
        },
      }),
  };
}
