// The actors of a kind, those longest in their state first: what every number of the fleet page leads to.
import { Box } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useMemo } from "react";
import { Link, useParams } from "wouter";
import { useCounts, useRefreshed } from "../api/live.ts";
import { useApi, type Listing } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { Countdown, Since } from "../parts/Ago.tsx";
import { Empty } from "../parts/Answer.tsx";
import { Dim, Name } from "../parts/Names.tsx";
import { useNow } from "../parts/now.ts";
import { PageHead } from "../parts/Record.tsx";
import { StateBadge, ToneBadge } from "../parts/StateBadge.tsx";
import type { Column } from "../parts/table/columns.ts";
import { DataTable, PHONE } from "../parts/table/DataTable.tsx";
import { FilterChips, FilterSelect, type FilterOption } from "../parts/table/Filters.tsx";
import { useListQuery } from "../parts/table/list-query.ts";
import { stateTone } from "../parts/tone.ts";
import { usePageTitle } from "../browser/title.ts";
import { useCause } from "../words/use-cause.ts";
import { useWords } from "../words/words.ts";
import { actorPath, FLEET } from "./addresses.ts";
import { useKindName } from "./kinds.ts";
import { statesOf, useMachines } from "./use-machines.ts";
import type { Actor } from "./wire.ts";

const DEFAULTS = { sort: "since", order: "asc", filters: ["state", "fault", "moved"] } as const;

/** How long ago they may have come into their state, in seconds, as the address has it. */
const MOVED = [300, 3600, 86_400] as const;
/** The moment that it is counted from moves on in such steps, so that an answer serves for a while. */
const MOVED_STEP = 60;

export default function ActorListPage() {
  const { kind } = useParams<{ kind: string }>();
  const words = useWords("inspect");
  const kindName = useKindName();
  const query = useListQuery(DEFAULTS);
  const { moved, ...asked } = query.api;
  const now = useNow(MOVED_STEP);
  const within = MOVED.find((seconds) => String(seconds) === moved);
  const answer = useApi<Listing<Actor>>("/actors", { ...asked, kind, ...(within && { updated_since: now - within }) });
  useRefreshed(kind, ["/actors"]);
  usePageTitle(kindName(kind));
  // All states in one row, where there is room for a row of their own.
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const options = useStates(kind, query.filters["state"]);
  const moves = useMoved();
  const states = (
    <FilterChips query={query} name="state" options={options} all={{ value: "", label: words.list.anyState }} />
  );
  return (
    <>
      <PageHead title={kindName(kind)} back={{ href: FLEET, label: words.title }} />
      {!phone && <Box mb="sm">{states}</Box>}
      <DataTable
        id={`actors.${kind}`}
        columns={useColumns(answer.data?.items.some(({ error }) => error !== "") ?? false)}
        query={query}
        answer={answer}
        rowKey={({ id }) => id}
        rowLabel={({ name, state }) => `${name}, ${state}`}
        href={(row) => actorPath(row.kind, row.id)}
        search={words.list.search}
        filters={
          <>
            {phone && states}
            <FilterChips query={query} name="fault" options={[{ value: "true", label: words.list.faultOnly }]} />
            <FilterSelect query={query} name="moved" label={words.list.movedAny} options={moves} width={230} />
          </>
        }
        empty={
          <Empty title={words.list.none} text={words.list.noneMore} action={<Link href={FLEET}>{words.title}</Link>} />
        }
      />
    </>
  );
}

function useMoved(): readonly FilterOption[] {
  const { moved } = useWords("inspect").list;
  const format = useFormat();
  return MOVED.map((seconds) => ({ value: String(seconds), label: moved(format.duration(seconds)) }));
}

/** The states of the chart that have actors, and the selected one, with live numbers. */
function useStates(kind: string, asked: string | undefined): readonly FilterOption[] {
  const counts = useCounts(kind);
  const { charts } = useMachines();
  return useMemo(() => {
    const chart = charts?.find(({ machine }) => machine.kind === kind);
    const states = new Set([
      ...(chart ? statesOf(chart) : []),
      ...Object.keys(counts ?? {}),
      ...(asked === undefined ? [] : [asked]),
    ]);
    return [...states]
      .map((state) => ({
        value: state,
        label: state,
        count: numberIn(counts, state),
        tone: stateTone(kind, state.replace(/\.\*$/, "")),
      }))
      .filter(({ value, count }) => count === undefined || count > 0 || value === asked);
  }, [charts, counts, kind, asked]);
}

function numberIn(counts: Readonly<Record<string, number>> | undefined, state: string): number | undefined {
  if (!counts) return undefined;
  if (!state.endsWith(".*")) return counts[state] ?? 0;
  const outer = state.slice(0, -1);
  return Object.entries(counts).reduce((sum, [each, count]) => (each.startsWith(outer) ? sum + count : sum), 0);
}

/** `failing`: something went wrong with one of the page; what it was is said. */
function useColumns(failing: boolean): readonly Column<Actor>[] {
  const words = useWords("inspect").list;
  const format = useFormat();
  const causeText = useCause();
  return useMemo(
    () => [
      { id: "name", header: words.name, sort: "name", card: "title", cell: ({ name }) => <Name>{name}</Name> },
      {
        id: "state",
        header: words.state,
        card: "corner",
        cell: ({ kind, state, fault }) =>
          fault ? <ToneBadge tone="failed">{words.faultOnly}</ToneBadge> : <StateBadge kind={kind} state={state} />,
      },
      { id: "since", header: words.since, sort: "since", width: 150, cell: ({ since }) => <Since at={since} /> },
      {
        id: "wakes",
        header: words.wakes,
        sort: "wakeAt",
        width: 150,
        cell: ({ wakeAt }) => (wakeAt === null ? <Dim>{words.neverWakes}</Dim> : <Countdown to={wakeAt} />),
      },
      ...(failing
        ? [
            {
              id: "error",
              header: words.error,
              cell: ({ error, cause }: Actor) => <bdi>{causeText(cause, error)}</bdi>,
            },
          ]
        : []),
      {
        id: "running",
        header: words.running,
        above: 900,
        cell: ({ running }) => (running.length === 0 ? <Dim>–</Dim> : <bdi dir="ltr">{running.join(", ")}</bdi>),
      },
      {
        id: "attempts",
        header: words.attempts,
        align: "end",
        width: 110,
        above: 900,
        card: "none",
        cell: ({ attempts }) => (attempts === 0 ? <Dim>–</Dim> : format.number(attempts)),
      },
      {
        id: "rev",
        header: words.rev,
        align: "end",
        width: 90,
        optional: true,
        card: "none",
        cell: ({ rev }) => format.number(rev),
      },
    ],
    [words, format, causeText, failing],
  );
}
