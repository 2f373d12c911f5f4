// A quantity of bytes: a number and its unit, or both typed at once ("50 GB").
import { useState } from "react";
import { BYTE_UNITS, bytesIn, byteUnitOf, parseBytes, type ByteUnit } from "../../format/bytes.ts";
import { useWords } from "../../words/words.ts";
import type { InputProps } from "./inputs.ts";
import { QuantityInput } from "./QuantityInput.tsx";

const OFFERED: readonly ByteUnit[] = ["MiB", "GiB", "TiB"];

/** `rate`: in a second. */
export function BytesInput({
  value,
  onChange,
  onProblem,
  zero,
  rate,
  ...frame
}: InputProps<number> & { rate?: boolean }) {
  const words = useWords("parts");
  const [unit, setUnit] = useState<ByteUnit>(() => (value > 0 ? shownUnit(value) : rate ? "MiB" : "GiB"));
  const [text, setText] = useState(() => written(value, unit));
  const [meant, setMeant] = useState(value);
  if (meant !== value) {
    // Set from outside: discarded, or updated by the panel.
    const next = value > 0 ? shownUnit(value) : unit;
    setMeant(value);
    setUnit(next);
    setText(written(value, next));
  }
  const say = (typed: string, inUnit: ByteUnit) => {
    const bytes = typed.trim() === "" ? 0 : parseBytes(typed, inUnit);
    onProblem(bytes === undefined ? words.notBytes : undefined);
    if (bytes === undefined) return;
    setMeant(bytes);
    onChange(bytes);
  };
  return (
    <QuantityInput
      {...frame}
      text={text}
      unit={unit}
      units={BYTE_UNITS.filter((each) => OFFERED.includes(each) || each === unit).map((each) => ({
        value: each,
        label: rate ? `${each}/s` : each,
      }))}
      unitWidth={88}
      placeholder={zero ?? ""}
      onTyped={(typed, inUnit) => {
        setText(typed);
        setUnit(inUnit);
        say(typed, inUnit);
      }}
      onBlur={() => {
        const bytes = text.trim() === "" ? 0 : parseBytes(text, unit);
        if (bytes === undefined) return;
        const next = /[a-z]/i.test(text) ? shownUnit(bytes) : unit;
        setUnit(next);
        setText(written(bytes, next));
      }}
    />
  );
}

/** The unit in which the quantity needs fewest digits and loses nothing. */
function shownUnit(bytes: number): ByteUnit {
  const largest = BYTE_UNITS.indexOf(byteUnitOf(bytes));
  for (let power = largest; power > 0; power--) {
    const unit = BYTE_UNITS[power];
    if (unit && Number.isInteger(bytesIn(bytes, unit) * 100)) return unit;
  }
  return "B";
}

function written(bytes: number, unit: ByteUnit): string {
  return bytes === 0 ? "" : String(Number(bytesIn(bytes, unit).toFixed(4)));
}
