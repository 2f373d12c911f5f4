// The order of the plans: rows are dragged, or moved by their buttons and the arrow keys; one request saves it.
import { ActionIcon, Group, Text } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconGripVertical } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type KeyboardEvent } from "react";
import { call } from "../api/call.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { sayDone } from "../shell/toasts.tsx";
import { useWords } from "../words/words.ts";
import type { Plan } from "./plan.ts";
import classes from "./plans.module.css";

interface OrderDialogProps {
  readonly plans: readonly Plan[];
  readonly onClose: () => void;
}

/** The list with the row of `from` at the place `to`. */
export function moved<T>(rows: readonly T[], from: number, to: number): readonly T[] {
  const row = rows[from];
  if (row === undefined || to < 0 || to >= rows.length || from === to) return rows;
  return rows.toSpliced(from, 1).toSpliced(to, 0, row);
}

export function OrderDialog({ plans, onClose }: OrderDialogProps) {
  const words = useWords("plans");
  const queries = useQueryClient();
  const [rows, setRows] = useState(plans);
  const [dragged, setDragged] = useState<number>();
  const move = (from: number, to: number) => setRows((now) => moved(now, from, to));
  const onKey = (event: KeyboardEvent, place: number) => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    move(place, place + by);
  };
  const list = (
    <ol className={classes["order"]}>
      {rows.map((plan, place) => (
        <li
          key={plan.id}
          className={classes["row"]}
          draggable
          data-dragged={dragged === plan.id || undefined}
          onDragStart={() => setDragged(plan.id)}
          onDragEnd={() => setDragged(undefined)}
          onDragOver={(event) => {
            event.preventDefault();
            const from = rows.findIndex(({ id }) => id === dragged);
            if (from >= 0 && from !== place) move(from, place);
          }}
        >
          <Group gap="xs" wrap="nowrap">
            <IconGripVertical size={16} aria-hidden />
            <Text component="span" className={classes["name"]}>
              <bdi>{plan.name}</bdi>
            </Text>
            <ActionIcon
              variant="subtle"
              aria-label={words.moveUp(plan.name)}
              disabled={place === 0}
              onClick={() => move(place, place - 1)}
              onKeyDown={(event) => onKey(event, place)}
            >
              <IconArrowUp size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              aria-label={words.moveDown(plan.name)}
              disabled={place === rows.length - 1}
              onClick={() => move(place, place + 1)}
              onKeyDown={(event) => onKey(event, place)}
            >
              <IconArrowDown size={16} aria-hidden />
            </ActionIcon>
          </Group>
        </li>
      ))}
    </ol>
  );
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={words.order}
      consequence={list}
      confirm={words.saveOrder}
      run={async () => {
        await call("PUT", "/plans/order", { body: { ids: rows.map(({ id }) => id) } });
        await queries.invalidateQueries({ queryKey: ["/plans"] });
        sayDone(words.ordered);
      }}
    />
  );
}
