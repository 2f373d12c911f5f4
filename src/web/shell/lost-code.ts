// Code that a press asks for while the panel is away: it cannot come, and neither could the page itself. Whoever loaded
// the page again would have the browser's error page instead, which never tries again.
import { link } from "../api/live-link.ts";
import { isLost, noteUnreached } from "../api/panel-reach.ts";

/** Call it before `reloadOldPage` (`old-page.ts`). */
export function keepPageWhileAway(): void {
  addEventListener("vite:preloadError", (event) => {
    if (!isLost() && link.state().status !== "lost" && navigator.onLine) return;
    // The page says so (`PageFrame`) until the panel answers.
    noteUnreached();
    event.stopImmediatePropagation();
  });
}
