// How accounts come and go, by day, and how many will end on the days ahead. Each number leads to what it counts.
import { Text } from "@mantine/core";
import type { z } from "zod";
import { Link } from "wouter";
import type { Expiries, Growth } from "../../accounts/growth/growth.schema.ts";
import { useApi } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Answer } from "../parts/Answer.tsx";
import { Plot } from "../parts/plot/Plot.tsx";
import { Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import classes from "./overview.module.css";

type Days = z.output<typeof Growth>["days"];
type Ends = z.output<typeof Expiries>["days"];

/** What happens to accounts, and where those are listed. */
const DEEDS = {
  created: "/users?sort=created_at&order=desc",
  renewed: "/events?event=user.renewed",
  expired: "/users?status=expired",
  limited: "/users?status=limited",
  deleted: "/events?event=user.deleted",
} as const;
type Deed = keyof typeof DEEDS;
const ALL_DEEDS = Object.keys(DEEDS) as readonly Deed[];

const AGAIN_MS = 60_000;

export function AccountFigures() {
  const words = useWords("overview").figures;
  const growth = useApi<z.output<typeof Growth>>("/stats/growth", {}, { refetchInterval: AGAIN_MS });
  const ends = useApi<z.output<typeof Expiries>>("/stats/expiries", {}, { refetchInterval: AGAIN_MS });
  return (
    <>
      <Panel title={words.growth}>
        <Answer of={growth} empty={({ days }) => days.length === 0} whenEmpty={<Nothing text={words.notCounted} />}>
          {({ days }) => <GrowthDays days={days} />}
        </Answer>
      </Panel>
      <Panel title={words.ends}>
        <Answer
          of={ends}
          empty={({ days }) => days.every(({ count }) => count === 0)}
          whenEmpty={<Nothing text={words.noEnds} />}
        >
          {({ days }) => <EndingDays days={days} />}
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

function GrowthDays({ days }: { readonly days: Days }) {
  const words = useWords("overview").figures;
  const format = useFormat();
  // What never happened has no colour of its own in the drawing.
  const happened = ALL_DEEDS.filter((deed) => days.some((day) => day[deed] > 0));
  return (
    <>
      <Numbers
        of={ALL_DEEDS.map((deed) => ({
          label: words.deeds[deed],
          href: DEEDS[deed],
          count: days.reduce((sum, day) => sum + day[deed], 0),
        }))}
      />
      <Plot
        label={words.perDay}
        kind="bars"
        height={150}
        moments="dayMonth"
        show={(value) => format.number(Math.round(value))}
        series={(happened.length > 0 ? happened : (["created"] as const)).map((deed) => ({
          id: deed,
          name: words.deeds[deed],
          points: [...uncounted(days), ...days.map((day) => ({ at: day.at, value: day[deed] }))],
        }))}
      />
    </>
  );
}

const MONTH = 30;
const DAY = 86_400;

/** Days of the month before the panel counted: nothing is known of them. */
function uncounted(days: Days): readonly { at: number; value: null }[] {
  const first = days[0]?.at ?? 0;
  const missing = Math.max(0, MONTH - days.length);
  return Array.from({ length: missing }, (_, index) => ({ at: first - (missing - index) * DAY, value: null }));
}

function EndingDays({ days }: { readonly days: Ends }) {
  const words = useWords("overview").figures;
  const format = useFormat();
  const within = (some: Ends) => some.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <Numbers
        of={[
          { label: words.endsWeek, href: "/users?ends=week&sort=expiry&order=asc", count: within(days.slice(0, 7)) },
          { label: words.endsMonth, href: "/users?ends=month&sort=expiry&order=asc", count: within(days) },
        ]}
      />
      <Plot
        label={words.perDay}
        kind="bars"
        height={150}
        moments="dayMonth"
        show={(value) => format.number(Math.round(value))}
        series={[{ id: "ends", name: words.ends, points: days.map(({ at, count }) => ({ at, value: count })) }]}
      />
    </>
  );
}

function Numbers({ of }: { readonly of: readonly { label: string; href: string; count: number }[] }) {
  const format = useFormat();
  return (
    <ul className={classes["numbers"]}>
      {of.map(({ label, href, count }) => (
        <li key={label}>
          <Link href={href} className={classes["number"] ?? ""}>
            <b>{format.number(count)}</b> <span>{label}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
