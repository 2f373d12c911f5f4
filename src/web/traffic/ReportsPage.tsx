// What moved in a span of time, by account, node or operator: the heaviest drawn and listed, all of them as a file.
import { Anchor, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useSearchParams } from "wouter";
import { apiUrl } from "../../client/exchange.ts";
import type { Traffic } from "../../history/traffic.schema.ts";
import { useApi } from "../api/queries.ts";
import { Answer } from "../parts/Answer.tsx";
import { PageHead } from "../parts/Record.tsx";
import { rangeQuery } from "../parts/time/range-query.ts";
import { TimeRangePicker, useTimeRange } from "../parts/time/TimeRangePicker.tsx";
import { useCan, useMe } from "../session/me.ts";
import { usePageTitle } from "../browser/title.ts";
import { useWords } from "../words/words.ts";
import { TrafficFigures } from "./TrafficFigures.tsx";
import classes from "./traffic.module.css";

const USUAL = "30d";
/** So many have a colour and a row of their own. */
const TOP = 20;
/** A day's figures grow while it lasts. */
const AGAIN_MS = 60_000;
const GROUPS = ["user", "node", "admin"] as const;
type By = (typeof GROUPS)[number];
const FORMATS = ["csv", "ndjson", "json"] as const;

export default function ReportsPage() {
  const words = useWords("traffic");
  const can = useCan();
  const { base } = useMe();
  const [search, setSearch] = useSearchParams();
  const range = useTimeRange(USUAL);
  usePageTitle(words.title);
  // A person who sees only their own accounts has no operators to compare.
  const groups = GROUPS.filter((group) => group !== "admin" || (base !== "resale" && can("stats:read")));
  const by: By = groups.find((group) => group === search.get("by")) ?? "user";
  const query = rangeQuery(range);
  const answer = useApi<Traffic>("/stats/traffic", { by, top: TOP, ...query }, { refetchInterval: AGAIN_MS });
  const choose = (group: string) =>
    setSearch((now) => {
      const next = new URLSearchParams(now);
      if (group === "user") next.delete("by");
      else next.set("by", group);
      return next;
    });
  const pages: Readonly<Record<By, string | undefined>> = {
    user: can("users:read") ? "/users" : undefined,
    node: can("nodes:read") ? "/nodes" : undefined,
    admin: can("admins:write") ? "/admins" : undefined,
  };
  const page = pages[by];
  return (
    <>
      <PageHead title={words.title} under={words.lead} actions={<TimeRangePicker usual={USUAL} />} />
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <SegmentedControl
            value={by}
            onChange={choose}
            aria-label={words.groupBy}
            data={groups.map((group) => ({ value: group, label: words.groups[group] }))}
          />
          <div className={classes["downloads"]} role="group" aria-label={words.download}>
            <Text size="sm" c="dimmed">
              {words.download}
            </Text>
            {FORMATS.map((format) => (
              <Anchor
                key={format}
                size="sm"
                href={apiUrl(document.baseURI, `/reports/${by}s`, { ...query, format }).href}
                download={`${by}s.${format}`}
              >
                {format.toUpperCase()}
              </Anchor>
            ))}
          </div>
        </Group>
        <Answer of={answer}>
          {(traffic) => (
            <TrafficFigures
              traffic={traffic}
              title={words.plots[by]}
              kind={words.kinds[by]}
              {...(page !== undefined && { href: (id: number) => `${page}/${id}` })}
            />
          )}
        </Answer>
      </Stack>
    </>
  );
}
