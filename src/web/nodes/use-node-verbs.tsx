// What can be done with a node, in the order of the menu. What ends connections or cannot be taken back asks first, and
// names what follows.
import { Stack, Text } from "@mantine/core";
import {
  IconArrowsExchange,
  IconHistory,
  IconKey,
  IconPencil,
  IconPlugConnected,
  IconPower,
  IconRefresh,
  IconTimeline,
  IconTrash,
  IconUsers,
} from "@tabler/icons-react";
import { lazy } from "react";
import { call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { Code } from "../parts/Names.tsx";
import { Facts } from "../parts/Record.tsx";
import { useVerbs, type Outcome, type RecordKind, type Verb, type Verbs } from "../parts/use-verbs.tsx";
import { useCan, useMaySendAccounts } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import type { Node } from "./node.ts";
import { printsIn } from "./node-standing.ts";

const DeleteNode = lazy(() => import("./DeleteNode.tsx"));
const MoveDialog = lazy(() => import("./MoveDialog.tsx"));

export const NODES: RecordKind<Node> = {
  list: "/nodes",
  name: ({ name }) => name,
  touches: (id) => ["/actors", `/actors/node/${id}`, `/actors/node/${id}/journal`],
};

const icon = { size: 16, "aria-hidden": true } as const;

/** `leave`: where the page of a node leads when it is deleted. */
export function useNodeVerbs(leave?: string): Verbs<Node> {
  const words = useWords("nodes");
  const titles = useWords("titles");
  const format = useFormat();
  const can = useCan();
  const writes = can("nodes:write");
  const sends = useMaySendAccounts();

  const enable = async (node: Node, enabled: boolean): Promise<Outcome<Node>> => {
    await call("POST", `/nodes/${node.id}/enabled`, { body: { enabled } });
    const said = (enabled ? words.done.enabled : words.done.disabled)(node.name);
    return { said, undo: () => enable(node, !enabled) };
  };
  const verbs = (node: Node): readonly (Verb<Node> | false)[] => {
    const off = node.enabled ? {} : { disabled: words.standing.off };
    const mine = sends ? {} : { disabled: words.needsUsers };
    return [
      writes && {
        id: "reconnect",
        label: words.verbs.reconnect,
        key: "r",
        icon: <IconPlugConnected {...icon} />,
        button: true,
        ...off,
        act: async () => {
          await call("POST", `/nodes/${node.id}/reconnect`);
          return { said: words.done.reconnect(node.name) };
        },
      },
      writes && {
        id: "edit",
        label: words.verbs.edit,
        key: "e",
        icon: <IconPencil {...icon} />,
        to: `/nodes/${node.id}?tab=settings`,
      },
      writes && {
        id: "sync",
        label: words.verbs.sync,
        icon: <IconRefresh {...icon} />,
        ...off,
        act: async () => {
          const { revision } = await call<{ revision: number }>("POST", `/nodes/${node.id}/sync`);
          return { said: words.done.sync(format.number(revision)) };
        },
      },
      can("stats:read") && {
        id: "inspect",
        label: words.verbs.inspect,
        key: "w",
        icon: <IconTimeline {...icon} />,
        to: `/inspect/node/${node.id}`,
      },
      {
        id: "events",
        label: titles.events,
        icon: <IconHistory {...icon} />,
        to: `/events?entity=node:${node.id}`,
      },
      can("users:read") && {
        id: "users",
        label: words.verbs.users,
        icon: <IconUsers {...icon} />,
        to: `/users?node_id=${node.id}`,
      },
      writes && {
        id: "switch",
        label: node.enabled ? words.verbs.disable : words.verbs.enable,
        icon: <IconPower {...icon} />,
        confirm: node.enabled
          ? {
              title: words.confirm.disable.title(node.name),
              text: words.confirm.disable.text(format.number(node.online ?? 0)),
            }
          : undefined,
        act: () => enable(node, !node.enabled),
      },
      writes && {
        id: "repin",
        label: `${words.verbs.repin}…`,
        icon: <IconKey {...icon} />,
        ...mine,
        confirm: {
          title: words.confirm.repin.title(node.name),
          text: <Repin node={node} />,
          button: words.verbs.repin,
        },
        act: async () => {
          await call("POST", `/nodes/${node.id}/repin`);
          return { said: words.done.repin(node.name) };
        },
      },
      writes && {
        id: "move",
        label: `${words.verbs.move}…`,
        icon: <IconArrowsExchange {...icon} />,
        ...mine,
        dialog: (asked) => <MoveDialog node={node} asked={asked} />,
      },
      writes && {
        id: "delete",
        label: `${words.verbs.delete}…`,
        icon: <IconTrash {...icon} />,
        danger: true,
        dialog: (asked) => <DeleteNode node={node} asked={asked} />,
      },
    ];
  };
  return useVerbs(NODES, { verbs, leave });
}

function Repin({ node }: { readonly node: Node }) {
  const { repin } = useWords("nodes").confirm;
  const prints = printsIn(node.cause);
  return (
    <Stack gap="sm">
      <Text size="sm">{repin.text}</Text>
      {prints ? (
        <Facts
          items={[
            { label: repin.saved, value: <Code>{prints.saved}</Code> },
            { label: repin.presented, value: <Code>{prints.presented}</Code> },
          ]}
        />
      ) : null}
    </Stack>
  );
}
