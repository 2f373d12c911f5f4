// What the menu of a row offers, with the keys that do it for the row under the cursor.
import { IconKey, IconPlugConnected, IconRefresh, IconTimeline, IconTrash, IconUsers } from "@tabler/icons-react";
import { useLocation } from "wouter";
import type { RowAction } from "../parts/table/columns.ts";
import { useCan, useMaySendAccounts } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import type { Node } from "./node.ts";
import type { NodeVerbs } from "./use-node-verbs.tsx";

const icon = { size: 16, "aria-hidden": true } as const;

export function useNodeRowActions(verbs: NodeVerbs): (node: Node) => readonly RowAction[] {
  const words = useWords("nodes");
  const can = useCan();
  const sends = useMaySendAccounts();
  const [, navigate] = useLocation();
  return (node) => {
    const off = node.enabled ? {} : { disabled: words.standing.off };
    const reads: RowAction[] = [
      ...(can("stats:read")
        ? [
            {
              id: "inspect",
              label: words.verbs.inspect,
              key: "w",
              icon: <IconTimeline {...icon} />,
              run: () => navigate(`/inspect/node/${node.id}`),
            },
          ]
        : []),
      ...(can("users:read")
        ? [
            {
              id: "users",
              label: words.verbs.users,
              icon: <IconUsers {...icon} />,
              run: () => navigate(`/users?node_id=${node.id}`),
            },
          ]
        : []),
    ];
    if (!can("nodes:write")) return reads;
    return [
      {
        id: "reconnect",
        label: words.verbs.reconnect,
        key: "r",
        icon: <IconPlugConnected {...icon} />,
        ...off,
        run: () => verbs.reconnect(node),
      },
      { id: "sync", label: words.verbs.sync, icon: <IconRefresh {...icon} />, ...off, run: () => verbs.sync(node) },
      ...reads,
      {
        id: "repin",
        label: `${words.verbs.repin}…`,
        icon: <IconKey {...icon} />,
        ...(sends ? {} : { disabled: words.needsUsers }),
        run: () => verbs.repin(node),
      },
      {
        id: "delete",
        label: `${words.verbs.delete}…`,
        icon: <IconTrash {...icon} />,
        danger: true,
        run: () => verbs.remove(node),
      },
    ];
  };
}
