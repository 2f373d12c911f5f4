// The fields of a schema as a table; a field that has fields of its own opens in place.
import { useState } from "react";
import { useWords } from "../words/words.ts";
import type { Schema } from "../parts/schema/schema.ts";
import { boundsOf, fieldsOf, resolved, typeText, type ApiDocument } from "./document.ts";
import classes from "./reference.module.css";

/** One row: a parameter or a field. */
export interface FieldRow {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly description: string | undefined;
  /** `path`, `query` or `header` of a parameter. */
  readonly place?: string;
}

export function Fields({ document, rows }: { readonly document: ApiDocument; readonly rows: readonly FieldRow[] }) {
  return (
    <ul className={classes["fields"]}>
      {rows.map((row) => (
        <Field key={`${row.place ?? ""} ${row.name}`} document={document} row={row} />
      ))}
    </ul>
  );
}

/** The fields of a named or inline schema. */
export function SchemaFields({ document, schema }: { readonly document: ApiDocument; readonly schema: Schema }) {
  const shown = fieldsOf(document, schema);
  if (!shown) return null;
  return <Fields document={document} rows={rowsOf(shown)} />;
}

function Field({ document, row }: { readonly document: ApiDocument; readonly row: FieldRow }) {
  const words = useWords("reference");
  const [isOpen, open] = useState(false);
  const schema = resolved(document, row.schema);
  const inner = fieldsOf(document, row.schema);
  const bounds = boundsOf(schema);
  return (
    <li className={classes["field"]}>
      <div className={classes["fieldHead"]}>
        <code className={classes["name"]}>{row.name}</code>
        <code className={classes["type"]}>{typeText(row.schema)}</code>
        {row.place === undefined ? null : <span className={classes["mark"]}>{row.place}</span>}
        {row.required ? <span className={classes["mark"]}>{words.required}</span> : null}
        {bounds.map((bound) => (
          <code key={bound} className={classes["bound"]}>
            {bound}
          </code>
        ))}
        {inner ? (
          <button type="button" className={classes["more"]} aria-expanded={isOpen} onClick={() => open(!isOpen)}>
            {words.fields}
          </button>
        ) : null}
      </div>
      {(row.description ?? schema.description) === undefined ? null : (
        <p className={classes["said"]}>{row.description ?? schema.description}</p>
      )}
      {inner && isOpen ? <Fields document={document} rows={rowsOf(inner)} /> : null}
    </li>
  );
}

function rowsOf({ properties = {}, required = [] }: Schema): readonly FieldRow[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
    description: schema.description,
  }));
}
