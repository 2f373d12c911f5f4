// A node's health over time: an uptime bar with what is not known, its outages, and what its machine said. A gap is a
// gap.
import { Anchor, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { HealthPoint, NodeHealth as Health } from "../../../health/health.schema.ts";
import { useApi } from "../../api/queries.ts";
import { useFormat } from "../../format/use-format.ts";
import { Answer } from "../../parts/Answer.tsx";
import { Plot, type PlotKind } from "../../parts/plot/Plot.tsx";
import type { PlotSeries } from "../../parts/plot/scale.ts";
import { Panel } from "../../parts/Record.tsx";
import { useTimeRange, TimeRangePicker } from "../../parts/time/TimeRangePicker.tsx";
import { useWords } from "../../words/words.ts";
import { rangeQuery } from "../../parts/time/range-query.ts";
import { Outages } from "./Outages.tsx";
import { momentsOf } from "./stretches.ts";
import { UptimeBar } from "./UptimeBar.tsx";

/** A reading is complete every five minutes, the last one grows. */
const AGAIN_MS = 60_000;
const USUAL = "24h";
const DAY = 86_400;

export default function NodeHealth({ nodeId }: { readonly nodeId: number }) {
  const words = useWords("nodes").health;
  const range = useTimeRange(USUAL);
  const answer = useApi<Health>(`/nodes/${nodeId}/health`, rangeQuery(range), { refetchInterval: AGAIN_MS });
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <Anchor component={Link} href={`/events?entity=node:${nodeId}`} size="sm">
          {words.events}
        </Anchor>
        <TimeRangePicker usual={USUAL} />
      </Group>
      <Answer of={answer}>{(health) => <Shown health={health} />}</Answer>
    </Stack>
  );
}

function Shown({ health }: { readonly health: Health }) {
  const { record, health: words } = useWords("nodes");
  const format = useFormat();
  const { uptimePercent, points } = health;
  const percent = uptimePercent === null ? "–" : `${format.number(uptimePercent)} %`;
  return (
    <Stack gap="md">
      <Panel
        title={words.uptime}
        actions={
          <Text size="sm" c="dimmed">
            <bdi dir="ltr">{percent}</bdi> {uptimePercent === null ? "" : words.of}
          </Text>
        }
      >
        <UptimeBar bar={health.bar} label={words.bar(percent)} />
        <Outages bar={health.bar} />
      </Panel>
      {points.length === 0 ? (
        <Panel>
          <Text fw={600}>{words.none}</Text>
          <Text size="sm" c="dimmed">
            {words.noneText}
          </Text>
        </Panel>
      ) : (
        <>
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
            <Figures health={health} label={words.rates} kind="lines" bytes show={format.rate}>
              {[
                { id: "up", name: record.up, of: ({ upRate }) => upRate },
                { id: "down", name: record.down, of: ({ downRate }) => downRate },
              ]}
            </Figures>
            <Figures health={health} label={record.online} kind="lines" show={format.number}>
              {[{ id: "online", name: record.online, of: ({ online }) => online }]}
            </Figures>
            <Figures health={health} label={record.cpu} kind="lines" show={(value) => format.percent(value / 100)}>
              {[{ id: "cpu", name: record.cpu, of: ({ cpuPercent }) => cpuPercent }]}
            </Figures>
            <Figures health={health} label={record.load} kind="lines" show={format.number}>
              {[{ id: "load", name: record.load, of: ({ load1 }) => load1 }]}
            </Figures>
            <Figures health={health} label={record.memory} kind="lines" bytes show={format.bytes}>
              {[
                { id: "used", name: words.used, of: ({ memoryUsed }) => memoryUsed },
                { id: "total", name: words.total, of: ({ memoryTotal }) => memoryTotal },
              ]}
            </Figures>
            <Figures health={health} label={record.disk} kind="lines" bytes show={format.bytes}>
              {[
                { id: "used", name: words.used, of: ({ diskUsed }) => diskUsed },
                { id: "total", name: words.total, of: ({ diskTotal }) => diskTotal },
              ]}
            </Figures>
          </SimpleGrid>
          <Text size="xs" c="dimmed">
            {words.step(format.duration(health.step))}
          </Text>
        </>
      )}
    </Stack>
  );
}

interface FiguresProps {
  readonly health: Health;
  readonly label: string;
  readonly kind: PlotKind;
  readonly bytes?: boolean;
  readonly show: (value: number) => string;
  readonly children: readonly {
    readonly id: string;
    readonly name: string;
    readonly of: (point: HealthPoint) => number | null;
  }[];
}

/** One plot; without any figure it is left out: the machine does not tell it. */
function Figures({ health, label, kind, bytes = false, show, children }: FiguresProps): ReactNode {
  const known = new Map(health.points.map((point) => [point.at, point]));
  const series: PlotSeries[] = children.map(({ id, name, of }) => ({
    id,
    name,
    points: momentsOf(health).map((at) => {
      const point = known.get(at);
      return { at, value: point ? of(point) : null };
    }),
  }));
  if (!series.some(({ points }) => points.some(({ value }) => value !== null))) return null;
  return (
    <Panel>
      <Plot
        label={label}
        kind={kind}
        series={series}
        show={show}
        bytes={bytes}
        moments={health.end - health.start <= DAY ? "minute" : "dateTime"}
        height={180}
      />
    </Panel>
  );
}
