// The rows on a phone: a card of few lines each; a long press selects, and while something is selected a tap does.
import { Skeleton, Stack } from "@mantine/core";
import { IconSquareCheck } from "@tabler/icons-react";
import { Link } from "wouter";
import { useWords } from "../../words/words.ts";
import { Tick } from "../controls/Tick.tsx";
import type { Column } from "./columns.ts";
import { useLongPress } from "./press.ts";
import { RowSheet } from "./RowMenu.tsx";
import type { RowsProps } from "./RowsBody.tsx";
import classes from "./table.module.css";

export function Cards<T>(props: RowsProps<T>) {
  const { columns, rows, rowKey, rowLabel, href, actions, dimmed, menu, setMenu, selection } = props;
  const words = useWords("parts");
  const press = useLongPress();
  const selecting = selection !== undefined && selection.rows.length > 0;
  const title = columns.find(({ card }) => card === "title");
  const corner = columns.filter(({ card }) => card === "corner");
  return (
    <ul className={classes["cards"]}>
      {rows.map((row) => {
        const key = rowKey(row);
        const to = href?.(row);
        const selected = selection?.has(row) ?? false;
        const select = {
          id: "select",
          label: words.selectRow,
          icon: <IconSquareCheck size={15} aria-hidden />,
          run: () => selection?.toggle(row, false),
        };
        return (
          <li
            key={key}
            className={classes["card"]}
            data-dimmed={dimmed?.(row) ?? false}
            data-selected={selected}
            {...(selection ? press(() => selection.toggle(row, false)) : {})}
          >
            <div className={classes["cardHead"]}>
              {selecting ? (
                <label className={classes["tick"]}>
                  <Tick
                    size="md"
                    aria-label={words.select(rowLabel(row))}
                    checked={selected}
                    onChange={() => selection.toggle(row, false)}
                  />
                </label>
              ) : null}
              {to === undefined ? (
                <span className={classes["cardTitle"]}>{title?.cell(row)}</span>
              ) : (
                <Link
                  href={to}
                  className={classes["cardTitle"] ?? ""}
                  onClick={(event) => {
                    if (!selecting) return;
                    event.preventDefault();
                    selection.toggle(row, false);
                  }}
                >
                  {title?.cell(row)}
                </Link>
              )}
              {corner.map((column) => (
                <span key={column.id} className={classes["corner"]}>
                  {column.cell(row)}
                </span>
              ))}
              {actions ? (
                <RowSheet
                  label={rowLabel(row)}
                  actions={() => (selection && !selecting ? [select, ...actions(row)] : actions(row))}
                  opened={menu === key}
                  onChange={(opened) => setMenu(opened ? key : undefined)}
                />
              ) : null}
            </div>
            <CardLines columns={columns} row={row} />
          </li>
        );
      })}
    </ul>
  );
}

function CardLines<T>({ columns, row }: { readonly columns: readonly Column<T>[]; readonly row: T }) {
  const lines = columns.filter(({ card = "line" }) => card === "line");
  const bare = columns.filter(({ card }) => card === "bare");
  const under = columns.filter(({ card }) => card === "under");
  const foot = columns.filter(({ card }) => card === "foot");
  return (
    <>
      {bare.map((column) => (
        <div key={column.id} className={classes["bare"]}>
          {column.cell(row)}
        </div>
      ))}
      {lines.length === 0 ? null : (
        <dl className={classes["cardLines"]}>
          {lines.map((column) => (
            <div key={column.id}>
              <dt>{column.header}</dt>
              <dd>{column.cell(row)}</dd>
            </div>
          ))}
        </dl>
      )}
      {foot.length + under.length === 0 ? null : (
        <div className={classes["cardFoot"]}>
          {under.length === 0 ? null : (
            <dl className={classes["cardUnder"]}>
              {under.map((column) => (
                <div key={column.id}>
                  <dt>{column.header}</dt>
                  <dd>{column.cell(row)}</dd>
                </div>
              ))}
            </dl>
          )}
          {foot.map((column) => (
            <span key={column.id}>{column.cell(row)}</span>
          ))}
        </div>
      )}
    </>
  );
}

export function CardSkeletons() {
  const words = useWords("parts");
  return (
    <Stack gap="xs" aria-busy role="status" aria-label={words.loading}>
      {Array.from({ length: 6 }, (_, card) => (
        <Skeleton key={card} height={96} radius="md" />
      ))}
    </Stack>
  );
}
