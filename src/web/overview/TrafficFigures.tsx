// Which node moves the traffic, and which users cause it: the range stands in the address, and is compared with the one
// before.
import { Group, SegmentedControl, Text } from "@mantine/core";
import { IconArrowDownRight, IconArrowUpRight } from "@tabler/icons-react";
import { Link, useSearchParams } from "wouter";
import { useApi } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Answer } from "../parts/Answer.tsx";
import { Name } from "../parts/Names.tsx";
import { useNow } from "../parts/now.ts";
import { Plot } from "../parts/plot/Plot.tsx";
import { Panel } from "../parts/Record.tsx";
import type { Traffic } from "../../history/traffic.schema.ts";
import { useCan } from "../session/me.ts";
import { bytesOf, DRAWN, plotSeries, sumOf } from "../traffic/figures.ts";
import { useWords } from "../words/words.ts";
import classes from "./overview.module.css";
import { changeSince, RANGE_IDS, rangeBefore, RANGES, type Range } from "./traffic.ts";

const USUAL: Range = "7d";
const USERS = 10;
/** As many as the panel tells apart. */
const MOST = 100;
const AGAIN_MS = 60_000;

export function TrafficFigures() {
  const words = useWords("overview").figures;
  const { presets } = useWords("parts").timeRange;
  const [search, setSearch] = useSearchParams();
  const range = RANGE_IDS.find((each) => each === search.get("range")) ?? USUAL;
  const nodes = useApi<Traffic>(
    "/stats/traffic",
    { by: "node", ...RANGES[range], top: DRAWN },
    { refetchInterval: AGAIN_MS },
  );
  const users = useApi<Traffic>(
    "/stats/traffic",
    { by: "user", ...RANGES[range], top: USERS },
    { refetchInterval: AGAIN_MS },
  );
  const shown = nodes.isPlaceholderData ? undefined : nodes.data;
  const before = useApi<Traffic>(
    "/stats/traffic",
    { by: "node", ...(shown && rangeBefore(shown)), top: MOST },
    { enabled: shown !== undefined },
  ).data;
  const choose = (next: string) =>
    setSearch(
      (now) => {
        const params = new URLSearchParams(now);
        if (next === USUAL) params.delete("range");
        else params.set("range", next);
        return params;
      },
      { replace: true },
    );
  return (
    <>
      <div className={classes["whole"]}>
        <Panel
          title={words.traffic}
          actions={
            <SegmentedControl
              aria-label={words.range}
              size="xs"
              value={range}
              onChange={choose}
              data={RANGE_IDS.map((value) => ({ value, label: words.ranges[value] }))}
            />
          }
        >
          <Answer of={nodes} empty={({ series }) => series.length === 0} whenEmpty={<Nothing text={words.noTraffic} />}>
            {(traffic) => <ByNode traffic={traffic} before={before} label={presets[range]} />}
          </Answer>
        </Panel>
      </div>
      <Panel title={words.topUsers}>
        <Answer of={users} empty={({ series }) => series.length === 0} whenEmpty={<Nothing text={words.noTraffic} />}>
          {(traffic) => <Ranking of={traffic} under="/users" scope="users:read" />}
        </Answer>
      </Panel>
    </>
  );
}

function Nothing({ text }: { readonly text: string }) {
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}

interface ByNodeProps {
  readonly traffic: Traffic;
  readonly before: Traffic | undefined;
  readonly label: string;
}

function ByNode({ traffic, before, label }: ByNodeProps) {
  const words = useWords("overview").figures;
  const format = useFormat();
  const now = useNow(60);
  const total = sumOf(traffic);
  const moments = traffic.step === "hour" ? "dateTime" : "date";
  return (
    <>
      <Group gap="xs" align="baseline" mb="xs">
        <span className={classes["tileValue"]}>{format.bytes(total)}</span>
        <Change of={changeSince(total, before && sumOf(before))} long />
      </Group>
      <Text size="xs" c="dimmed" mb="sm">
        {label}: <bdi>{format.date(traffic.start, moments)}</bdi> –{" "}
        <bdi>{format.date(Math.min(traffic.end, now), moments)}</bdi> · <bdi dir="ltr">{traffic.zone}</bdi>
      </Text>
      <div className={classes["figure"]}>
        <Plot
          label={traffic.step === "hour" ? words.perHour : words.perDay}
          kind="stack"
          bytes
          moments={moments}
          show={(value) => format.bytes(value)}
          series={plotSeries(traffic, now, ({ id, name }) => (name === "" ? `#${id}` : name))}
        />
        <Ranking of={traffic} before={before} under="/nodes" scope="nodes:read" />
      </div>
    </>
  );
}

interface RankingProps {
  readonly of: Traffic;
  readonly before?: Traffic | undefined;
  /** Where the records are. */
  readonly under: string;
  /** Needed to open one. */
  readonly scope: string;
}

/** The heaviest first, each with its share; whoever may not open a record reads its name. */
function Ranking({ of, before, under, scope }: RankingProps) {
  const words = useWords("overview").figures;
  const format = useFormat();
  const opens = useCan()(scope);
  const total = sumOf(of);
  const earlier = new Map(before?.series.map((each) => [each.id, bytesOf(each)]));
  return (
    <>
      <ol className={classes["ranking"]}>
        {of.series.map((each) => {
          const bytes = bytesOf(each);
          // Deleted ones have no name, and no page.
          const name = each.name === "" ? <span>#{each.id}</span> : <Name>{each.name}</Name>;
          return (
            <li key={each.id}>
              {opens && each.name !== "" ? <Link href={`${under}/${each.id}`}>{name}</Link> : name}
              <span className={classes["rankChange"]}>
                <Change of={changeSince(bytes, earlier.get(each.id))} />
              </span>
              <span className={classes["rankBytes"]}>{format.bytes(bytes)}</span>
              <span className={classes["rankBar"]} aria-hidden>
                <span style={{ inlineSize: `${total === 0 ? 0 : (bytes / total) * 100}%` }} />
              </span>
            </li>
          );
        })}
      </ol>
      {of.rest.count === 0 ? null : (
        <Text size="xs" c="dimmed" mt="xs">
          {words.rest(of.rest.count, format.number(of.rest.count), format.bytes(bytesOf(of.rest)))}
        </Text>
      )}
    </>
  );
}

/** How much more or less than in the range before: neither is good or bad. */
function Change({ of, long = false }: { readonly of: number | undefined; readonly long?: boolean }) {
  const words = useWords("overview").figures;
  const format = useFormat();
  if (of === undefined) return null;
  const share = format.percent(Math.abs(of));
  if (share === format.percent(0)) return <span className={classes["change"]}>{words.same}</span>;
  const Arrow = of < 0 ? IconArrowDownRight : IconArrowUpRight;
  return (
    <span className={classes["change"]} title={words.comparison}>
      <Arrow size={14} className={classes["forward"]} role="img" aria-label={of < 0 ? words.less : words.more} />
      {long ? words.before(share) : share}
    </span>
  );
}
