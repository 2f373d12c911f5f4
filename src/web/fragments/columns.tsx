// Columns that kinds of fragments share.
import type { ReactNode } from "react";
import { Code, Dim, Name } from "../parts/Names.tsx";
import type { Column } from "../parts/table/columns.ts";
import classes from "./fragments.module.css";

/** The name, with marks behind it and the remark below. */
export function nameColumn<T extends { readonly remark: string }>(
  id: string & keyof T,
  header: string,
  name: (record: T) => string,
  marks?: (record: T) => ReactNode,
): Column<T> {
  return {
    id,
    header,
    sort: id,
    card: "title",
    text: name,
    cell: (record) => (
      <span className={classes["lines"]}>
        {marks ? (
          <span>
            <Name>{name(record)}</Name> {marks(record)}
          </span>
        ) : (
          <Name>{name(record)}</Name>
        )}
        {record.remark === "" ? null : (
          <span className={classes["second"]}>
            <Name>{record.remark}</Name>
          </span>
        )}
      </span>
    ),
  };
}

export function typeColumn<T extends { readonly type: string }>(header: string): Column<T> {
  return {
    id: "type",
    header,
    sort: "type",
    width: 130,
    text: ({ type }) => type,
    cell: ({ type }) => <Code>{type}</Code>,
  };
}

/** Names of other records, or that there are none. */
export function namesColumn<T>(
  column: Omit<Column<T>, "text" | "cell">,
  names: (record: T) => readonly string[],
  none: string,
): Column<T> {
  const text = (record: T): string => names(record).join(", ");
  return {
    ...column,
    text,
    cell: (record) => (names(record).length === 0 ? <Dim>{none}</Dim> : <Name>{text(record)}</Name>),
  };
}
