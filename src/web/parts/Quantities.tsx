// Bytes, and how much of an allowance is used, in bytes or in numbers: what has a maximum has a bar.
import { useFormat } from "../format/use-format.ts";
import { useWords } from "../words/words.ts";
import { Dim } from "./Names.tsx";
import classes from "./quantities.module.css";

export function Bytes({ value }: { readonly value: number }) {
  const format = useFormat();
  return (
    <bdi dir="ltr" title={`${format.number(value)} B`}>
      {format.bytes(value)}
    </bdi>
  );
}

interface BarProps {
  readonly used: number;
  /** 0: none. */
  readonly limit: number;
  /** Without the share. */
  readonly compact?: boolean;
  /** The bar alone: the numbers stand beside it. */
  readonly bare?: boolean;
}

/** Used bytes of an allowance. */
export function QuotaBar(props: BarProps) {
  const words = useWords("parts");
  const format = useFormat();
  const [used, limit] = [format.bytes(props.used), format.bytes(props.limit)];
  const text = props.limit === 0 ? words.usedUnlimited(used) : words.usedOf(used, limit);
  return <Meter {...props} label={words.used} text={text} />;
}

/** How many there are of those that there may be; without a limit the number alone. `label`: of what. */
export function CountBar(props: BarProps & { readonly label: string }) {
  const words = useWords("parts");
  const format = useFormat();
  const used = format.number(props.used);
  return <Meter {...props} text={props.limit === 0 ? used : words.usedOf(used, format.number(props.limit))} />;
}

/** Past nine tenths it is amber, at the limit red. */
function Meter({
  used,
  limit,
  compact,
  bare,
  label,
  text,
}: BarProps & { readonly label: string; readonly text: string }) {
  const format = useFormat();
  const share = limit > 0 ? used / limit : 0;
  const level = limit === 0 ? "none" : share >= 1 ? "full" : share >= 0.9 ? "near" : "low";
  return (
    <span className={classes["quota"]} data-compact={compact}>
      {bare ? null : (
        <span className={classes["text"]}>
          <span>{text}</span>
          {limit > 0 && !compact ? <Dim>{format.percent(share)}</Dim> : null}
        </span>
      )}
      <span
        className={classes["bar"]}
        data-level={level}
        role="meter"
        aria-label={label}
        aria-valuetext={text}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(100, Math.round(share * 100))}
      >
        <span style={{ inlineSize: `${Math.min(100, share * 100)}%` }} />
      </span>
    </span>
  );
}
