// What a node says of itself now: who is on it, what flows, and how its machine is doing.
import { Progress, SimpleGrid, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useFormat } from "../format/use-format.ts";
import { Ago } from "../parts/Ago.tsx";
import { Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import type { Node } from "./node.ts";
import classes from "./nodes.module.css";

/** The outbound by which agents block private targets, where the operator's configuration has none that blocks. */
const AGENTS_BLOCK = "block";

export function NodeLive({ node }: { readonly node: Node }) {
  const { record } = useWords("nodes");
  const format = useFormat();
  const { live } = node;
  const heard = live ? (
    <Text size="xs" c="dimmed">
      {record.heard} <Ago at={live.at} style="short" />
    </Text>
  ) : undefined;
  return (
    <Panel title={record.live} actions={heard}>
      {live ? (
        <>
          <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="md" verticalSpacing="md">
            <Figure label={record.online} value={format.number(node.online ?? 0)} />
            <Figure label={record.connections} value={shown(live.connections, format.number)} />
            <Figure label={record.up} value={<bdi dir="ltr">{shown(live.upRate, format.rate)}</bdi>} />
            <Figure label={record.down} value={<bdi dir="ltr">{shown(live.downRate, format.rate)}</bdi>} />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg" verticalSpacing="sm" mt="md">
            <Meter
              label={record.cpu}
              share={live.cpuPercent === undefined ? undefined : live.cpuPercent / 100}
              text={live.cpuPercent === undefined ? undefined : format.percent(live.cpuPercent / 100)}
            />
            <Meter label={record.memory} {...portion(live.memoryUsed, live.memoryTotal, format.bytes)} />
            <Meter label={record.disk} {...portion(live.diskUsed, live.diskTotal, format.bytes)} />
          </SimpleGrid>
          <Text size="xs" c="dimmed" mt="md">
            {[
              live.load1 === undefined ? "" : `${record.load} ${format.number(Math.round(live.load1 * 100) / 100)}`,
              live.uptime === undefined ? "" : `${record.uptime} ${format.duration(live.uptime)}`,
              live.engineRestarts === undefined ? "" : `${record.restarts} ${format.number(live.engineRestarts)}`,
              ...Object.entries(live.rejected ?? {}).map(
                ([tag, count]) =>
                  `${tag === AGENTS_BLOCK ? record.blocked : `${record.rejected} ${tag}`}: ${format.number(count)}`,
              ),
            ]
              .filter((part) => part !== "")
              .join(" · ")}
          </Text>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {record.liveNone}
        </Text>
      )}
    </Panel>
  );
}

/** A figure that is read from afar. */
export function Figure({
  label,
  value,
  under,
}: {
  readonly label: ReactNode;
  readonly value: ReactNode;
  readonly under?: ReactNode;
}) {
  return (
    <div className={classes["figure"]}>
      <span className={classes["figureLabel"]}>{label}</span>
      <span className={classes["figureValue"]}>{value}</span>
      {under === undefined ? null : <span className={classes["figureUnder"]}>{under}</span>}
    </div>
  );
}

interface MeterProps {
  readonly label: string;
  readonly share: number | undefined;
  readonly text: string | undefined;
}

function Meter({ label, share, text }: MeterProps) {
  const words = useWords("nodes");
  const percent = share === undefined ? 0 : Math.min(100, Math.round(share * 100));
  return (
    <div>
      <div className={classes["meterHead"]}>
        <span>{label}</span>
        <bdi dir="ltr">{text ?? words.unknown}</bdi>
      </div>
      <Progress.Root size={5} mt={6}>
        <Progress.Section
          value={percent}
          color={percent >= 90 ? "var(--tone-waiting)" : "var(--accent)"}
          aria-label={label}
        />
      </Progress.Root>
    </div>
  );
}

function shown(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? "–" : format(value);
}

function portion(used: number | undefined, total: number | undefined, format: (value: number) => string) {
  if (used === undefined || total === undefined || total === 0) return { share: undefined, text: undefined };
  return { share: used / total, text: `${format(used)} / ${format(total)}` };
}
