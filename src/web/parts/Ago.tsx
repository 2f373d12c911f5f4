// Moments and distances that tick: relative in the text, the whole date on hover.
import { isoTime } from "../../lib/moments.ts";
import { useFormat } from "../format/use-format.ts";
import { useWords } from "../words/words.ts";
import { Dim } from "./Names.tsx";
import { panelNow, useNow } from "./now.ts";

/** A moment so little ahead is now: the page's idea of the panel's clock is a moment behind what the panel wrote. */
const NOW_S = 2;

/** "5 minutes ago" or "in 3 days". Unix seconds; 0 or null says `none`. */
export function Ago({
  at,
  none,
  style = "long",
}: {
  at: number | null;
  none?: string;
  style?: "long" | "short" | "narrow";
}) {
  const words = useWords("parts");
  const format = useFormat();
  // Past a minute the second hand says nothing.
  const now = useNow(at !== null && Math.abs(panelNow() - at) > 90 ? 15 : 1);
  if (at === null || at === 0) return <Dim>{none ?? words.never}</Dim>;
  const delta = at - now;
  return (
    <time dateTime={isoTime(at)} title={format.date(at, "precise")}>
      {format.relative(delta > 0 && delta <= NOW_S ? 0 : delta, style)}
    </time>
  );
}

/** A date, with its distance from now on hover. */
export function Moment({
  at,
  style = "dateTime",
  none,
}: {
  at: number | null;
  style?: "date" | "dateTime" | "precise" | "time";
  none?: string;
}) {
  const words = useWords("parts");
  const format = useFormat();
  const now = useNow(60);
  if (at === null || at === 0) return <Dim>{none ?? words.never}</Dim>;
  return (
    <time dateTime={isoTime(at)} title={format.relative(at - now)}>
      {format.date(at, style)}
    </time>
  );
}

/** How long something has been so: "2 hr 5 min". */
export function Since({ at, parts = 2 }: { at: number; parts?: number }) {
  const format = useFormat();
  const now = useNow(panelNow() - at > 3600 ? 15 : 1);
  return (
    <time dateTime={isoTime(at)} title={format.date(at, "precise")}>
      {format.duration(now - at, { parts })}
    </time>
  );
}

/** Time left until a moment, ticking: `0:12`; over a day in words. When it is past: "due". */
export function Countdown({ to }: { to: number }) {
  const words = useWords("parts");
  const format = useFormat();
  const left = to - useNow();
  return (
    <time dateTime={isoTime(to)} title={format.date(to, "precise")}>
      {left <= 0 ? words.due : left < 86_400 ? format.clock(left) : format.duration(left)}
    </time>
  );
}
