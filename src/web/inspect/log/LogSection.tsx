// What the actor's errands did, line by line, as it is written.
import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { SteadySocket } from "../../api/steady-socket.ts";
import { useFormat } from "../../format/use-format.ts";
import { useActorWords } from "../../words/use-actor-words.ts";
import { useWords } from "../../words/words.ts";
import facts from "../facts/facts.module.css";
import { Section } from "../facts/Section.tsx";
import type { LogLine } from "../wire.ts";
import { LogFeed, type LogPicture } from "./log-feed.ts";
import classes from "./log.module.css";

/** So near to its end, in pixels, the list follows what comes. */
const NEAR_END = 24;

export function LogSection({ kind, id }: { readonly kind: string; readonly id: string }) {
  const words = useWords("inspect").log;
  const { rows, read, cut } = useLog(kind, id);
  const list = useRef<HTMLOListElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    if (list.current && follows.current) list.current.scrollTop = list.current.scrollHeight;
  }, [rows]);
  return (
    <Section title={words.title}>
      {read && rows.length === 0 && <p className={facts["quiet"]}>{words.none}</p>}
      {cut && <p className={facts["quiet"]}>{words.cut}</p>}
      {rows.length > 0 && (
        <ol
          ref={list}
          role="log"
          aria-label={words.title}
          className={classes["lines"]}
          // Keys scroll a list that has the focus.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
            follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
          }}
        >
          {rows.map((row) => (
            <Line key={row.seq} line={row} />
          ))}
        </ol>
      )}
    </Section>
  );
}

function Line({ line }: { readonly line: LogLine }) {
  const format = useFormat();
  const told = useActorWords().line(line);
  return (
    <li data-level={line.level}>
      <time className={classes["at"]} title={format.date(line.at, "precise")}>
        {format.date(line.at, "time")}
      </time>{" "}
      <bdi className={line.code === "output" ? classes["output"] : undefined}>{told}</bdi>
    </li>
  );
}

function useLog(kind: string, id: string): LogPicture {
  const feed = useMemo(
    () =>
      new LogFeed(
        (owner) =>
          new SteadySocket({
            ...owner,
            path: () => `api/v1/actors/${encodeURIComponent(kind)}/${id}/log/stream?cursor=${owner.path()}`,
          }),
      ),
    [kind, id],
  );
  useEffect(() => {
    feed.start();
    return () => feed.stop();
  }, [feed]);
  return useSyncExternalStore(feed.subscribe, feed.picture);
}
