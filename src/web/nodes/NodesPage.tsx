// All nodes: each with how it stands, why, and what comes next.
import { Button } from "@mantine/core";
import { IconPlus, IconServer2 } from "@tabler/icons-react";
import { Link, useLocation } from "wouter";
import { useCounts, useRefreshed } from "../api/live.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Empty } from "../parts/Answer.tsx";
import { PageHead } from "../parts/Record.tsx";
import { DataTable } from "../parts/table/DataTable.tsx";
import { FilterChips } from "../parts/table/Filters.tsx";
import { useListQuery } from "../parts/table/list-query.ts";
import type { Tone } from "../parts/tone.ts";
import { useCan, useMaySendAccounts } from "../session/me.ts";
import { useKeys } from "../shell/keys.ts";
import { usePageTitle } from "../shell/title.ts";
import { useWords } from "../words/words.ts";
import { NODE_STATUSES, statusCounts, type Node, type NodeStatus } from "./node.ts";
import { actorsQuery, useBeside, useNodeColumns } from "./node-rows.tsx";
import { useNodeRowActions } from "./node-row-actions.tsx";
import type { Actor } from "./standing.ts";
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
  const format = useFormat();
  const can = useCan();
  const mayAdd = useMaySendAccounts();
  const [, navigate] = useLocation();
  const query = useListQuery(DEFAULTS);
  const nodes = useApi<Listing<Node>>("/nodes", query.api, { refetchInterval: HEARTBEAT_MS });
  const actors = useApi<Listing<Actor>>("/actors", actorsQuery(query), { enabled: can("stats:read") });
  const templates = useTemplates();
  const verbs = useNodeVerbs();
  const states = useCounts("node");
  const counts = states && statusCounts(states);
  const total = counts && NODE_STATUSES.reduce((sum, status) => sum + counts[status], 0);
  useRefreshed("node", ["/nodes", "/actors"]);
  usePageTitle(words.title);
  useKeys({ n: { label: words.add, run: () => navigate("/nodes/new"), enabled: mayAdd } });

  const beside = useBeside(actors.data?.items, templates.data);
  const columns = useNodeColumns(beside, verbs);
  const actions = useNodeRowActions(verbs);
  const add = mayAdd ? (
    <Button component={Link} href="/nodes/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {words.add}
    </Button>
  ) : undefined;

  return (
    <>
      <PageHead
        title={words.title}
        under={total === undefined ? undefined : words.count(total, format.number(total))}
        actions={add}
      />
      <DataTable<Node>
        id="nodes"
        columns={columns}
        query={query}
        answer={nodes}
        rowKey={(node) => node.id}
        rowLabel={(node) => node.name}
        href={(node) => `/nodes/${node.id}`}
        actions={actions}
        dimmed={(node) => !node.enabled}
        search={words.search}
        filters={
          <FilterChips
            query={query}
            name="status"
            all={{ value: "", label: words.all, count: total }}
            options={NODE_STATUSES.map((status) => ({
              value: status,
              label: words.status[status],
              count: counts?.[status],
              tone: TONES[status],
            }))}
          />
        }
        empty={
          <Empty
            icon={<IconServer2 size={32} stroke={1.4} aria-hidden />}
            title={words.empty.title}
            text={words.empty.text}
            action={add}
          />
        }
      />
      {verbs.dialogs}
    </>
  );
}
