// What a node carried, by the hour or day: raw bytes, up and down.
import { Group, SimpleGrid, Stack, Text } from "@mantine/core";
import type { Traffic } from "../../../history/traffic.schema.ts";
import { useApi } from "../../api/queries.ts";
import { useFormat } from "../../format/use-format.ts";
import { Answer } from "../../parts/Answer.tsx";
import { useNow } from "../../parts/now.ts";
import { Plot } from "../../parts/plot/Plot.tsx";
import { Bytes } from "../../parts/Quantities.tsx";
import { Panel } from "../../parts/Record.tsx";
import { rangeQuery } from "../../parts/time/range-query.ts";
import { TimeRangePicker, useTimeRange } from "../../parts/time/TimeRangePicker.tsx";
import { directionOf } from "../../traffic/figures.ts";
import { useWords } from "../../words/words.ts";
import { Figure } from "../NodeLive.tsx";

const AGAIN_MS = 60_000;
const USUAL = "24h";

export default function NodeTraffic({ nodeId }: { readonly nodeId: number }) {
  const range = useTimeRange(USUAL);
  const query = { by: "total", nodeId, ...rangeQuery(range) };
  const answer = useApi<Traffic>("/stats/traffic", query, { refetchInterval: AGAIN_MS });
  return (
    <Stack gap="md">
      <Group justify="flex-end">
        <TimeRangePicker usual={USUAL} />
      </Group>
      <Answer of={answer}>{(traffic) => <Shown traffic={traffic} />}</Answer>
    </Stack>
  );
}

function Shown({ traffic }: { readonly traffic: Traffic }) {
  const { record, traffic: words } = useWords("nodes");
  const format = useFormat();
  const [series] = traffic.series;
  const now = useNow(60);
  const { up, down } = series ?? { up: 0, down: 0 };
  return (
    <Panel title={words.title(traffic.zone)}>
      <SimpleGrid cols={{ base: 1, xs: 3 }} mb="md">
        <Figure label={words.sum} value={<Bytes value={Math.min(Number.MAX_SAFE_INTEGER, up + down)} />} />
        <Figure label={record.up} value={<Bytes value={up} />} />
        <Figure label={record.down} value={<Bytes value={down} />} />
      </SimpleGrid>
      <Plot
        label={traffic.step === "hour" ? words.hours : words.days}
        kind="bars"
        bytes
        show={format.bytes}
        moments={traffic.step === "hour" ? "dateTime" : "date"}
        series={[
          { id: "up", name: record.up, points: directionOf(traffic, now, "up") },
          { id: "down", name: record.down, points: directionOf(traffic, now, "down") },
        ]}
      />
      <Text size="xs" c="dimmed" mt="sm">
        {words.inNetwork}
      </Text>
    </Panel>
  );
}
