// The users of a node by their traffic, the heaviest first. Each name leads to the account.
import { Anchor, Group, Stack, Table, Text } from "@mantine/core";
import { Link } from "wouter";
import type { z } from "zod";
import type { NodeTrafficByUser } from "../../../reports/reports.schema.ts";
import { useApi } from "../../api/queries.ts";
import { useFormat } from "../../format/use-format.ts";
import { Answer } from "../../parts/Answer.tsx";
import { Dim, Name } from "../../parts/Names.tsx";
import { Bytes } from "../../parts/Quantities.tsx";
import { Panel } from "../../parts/Record.tsx";
import { TimeRangePicker, useTimeRange } from "../../parts/time/TimeRangePicker.tsx";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import { rangeQuery } from "../../parts/time/range-query.ts";

type Usage = z.output<typeof NodeTrafficByUser>;

const AGAIN_MS = 60_000;
const USUAL = "24h";
const SHOWN = 50;

export default function NodeUsers({ nodeId }: { readonly nodeId: number }) {
  const { traffic: words } = useWords("nodes");
  const range = useTimeRange(USUAL);
  const query = { ...rangeQuery(range), limit: SHOWN };
  const answer = useApi<Usage>(`/nodes/${nodeId}/stats`, query, { refetchInterval: AGAIN_MS });
  return (
    <Stack gap="md">
      <Group justify="flex-end">
        <TimeRangePicker usual={USUAL} />
      </Group>
      <Panel title={words.heaviest}>
        <Answer of={answer} empty={({ rows }) => rows.length === 0} whenEmpty={<Dim>{words.none}</Dim>}>
          {({ rows }) => <Rows rows={rows} />}
        </Answer>
        <Text size="xs" c="dimmed" mt="sm">
          {words.inNetwork}
        </Text>
      </Panel>
    </Stack>
  );
}

function Rows({ rows }: Pick<Usage, "rows">) {
  const { traffic: words } = useWords("nodes");
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.user}</Table.Th>
            <Table.Th>{words.sum}</Table.Th>
            <Table.Th visibleFrom="sm">{words.up}</Table.Th>
            <Table.Th visibleFrom="sm">{words.down}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.userId}>
              <Table.Td>
                <User {...row} />
              </Table.Td>
              <Table.Td>
                <Bytes value={Math.min(Number.MAX_SAFE_INTEGER, row.up + row.down)} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Bytes value={row.up} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Bytes value={row.down} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The name is missing for a deleted account, and for a caller who may not read accounts. */
function User({ userId, name }: Pick<Usage["rows"][number], "userId" | "name">) {
  const { traffic: words } = useWords("nodes");
  const format = useFormat();
  const reads = useCan()("users:read");
  if (!reads) return <bdi dir="ltr">{format.number(userId)}</bdi>;
  if (name === "") return <Dim>{words.deleted(format.number(userId))}</Dim>;
  return (
    <Anchor component={Link} href={`/users/${userId}`} size="sm">
      <Name>{name}</Name>
    </Anchor>
  );
}
