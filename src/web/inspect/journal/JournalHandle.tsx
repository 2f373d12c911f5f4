// The edge between drawing and journal, to be dragged, or moved by keys: how high the journal is, kept in this browser.
import { useState, type KeyboardEvent, type PointerEvent } from "react";
import { useWords } from "../../words/words.ts";
import classes from "../actor/actor.module.css";

const KEPT = "signalbox.journal-height";
const LEAST = 96;
/** What the drawing keeps. */
const DRAWING = 220;
const STEP = 24;

/** Undefined: as high as the page makes it. */
export function useJournalHeight(): readonly [number | undefined, (height: number) => void] {
  const [height, setHeight] = useState<number | undefined>(() => {
    const kept = Number(localStorage.getItem(KEPT) ?? "");
    return kept >= LEAST ? kept : undefined;
  });
  const put = (asked: number) => {
    const next = Math.round(Math.max(LEAST, Math.min(window.innerHeight - DRAWING, asked)));
    localStorage.setItem(KEPT, String(next));
    setHeight(next);
  };
  return [height, put];
}

export function JournalHandle({
  height,
  onHeight,
}: {
  readonly height: number | undefined;
  readonly onHeight: (height: number) => void;
}) {
  const words = useWords("inspect").journal;
  /** Rectangle of the journal. The handle is the first part of the journal, so its parent element is the journal. */
  const shown = (handle: HTMLElement) => handle.parentElement?.getBoundingClientRect() ?? new DOMRect();
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.buttons === 1) onHeight(shown(event.currentTarget).bottom - event.clientY);
  };
  const keyed = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = event.code === "ArrowUp" ? STEP : event.code === "ArrowDown" ? -STEP : 0;
    if (by === 0) return;
    event.preventDefault();
    onHeight(shown(event.currentTarget).height + by);
  };
  return (
    <div
      className={classes["handle"]}
      role="separator"
      aria-orientation="horizontal"
      aria-label={words.height}
      aria-valuenow={height ?? 0}
      aria-valuemin={0}
      aria-valuemax={window.innerHeight}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={keyed}
    />
  );
}
