// Usage of a node that was not counted: when, why, for which user, how much. Hidden if all usage of the node was
// counted.
import { Anchor, Table, Text } from "@mantine/core";
import { Link } from "wouter";
import type { UsageRefusal } from "../../fleet/records/usage-refusal.schema.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Moment } from "../parts/Ago.tsx";
import { Bytes } from "../parts/Quantities.tsx";
import { Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";

const SHOWN = 10;
const AGAIN_MS = 60_000;

export function NodeRefusals({ nodeId }: { readonly nodeId: number }) {
  const { refusals: words } = useWords("nodes");
  const format = useFormat();
  const found = useApi<Listing<UsageRefusal>>(
    `/nodes/${nodeId}/usage-refusals`,
    { limit: SHOWN },
    { refetchInterval: AGAIN_MS },
  );
  if (!found.data || found.data.total === 0) return null;
  const { items, total } = found.data;
  return (
    <Panel title={words.title}>
      <Text size="xs" c="dimmed" mb="sm">
        {words.text}
      </Text>
      <Table.ScrollContainer minWidth={320}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.at}</Table.Th>
              <Table.Th>{words.code}</Table.Th>
              <Table.Th>{words.account}</Table.Th>
              <Table.Th>{words.bytes}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map(({ id, at, code, userId, up, down }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <Moment at={at} />
                </Table.Td>
                <Table.Td>{words.codes[code]}</Table.Td>
                <Table.Td>
                  {userId === 0 ? (
                    words.further
                  ) : (
                    <Anchor component={Link} href={`/users/${userId}`} size="sm">
                      {format.number(userId)}
                    </Anchor>
                  )}
                </Table.Td>
                <Table.Td>
                  <Bytes value={Math.min(Number.MAX_SAFE_INTEGER, up + down)} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {total > items.length ? (
        <Text size="xs" c="dimmed" mt="xs">
          {words.more(total - items.length, format.number(total - items.length))}
        </Text>
      ) : null}
    </Panel>
  );
}
