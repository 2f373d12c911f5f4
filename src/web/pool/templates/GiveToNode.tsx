// Gives a template to a node: what the node serves until then, it serves no more.
import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { useApiMutation } from "../../api/queries.ts";
import { useFormat } from "../../format/use-format.ts";
import { Failure } from "../../parts/Answer.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { useMaySendAccounts } from "../../session/me.ts";
import { sayDone } from "../../browser/toasts.tsx";
import { useWords } from "../../words/words.ts";
import { useAll } from "../../fragments/use-all.ts";
import { TEMPLATES, useNodes, type Template, type TemplateNode } from "./templates.tsx";

export function GiveToNode({ template }: { readonly template: Template }) {
  const words = useWords("pool").templates;
  const sends = useMaySendAccounts();
  const nodes = useNodes();
  const templates = useAll(TEMPLATES);
  const [chosen, choose] = useState<string | null>(null);
  const [asking, ask] = useState(false);
  const give = useGive(template);
  const format = useFormat();
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
  const [only] = others.length === 1 ? others : [];
  const node = others.find(({ id }) => String(id) === chosen) ?? only;
  // What serves nothing yet loses nothing.
  const first = node?.templateId === null;
  const before = templates?.find(({ id }) => id === node?.templateId)?.name;
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Select
          label={words.give}
          data={others.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={node ? String(node.id) : null}
          searchable={others.length > 8}
          onChange={choose}
          flex={1}
        />
        <Button disabled={!node} loading={give.isPending} onClick={() => (first ? give.mutate(node) : ask(true))}>
          {words.giveButton}
        </Button>
      </Group>
      {first ? (
        <Text size="sm" c="dimmed">
          {words.giveFirst}
        </Text>
      ) : null}
      {give.error ? <Failure error={give.error} /> : null}
      {node && !first ? (
        <ConfirmDialog
          opened={asking}
          onClose={() => ask(false)}
          title={words.giveTitle(template.name, node.name)}
          consequence={words.giveText(before ?? `#${node.templateId}`, format.number(node.online ?? 0))}
          confirm={words.giveButton}
          danger
          run={() => give.mutateAsync(node)}
        />
      ) : null}
    </Stack>
  );
}

function useGive(template: Template) {
  const words = useWords("pool").templates;
  const queries = useQueryClient();
  return useApiMutation<unknown, TemplateNode>(
    ({ id }) => ({ method: "PUT", path: `/nodes/${id}/template`, body: { templateId: template.id } }),
    {
      refreshes: ["/nodes", "/templates", `/templates/${template.id}`],
      onDone(_, { id, name }) {
        void queries.invalidateQueries({ queryKey: [`/nodes/${id}`] });
        sayDone(words.given(template.name, name));
      },
    },
  );
}
