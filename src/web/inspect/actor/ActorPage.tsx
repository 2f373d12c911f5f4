// One actor: its chart with the state lit, why it is there and what comes next, and its journal to look back in. A step
// of the journal stands in the address (`?at=`).
import { VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useEffect, useMemo } from "react";
import { Link, useLocation, useParams, useSearchParams } from "wouter";
import { ApiError } from "../../api/call.ts";
import { beginGeometry } from "../../chart/geometries.ts";
import { Answer, Empty, Failure, LoadingLines } from "../../parts/Answer.tsx";
import { useKeys } from "../../browser/keys.ts";
import { usePageTitle } from "../../browser/title.ts";
import { useWords } from "../../words/words.ts";
import classes from "./actor.module.css";
import { ActorHead } from "./ActorHead.tsx";
import { ActorSide } from "./ActorSide.tsx";
import { actorPath, listPath } from "../addresses.ts";
import { Announcer } from "./Announcer.tsx";
import { useJournalHeight } from "../journal/JournalHandle.tsx";
import { JournalPanel } from "../journal/JournalPanel.tsx";
import { LiveChart } from "./LiveChart.tsx";
import { pastOf, presentOf } from "./moment.ts";
import { troubleAt, troubleNow } from "../trouble.ts";
import { useActor } from "./use-actor.ts";
import { useMachines } from "../use-machines.ts";
import { useTrial } from "../facts/use-trial.ts";

/** Entries on each side of the cursor that the track has at hand. */
const AROUND = 300;
/**
 * How far back the old context is computed by undoing every later step. Further back, only what the nearby journal
 * entries say is known.
 */
const UNDONE = 1000;

export default function ActorPage() {
  const { kind, id } = useParams<{ kind: string; id: string }>();
  return <ActorView key={`${kind} ${id}`} kind={kind} id={id} />;
}

