// A length of time: a number of minutes, hours, days or months.
import { useState } from "react";
import { latinDigits } from "../../../lib/digits.ts";
import { useWords } from "../../words/words.ts";
import type { InputProps } from "./inputs.ts";
import { QuantityInput } from "./QuantityInput.tsx";

const LENGTHS = { minutes: 60, hours: 3600, days: 86_400, months: 2_592_000 } as const;
type Unit = keyof typeof LENGTHS;
const UNITS = ["months", "days", "hours", "minutes"] as const satisfies readonly Unit[];

/** Seconds. */
export function DurationInput({ value, onChange, onProblem, zero, ...frame }: InputProps<number>) {
  const words = useWords("parts");
  const [unit, setUnit] = useState<Unit>(() => unitOf(value));
  const [text, setText] = useState(() => (value === 0 ? "" : String(value / LENGTHS[unit])));
  const [meant, setMeant] = useState(value);
  if (meant !== value) {
    const next = value === 0 ? unit : unitOf(value);
    setMeant(value);
    setUnit(next);
    setText(value === 0 ? "" : String(value / LENGTHS[next]));
  }
  const say = (typed: string, inUnit: Unit) => {
    const count = typed.trim() === "" ? 0 : Number(latinDigits(typed).replace(",", "."));
    const seconds = Math.round(count * LENGTHS[inUnit]);
    const wrong = !Number.isSafeInteger(seconds) || seconds < 0;
    onProblem(wrong ? words.notNumber : undefined);
    if (wrong) return;
    setMeant(seconds);
    onChange(seconds);
  };
  return (
    <QuantityInput
      {...frame}
      text={text}
      unit={unit}
      units={UNITS.map((each) => ({ value: each, label: words[each] }))}
      unitWidth={136}
      placeholder={zero ?? ""}
      onTyped={(typed, inUnit) => {
        setText(typed);
        setUnit(inUnit);
        say(typed, inUnit);
      }}
    />
  );
}

function unitOf(seconds: number): Unit {
  // A month that is no whole number of months is so many days.
  return seconds === 0
    ? "days"
    : (UNITS.find((unit) => unit !== "months" && seconds % LENGTHS[unit] === 0) ?? "minutes");
}
