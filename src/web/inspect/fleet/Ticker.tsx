// What has just happened, newest first: a quiet list that stands still while it is pointed at. It begins with the
// actors that moved last.
import { useQueries } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link } from "wouter";
import { call } from "../../api/call.ts";
import { useTransitions } from "../../api/live.ts";
import type { Listing } from "../../api/queries.ts";
import { useFormat } from "../../format/use-format.ts";
import { stateTone } from "../../parts/tone.ts";
import { ToneMark } from "../../parts/ToneMark.tsx";
import { useWords } from "../../words/words.ts";
import { actorPath } from "../addresses.ts";
import { EventName } from "../event/EventName.tsx";
import classes from "./fleet.module.css";
import type { Chart } from "../use-machines.ts";
import { DELETED, type Actor } from "../wire.ts";

const SHOWN = 12;
/** New rows come in steps that an eye can follow. */
const PACE_MS = 1000;

interface Step {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly seq: number;
  readonly at: number;
  /** Undefined: before this page was opened; the journal says it. */
  readonly event: string | undefined;
  readonly to: string;
}

export function Ticker({ charts }: { readonly charts: readonly Chart[] }) {
  const words = useWords("inspect").fleet;
  const before = useLastMoved(charts);
  const [rows, setRows] = useState<readonly Step[]>([]);
  const [held, setHeld] = useState(false);
  const waiting = useRef<readonly Step[]>([]);
  const timer = useRef<number | undefined>(undefined);
  const still = useRef(false);
  const release = () => {
    timer.current = undefined;
    if (still.current || waiting.current.length === 0) return;
    const news = waiting.current;
    waiting.current = [];
    setRows((now) => [...news, ...now].slice(0, SHOWN));
  };
  useTransitions({}, (news) => {
    if (news.length === 0) return;
    waiting.current = [...news.toReversed(), ...waiting.current].slice(0, SHOWN);
    timer.current ??= window.setTimeout(release, rows.length === 0 ? 0 : PACE_MS);
  });
  const hold = (on: boolean) => {
    still.current = on;
    setHeld(on);
    if (!on) release();
  };
  const seen = new Set(rows.map(({ kind, id }) => `${kind} ${id}`));
  const shown = [...rows, ...before.filter(({ kind, id }) => !seen.has(`${kind} ${id}`))].slice(0, SHOWN);
  return (
    <section
      className={classes["card"]}
      aria-label={words.recent}
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      <h2>
        {words.recent}
        {held && shown.length > 0 && <span className={classes["quiet"]}>{words.recentHeld}</span>}
      </h2>
      {shown.length === 0 && <p className={classes["calm"]}>{words.recentNone}</p>}
      <ol className={classes["ticker"]}>
        {shown.map((row) => (
          <li key={`${row.kind} ${row.id} ${row.seq}`}>
            <Row row={row} chart={charts.find(({ machine }) => machine.kind === row.kind)} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Row({ row, chart }: { readonly row: Step; readonly chart: Chart | undefined }) {
  const format = useFormat();
  return (
    <Link href={actorPath(row.kind, row.id, row.seq)} className={classes["tick"] ?? ""}>
      <span className={classes["tickTime"]}>{format.date(row.at, "time")}</span>
      <ToneMark tone={row.to === DELETED ? "off" : stateTone(row.kind, row.to)} size={11} />
      <span className={classes["tickName"]}>
        <bdi>{row.name}</bdi>
      </span>
      <span className={classes["tickWay"]}>
        <bdi dir="ltr">{row.to}</bdi>
      </span>
      {row.event === undefined ? (
        <span />
      ) : (
        <EventName sign={chart?.sign(row.event) ?? { kind: "event", name: row.event }} raw={row.event} />
      )}
    </Link>
  );
}

/** The actors that came into their state last, of all kinds. */
function useLastMoved(charts: readonly Chart[]): readonly Step[] {
  const answers = useQueries({
    queries: charts.map(({ machine: { kind } }) => {
      const query = { kind, sort: "since", order: "desc", limit: SHOWN };
      return {
        queryKey: ["moved last", query],
        queryFn: ({ signal }: { signal: AbortSignal }) => call<Listing<Actor>>("GET", "/actors", { query, signal }),
        staleTime: 0,
      };
    }),
  });
  return answers
    .flatMap(({ data }) => data?.items ?? [])
    .map(({ kind, id, name, rev, since, state }) => ({
      kind,
      id,
      name,
      seq: rev,
      at: since,
      event: undefined,
      to: state,
    }))
    .toSorted((a, b) => b.at - a.at)
    .slice(0, SHOWN);
}
