// What needs a person: actors in quarantine, then those in failure, the longest first. Each line says since when, why,
// and when it will try again.
import { useQueries, useQuery } from "@tanstack/react-query";
import { IconChecks } from "@tabler/icons-react";
import { Link } from "wouter";
import { call } from "../../api/call.ts";
import { useTransitions, type StateCounts } from "../../api/live.ts";
import { useApi, type Listing } from "../../api/queries.ts";
import { useFormat } from "../../format/use-format.ts";
import { Countdown, Since } from "../../parts/Ago.tsx";
import { StateBadge, ToneBadge } from "../../parts/StateBadge.tsx";
import { useCause } from "../../words/use-cause.ts";
import { useWords } from "../../words/words.ts";
import { actorPath, listPath } from "../addresses.ts";
import { failedStates } from "./fleet.ts";
import classes from "./fleet.module.css";
import { causeIn, errorIn } from "../facts/NowSection.tsx";
import type { Chart } from "../use-machines.ts";
import type { Actor, ActorDetail } from "../wire.ts";

/** The rest is one click away: the charts should be seen without scrolling. */
const MOST = 4;
/** So many are put in order: tries in between move an actor in the panel's own order. */
const ORDERED = 200;

interface NeedsProps {
  readonly charts: readonly Chart[];
  readonly counts: Readonly<Record<string, StateCounts>> | undefined;
}

export function NeedsPerson({ charts, counts }: NeedsProps) {
  const words = useWords("inspect").fleet;
  const format = useFormat();
  const failed = charts.flatMap(({ machine: { kind } }) => {
    const { states, total } = failedStates(kind, counts?.[kind] ?? {});
    return states.map((state) => ({ kind, state, total }));
  });
  const faults = useApi<Listing<Actor>>(
    "/actors",
    { fault: true, sort: "since", order: "asc", limit: MOST },
    { refetchInterval: 10_000 },
  );
  useTransitions({}, (_, gap) => {
    if (gap) void faults.refetch();
  });
  // Numbers change oftener than what stands in these states: they tell when to ask again.
  const failures = useQueries({
    queries: failed.map(({ kind, state, total }) => ({
      queryKey: ["/actors", { kind, state, sort: "since", order: "asc", limit: ORDERED }, total],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call<Listing<Actor>>("GET", "/actors", {
          query: { kind, state, sort: "since", order: "asc", limit: ORDERED },
          signal,
        }),
      placeholderData: (before: Listing<Actor> | undefined) => before,
      refetchInterval: 5000,
    })),
  });
  const quarantined = faults.data?.items ?? [];
  const inFailure = failures
    .flatMap(({ data }) => data?.items ?? [])
    .filter(({ fault }) => !fault)
    .toSorted((a, b) => troubledSince(a) - troubledSince(b));
  const rows = [...quarantined, ...inFailure].slice(0, MOST);
  const total = (faults.data?.total ?? 0) + failures.reduce((sum, { data }) => sum + (data?.total ?? 0), 0);
  const [firstFailed] = failed;
  return (
    <section className={classes["card"]} aria-label={words.person}>
      <h2>
        {words.person}
        {rows.length > 0 && <span className={classes["badge"]}>{format.number(total)}</span>}
      </h2>
      {rows.length === 0 ? (
        <p className={classes["calm"]}>
          <IconChecks size={18} aria-hidden /> {counts === undefined ? "" : words.personNone}
        </p>
      ) : (
        <ul className={classes["needs"]}>
          {rows.map((row) => (
            <li key={`${row.kind} ${row.id}`}>
              <Need row={row} />
            </li>
          ))}
        </ul>
      )}
      {total > rows.length && firstFailed && (
        <Link href={listPath(firstFailed.kind, { state: firstFailed.state })} className={classes["more"] ?? ""}>
          {words.personMore(total - rows.length, format.number(total - rows.length))}
        </Link>
      )}
    </section>
  );
}

/** What is tried in between ends no trouble. */
function troubledSince({ trouble, since }: Actor): number {
  return trouble?.since ?? since;
}

function Need({ row }: { readonly row: Actor }) {
  const words = useWords("inspect");
  const causeText = useCause();
  const format = useFormat();
  const { kind, id, rev } = row;
  const path = `/actors/${kind}/${id}`;
  // Nothing of an actor changes but by a step or a quarantine, so one answer serves until the next.
  const detail = useQuery({
    queryKey: ["need", path, rev, row.fault],
    queryFn: async ({ signal }) => {
      return { actor: await call<ActorDetail>("GET", path, { signal }) };
    },
    staleTime: Infinity,
    placeholderData: (before) => before,
  });
  const { actor } = detail.data ?? {};
  const { trouble } = row;
  const context = new Map(
    Object.entries(actor?.context ?? {}).map(([field, value]) => [field, { known: true, value }]),
  );
  const error = actor?.fault?.message ?? errorIn(context);
  const cause = actor?.fault ? null : causeIn(context);
  return (
    <Link href={actorPath(kind, id)} className={classes["need"] ?? ""}>
      <span className={classes["needName"]}>
        <bdi>{row.name}</bdi>
        {row.fault ? (
          <ToneBadge tone="failed">{words.list.faultOnly}</ToneBadge>
        ) : (
          <StateBadge kind={kind} state={row.state} />
        )}
        {row.wakeAt !== null && (
          <span className={classes["needNext"]}>
            {words.actor.nextTry} <Countdown to={row.wakeAt} />
          </span>
        )}
      </span>
      <span className={classes["quiet"]}>
        <Since at={actor?.fault?.at ?? troubledSince(row)} />
        {trouble && trouble.failures > 1 && (
          <> · {words.actor.failures(trouble.failures, format.number(trouble.failures))}</>
        )}
      </span>
      {error !== "" && (
        <span className={classes["needWhy"]}>
          <bdi>{causeText(cause, error)}</bdi>
        </span>
      )}
    </Link>
  );
}
