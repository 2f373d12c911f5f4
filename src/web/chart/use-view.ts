// Moves a drawing within its frame: d3-zoom takes drags, wheels and fingers; buttons and keys go through the functions
// that are returned.
import { select } from "d3-selection";
import { zoom, zoomIdentity, zoomTransform, type D3ZoomEvent, type ZoomBehavior } from "d3-zoom";
import { useEffect, useEffectEvent, useRef } from "react";
import type { Geometry, Rectangle } from "./geometry.ts";
import {
  between,
  FAR,
  fitView,
  LARGEST,
  NAMES_SMALL,
  placeView,
  seenOf,
  SMALLEST,
  startView,
  zoomedBy,
  type Room,
  type View,
} from "./view.ts";

const MOVE_MS = 250;
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
  const behaviour = useRef<ZoomBehavior<HTMLDivElement, unknown>>(null);
  /** The reader has moved the drawing: it no longer moves automatically. */
  const moved = useRef(false);
  const { width, height, words } = geometry;

  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const zooming = zoom<HTMLDivElement, unknown>()
      .scaleExtent([SMALLEST, LARGEST])
      .translateExtent([
        [-width / 2, -height / 2],
        [width * 1.5, height * 1.5],
      ])
      .filter((event: MouseEvent) => !event.button && event.type !== "dblclick")
      .clickDistance(5)
      .on("zoom", ({ transform, sourceEvent }: D3ZoomEvent<HTMLDivElement, unknown>) => {
        if (sourceEvent) moved.current = true;
        if (!paper.current) return;
        paper.current.style.transform = `translate(${transform.x}px, ${transform.y}px) scale(${transform.k})`;
        paper.current.toggleAttribute("data-far", words && transform.k < FAR);
        paper.current.toggleAttribute("data-small", !words && transform.k < NAMES_SMALL);
        if (seen.current) frameSeen(seen.current, seenOf({ width, height }, transform, roomOf(element)));
      });
    select(element).call(zooming);
    behaviour.current = zooming;
    return () => void select(element).on(".zoom", null);
  }, [width, height, words]);

  function show({ x, y, k }: View) {
    if (frame.current) behaviour.current?.transform(select(frame.current), zoomIdentity.translate(x, y).scale(k));
  }

  function moveTo(to: View) {
    if (!frame.current) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return show(to);
    const from = zoomTransform(frame.current);
    const begun = performance.now();
    const move = (now: number) => {
      const part = Math.min(1, Math.max(0, (now - begun) / MOVE_MS));
      show(between(from, to, part));
      if (part < 1) requestAnimationFrame(move);
    };
    requestAnimationFrame(move);
  }

  const begin = useEffectEvent((slowly: boolean) => {
    if (!frame.current || moved.current) return;
    const view = startView(geometry, roomOf(frame.current), centre, around, readable);
    if (slowly) moveTo(view);
    else show(view);
  });

  // At the first paint, and whenever the room changes.
  useEffect(() => {
    if (!frame.current) return undefined;
    const watcher = new ResizeObserver(() => begin(false));
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, [width, height]);

  useEffect(() => {
    if (follow && centre !== undefined) begin(true);
  }, [follow, centre]);

  return {
    frame,
    paper,
    seen,
    zoomBy: (factor: number) => {
      if (!frame.current) return;
      moved.current = true;
      moveTo(zoomedBy(zoomTransform(frame.current), factor, roomOf(frame.current)));
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
      show(placeView({ x, y }, zoomTransform(frame.current).k, roomOf(frame.current)));
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
      const { x, y, k } = zoomTransform(frame.current);
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
