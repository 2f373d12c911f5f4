// By what a renewal goes: radio buttons, and the input of the one that is chosen. For one account and for a selection.
import { NativeSelect, NumberInput, Radio, Stack } from "@mantine/core";
import { useId } from "react";
import { DateInput } from "../parts/form/DateInput.tsx";
import { useWords } from "../words/words.ts";
import { MOST_DAYS, type RenewalChoice } from "./use-renewal-choice.ts";

interface RenewWaysProps {
  readonly choice: RenewalChoice;
  /** What the own term is. */
  readonly ownLabel: string;
}

export function RenewWays({ choice, ownLabel }: RenewWaysProps) {
  const words = useWords("users");
  const id = useId();
  const { way, ways, plans, plan, past, problem } = choice;
  const labels = { own: ownLabel, days: words.renewByDays, plan: words.renewByPlan, date: words.renewChosen };
  return (
    <>
      <Radio.Group
        label={words.renewBy}
        value={way}
        onChange={(value) => {
          const chosen = ways.find((each) => each === value);
          if (chosen) choice.setWay(chosen);
        }}
      >
        <Stack gap={6} mt={6}>
          {ways.map((each) => (
            <Radio key={each} value={each} label={labels[each]} />
          ))}
        </Stack>
      </Radio.Group>
      {way === "days" ? (
        <NumberInput
          label={words.renewDays}
          value={choice.days}
          onChange={(value) => choice.setDays(isDays(value) ? value : "")}
          min={1}
          max={MOST_DAYS}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="strict"
        />
      ) : null}
      {way === "plan" ? (
        <NativeSelect
          label={words.renewPlanName}
          withAsterisk
          value={plan?.id ?? ""}
          onChange={(event) => choice.setPlan(Number(event.currentTarget.value))}
          data={[
            ...(plan ? [] : [{ value: "", label: words.renewChoosePlan, disabled: true }]),
            ...plans.map((each) => ({ value: String(each.id), label: each.name })),
          ]}
        />
      ) : null}
      {way === "date" ? (
        <DateInput
          id={id}
          label={words.renewDate}
          value={choice.at}
          onChange={choice.setAt}
          onProblem={choice.setProblem}
          error={problem ?? (past ? words.renewPast : undefined)}
        />
      ) : null}
    </>
  );
}

function isDays(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MOST_DAYS;
}
