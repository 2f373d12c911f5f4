// Whether a reseller's users are served: the state of its chart as a pill, and what it means.
import type { Admin } from "../admins/admin.ts";
import { StateBadge } from "../parts/StateBadge.tsx";
import type { Words } from "../words/language.ts";
import { useWords } from "../words/words.ts";

type Standing = Pick<Admin, "state" | "closedBy">;

/** The state as the chart names it. */
export function chartState({ state, closedBy }: Standing): string {
  return state === "closed" && closedBy !== "" ? `closed.${closedBy}` : state;
}

/** What follows from the state. */
export function explained({ state, closedBy }: Standing, { explained: words }: Words["resellers"]): string {
  if (state === "closed") return words[closedBy === "" ? "volume" : closedBy];
  return words[state === "" ? "open" : state];
}

export function ResellerState({ admin }: { readonly admin: Standing }) {
  const { states } = useWords("resellers");
  const { state, closedBy } = admin;
  if (state === "") return null;
  const label = state === "closed" ? states.closed[closedBy === "" ? "volume" : closedBy] : states[state];
  return <StateBadge kind="reseller" state={chartState(admin)} label={label} />;
}
