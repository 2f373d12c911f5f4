// When a node did not serve, the latest first; each leads to the range around it.
import { Anchor, Text } from "@mantine/core";
import { Link, useSearchParams } from "wouter";
import { useFormat } from "../../format/use-format.ts";
import { withRange } from "../../parts/time/range.ts";
import { useWords } from "../../words/words.ts";
import classes from "./health.module.css";
import { outagesOf, type Bar } from "./stretches.ts";

/** So many are told; a page of minutes would tell nothing. */
const TOLD = 8;
/** Seconds before and after an outage that its range shows. */
const AROUND = 1800;

export function Outages({ bar }: { readonly bar: Bar }) {
  const words = useWords("nodes").health;
  const format = useFormat();
  const [search] = useSearchParams();
  const outages = outagesOf(bar);
  if (!bar.some(({ state }) => state !== "unknown")) return null;
  if (outages.length === 0)
    return (
      <Text size="sm" c="dimmed" mt="sm">
        {words.noOutages}
      </Text>
    );
  return (
    <>
      <h3 className={classes["outagesTitle"]}>{words.outages}</h3>
      <ul className={classes["outages"]}>
        {outages.slice(0, TOLD).map(({ start, end, state }) => (
          <li key={start} data-state={state}>
            <Anchor
              component={Link}
              size="sm"
              href={`?${withRange(search, { from: start - AROUND, to: end + AROUND }, "24h").toString()}`}
            >
              {format.date(start)} – {format.date(end)}
            </Anchor>
            <span>
              {words.states[state]}, {format.duration(end - start)}
            </span>
          </li>
        ))}
      </ul>
      {outages.length > TOLD ? (
        <Text size="xs" c="dimmed">
          {words.more(outages.length - TOLD, format.number(outages.length - TOLD))}
        </Text>
      ) : null}
    </>
  );
}
