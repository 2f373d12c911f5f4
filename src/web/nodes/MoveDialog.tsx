// Moves a node to another machine, or only to another address: what that forgets stands above the fields.
import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useApiMutation } from "../api/queries.ts";
import { Failure } from "../parts/Answer.tsx";
import { fieldProblems } from "../parts/refusal.ts";
import type { Asked } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import type { Node } from "./node.ts";
import { PortInput, type TypedPort } from "./PortInput.tsx";

export default function MoveDialog({ node, asked }: { readonly node: Node; readonly asked: Asked<Node> }) {
  const words = useWords("nodes");
  const parts = useWords("parts");
  const [address, setAddress] = useState(node.address);
  const [port, setPort] = useState<TypedPort>(node.port);
  const move = useApiMutation<Node>(
    () => ({ method: "POST", path: `/nodes/${node.id}/move`, body: { address, port } }),
    {
      onDone: () => {
        asked.settle({ said: words.done.moved(node.name) });
        asked.close();
      },
    },
  );
  const problems = fieldProblems(move.error, parts);
  return (
    <Modal
      opened
      onClose={asked.close}
      centered
      title={<Text fw={600}>{words.confirm.move.title(node.name)}</Text>}
      closeButtonProps={{ "aria-label": parts.close }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          move.mutate();
        }}
      >
        <Stack>
          <Text size="sm">{words.confirm.move.text}</Text>
          <TextInput
            label={words.fields.address}
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
            error={problems["address"]}
            dir="ltr"
            data-autofocus
            required
          />
          <PortInput label={words.fields.port} value={port} onChange={setPort} error={problems["port"]} />
          {move.error && !["address", "port"].includes(move.error.field ?? "") ? <Failure error={move.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={asked.close} disabled={move.isPending}>
              {parts.cancel}
            </Button>
            <Button type="submit" loading={move.isPending}>
              {words.confirm.move.action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
