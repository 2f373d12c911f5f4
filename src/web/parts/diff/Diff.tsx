// Two versions of a record or document as the fields that differ: before and after beside each other, or what a new or
// deleted one has. Secrets are not shown, only that they changed.
import type { ReactNode } from "react";
import { useWords } from "../../words/words.ts";
import { DiffValue } from "./DiffValue.tsx";
import { differences, isEmpty, isFields, type Difference, type Path } from "./differences.ts";
import classes from "./diff.module.css";
import { isSecretField } from "./secret-fields.ts";

export interface DiffProps {
  /** Undefined: there was none, it is new. */
  readonly before?: unknown;
  /** Undefined: there is none any more. */
  readonly after?: unknown;
  /** Heads of the columns; "Before" and "After" unless said. */
  readonly heads?: { readonly before: string; readonly after: string };
  /** What people call a field; else its name on the wire. */
  readonly label?: (path: Path) => string | undefined;
  /** A field's value where it is more than what the record says: bytes, the name behind an id. */
  readonly show?: (path: Path, value: unknown) => ReactNode | undefined;
  /** Top fields that are left out. */
  readonly ignored?: readonly string[];
  /** What changed although both sides read the same. */
  readonly hidden?: readonly Path[];
}

/** What the audit log writes for a secret. */
const REDACTED = "[redacted]";
/** Every change touches it. */
const ALWAYS = ["updatedAt"];

export function Diff({ before, after, heads, label, show, ignored = ALWAYS, hidden = [] }: DiffProps) {
  const words = useWords("parts").diff;
  const sides = [
    ...(before === undefined ? [] : (["before"] as const)),
    ...(after === undefined ? [] : (["after"] as const)),
  ];
  const found = [...differences(before, after, ignored), ...hidden.map((path) => sameOnBoth(path, after))];
  // A new or deleted record has only one side. Its empty fields are left out, because they would hide the others.
  const told = sides.length === 2 ? found : found.filter((each) => !isEmpty(each.after ?? each.before));
  if (told.length === 0) return <p className={classes["same"]}>{words.same}</p>;
  return (
    <table className={classes["diff"]} data-sides={sides.length}>
      <thead>
        <tr>
          <th scope="col">{words.field}</th>
          {sides.map((side) => (
            <th key={side} scope="col">
              {heads?.[side] ?? words[side]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {told.map((each) => (
          <tr key={each.path.join("\0")}>
            <th scope="row">
              <FieldName path={each.path} label={label} />
            </th>
            {sides.map((side) => (
              <td key={side} data-side={side} data-head={heads?.[side] ?? words[side]}>
                {shownOf(each, side, show)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function sameOnBoth(path: Path, after: unknown): Difference {
  const value = path.reduce((found, name) => (isFields(found) ? found[name] : undefined), after);
  return { path, before: value, after: value };
}

function shownOf(each: Difference, side: "before" | "after", show: DiffProps["show"]): ReactNode {
  const { path } = each;
  const secret = isSecretField(path) || each[side] === REDACTED;
  const own = secret || isEmpty(each[side]) ? undefined : show?.(path, each[side]);
  if (own !== undefined) return own;
  const other = each[side === "before" ? "after" : "before"];
  return <DiffValue path={path} value={each[side]} other={other} secret={secret} />;
}

/** `Network › Port`, each step by what people call it. */
function FieldName({ path, label }: { readonly path: Path; readonly label: DiffProps["label"] }) {
  const words = useWords("parts").diff;
  const called = label?.(path);
  if (called !== undefined) return <bdi>{called}</bdi>;
  if (path.length === 0) return <>{words.document}</>;
  return (
    <bdi dir="ltr" className={classes["path"]}>
      {path.map((name, depth) => (
        <span key={depth}>
          {depth === 0 ? null : <span className={classes["step"]}> › </span>}
          {label?.(path.slice(0, depth + 1)) ?? name}
        </span>
      ))}
    </bdi>
  );
}
