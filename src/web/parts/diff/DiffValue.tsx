// A value of a field as people read it: times as dates, lists item by item, secrets hidden.
import { useState, type ReactNode } from "react";
import { useFormat } from "../../format/use-format.ts";
import { useWords } from "../../words/words.ts";
import classes from "./diff.module.css";
import { isEmpty, isFields } from "./differences.ts";

/** Fields that hold Unix seconds. */
const MOMENT = /(At|_at|^expiry|^time|Until|^date)$/;
/** Numbers that name something and count nothing. */
const NAMING = /(^id|Id|[Pp]ort)$/;
/** Numbers below it are no moments of this century. */
const MOMENTS_FROM = 1_000_000_000;
/** Longer texts are cut until they are asked for. */
const SHORT = 240;

export interface DiffValueProps {
  readonly path: readonly string[];
  readonly value: unknown;
  /** The other side: items that it lacks are marked. */
  readonly other: unknown;
  readonly secret: boolean;
}

export function DiffValue({ path, value, other, secret }: DiffValueProps): ReactNode {
  const words = useWords("parts").diff;
  const { yes, no } = useWords("parts");
  const format = useFormat();
  if (value === undefined) return <span className={classes["absent"]}>{words.absent}</span>;
  if (isEmpty(value)) return <span className={classes["absent"]}>{words.empty}</span>;
  if (secret)
    return (
      <span className={classes["secret"]}>
        <span aria-hidden>••••••</span> {words.hidden}
      </span>
    );
  if (typeof value === "boolean") return value ? yes : no;
  if (typeof value === "number") {
    if (value >= MOMENTS_FROM && MOMENT.test(path.at(-1) ?? "")) return <bdi>{format.date(value)}</bdi>;
    return <bdi dir="ltr">{NAMING.test(path.at(-1) ?? "") ? String(value) : format.number(value)}</bdi>;
  }
  if (typeof value === "string") return <LongText text={value} />;
  if (Array.isArray(value) && !value.some(isFields)) {
    const others = Array.isArray(other) ? other : undefined;
    return (
      <ul className={classes["items"]}>
        {value.map((item, index) => (
          // Items may repeat: their place is their name.
          <li key={index} data-changed={others !== undefined && !others.includes(item)}>
            <bdi>{typeof item === "string" ? item : JSON.stringify(item)}</bdi>
          </li>
        ))}
      </ul>
    );
  }
  return <LongText text={JSON.stringify(value, undefined, 2)} />;
}

function LongText({ text }: { readonly text: string }) {
  const words = useWords("parts").diff;
  const [whole, setWhole] = useState(false);
  const cut = text.length > SHORT && !whole;
  return (
    <>
      <bdi className={classes["text"]}>{cut ? `${text.slice(0, SHORT)}…` : text}</bdi>
      {cut ? (
        <button type="button" className={classes["more"]} onClick={() => setWhole(true)}>
          {words.whole}
        </button>
      ) : null}
    </>
  );
}
