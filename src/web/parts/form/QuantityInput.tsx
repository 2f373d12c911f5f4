// A number and its unit in one box: what quantities of bytes and lengths of time have in common.
import { NativeSelect, TextInput } from "@mantine/core";
import { useWords } from "../../words/words.ts";
import type { InputProps } from "./inputs.ts";
import classes from "./form.module.css";

interface QuantityProps<U extends string> extends Omit<
  InputProps<number>,
  "value" | "onChange" | "onProblem" | "zero"
> {
  /** As it is typed. */
  readonly text: string;
  readonly unit: U;
  readonly units: readonly { readonly value: U; readonly label: string }[];
  /** Pixels of the unit's box. */
  readonly unitWidth: number;
  readonly placeholder: string;
  /** Either was changed. */
  readonly onTyped: (text: string, unit: U) => void;
  readonly onBlur?: () => void;
}

export function QuantityInput<U extends string>({ text, unit, units, unitWidth, onTyped, ...frame }: QuantityProps<U>) {
  const words = useWords("parts");
  return (
    <TextInput
      {...frame}
      value={text}
      inputMode="decimal"
      rightSectionWidth={unitWidth + 4}
      rightSection={
        <NativeSelect
          variant="unstyled"
          rightSectionWidth={26}
          w={unitWidth}
          size="sm"
          aria-label={words.unit}
          classNames={{ input: classes["unit"] ?? "" }}
          value={unit}
          data={[...units]}
          onChange={(event) => {
            const chosen = units.find(({ value }) => value === event.currentTarget.value);
            if (chosen) onTyped(text, chosen.value);
          }}
        />
      }
      onChange={(event) => onTyped(event.currentTarget.value, unit)}
    />
  );
}
