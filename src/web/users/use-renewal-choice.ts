// By what a renewal goes, as a person chooses it: the same for one account and for a selection. The number of days is
// remembered with the person.
import { useState } from "react";
import { usePlans, type Plan } from "../plans/plan.ts";
import { useMe } from "../session/me.ts";
import { useKept } from "../browser/use-kept.ts";
import type { Choice } from "./renewal.ts";

export type Way = Choice["by"];

const USUAL_DAYS = 30;
export const MOST_DAYS = 3650;

export interface RenewalChoice {
  readonly way: Way;
  /** The ways that are offered, in their order. */
  readonly ways: readonly Way[];
  /** Empty: the input is. */
  readonly days: number | "";
  readonly plans: readonly Plan[];
  readonly plan: Plan | undefined;
  /** 0: no date is chosen yet. */
  readonly at: number;
  readonly past: boolean;
  readonly problem: string | undefined;
  /** Undefined: something must be chosen, or chosen otherwise. */
  readonly choice: Choice | undefined;
  readonly setWay: (way: Way) => void;
  readonly setDays: (days: number | "") => void;
  readonly setPlan: (id: number) => void;
  readonly setAt: (at: number) => void;
  readonly setProblem: (problem: string | undefined) => void;
  /** Keeps the days for the next time. */
  readonly remember: () => void;
  /** For another question: nothing is chosen yet. */
  readonly reset: () => void;
}

interface Offered {
  /** There is a term, or a volume alone, to renew by. */
  readonly own: boolean;
  /** A date can be chosen. */
  readonly dated: boolean;
  readonly now: number;
}

export function useRenewalChoice({ own, dated, now }: Offered): RenewalChoice {
  // A reseller that sells plans only renews an account by the term that a plan sold, or by a plan.
  const { plansOnly } = useMe();
  const plans = usePlans();
  const [remembered, keep] = useKept("renewal.days");
  const [chosenWay, setWay] = useState<Way>();
  const [days, setDays] = useState<number | "">(() => daysOf(remembered));
  const [planId, setPlan] = useState<number>();
  const [at, setAt] = useState(0);
  const [problem, setProblem] = useState<string>();
  const ways: Way[] = [
    ...(own ? (["own"] as const) : []),
    ...(plansOnly ? [] : (["days"] as const)),
    ...(plans.length > 0 ? (["plan"] as const) : []),
    ...(dated && !plansOnly ? (["date"] as const) : []),
  ];
  const way = chosenWay !== undefined && ways.includes(chosenWay) ? chosenWay : (ways[0] ?? "own");
  // One plan is no choice.
  const plan = plans.find(({ id }) => id === planId) ?? (plans.length === 1 ? plans[0] : undefined);
  const past = at !== 0 && at <= now;
  const choices: Readonly<Record<Way, Choice | undefined>> = {
    own: own ? { by: "own" } : undefined,
    days: days === "" ? undefined : { by: "days", days },
    plan: plan && { by: "plan", plan },
    date: at === 0 || past || problem !== undefined ? undefined : { by: "date", at },
  };
  return {
    way,
    ways,
    days,
    plans,
    plan,
    at,
    past,
    problem,
    choice: choices[way],
    setWay,
    setDays,
    setPlan,
    setAt,
    setProblem,
    remember: () => {
      if (way === "days" && days !== "" && String(days) !== remembered) keep(String(days));
    },
    reset() {
      setWay(undefined);
      setDays(daysOf(remembered));
      setPlan(undefined);
      setAt(0);
      setProblem(undefined);
    },
  };
}

function daysOf(text: string | null): number {
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 && days <= MOST_DAYS ? days : USUAL_DAYS;
}
