// Moves a drawing within its frame: drags, wheels and fingers (`gestures.ts`); buttons and keys go through the
// functions that are returned.
import { useEffect, useEffectEvent, useRef } from "react";
import type { Geometry, Rectangle } from "./geometry.ts";
import { followGestures } from "./gestures.ts";
import {
  between,
  FAR,
  fitView,
  NAMES_SMALL,
  placeView,
  seenOf,
  startView,
  zoomedBy,
  type Room,
  type View,
} from "./view.ts";

const MOVE_MS = 250;
const AS_DRAWN: View = { x: 0, y: 0, k: 1 };
/** A box that gets the focus is at least so far from the frame's side. */
const EDGE = 24;

export function useView(
  geometry: Geometry,
  centre: string | undefined,
  around: readonly Rectangle[],
  follow: boolean,
  readable?: number,
) {
  const frame = useRef<HTMLDivElement>(null);
  const paper = useRef<HTMLDivElement>(null);
  const seen = useRef<SVGRectElement>(null);
  const view = useRef<View>(AS_DRAWN);
  /** The reader has moved the drawing: it no longer moves automatically. */
  const moved = useRef(false);
  /** Counts moves: one that takes time ends when another begins. */
  const moves = useRef(0);
  const { width, height, words } = geometry;

  function show(next: View) {
    view.current = next;
    if (!frame.current || !paper.current) return;
    paper.current.style.transform = `translate(${next.x}px, ${next.y}px) scale(${next.k})`;
    paper.current.toggleAttribute("data-far", words && next.k < FAR);
    paper.current.toggleAttribute("data-small", !words && next.k < NAMES_SMALL);
    if (seen.current) frameSeen(seen.current, seenOf({ width, height }, next, roomOf(frame.current)));
  }

  const move = useEffectEvent((next: View) => {
    moved.current = true;
    moves.current += 1;
    show(next);
  });
  useEffect(() => {
    if (!frame.current) return undefined;
    return followGestures(frame.current, {
      view: () => view.current,
      move: (next) => move(next),
      size: { width, height },
    });
  }, [width, height]);

  function moveTo(to: View) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return show(to);
    const from = view.current;
    const begun = performance.now();
    const turn = (moves.current += 1);
    const step = (now: number) => {
      if (moves.current !== turn) return;
      const part = Math.min(1, Math.max(0, (now - begun) / MOVE_MS));
      show(between(from, to, part));
      if (part < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  const begun = useRef(false);
  const begin = useEffectEvent((slowly: boolean) => {
    if (!frame.current || moved.current) return;
    begun.current = true;
    const start = startView(geometry, roomOf(frame.current), centre, around, readable);
    if (slowly) moveTo(start);
    else show(start);
  });

  // At the first paint, and whenever the room changes.
  useEffect(() => {
    if (!frame.current) return undefined;
    const watcher = new ResizeObserver(() => begin(false));
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, [width, height]);

  // The first place is taken above, after the browser's own layout, and at once.
  useEffect(() => {
    if (follow && centre !== undefined && begun.current) begin(true);
  }, [follow, centre]);

  return {
    frame,
    paper,
    seen,
    zoomBy: (factor: number) => {
      if (!frame.current) return;
      moved.current = true;
      moveTo(zoomedBy(view.current, factor, roomOf(frame.current)));
    },
    showAll: () => {
      if (!frame.current) return;
      moved.current = true;
      moveTo(fitView(geometry, roomOf(frame.current)));
    },
    showCentre: () => {
      moved.current = false;
      if (frame.current) moveTo(startView(geometry, roomOf(frame.current), centre, around, readable));
    },
    /** At once: it goes with the pointer. */
    showPlace: (x: number, y: number) => {
      if (!frame.current) return;
      moved.current = true;
      moves.current += 1;
      show(placeView({ x, y }, view.current.k, roomOf(frame.current)));
    },
    /** Brings what has the focus of the keyboard into sight. */
    reveal: (target: EventTarget) => {
      if (!frame.current || !(target instanceof SVGElement) || !target.matches(":focus-visible")) return;
      const [room, box] = [frame.current.getBoundingClientRect(), target.getBoundingClientRect()];
      const [dx, dy] = [
        missing(box.left, box.right, room.left, room.right),
        missing(box.top, box.bottom, room.top, room.bottom),
      ];
      if (dx === 0 && dy === 0) return;
      const { x, y, k } = view.current;
      moveTo({ x: x + dx, y: y + dy, k });
    },
  };
}

function roomOf({ clientWidth, clientHeight }: HTMLElement): Room {
  return { width: clientWidth, height: clientHeight };
}

/** Undefined: all is seen, and there is nothing to frame. */
function frameSeen(element: SVGRectElement, seen: Rectangle | undefined): void {
  element.ownerSVGElement?.toggleAttribute("data-whole", seen === undefined);
  if (!seen) return;
  const [x, y, width, height] = seen;
  for (const [name, value] of Object.entries({ x, y, width, height }))
    element.setAttribute(name, String(Math.round(value)));
}

function missing(low: number, high: number, from: number, to: number): number {
  if (low < from + EDGE) return from + EDGE - low;
  return high > to - EDGE ? to - EDGE - high : 0;
}
