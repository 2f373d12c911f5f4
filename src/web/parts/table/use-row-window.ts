// The window of a long table as it is scrolled. Rows may differ in height: one that was drawn has the height that it
// had, the others the usual one.
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from "react";
import { offsetsOf, windowOf, type RowWindow } from "./row-window.ts";

/** Of a row that nobody has seen yet. */
const USUAL = 46;
const HALF = USUAL / 2;
/** What the head that stays covers. */
const HEAD = 48;

/**
 * The window of `count` rows in `body`, which scrolls inside `frame`. `cursor`: the row of the keyboard, brought into
 * sight; -1: none.
 */
export function useRowWindow(
  frame: RefObject<HTMLElement | null>,
  body: RefObject<HTMLElement | null>,
  { count, cursor }: { readonly count: number; readonly cursor: number },
): RowWindow {
  const heights = useRef(new Map<number, number>());
  const [usual, setUsual] = useState(USUAL);
  const [measured, setMeasured] = useState(0);
  const offsets = useMemo(
    () => offsetsOf(count, (place) => heights.current.get(place) ?? usual),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `measured` counts the changes of `heights`
    [count, usual, measured],
  );
  const [seen, setSeen] = useState({ top: 0, height: 900 });
  const window = windowOf(offsets, seen.top, seen.height);

  useEffect(() => {
    const scroller = frame.current;
    if (!scroller) return undefined;
    // In steps of half a row: what is drawn changes no oftener.
    const look = (): void => {
      const top = Math.floor(scroller.scrollTop / HALF) * HALF;
      const height = scroller.clientHeight + HALF;
      setSeen((before) => (before.top === top && before.height === height ? before : { top, height }));
    };
    look();
    scroller.addEventListener("scroll", look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(scroller);
    return () => {
      scroller.removeEventListener("scroll", look);
      resized.disconnect();
    };
  }, [frame]);

  useLayoutEffect(() => {
    let changed = false;
    for (const row of body.current?.querySelectorAll<HTMLElement>("tr[data-place]") ?? []) {
      const place = Number(row.dataset["place"]);
      if (heights.current.get(place) === row.offsetHeight) continue;
      heights.current.set(place, row.offsetHeight);
      changed = true;
    }
    if (!changed) return;
    const all = [...heights.current.values()];
    if (all.length < 100) setUsual(all.reduce((sum, height) => sum + height, 0) / all.length);
    setMeasured((times) => times + 1);
  }, [body, window.from, window.to, count]);

  useEffect(() => {
    const scroller = frame.current;
    if (cursor === -1 || !scroller) return;
    const [top = 0, bottom = 0] = offsets.subarray(cursor, cursor + 2);
    // Between the head that stays and the lower edge.
    const room = scroller.clientHeight - HEAD;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (bottom > scroller.scrollTop + room) scroller.scrollTop = bottom - room;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- when the cursor moves, not when heights become known
  }, [frame, cursor]);
  return window;
}
