// The table as a table: head that stays, order by its buttons.
import { Skeleton, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useRef } from "react";
import { useWords } from "../../words/words.ts";
import { Tick } from "../controls/Tick.tsx";
import type { Column } from "./columns.ts";
import type { ListQuery } from "./list-query.ts";
import { LONG } from "./row-window.ts";
import { LongBody, WholeBody, type RowsProps } from "./RowsBody.tsx";
import classes from "./table.module.css";

export function Rows<T>(props: RowsProps<T> & { readonly query: ListQuery }) {
  const { columns, rows, actions, selection, query } = props;
  const words = useWords("parts");
  const frame = useRef<HTMLDivElement>(null);
  const all = rows.length > 0 && selection !== undefined && rows.every(selection.has);
  const long = rows.length > LONG;
  return (
    <div className={classes["frame"]} tabIndex={-1} ref={frame}>
      <table className={classes["table"]} data-long={long} aria-rowcount={long ? rows.length + 1 : undefined}>
        <thead>
          <tr>
            {selection ? (
              <th className={classes["narrow"]}>
                <Tick
                  aria-label={words.selectAll}
                  checked={all}
                  indeterminate={!all && selection.rows.length > 0}
                  onChange={() => selection.put(rows, !all)}
                />
              </th>
            ) : null}
            {columns.map((column) => (
              <Head key={column.id} column={column} query={query} />
            ))}
            {actions ? (
              <th className={classes["narrow"]}>
                <span className={classes["unseen"]}>{words.actions}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        {long ? <LongBody {...props} frame={frame} /> : <WholeBody {...props} />}
      </table>
    </div>
  );
}

function Head<T>({ column, query }: { readonly column: Column<T>; readonly query: ListQuery }) {
  const { sort, header, align = "start", width, above } = column;
  const active = sort !== undefined && query.sort === sort;
  const style = width === undefined ? undefined : { inlineSize: width };
  if (sort === undefined) {
    return (
      <th data-align={align} data-above={above} style={style} scope="col">
        {header}
      </th>
    );
  }
  const Arrow = query.order === "asc" ? IconArrowUp : IconArrowDown;
  return (
    <th
      data-align={align}
      data-above={above}
      style={style}
      scope="col"
      aria-sort={active ? (query.order === "asc" ? "ascending" : "descending") : undefined}
    >
      <UnstyledButton
        className={classes["sort"] ?? ""}
        data-active={active}
        onClick={() => query.set({ sort, order: active && query.order === "asc" ? "desc" : "asc" })}
      >
        {header}
        <Arrow size={13} aria-hidden className={classes["arrow"]} />
      </UnstyledButton>
    </th>
  );
}

export function RowSkeletons<T>({ columns }: { readonly columns: readonly Column<T>[] }) {
  const words = useWords("parts");
  return (
    <div className={classes["frame"]} aria-busy role="status" aria-label={words.loading}>
      <table className={classes["table"]}>
        <thead>
          <tr>
            {columns.map(({ id, header, align = "start", width }) => (
              <th key={id} data-align={align} style={width === undefined ? undefined : { inlineSize: width }}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: 10 }, (_, row) => (
            <tr key={row}>
              {columns.map(({ id }, place) => (
                <td key={id}>
                  <Skeleton height={12} width={`${place === 0 ? 70 : 45 + ((row * 13 + place * 29) % 40)}%`} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
