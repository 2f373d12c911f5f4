// Gives a template to a node: what the node serves until then, it serves no more.
import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { call } from "../../api/call.ts";
import { useFormat } from "../../format/use-format.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { useMaySendAccounts } from "../../session/me.ts";
import { sayDone } from "../../shell/toasts.tsx";
import { useWords } from "../../words/words.ts";
import type { PoolNode, Template } from "../pool.ts";
import { useNodes, useTemplates } from "../use-pool.ts";

export function GiveToNode({ template }: { readonly template: Template }) {
  const words = useWords("pool").templates;
  const sends = useMaySendAccounts();
  const nodes = useNodes();
  const templates = useTemplates();
  const [chosen, choose] = useState<string | null>(null);
  const [asking, ask] = useState(false);
  if (!nodes) return null;
  if (!sends) {
    return (
      <Text size="sm" c="dimmed">
        {words.needsUsers}
      </Text>
    );
  }
  const others = nodes.filter(({ templateId }) => templateId !== template.id);
  if (others.length === 0) {
    return nodes.length > 0 ? null : (
      <Button component={Link} href="/nodes/new" fullWidth>
        {words.addNode}
      </Button>
    );
  }
  const node = others.find(({ id }) => String(id) === chosen);
  const before = templates?.find(({ id }) => id === node?.templateId)?.name;
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Select
          label={words.give}
          data={others.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={node ? chosen : null}
          searchable={others.length > 8}
          onChange={choose}
          flex={1}
        />
        <Button disabled={!node} onClick={() => ask(true)}>
          {words.giveButton}
        </Button>
      </Group>
      {node ? <Asked template={template} node={node} before={before} opened={asking} close={() => ask(false)} /> : null}
    </Stack>
  );
}

interface AskedProps {
  readonly template: Template;
  readonly node: PoolNode;
  readonly before: string | undefined;
  readonly opened: boolean;
  readonly close: () => void;
}

function Asked({ template, node, before, opened, close }: AskedProps) {
  const words = useWords("pool").templates;
  const format = useFormat();
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={words.giveTitle(template.name, node.name)}
      consequence={before === undefined ? words.giveFirst : words.giveText(before, format.number(node.online ?? 0))}
      confirm={words.giveButton}
      danger={before !== undefined}
      run={async () => {
        await call("PUT", `/nodes/${node.id}/template`, { body: { templateId: template.id } });
        for (const path of ["/nodes", `/nodes/${node.id}`, "/templates", `/templates/${template.id}`])
          void queries.invalidateQueries({ queryKey: [path] });
        sayDone(words.given(template.name, node.name));
      }}
    />
  );
}
