// The rows of the journal, newest first: only those in sight are drawn, and read when they come into it.
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useFormat, type Format } from "../../format/use-format.ts";
import { useWords } from "../../words/words.ts";
import { EventName, StatePath, Who } from "../event/EventName.tsx";
import { rawText, stayText } from "../facts/field.ts";
import classes from "./journal.module.css";
import { changesOf } from "../actor/past.ts";
import type { Chart } from "../use-machines.ts";
import type { JournalEntry } from "../wire.ts";

interface RowsProps {
  readonly chart: Chart | undefined;
  readonly entries: ReadonlyMap<number, JournalEntry>;
  readonly head: number;
  readonly cursor: number | undefined;
  readonly onCursor: (seq: number) => void;
  readonly onSight: (first: number, last: number) => void;
}

const ROW = 28;
const SPARE = 6;

export function JournalRows({ chart, entries, head, cursor, onCursor, onSight }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState({ top: 0, height: 200 });
  const first = Math.max(0, Math.floor(sight.top / ROW) - SPARE);
  const last = Math.min(head - 1, Math.ceil((sight.top + sight.height) / ROW) + SPARE);

  const look = () => {
    const element = box.current;
    if (!element) return;
    const next = { top: Math.round(element.scrollTop / ROW) * ROW, height: element.clientHeight };
    setSight((now) => (now.top === next.top && now.height === next.height ? now : next));
  };
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);

  // Rows that come on top do not push away what is being read.
  const heads = useRef(head);
  useEffect(() => {
    const element = box.current;
    const before = heads.current;
    heads.current = head;
    // Where there were none, nothing is read: to ask how far it is scrolled would make the browser lay out the page.
    if (element && before > 0 && head > before && element.scrollTop > ROW) element.scrollTop += (head - before) * ROW;
  }, [head]);

  const followed = useRef<number>(undefined);
  useEffect(() => {
    const element = box.current;
    if (!element || followed.current === cursor) return;
    followed.current = cursor;
    if (cursor === undefined) {
      element.scrollTop = 0;
      return;
    }
    const top = (heads.current - cursor) * ROW;
    if (top < element.scrollTop || top + ROW > element.scrollTop + element.clientHeight)
      element.scrollTop = top - element.clientHeight / 2 + ROW / 2;
  }, [cursor]);

  const tell = useEffectEvent(onSight);
  useEffect(() => {
    if (last >= first) tell(head - last, head - first);
  }, [first, last, head]);

  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => head - first - index);
  return (
    <div ref={box} className={classes["rows"]} onScroll={look} tabIndex={-1}>
      <div className={classes["space"]} style={{ height: head * ROW }}>
        {rows.map((seq) => (
          <div key={seq} className={classes["place"]} style={{ top: (head - seq) * ROW }}>
            <Row chart={chart} entry={entries.get(seq)} seq={seq} current={cursor === seq} onCursor={onCursor} />
          </div>
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  readonly chart: Chart | undefined;
  readonly entry: JournalEntry | undefined;
  readonly seq: number;
  readonly current: boolean;
  readonly onCursor: (seq: number) => void;
}

function Row({ chart, entry, seq, current, onCursor }: RowProps) {
  const words = useWords("inspect").journal;
  const format = useFormat();
  if (!entry) return <div className={classes["row"]} aria-label={words.waiting} data-waiting />;
  const sign = chart?.sign(entry.event) ?? { kind: "event" as const, name: entry.event };
  const old = Date.now() - entry.atMs > 20 * 3_600_000;
  return (
    <button
      type="button"
      className={classes["row"]}
      aria-current={current ? "true" : undefined}
      onClick={() => onCursor(seq)}
    >
      <span className={classes["time"]} title={format.date(entry.at, "precise")}>
        {old && `${format.date(entry.at, "dayMonth")} `}
        {format.date(entry.at, "time")}
        <span className={classes["fraction"]}>.{thousandths(entry.atMs, format)}</span>
      </span>
      <EventName sign={sign} raw={entry.event} />
      <span className={classes["way"]}>
        {entry.from === entry.to ? (
          <StatePath state={entry.to} />
        ) : (
          <bdi dir="ltr">
            {entry.from !== null && <span className={classes["from"]}>{entry.from} </span>}
            <span className={classes["from"]}>→ </span>
            {entry.to}
          </bdi>
        )}
      </span>
      <span className={classes["who"]}>
        <Who actor={entry.actor} />
      </span>
      <span className={classes["took"]}>{entry.from === null ? "" : stayText(entry.took, format, "narrow")}</span>
      <span className={classes["changes"]} dir="ltr">
        {entry.effects.length > 0 && <span className={classes["effects"]}>▸ {entry.effects.join(", ")}</span>}
        {changesOf(entry).map(([field, [before, after]]) => (
          <span key={field}>
            {field} <span className={classes["from"]}>{short(before)} →</span> {short(after)}
          </span>
        ))}
      </span>
    </button>
  );
}

function thousandths(ms: number, { locale }: Format): string {
  return new Intl.NumberFormat(locale, { minimumIntegerDigits: 3, useGrouping: false }).format(ms % 1000);
}

function short(value: unknown): string {
  const text = value === "" ? '""' : rawText(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
