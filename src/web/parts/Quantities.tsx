// Bytes, lengths of time, and how much of an allowance is used.
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

interface QuotaBarProps {
  readonly used: number;
  readonly limit: number;
  /** Without the share. */
  readonly compact?: boolean;
  /** The bar alone: the numbers stand beside it. */
  readonly bare?: boolean;
}

/** Used of an allowance; 0 as `limit` means none. Past nine tenths it is amber, at the limit red. */
export function QuotaBar({ used, limit, compact, bare }: QuotaBarProps) {
  const words = useWords("parts");
  const format = useFormat();
  const share = limit > 0 ? used / limit : 0;
  const level = limit === 0 ? "none" : share >= 1 ? "full" : share >= 0.9 ? "near" : "low";
  const text =
    limit === 0 ? words.usedUnlimited(format.bytes(used)) : words.usedOf(format.bytes(used), format.bytes(limit));
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
        aria-label={words.used}
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
