// The question before an inbound is deleted: which templates lose it, and on which nodes its users are cut off.
import { Stack, Text } from "@mantine/core";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/queries.ts";
import { useFormat } from "../../format/use-format.ts";
import { LoadingLines } from "../../parts/Answer.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import type { Asked } from "../../parts/use-verbs.tsx";
import { useWords } from "../../words/words.ts";
import type { Used } from "../../fragments/kind.ts";
import { UsedBy } from "../../fragments/UsedBy.tsx";
import { INBOUNDS, type Inbound } from "./inbounds.tsx";

export default function DeleteInbound({
  inbound,
  asked,
}: {
  readonly inbound: Inbound;
  readonly asked: Asked<Inbound>;
}) {
  const words = useWords("pool");
  const users = useApi<Inbound & Used>(`/inbounds/${inbound.id}`).data?.usedBy;
  return (
    <ConfirmDialog
      opened
      danger
      onClose={asked.close}
      title={words.inbounds.deleteTitle(inbound.tag)}
      consequence={users ? <Consequence users={users} /> : <LoadingLines lines={2} />}
      confirm={words.verbs.delete}
      run={async () => {
        await call("DELETE", `/inbounds/${inbound.id}`);
        asked.settle({ gone: true, said: words.deleted(inbound.tag) });
      }}
    />
  );
}

function Consequence({ users }: { readonly users: Used["usedBy"] }) {
  const words = useWords("pool").inbounds;
  const format = useFormat();
  const nodes = users.nodes?.length ?? 0;
  const used = nodes > 0 || users.templates?.length !== 0;
  return (
    <Stack gap="sm">
      {nodes > 0 || !used ? (
        <Text size="sm">{nodes > 0 ? words.deleteText(nodes, format.number(nodes)) : words.deleteUnused}</Text>
      ) : null}
      {used ? <UsedBy kind={INBOUNDS} users={users} /> : null}
    </Stack>
  );
}
