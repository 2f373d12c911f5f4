// The journal as a track: a tick for each transition, the band under it in the tone of the state that was held. Drag or
// click to look back.
import { useElementSize } from "@mantine/hooks";
import { useMemo, useState, type PointerEvent } from "react";
import { useFormat } from "../../format/use-format.ts";
import { useNow } from "../../parts/now.ts";
import { stateTone, toneColour } from "../../parts/tone.ts";
import { useWords } from "../../words/words.ts";
import { useEventText } from "../event/EventName.tsx";
import { tickTone } from "../event/event-sign.ts";
import classes from "./track.module.css";
import { anchored, labelled, layTrack, nearestTo, NOW, type Anchor } from "./track.ts";
import type { Chart } from "../use-machines.ts";
import { DELETED, type JournalEntry } from "../wire.ts";

interface TrackProps {
  readonly kind: string;
  readonly chart: Chart | undefined;
  /** In order of `seq`, those around the cursor. */
  readonly entries: readonly JournalEntry[];
  readonly head: number;
  /** Undefined: live. */
  readonly cursor: number | undefined;
  readonly onCursor: (seq: number | undefined) => void;
}

const HEIGHT = 58;
const AXIS = 43;
const LABEL_ROOM = 76;
const EDGE = 22;

export function JournalTrack({ kind, chart, entries, head, cursor, onCursor }: TrackProps) {
  const words = useWords("inspect").journal;
  const format = useFormat();
  const text = useEventText();
  const { ref, width } = useElementSize();
  const now = useNow(5);
  const track = useMemo(() => layTrack(entries, now * 1000, width - 2 * EDGE), [entries, now, width]);
  const place = cursor ?? NOW;
  const [anchor, setAnchor] = useState<Anchor>({ place: NOW, screen: 0, width: 0 });
  // Where the cursor stands on the screen follows from where it, or its neighbour, stood before: the track does not
  // jump.
  const next = anchored(track, anchor, place, width, EDGE);
  if (next.place !== anchor.place || next.screen !== anchor.screen || next.width !== anchor.width) setAnchor(next);
  const at = (seq: number | typeof NOW) =>
    next.screen +
    (seq === NOW ? track.now : (track.x.get(seq) ?? 0)) -
    (next.place === NOW ? track.now : (track.x.get(next.place) ?? 0));

  const [dragging, setDragging] = useState(false);
  const pick = (event: PointerEvent<SVGSVGElement>) => {
    const left = event.currentTarget.getBoundingClientRect().left;
    const content = event.clientX - left - at(NOW) + track.now;
    if (content > track.now - 4) return onCursor(undefined);
    const seq = nearestTo(track, content);
    if (seq !== undefined) onCursor(seq === head && content > (track.x.get(seq) ?? 0) + 12 ? undefined : seq);
  };

  const visible = entries.filter(({ seq }) => at(seq) > -80 && at(seq) < width + 80);
  const current = cursor === undefined ? undefined : entries.find(({ seq }) => seq === cursor);
  const toneOf = (state: string) => toneColour(stateTone(kind, state));
  const sign = (event: string) => chart?.sign(event) ?? { kind: "event" as const, name: event };
  const valueText = current
    ? `${format.date(current.at, "time")} ${text(sign(current.event))}: ${current.from ?? words.begun} → ${current.to}`
    : words.present;
  return (
    <div ref={ref} className={classes["track"]} dir="ltr">
      <svg
        width="100%"
        height={HEIGHT}
        role="slider"
        tabIndex={0}
        aria-label={words.track}
        aria-valuemin={1}
        aria-valuemax={Math.max(1, head)}
        aria-valuenow={cursor ?? Math.max(1, head)}
        aria-valuetext={valueText}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragging(true);
          pick(event);
        }}
        onPointerMove={(event) => dragging && pick(event)}
        onPointerUp={() => setDragging(false)}
        onPointerCancel={() => setDragging(false)}
      >
        {visible.map((entry, index) => {
          const from = at(entry.seq);
          const until = visible[index + 1];
          const to = until ? at(until.seq) : entry.seq === head ? at(NOW) : from;
          return entry.to === DELETED ? null : (
            <rect
              key={`b${entry.seq}`}
              className={classes["band"]}
              x={from}
              y={30}
              width={Math.max(0, to - from)}
              height={5}
              style={{ fill: toneOf(entry.to) }}
            />
          );
        })}
        {visible.map((entry) => {
          const failing =
            stateTone(kind, entry.to) === "failed" && (entry.from === null || stateTone(kind, entry.from) !== "failed");
          const tone = tickTone(sign(entry.event), failing);
          return (
            <line
              key={entry.seq}
              className={classes["tick"]}
              data-tone={tone}
              data-self={entry.from === entry.to || undefined}
              x1={at(entry.seq)}
              x2={at(entry.seq)}
              y1={entry.from === entry.to ? 16 : 9}
              y2={30}
            >
              <title>{`${format.date(entry.at, "precise")}\n${text(sign(entry.event))}: ${entry.from ?? words.begun} → ${entry.to}`}</title>
            </line>
          );
        })}
        {labelled(visible, track, LABEL_ROOM).map(({ seq, atMs }) => (
          <text
            key={seq}
            className={classes["label"]}
            x={at(seq)}
            y={AXIS + 10}
            textAnchor={at(seq) < 24 ? "start" : "middle"}
          >
            {format.date(Math.floor(atMs / 1000), now - atMs / 1000 > 72_000 ? "dayMonth" : "time")}
          </text>
        ))}
        <g
          className={classes["cursor"]}
          data-live={cursor === undefined || undefined}
          style={{ transform: `translateX(${at(place)}px)` }}
        >
          <line x1={0} x2={0} y1={3} y2={37} />
          <circle cx={0} cy={4} r={4} />
        </g>
      </svg>
    </div>
  );
}
