// The question before a node is deleted, and whether what nothing else uses goes with it.
import { Checkbox, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { refusalText } from "../parts/refusal.ts";
import type { Asked } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import type { Node } from "./node.ts";
import { removeLeftovers, useLeftovers } from "./use-leftovers.ts";

export default function DeleteNode({ node, asked }: { readonly node: Node; readonly asked: Asked<Node> }) {
  const words = useWords("nodes");
  const parts = useWords("parts");
  const format = useFormat();
  const queries = useQueryClient();
  const leftovers = useLeftovers(node);
  const [clears, setClears] = useState(false);
  const question = words.confirm.delete;
  const remove = async () => {
    const { stopped } = await call<{ stopped: boolean }>("DELETE", `/nodes/${node.id}`);
    const said = (stopped ? words.done.deleted : words.done.deletedUnreached)(node.name);
    const error = leftovers && clears ? await removeLeftovers(leftovers) : undefined;
    for (const path of ["/templates", "/inbounds"]) void queries.invalidateQueries({ queryKey: [path] });
    const { title, cause } = error ? refusalText(error, parts) : { title: "", cause: "" };
    asked.settle({
      gone: true,
      said,
      ...(error && { partly: `${question.leftBehind} ${cause === "" ? title : cause}` }),
    });
  };
  return (
    <ConfirmDialog
      opened
      danger
      onClose={asked.close}
      title={question.title(node.name)}
      consequence={
        <Stack gap="sm">
          {question.text(format.number(node.online ?? 0))}
          {leftovers ? (
            <Checkbox
              checked={clears}
              onChange={(event) => setClears(event.currentTarget.checked)}
              label={question.leftovers(
                leftovers.template.name,
                leftovers.inbounds.length,
                format.number(leftovers.inbounds.length),
              )}
            />
          ) : null}
        </Stack>
      }
      confirm={words.verbs.delete}
      run={remove}
    />
  );
}
