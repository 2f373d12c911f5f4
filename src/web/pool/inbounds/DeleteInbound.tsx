// The question before an inbound is deleted: which templates lose it, and on which nodes its users are cut off.
import { Stack, Text } from "@mantine/core";
import { call } from "../../api/call.ts";
import { useFormat } from "../../format/use-format.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import type { Asked } from "../../parts/use-verbs.tsx";
import { useWords } from "../../words/words.ts";
import type { Inbound } from "../pool.ts";
import { useNodes, useTemplates } from "../use-pool.ts";
import { UsedBy, usersOf } from "../UsedBy.tsx";

export function DeleteInbound({ inbound, asked }: { readonly inbound: Inbound; readonly asked: Asked<Inbound> }) {
  const words = useWords("pool");
  const format = useFormat();
  const templates = useTemplates();
  const nodes = useNodes();
  const users = usersOf(({ inboundIds }) => inboundIds.includes(inbound.id), templates, nodes);
  const count = users.nodes.length;
  return (
    <ConfirmDialog
      opened
      danger
      onClose={asked.close}
      title={words.inbounds.deleteTitle(inbound.tag)}
      consequence={
        <Stack gap="sm">
          <Text size="sm">
            {count > 0 ? words.inbounds.deleteText(count, format.number(count)) : words.inbounds.deleteUnused}
          </Text>
          {users.templates.length > 0 ? <UsedBy users={users} /> : null}
        </Stack>
      }
      confirm={words.verbs.delete}
      run={async () => {
        await call("DELETE", `/inbounds/${inbound.id}`);
        asked.settle({ gone: true, said: words.deleted(inbound.tag) });
      }}
    />
  );
}
