// The rows on a phone: a card each, its first line the name and what stands in the corner, below it the rest.
import { Checkbox, Skeleton, Stack } from "@mantine/core";
import { Link } from "wouter";
import { useWords } from "../../words/words.ts";
import { RowMenu } from "./RowMenu.tsx";
import type { RowsProps } from "./Rows.tsx";
import classes from "./table.module.css";

export function Cards<T>(props: RowsProps<T>) {
  const { columns, rows, rowKey, rowLabel, href, actions, dimmed, menu, setMenu, selected, toggle } = props;
  const words = useWords("parts");
  const title = columns.find(({ card }) => card === "title");
  const corner = columns.filter(({ card }) => card === "corner");
  const foot = columns.filter(({ card }) => card === "foot");
  const lines = columns.filter(({ card }) => card === undefined || card === "line");
  return (
    <ul className={classes["cards"]}>
      {rows.map((row) => {
        const key = rowKey(row);
        const to = href?.(row);
        return (
          <li key={key} className={classes["card"]} data-dimmed={dimmed?.(row) ?? false} data-selected={selected.has(key)}>
            <div className={classes["cardHead"]}>
              {toggle ? (
                <Checkbox
                  aria-label={words.select(rowLabel(row))}
                  checked={selected.has(key)}
                  onChange={(event) => toggle([key], event.currentTarget.checked)}
                />
              ) : null}
              {to === undefined ? (
                <span className={classes["cardTitle"]}>{title?.cell(row)}</span>
              ) : (
                <Link href={to} className={classes["cardTitle"] ?? ""}>
                  {title?.cell(row)}
                </Link>
              )}
              {corner.map((column) => (
                <span key={column.id}>{column.cell(row)}</span>
              ))}
              {actions ? (
                <RowMenu
                  large
                  label={rowLabel(row)}
                  actions={() => actions(row)}
                  opened={menu === key}
                  onChange={(opened) => setMenu(opened ? key : undefined)}
                />
              ) : null}
            </div>
            <dl className={classes["cardLines"]}>
              {lines.map((column) => (
                <div key={column.id}>
                  <dt>{column.header}</dt>
                  <dd>{column.cell(row)}</dd>
                </div>
              ))}
            </dl>
            {foot.length === 0 ? null : (
              <div className={classes["cardFoot"]}>
                {foot.map((column) => (
                  <span key={column.id}>{column.cell(row)}</span>
                ))}
              </div>
            )}
          </li>
        );
      })}
    </ul>
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
