// Traffic over time with the heaviest first: the plot, and under it what each moved and its share. Every name leads to
// its record.
import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import type { Traffic } from "../../history/traffic.schema.ts";
import { useFormat } from "../format/use-format.ts";
import { Empty } from "../parts/Answer.tsx";
import { Dim, Name } from "../parts/Names.tsx";
import { useNow } from "../parts/now.ts";
import { Plot } from "../parts/plot/Plot.tsx";
import { Bytes } from "../parts/Quantities.tsx";
import { Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import { DRAWN, plotSeries, sumOf } from "./figures.ts";
import classes from "./traffic.module.css";

interface TrafficFiguresProps {
  readonly traffic: Traffic;
  readonly title: string;
  /** What a row is: "Node". */
  readonly kind: string;
  /** The page of one; undefined: there is none. */
  readonly href?: (id: number) => string;
}

export function TrafficFigures({ traffic, title, kind, href }: TrafficFiguresProps) {
  const words = useWords("traffic");
  const format = useFormat();
  const now = useNow(60);
  const { series, rest, step, zone } = traffic;
  const sum = sumOf(traffic);
  const nameOf = (id: number, name: string) => (name === "" ? words.deleted(String(id)) : name);
  if (series.length === 0)
    return (
      <Panel title={title}>
        <Empty small title={words.none} text={words.noneText} />
      </Panel>
    );
  const share = (bytes: number) => (sum === 0 ? "–" : format.percent(bytes / sum));
  return (
    <Panel>
      <Plot
        label={`${title} · ${format.bytes(sum)}`}
        kind="stack"
        series={plotSeries(traffic, now, ({ id, name }) => nameOf(id, name))}
        show={format.bytes}
        moments={step === "day" ? "date" : "dateTime"}
        bytes
      />
      <Text size="xs" c="dimmed" mt="xs">
        {step === "day" ? words.days : words.hours} <bdi dir="ltr">{zone}</bdi>. {words.raw}
        {series.length > DRAWN ? ` ${words.drawn(DRAWN, format.number(DRAWN))}` : ""}
      </Text>
      <div className={classes["scroll"]} tabIndex={0} role="region" aria-label={title}>
        <table className={classes["table"]}>
          <thead>
            <tr>
              <th scope="col">{kind}</th>
              <th scope="col">{words.down}</th>
              <th scope="col">{words.up}</th>
              <th scope="col">{words.sum}</th>
              <th scope="col">{words.share}</th>
            </tr>
          </thead>
          <tbody>
            {series.map(({ id, name, up, down }) => (
              <tr key={id}>
                <th scope="row">
                  {href && name !== "" ? (
                    <Anchor component={Link} href={href(id)} inherit>
                      <Name>{name}</Name>
                    </Anchor>
                  ) : (
                    <Name>{nameOf(id, name)}</Name>
                  )}
                </th>
                <Moved up={up} down={down} share={share(up + down)} />
              </tr>
            ))}
            {rest.count > 0 ? (
              <tr>
                <th scope="row">
                  <Dim>{words.others(rest.count, format.number(rest.count))}</Dim>
                </th>
                <Moved up={rest.up} down={rest.down} share={share(rest.up + rest.down)} />
              </tr>
            ) : null}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Moved({ up, down, share }: { readonly up: number; readonly down: number; readonly share: string }) {
  return (
    <>
      <td>
        <Bytes value={down} />
      </td>
      <td>
        <Bytes value={up} />
      </td>
      <td>
        <Bytes value={up + down} />
      </td>
      <td>{share}</td>
    </>
  );
}
