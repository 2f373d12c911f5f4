// What the actor knows, field by field, without secrets: of now, or of the moment that is looked back at.
import { useState } from "react";
import { useFormat } from "../../format/use-format.ts";
import { CopyButton } from "../../parts/CopyButton.tsx";
import { useWords } from "../../words/words.ts";
import classes from "./facts.module.css";
import { fieldText, rawText, unitOf } from "./field.ts";
import type { Moment } from "../actor/moment.ts";
import type { Remembered } from "../actor/past.ts";
import { Section } from "./Section.tsx";

export function ContextSection({
  kind,
  moment,
  past,
}: {
  readonly kind: string;
  readonly moment: Moment;
  readonly past: boolean;
}) {
  const words = useWords("inspect").actor;
  const fields = [...moment.context];
  return (
    <Section title={past ? words.contextThen : words.context}>
      {fields.length === 0 ? (
        <p className={classes["quiet"]}>{words.contextNothing}</p>
      ) : (
        <dl className={classes["context"]}>
          {fields.map(([field, remembered]) => (
            <Field
              key={field}
              kind={kind}
              field={field}
              remembered={remembered}
              marked={past && moment.changed.has(field)}
            />
          ))}
        </dl>
      )}
    </Section>
  );
}

interface FieldProps {
  readonly kind: string;
  readonly field: string;
  readonly remembered: Remembered;
  /** The step that is looked at changed it. */
  readonly marked: boolean;
}

function Field({ kind, field, remembered, marked }: FieldProps) {
  const words = useWords("inspect").actor;
  const format = useFormat();
  const raw = remembered.known ? rawText(remembered.value) : "";
  const [seen, setSeen] = useState(raw);
  const [flashes, setFlashes] = useState(0);
  if (seen !== raw) {
    setSeen(raw);
    setFlashes(flashes + 1);
  }
  const text = remembered.known ? fieldText(remembered.value, unitOf(kind, field), format) : "";
  return (
    <div className={classes["field"]} data-marked={marked || undefined}>
      <dt dir="ltr">{field}</dt>
      <dd>
        {!remembered.known && (
          <span className={classes["quiet"]} title={words.unknownMore}>
            {words.unknown}
          </span>
        )}
        {remembered.known && text === "" && <span className={classes["quiet"]}>{words.empty}</span>}
        {text !== "" && (
          <span
            key={flashes}
            className={classes["value"]}
            data-flash={flashes > 0 || undefined}
            title={text === raw ? undefined : raw}
          >
            <bdi dir="auto">{text}</bdi>
          </span>
        )}
      </dd>
      {text !== "" && (
        <dd className={classes["copy"]}>
          <CopyButton value={raw} label={words.copy(field)} />
        </dd>
      )}
    </div>
  );
}
