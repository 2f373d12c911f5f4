// While somebody reads, the list stands still: scrolled away from its top, pointed at, in it by keyboard, or paused.
import { useEffect, useRef, useState, type FocusEvent, type PointerEvent, type RefObject } from "react";
import type { EventFeed } from "./event-feed.ts";

export interface Hold {
  readonly held: boolean;
  /** Stands before the list: while it is out of sight, the list is held. */
  readonly top: RefObject<HTMLDivElement | null>;
  /** Handlers of the list. */
  readonly reading: {
    readonly onPointerEnter: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onFocus: (event: FocusEvent) => void;
    readonly onBlur: () => void;
  };
  /** Goes to the top and shows what waits. */
  readonly show: () => void;
}

export function useHold(feed: EventFeed, paused: boolean): Hold {
  const top = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState(false);
  const [pointed, setPointed] = useState(false);
  const [inside, setInside] = useState(false);
  useEffect(() => {
    const element = top.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver(([entry]) => setScrolled(entry ? !entry.isIntersecting : false));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const held = paused || scrolled || pointed || inside;
  useEffect(() => feed.hold(held), [feed, held]);
  return {
    held,
    top,
    reading: {
      // A finger leaves nothing behind that points.
      onPointerEnter: ({ pointerType }) => setPointed(pointerType !== "touch"),
      onPointerLeave: () => setPointed(false),
      onFocus: ({ target }) => setInside(target.matches(":focus-visible")),
      onBlur: () => setInside(false),
    },
    show() {
      feed.release();
      window.scrollTo({ top: 0 });
    },
  };
}
