// Rows that a person puts into an order: dragged, or moved by their buttons and the arrow keys.
import { ActionIcon, Group, Text } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconGripVertical } from "@tabler/icons-react";
import { useState, type KeyboardEvent, type ReactNode } from "react";
import classes from "./ordered-rows.module.css";

interface OrderedRow {
  readonly id: number;
  readonly name: string;
}

interface OrderedRowsProps<T extends OrderedRow> {
  readonly rows: readonly T[];
  readonly onMove: (from: number, to: number) => void;
  readonly moveUp: (name: string) => string;
  readonly moveDown: (name: string) => string;
  /** In place of the name. */
  readonly label?: (row: T) => ReactNode;
  /** Behind the buttons. */
  readonly more?: (row: T) => ReactNode;
}

/** The list with the row of `from` at the place `to`. */
export function moved<T>(rows: readonly T[], from: number, to: number): readonly T[] {
  const row = rows[from];
  if (row === undefined || to < 0 || to >= rows.length || from === to) return rows;
  return rows.toSpliced(from, 1).toSpliced(to, 0, row);
}

export function OrderedRows<T extends OrderedRow>({ rows, onMove, ...texts }: OrderedRowsProps<T>) {
  const { moveUp, moveDown, label, more } = texts;
  const [dragged, setDragged] = useState<number>();
  const onKey = (event: KeyboardEvent, place: number) => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    onMove(place, place + by);
  };
  return (
    <ol className={classes["order"]}>
      {rows.map((row, place) => (
        <li
          key={row.id}
          className={classes["row"]}
          draggable
          data-dragged={dragged === row.id || undefined}
          onDragStart={() => setDragged(row.id)}
          onDragEnd={() => setDragged(undefined)}
          onDragOver={(event) => {
            event.preventDefault();
            const from = rows.findIndex(({ id }) => id === dragged);
            if (from >= 0 && from !== place) onMove(from, place);
          }}
        >
          <Group gap="xs" wrap="nowrap">
            <IconGripVertical size={16} aria-hidden />
            <Text component="span" className={classes["name"]}>
              {label ? label(row) : <bdi>{row.name}</bdi>}
            </Text>
            <ActionIcon
              variant="subtle"
              aria-label={moveUp(row.name)}
              disabled={place === 0}
              onClick={() => onMove(place, place - 1)}
              onKeyDown={(event) => onKey(event, place)}
            >
              <IconArrowUp size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              aria-label={moveDown(row.name)}
              disabled={place === rows.length - 1}
              onClick={() => onMove(place, place + 1)}
              onKeyDown={(event) => onKey(event, place)}
            >
              <IconArrowDown size={16} aria-hidden />
            </ActionIcon>
            {more?.(row)}
          </Group>
        </li>
      ))}
    </ol>
  );
}
