// The buttons of a node's page: the usual deed, the switch, and the rest in a menu.
import { ActionIcon, Button, Menu, Switch } from "@mantine/core";
import {
  IconArrowsExchange,
  IconDots,
  IconKey,
  IconPlugConnected,
  IconRefresh,
  IconTrash,
  IconUsers,
} from "@tabler/icons-react";
import { Link, useLocation, useSearch } from "wouter";
import { useMaySendAccounts } from "../session/me.ts";
import { useKeys } from "../shell/keys.ts";
import { useWords } from "../words/words.ts";
import type { Node } from "./node.ts";
import type { NodeVerbs } from "./use-node-verbs.tsx";

export interface NodeActionsProps {
  readonly node: Node;
  readonly verbs: NodeVerbs;
  readonly onMove: () => void;
}

export function NodeActions({ node, verbs, onMove }: NodeActionsProps) {
  const words = useWords("nodes");
  const [path, navigate] = useLocation();
  const search = useSearch();
  const sends = useMaySendAccounts();
  const busy = verbs.busy === node.id;
  useKeys({
    e: {
      label: words.verbs.edit,
      run: () => navigate(`${path}?tab=settings`),
      enabled: !search.includes("tab=settings"),
    },
    r: { label: words.verbs.reconnect, run: () => verbs.reconnect(node), enabled: node.enabled && !busy },
    w: { label: words.verbs.inspect, run: () => navigate(`/inspect/node/${node.id}`) },
  });
  return (
    <>
      <Switch
        label={words.columns.enabled}
        checked={node.enabled}
        disabled={busy}
        onChange={(event) => verbs.enable(node, event.currentTarget.checked)}
      />
      <Button
        variant="default"
        leftSection={<IconPlugConnected size={16} aria-hidden />}
        onClick={() => verbs.reconnect(node)}
        disabled={!node.enabled}
        loading={busy}
      >
        {words.verbs.reconnect}
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={words.verbs.more}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconRefresh size={16} aria-hidden />}
            disabled={!node.enabled}
            onClick={() => verbs.sync(node)}
          >
            {words.verbs.sync}
          </Menu.Item>
          <Menu.Item
            component={Link}
            href={`/users?node_id=${node.id}`}
            leftSection={<IconUsers size={16} aria-hidden />}
          >
            {words.verbs.users}
          </Menu.Item>
          <Menu.Divider />
          {sends ? null : <Menu.Label maw={260}>{words.needsUsers}</Menu.Label>}
          <Menu.Item
            leftSection={<IconKey size={16} aria-hidden />}
            disabled={!sends}
            onClick={() => verbs.repin(node)}
          >
            {words.verbs.repin}…
          </Menu.Item>
          <Menu.Item leftSection={<IconArrowsExchange size={16} aria-hidden />} disabled={!sends} onClick={onMove}>
            {words.verbs.move}…
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => verbs.remove(node)}>
            {words.verbs.delete}…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
