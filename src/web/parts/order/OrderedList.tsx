// Rows in an order that people choose: dragged by their handle, or moved by arrow keys and buttons.
import { ActionIcon } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconGripVertical } from "@tabler/icons-react";
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import classes from "./order.module.css";

export interface OrderWords {
  readonly moveUp: (name: string) => string;
  readonly moveDown: (name: string) => string;
}

export interface OrderedListProps<T> {
  readonly rows: readonly T[];
  /** What a row is called where its buttons are read out. */
  readonly nameOf: (row: T, place: number) => string;
  readonly words: OrderWords;
  /** Absent: the order is not this person's to change. */
  readonly onMove?: ((from: number, to: number) => void) | undefined;
  /** Marked, as the row that is looked for. */
  readonly isLit?: (row: T, place: number) => boolean;
  readonly children: (row: T, place: number) => ReactNode;
}

/** The list with the row of `from` at the place `to`. */
export function moved<T>(rows: readonly T[], from: number, to: number): readonly T[] {
  const row = rows[from];
  if (row === undefined || to < 0 || to >= rows.length || from === to) return rows;
  return rows.toSpliced(from, 1).toSpliced(to, 0, row);
}

export function OrderedList<T>({ rows, nameOf, words, onMove, isLit, children }: OrderedListProps<T>) {
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number>();
  /** Where it would go. Rows stay until it is dropped: they are of different heights, and would run from the mouse. */
  const [over, setOver] = useState<number>();
  /** The handle that was moved by a key keeps the focus, at its new place. */
  const [follow, setFollow] = useState<number>();
  useEffect(() => {
    if (follow === undefined) return;
    list.current?.querySelectorAll<HTMLElement>("[data-handle]").item(follow)?.focus();
    setFollow(undefined);
  }, [follow]);
  const move = (from: number, to: number) => {
    if (to >= 0 && to < rows.length) onMove?.(from, to);
  };
  const onKey = (event: KeyboardEvent, place: number) => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (by === 0 || place + by < 0 || place + by >= rows.length) return;
    event.preventDefault();
    move(place, place + by);
    setFollow(place + by);
  };
  return (
    <ol className={classes["rows"]} ref={list}>
      {rows.map((row, place) => (
        // Not every row has an id or a name: a place is what tells them apart.
        <li
          key={place}
          className={classes["row"]}
          data-dragged={dragged === place || undefined}
          data-lit={isLit?.(row, place) || undefined}
          data-over={(over === place && dragged !== place) || undefined}
          onDragOver={(event) => {
            if (dragged === undefined) return;
            event.preventDefault();
            setOver(place);
          }}
          onDrop={(event) => {
            event.preventDefault();
            if (dragged !== undefined) move(dragged, place);
          }}
        >
          {onMove ? (
            <span className={classes["moves"]}>
              <button
                type="button"
                data-handle
                draggable
                className={classes["handle"]}
                aria-label={`${nameOf(row, place)}: ${place + 1}/${rows.length}`}
                onKeyDown={(event) => onKey(event, place)}
                onDragStart={(event) => {
                  event.dataTransfer.effectAllowed = "move";
                  // Firefox begins no drag without data.
                  event.dataTransfer.setData("text/plain", nameOf(row, place));
                  const shown = event.currentTarget.closest("li");
                  if (shown) event.dataTransfer.setDragImage(shown, 16, 16);
                  setDragged(place);
                }}
                onDragEnd={() => {
                  setDragged(undefined);
                  setOver(undefined);
                }}
              >
                <IconGripVertical size={16} aria-hidden />
              </button>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={words.moveUp(nameOf(row, place))}
                disabled={place === 0}
                onKeyDown={(event) => onKey(event, place)}
                onClick={() => move(place, place - 1)}
              >
                <IconArrowUp size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={words.moveDown(nameOf(row, place))}
                disabled={place === rows.length - 1}
                onKeyDown={(event) => onKey(event, place)}
                onClick={() => move(place, place + 1)}
              >
                <IconArrowDown size={16} aria-hidden />
              </ActionIcon>
            </span>
          ) : null}
          <div className={classes["content"]}>{children(row, place)}</div>
        </li>
      ))}
    </ol>
  );
}
