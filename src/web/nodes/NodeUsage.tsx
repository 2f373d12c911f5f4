// What went through a node: the period against its limit, and all of it; who may use it.
import { Anchor, SimpleGrid, Text } from "@mantine/core";
import { Link } from "wouter";
import { useApi, type Listing } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Moment } from "../parts/Ago.tsx";
import { Bytes, QuotaBar } from "../parts/Quantities.tsx";
import { Panel } from "../parts/Record.tsx";
import { useCan } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import type { Node } from "./node.ts";
import { Figure } from "./NodeLive.tsx";

export function NodeUsage({ node }: { readonly node: Node }) {
  const { record } = useWords("nodes");
  const format = useFormat();
  const can = useCan();
  const users = useApi<Listing<unknown>>(
    "/users",
    { node_id: node.id, limit: 1 },
    { enabled: can("users:read") && node.templateId !== null },
  );
  const total = node.templateId === null ? 0 : users.data?.total;
  return (
    <Panel
      title={record.usage}
      actions={
        total !== undefined && can("users:read") ? (
          <Anchor component={Link} href={`/users?node_id=${node.id}`} size="sm">
            {record.usersText(total, format.number(total))}
          </Anchor>
        ) : undefined
      }
    >
      <SimpleGrid cols={2}>
        <Figure label={record.totalUp} value={<Bytes value={node.up} />} />
        <Figure label={record.totalDown} value={<Bytes value={node.down} />} />
      </SimpleGrid>
      <div style={{ marginBlockStart: 16 }}>
        {node.limitBytes > 0 ? (
          <>
            <QuotaBar used={node.periodUsed} limit={node.limitBytes} />
            <Text size="xs" c="dimmed" mt={6}>
              {record.periodSince} <Moment at={node.periodStart} style="date" />
            </Text>
          </>
        ) : (
          <Text size="xs" c="dimmed">
            {record.periodless}
          </Text>
        )}
      </div>
    </Panel>
  );
}
