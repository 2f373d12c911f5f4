// Where the keyboard goes on after a question that was asked over the page.
import { useEffect } from "react";

/**
 * When what lies over the page closes, or leaves it, and takes the focus with it, the focus goes back to what had it
 * before; where that is gone, as the row of a deleted record, to the page's heading.
 */
export function useFocusBack(opened = true): void {
  useEffect(() => {
    if (!opened) return;
    const before = document.activeElement;
    return () => {
      const over = document.activeElement?.closest("[role=dialog]");
      // Others that open or take the focus now come first.
      setTimeout(() => {
        const now = document.activeElement;
        if (now !== null && now !== document.body && !over?.contains(now)) return;
        const kept = before instanceof HTMLElement && before !== document.body && before.isConnected;
        const target = kept ? before : document.querySelector<HTMLElement>("#page h1");
        target?.focus({ preventScroll: true });
      });
    };
  }, [opened]);
}