function ActorView({ kind, id }: { readonly kind: string; readonly id: string }) {
  const words = useWords("inspect");
  const phone = useMediaQuery("(max-width: 61.99em)", undefined, { getInitialValueInEffect: false });
  const { answer, actor, journal, store } = useActor(kind, id);
  const machines = useMachines();
  const chart = machines.charts?.find(({ machine }) => machine.kind === kind);
  const [height, setHeight] = useJournalHeight();
  const { trial, run, close } = useTrial(kind, id);
  const gone = answer.error?.status === 404 && actor === undefined;
  const head = journal.head ?? 0;

  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const asked = Number(search.get("at") ?? "");
  const cursor = Number.isInteger(asked) && asked >= 1 && asked <= head ? asked : gone && head > 0 ? head : undefined;
  const go = (seq: number | undefined) => {
    const next = seq === undefined ? undefined : Math.min(head, Math.max(1, seq));
    // Looking back is one entry of the history, however far one steps; from the present Back leads there again.
    navigate(actorPath(kind, id, next), { replace: cursor !== undefined && next !== undefined });
  };
  const step = (by: number) => {
    const next = (cursor ?? head) + by;
    go(next >= head && by > 0 && !gone ? undefined : next);
  };
  useKeys({
    left: { label: words.journal.back, run: () => step(-1) },
    right: { label: words.journal.forth, run: () => step(1), enabled: cursor !== undefined },
    home: { label: words.journal.first, run: () => go(1) },
    end: { label: words.journal.toLive, run: () => go(undefined) },
    l: { label: words.journal.toLive, run: () => go(undefined), enabled: cursor !== undefined },
    esc: { label: words.actor.closeTry, run: close, enabled: trial !== undefined },
  });

  // Asked for while the charts are still awaited; whether it comes is told where it is drawn.
  useEffect(() => void beginGeometry(kind).catch(() => undefined), [kind]);

  const centre = cursor ?? head;
  const drawn = chart !== undefined && actor !== undefined;
  useEffect(() => {
    if (centre === 0) return undefined;
    const read = () => {
      void store.ensure(centre - AROUND, centre + AROUND);
      if (cursor !== undefined && head - cursor <= UNDONE) void store.ensure(cursor, head);
    };
    // The newest page of the journal is enough for what is in sight at first: the chart comes before the rest.
    return cursor === undefined && !gone ? (drawn ? afterPaint(read) : undefined) : read();
  }, [store, centre, cursor, head, drawn, gone]);
  const around = useMemo(
    () =>
      [...journal.entries.values()]
        .filter(({ seq }) => Math.abs(seq - centre) <= AROUND)
        .toSorted((a, b) => a.seq - b.seq),
    [journal.entries, centre],
  );
  const moment = useMemo(() => {
    if (cursor !== undefined) return pastOf(cursor, actor?.context, journal.entries, head);
    return actor && presentOf(actor, journal.entries.get(actor.rev));
  }, [cursor, actor, journal.entries, head]);

  usePageTitle(actor?.name ?? `${kind} ${id}`);
  if (gone && (journal.head === 0 || (journal.error instanceof ApiError && journal.error.status === 404)))
    return <NotFound kind={kind} />;
  if (answer.error && !actor && !gone)
    return <Failure error={answer.error} retry={() => void answer.refetch()} busy={answer.isFetching} />;
  const past = cursor !== undefined;
  const fresh = trial && actor && trial.rev === actor.rev && !past ? trial : undefined;
  return (
    <div
      className={classes["page"]}
      style={height === undefined ? undefined : { gridTemplateRows: `auto minmax(0, 1fr) ${height}px` }}
    >
      <ActorHead kind={kind} id={id} actor={actor} gone={gone} chart={chart} moment={moment} past={past} />
      <div className={classes["chart"]}>
        {chart && moment ? (
          <LiveChart
            chart={chart}
            moment={moment}
            actor={past ? undefined : actor}
            trial={fresh}
            phone={phone ?? false}
            name={actor?.name ?? id}
          />
        ) : machines.answer.error ? (
          <Failure error={machines.answer.error} retry={() => void machines.answer.refetch()} />
        ) : null}
      </div>
      <aside className={classes["side"]} aria-busy={!moment}>
        {moment ? (
          <ActorSide
            chart={chart}
            actor={actor}
            moment={moment}
            past={past}
            trouble={troubleNow(actor, moment.seq) ?? troubleAt(kind, journal.entries, moment.seq)}
            trial={fresh}
            onTry={(event) => void run(event, actor?.rev ?? 0)}
            onCloseTry={close}
            onChanged={() => void answer.refetch()}
            kind={kind}
          />
        ) : (
          <LoadingLines lines={8} />
        )}
        {actor && answer.error && !gone ? <Answer of={answer}>{() => null}</Answer> : null}
      </aside>
      <JournalPanel
        kind={kind}
        id={id}
        chart={chart}
        journal={journal}
        around={around}
        cursor={cursor}
        gone={gone}
        height={height}
        onHeight={setHeight}
        onCursor={go}
        onStep={step}
        onSight={(first, last) => void store.ensure(first, last)}
      />
      {moment && !past ? <Announcer text={words.actor.announced(actor?.name ?? id, moment.state)} /> : null}
    </div>
  );
}

function NotFound({ kind }: { readonly kind: string }) {
  const words = useWords("inspect").actor;
  return (
    <>
      <VisuallyHidden component="h1">{words.notFound}</VisuallyHidden>
      <Empty
        title={words.notFound}
        text={words.notFoundMore}
        action={<Link href={listPath(kind)}>{words.backToList}</Link>}
      />
    </>
  );
}

/** Calls `run` once what is rendered now has been painted. The returned function takes that back. */
function afterPaint(run: () => void): () => void {
  let timer: number | undefined;
  const frame = requestAnimationFrame(() => (timer = window.setTimeout(run)));
  return () => {
    cancelAnimationFrame(frame);
    window.clearTimeout(timer);
  };
}
