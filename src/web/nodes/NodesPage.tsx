// All nodes: each with how it stands, why, and what comes next.
import { IconServer2 } from "@tabler/icons-react";
import { useCounts } from "../api/live.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { ListPage } from "../parts/ListPage.tsx";
import { useListQuery } from "../parts/table/list-query.ts";
import type { Tone } from "../parts/tone.ts";
import { useCan, useMaySendAccounts } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { NODE_STATUSES, statusCounts, type Node, type NodeStatus } from "./node.ts";
import { actorsQuery, useBeside, useNodeColumns } from "./node-rows.tsx";
import type { Actor } from "./node-standing.ts";
import { useTemplates } from "./use-templates.ts";
import { useNodeVerbs } from "./use-node-verbs.tsx";

const DEFAULTS = { sort: "name", order: "asc", filters: ["status"] } as const;
const TONES: Readonly<Record<NodeStatus, Tone>> = {
  connected: "ok",
  connecting: "running",
  error: "failed",
  disabled: "off",
};
/** Heartbeats come every ten seconds. */
const HEARTBEAT_MS = 10_000;

export default function NodesPage() {
  const words = useWords("nodes");
  const can = useCan();
  const mayAdd = useMaySendAccounts();
  const query = useListQuery(DEFAULTS);
  const actors = useApi<Listing<Actor>>("/actors", actorsQuery(query), { enabled: can("stats:read") });
  const templates = useTemplates();
  const verbs = useNodeVerbs();
  const states = useCounts("node");
  const counts = states && statusCounts(states);
  const total = counts && NODE_STATUSES.reduce((sum, status) => sum + counts[status], 0);
  return (
    <ListPage<Node>
      id="nodes"
      title={words.title}
      path="/nodes"
      query={query}
      count={words.count}
      total={total}
      create={mayAdd && { href: "/nodes/new", label: words.add }}
      columns={useNodeColumns(useBeside(actors.data?.items, templates.data), verbs)}
      rowLabel={(node) => node.name}
      href={(node) => `/nodes/${node.id}`}
      verbs={verbs}
      dimmed={(node) => !node.enabled}
      search={words.search}
      filters={[
        {
          kind: "chips",
          name: "status",
          all: { value: "", label: words.all, count: total },
          options: NODE_STATUSES.map((status) => ({
            value: status,
            label: words.status[status],
            count: counts?.[status],
            tone: TONES[status],
          })),
        },
      ]}
      empty={{ ...words.empty, icon: <IconServer2 size={32} stroke={1.4} aria-hidden /> }}
      every={HEARTBEAT_MS}
      moves={{ kind: "node", also: ["/actors"] }}
    />
  );
}
