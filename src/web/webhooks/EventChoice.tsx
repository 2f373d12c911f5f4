// Which events a webhook hears: everything, whole families, or single ones, as far as the reader may hear them.
import { Checkbox, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useEventNames } from "../events/use-event-names.ts";
import { useWords } from "../words/words.ts";
import classes from "./webhooks.module.css";

export interface EventChoiceProps {
  /** Names and families (`user.*`); none: everything. */
  readonly chosen: readonly string[];
  readonly choose: (chosen: readonly string[]) => void;
  readonly problem: string | undefined;
}

export function EventChoice({ chosen, choose, problem }: EventChoiceProps) {
  const words = useWords("webhooks");
  const groups = useEventNames("");
  const [some, setSome] = useState(chosen.length > 0);
  const picks = some || chosen.length > 0;
  const without = (names: readonly string[]) => chosen.filter((each) => !names.includes(each));
  return (
    <Stack gap="sm">
      <SegmentedControl
        className={classes["which"] ?? ""}
        aria-label={words.events}
        value={picks ? "some" : "all"}
        onChange={(value) => {
          setSome(value === "some");
          if (value === "all") choose([]);
        }}
        data={[
          { value: "all", label: words.everything },
          { value: "some", label: words.someEvents },
        ]}
      />
      {problem === undefined ? null : (
        <Text size="sm" c="var(--tone-failed)" role="alert">
          {problem}
        </Text>
      )}
      {picks ? (
        <div className={classes["families"]}>
          {groups.map(({ family, group, items }) => {
            const whole = chosen.includes(`${family}.*`);
            const names = items.map(({ value }) => value);
            const part = names.some((name) => chosen.includes(name));
            return (
              <fieldset key={family} className={classes["family"]}>
                <legend>
                  <Checkbox
                    label={words.allOf(group)}
                    checked={whole}
                    indeterminate={!whole && part}
                    onChange={() => choose(whole ? without([`${family}.*`]) : [...without(names), `${family}.*`])}
                  />
                </legend>
                {items.map(({ value, label }) => (
                  <Checkbox
                    key={value}
                    size="xs"
                    label={label}
                    title={value}
                    disabled={whole}
                    checked={whole || chosen.includes(value)}
                    onChange={() => choose(chosen.includes(value) ? without([value]) : [...chosen, value])}
                  />
                ))}
              </fieldset>
            );
          })}
        </div>
      ) : null}
    </Stack>
  );
}
