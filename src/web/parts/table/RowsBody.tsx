// The rows of a table: each is a link as a whole; of a long table those in sight are drawn.
import { memo, useEffect, useRef, type RefObject } from "react";
import { Link } from "wouter";
import { useWords } from "../../words/words.ts";
import { Tick } from "../controls/Tick.tsx";
import type { Column, RowAction } from "./columns.ts";
import { useRowWindow } from "./use-row-window.ts";
import { RowMenu } from "./RowMenu.tsx";
import type { RowKey, Selection } from "./selection.ts";
import classes from "./table.module.css";

export interface RowsProps<T> {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => RowKey;
  readonly rowLabel: (row: T) => string;
  readonly href: ((row: T) => string) | undefined;
  /** Goes to where a row leads. */
  readonly open: (href: string) => void;
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

export function WholeBody<T>(props: RowsProps<T>) {
  const { rows, rowKey, cursor } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    body.current?.querySelector("[data-cursor=true]")?.scrollIntoView({ block: "nearest" });
  }, [cursor]);
  return (
    <tbody ref={body}>
      {rows.map((row, place) => (
        <OneRow key={rowKey(row)} row={row} place={place} table={props} />
      ))}
    </tbody>
  );
}

/**
 * Draws only the visible rows of a long table. An empty row before them and one after them keep the space of the
 * others.
 */
export function LongBody<T>(props: RowsProps<T> & { readonly frame: RefObject<HTMLDivElement | null> }) {
  const { rows, rowKey, cursor, frame } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const { from, to, before, after } = useRowWindow(frame, body, { count: rows.length, cursor });
  return (
    <tbody ref={body}>
      {before > 0 ? <tr aria-hidden style={{ blockSize: before }} /> : null}
      {rows.slice(from, to).map((row, index) => (
        <OneRow key={rowKey(row)} row={row} place={from + index} table={props} long />
      ))}
      {after > 0 ? <tr aria-hidden style={{ blockSize: after }} /> : null}
    </tbody>
  );
}

interface OneRowProps<T> {
  readonly row: T;
  readonly place: number;
  /** Stays the same object while the window moves: then rows that stay are not drawn again. */
  readonly table: RowsProps<T>;
  readonly long?: boolean;
}

function RowOf<T>({ row, place, table, long = false }: OneRowProps<T>) {
  const { columns, rowKey, rowLabel, href, open, actions, dimmed, menu, setMenu, selection, cursor } = table;
  const words = useWords("parts");
  const key = rowKey(row);
  const to = href?.(row);
  return (
    <tr
      {...(long && { "data-place": place, "aria-rowindex": place + 2 })}
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
        } else if (to !== undefined && window.getSelection()?.isCollapsed !== false) open(to);
      }}
    >
      {selection ? (
        <td className={classes["narrow"]}>
          <Tick
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
}

/** `memo` forgets the row's type; the cast gives it back. */
const OneRow = memo(RowOf) as typeof RowOf;
