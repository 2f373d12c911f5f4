// The window of a long table as it is scrolled. Rows may differ in height: one that was drawn has the height that it
// had, the others the usual one.
import { useEffect, useLayoutEffect, useReducer, useRef, useState, type RefObject } from "react";
import { RowHeights, windowOf, type RowWindow } from "./row-window.ts";

/** Height of a row in pixels, before any row is measured. */
const USUAL = 46;
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
  const [heights] = useState(() => new RowHeights(USUAL));
  const [seen, setSeen] = useState({ top: 0, height: 900 });
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  const window = windowOf(heights.offsets(count), seen.top, seen.height);
  const { from, to } = window;
  const drawn = useRef({ from, to });

  useEffect(() => {
    const scroller = frame.current;
    if (!scroller) return undefined;
    // Most steps of the wheel stay within what is drawn.
    const look = (): void => {
      const now = { top: scroller.scrollTop, height: scroller.clientHeight };
      const next = windowOf(heights.offsets(count), now.top, now.height);
      if (next.from !== drawn.current.from || next.to !== drawn.current.to) setSeen(now);
    };
    look();
    scroller.addEventListener("scroll", look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(scroller);
    return () => {
      scroller.removeEventListener("scroll", look);
      resized.disconnect();
    };
  }, [frame, heights, count]);

  // Rows that are drawn for the first time tell the height of what was scrolled past at the next step: where they are
  // themselves follows from the rows before them, which are known.
  useLayoutEffect(() => {
    drawn.current = { from, to };
    const rows = body.current?.querySelectorAll<HTMLElement>("tr[data-place]") ?? [];
    if (heights.learn(new Map([...rows].map((row) => [Number(row.dataset["place"]), row.offsetHeight])))) drawAgain();
  }, [body, heights, from, to, count]);

  useEffect(() => {
    const scroller = frame.current;
    if (cursor === -1 || !scroller) return;
    const [top = 0, bottom = 0] = heights.offsets(count).subarray(cursor, cursor + 2);
    // Between the head that stays and the lower edge.
    const room = scroller.clientHeight - HEAD;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (bottom > scroller.scrollTop + room) scroller.scrollTop = bottom - room;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- when the cursor moves, not when rows come or go
  }, [frame, heights, cursor]);
  return window;
}
