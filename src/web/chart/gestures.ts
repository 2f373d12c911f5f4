// What a person does to a drawing with a mouse, a pen, fingers or a wheel: one pointer drags it, two make it larger or
// smaller between them, a wheel does so around the pointer.
import { distance, heldUnder, keptNear, zoomedAt, type Point, type Room, type View } from "./view.ts";

export interface Gestures {
  readonly view: () => View;
  /** Shows what the person made of it. */
  readonly move: (view: View) => void;
  /** Size of the drawing, before any zoom. */
  readonly size: Room;
}

/** A press that moves less is a press, and opens what it is on. */
const PRESS = 5;
/** What a step of a wheel counts in lines, in pages, and in pixels. */
const [PIXEL, LINE, PAGE] = [0.002, 0.05, 1];
/** A pinch on a touchpad comes as a wheel with the control key, in small steps. */
const PINCH = 10;

/** Follows the pointers over `frame`. Returns what ends it. */
export function followGestures(frame: HTMLElement, { view, move, size }: Gestures): () => void {
  /** By id of a pointer, where it is in the frame. */
  const pointers = new Map<number, Point>();
  /** By id, the place of the drawing that stays under it. */
  let held = new Map<number, Point>();
  let begun: Point | undefined;
  let dragged = false;
  const room = (): Room => ({ width: frame.clientWidth, height: frame.clientHeight });
  const show = (next: View) => move(keptNear(next, size, room()));
  const hold = () => {
    const { x, y, k } = view();
    held = new Map([...pointers].map(([id, at]) => [id, { x: (at.x - x) / k, y: (at.y - y) / k }]));
  };
  const place = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = frame.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };

  const ending = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(
    type: K,
    listener: (event: HTMLElementEventMap[K]) => void,
    options: AddEventListenerOptions = {},
  ) => frame.addEventListener(type, listener, { ...options, signal: ending.signal });

  on("pointerdown", (event) => {
    if (event.button !== 0 || pointers.size === 2) return;
    pointers.set(event.pointerId, place(event));
    if (pointers.size === 1) [begun, dragged] = [place(event), false];
    hold();
  });
  on("pointermove", (event) => {
    if (!pointers.has(event.pointerId)) return;
    const at = place(event);
    pointers.set(event.pointerId, at);
    if (begun && distance(begun, at) > PRESS && !dragged) {
      dragged = true;
      // Not before: a press belongs to what it is on.
      for (const id of pointers.keys()) frame.setPointerCapture(id);
    }
    show(heldUnder([...pointers.values()], [...held.values()], view()));
  });
  const release = (event: PointerEvent) => {
    if (pointers.delete(event.pointerId)) hold();
  };
  on("pointerup", release);
  on("pointercancel", release);
  // Not every browser says that a pointer went away while nothing held it.
  on("pointerleave", (event) => {
    if (!frame.hasPointerCapture(event.pointerId)) release(event);
  });
  on(
    "click",
    (event) => {
      // One of the keyboard's (`detail` is 0) ends no drag.
      if (!dragged || event.detail === 0) return;
      dragged = false;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
  // Neither a link nor a text is taken along.
  on("dragstart", (event) => event.preventDefault());
  on("selectstart", (event) => {
    if (pointers.size > 0) event.preventDefault();
  });
  on(
    "wheel",
    (event) => {
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : event.deltaMode === 0 ? PIXEL : PAGE;
      const next = zoomedAt(view(), 2 ** (-event.deltaY * unit * (event.ctrlKey ? PINCH : 1)), place(event));
      // As far as it goes: the wheel is the page's.
      if (next.k === view().k) return;
      event.preventDefault();
      show(next);
    },
    { passive: false },
  );
  return () => ending.abort();
}
