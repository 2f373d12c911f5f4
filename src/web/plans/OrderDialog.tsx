// The order of the plans; one request saves it.
import { Group } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/call.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { moved, OrderedList } from "../parts/order/OrderedList.tsx";
import { Name } from "../parts/Names.tsx";
import { sayDone } from "../browser/toasts.tsx";
import { useWords } from "../words/words.ts";
import type { Plan } from "./plan.ts";

interface OrderDialogProps {
  readonly plans: readonly Plan[];
  readonly onClose: () => void;
}

export function OrderDialog({ plans, onClose }: OrderDialogProps) {
  const words = useWords("plans");
  const queries = useQueryClient();
  const [rows, setRows] = useState(plans);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={words.order}
      consequence={
        <OrderedList
          rows={rows}
          nameOf={({ name }) => name}
          words={words}
          onMove={(from, to) => setRows((now) => moved(now, from, to))}
        >
          {({ name }) => (
            <Group mih={36}>
              <Name>{name}</Name>
            </Group>
          )}
        </OrderedList>
      }
      confirm={words.saveOrder}
      run={async () => {
        await call("PUT", "/plans/order", { body: { ids: rows.map(({ id }) => id) } });
        await queries.invalidateQueries({ queryKey: ["/plans"] });
        sayDone(words.ordered);
      }}
    />
  );
}
