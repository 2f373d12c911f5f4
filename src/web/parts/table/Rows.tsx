// The table as a table: head that stays, order by its buttons, a row that is a link as a whole.
import { Checkbox, Skeleton, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { useWords } from "../../words/words.ts";
import type { Column, RowAction } from "./columns.ts";
import type { ListQuery } from "./list-query.ts";
import { RowMenu } from "./RowMenu.tsx";
import type { RowKey, Selection } from "./selection.ts";
import classes from "./table.module.css";

export interface RowsProps<T> {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => RowKey;
  readonly rowLabel: (row: T) => string;
  readonly href: ((row: T) => string) | undefined;
  readonly actions: ((row: T) => readonly RowAction[]) | undefined;
  readonly dimmed: ((row: T) => boolean) | undefined;
  readonly menu: RowKey | undefined;
  readonly setMenu: (key: RowKey | undefined) => void;
  /** Absent: rows cannot be selected. */
  readonly selection: Selection<T> | undefined;
  /** Place of the row under the cursor of the keyboard, -1 = none. */
  readonly cursor: number;
}

const INTERACTIVE = "a, button, input, label, [role=switch], [role=menu], [data-own-click]";

export function Rows<T>(props: RowsProps<T> & { readonly query: ListQuery }) {
  const { columns, rows, rowKey, rowLabel, href, actions, dimmed, menu, setMenu, selection, cursor, query } = props;
  const words = useWords("parts");
  const [, navigate] = useLocation();
  const all = rows.length > 0 && selection !== undefined && rows.every(selection.has);
  const under = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    under.current?.scrollIntoView({ block: "nearest" });
  }, [cursor]);
  return (
    <div className={classes["frame"]} tabIndex={-1}>
      <table className={classes["table"]}>
        <thead>
          <tr>
            {selection ? (
              <th className={classes["narrow"]}>
                <Checkbox
                  size="xs"
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
        <tbody>
          {rows.map((row, place) => {
            const key = rowKey(row);
            const to = href?.(row);
            return (
              <tr
                key={key}
                ref={place === cursor ? under : null}
                data-cursor={place === cursor}
                data-selected={selection?.has(row) ?? false}
                data-dimmed={dimmed?.(row) ?? false}
                data-link={to !== undefined}
                onClick={(event) => {
                  const inside = event.target instanceof Element && event.target.closest(INTERACTIVE) !== null;
                  if (inside) return;
                  if (selection && event.shiftKey) {
                    window.getSelection()?.removeAllRanges();
                    selection.toggle(row, true);
                  } else if (to !== undefined && window.getSelection()?.isCollapsed !== false) navigate(to);
                }}
              >
                {selection ? (
                  <td className={classes["narrow"]}>
                    <Checkbox
                      size="xs"
                      aria-label={words.select(rowLabel(row))}
                      checked={selection.has(row)}
                      onChange={({ nativeEvent }) =>
                        selection.toggle(row, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
                      }
                    />
                  </td>
                ) : null}
                {columns.map((column) => (
                  <td key={column.id} data-align={column.align ?? "start"} data-above={column.above}>
                    {column.card === "title" && to !== undefined ? (
                      <Link href={to} className={classes["title"] ?? ""}>
                        {column.cell(row)}
                      </Link>
                    ) : (
                      column.cell(row)
                    )}
                  </td>
                ))}
                {actions ? (
                  <td className={classes["narrow"]}>
                    <RowMenu
                      label={rowLabel(row)}
                      actions={() => actions(row)}
                      opened={menu === key}
                      onChange={(opened) => setMenu(opened ? key : undefined)}
                    />
                  </td>
                ) : null}
              </tr>
            );
          })}
        </tbody>
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
