// A state as a pill: its mark, and its name as it is on the wire or a word that the page has for it.
import type { ReactNode } from "react";
import classes from "./state.module.css";
import { stateTone, toneColour, toneFill, type Tone } from "./tone.ts";
import { ToneMark } from "./ToneMark.tsx";

/** The pill of an actor's state. `label`: words instead of the wire name, which then is the tip. */
export function StateBadge({
  kind,
  state,
  label,
  large,
}: {
  kind: string;
  state: string;
  label?: ReactNode;
  large?: boolean;
}) {
  return (
    <ToneBadge
      tone={stateTone(kind, state)}
      {...(label === undefined ? {} : { tip: state })}
      {...(large ? { large } : {})}
    >
      {label ?? <bdi dir="ltr">{state}</bdi>}
    </ToneBadge>
  );
}

/** A pill of a tone that is given. */
export function ToneBadge({
  tone,
  children,
  tip,
  large,
}: {
  tone: Tone;
  children: ReactNode;
  tip?: string;
  large?: boolean;
}) {
  return (
    <span
      className={classes["badge"]}
      data-large={large}
      style={{ color: toneColour(tone), background: toneFill(tone) }}
      title={tip}
    >
      <ToneMark tone={tone} size={large ? 13 : 11} />
      <span className={classes["label"]}>{children}</span>
    </span>
  );
}
