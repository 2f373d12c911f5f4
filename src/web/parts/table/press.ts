// A long press on touch screens: selects where no box to tick is shown. The click that the lifted finger would make is
// swallowed.
import { useRef, type MouseEvent, type TouchEvent } from "react";

const LONG_MS = 450;

export interface PressHandlers {
  readonly onTouchStart: (event: TouchEvent) => void;
  readonly onTouchMove: () => void;
  readonly onTouchEnd: () => void;
  readonly onTouchCancel: () => void;
  readonly onContextMenu: (event: MouseEvent) => void;
  readonly onClickCapture: (event: MouseEvent) => void;
}

/** Handlers for one of many: `{...press(() => select(row))}`. A finger that moves scrolls. */
export function useLongPress(): (act: () => void) => PressHandlers {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const state = useRef<"" | "down" | "pressed">("");
  const lift = () => {
    clearTimeout(timer.current);
    if (state.current === "down") state.current = "";
  };
  return (act) => ({
    onTouchStart(event) {
      clearTimeout(timer.current);
      state.current = event.touches.length === 1 ? "down" : "";
      if (state.current === "") return;
      timer.current = setTimeout(() => {
        state.current = "pressed";
        act();
      }, LONG_MS);
    },
    onTouchMove: lift,
    onTouchEnd: lift,
    onTouchCancel: lift,
    // The browser's own menu of a link would come over the selection.
    onContextMenu: (event) => state.current !== "" && event.preventDefault(),
    onClickCapture(event) {
      if (state.current !== "pressed") return;
      state.current = "";
      event.preventDefault();
      event.stopPropagation();
    },
  });
}
