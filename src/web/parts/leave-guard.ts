// The browser asks before a page is closed or reloaded while something on it would be lost.
import { useEffect } from "react";

export function useLeaveGuard(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const guard = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", guard);
    return () => window.removeEventListener("beforeunload", guard);
  }, [active]);
}
