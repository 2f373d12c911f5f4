// Code that a press asks for and that does not come. While the panel is away it cannot, and neither could the page
// itself: whoever loaded the page again would have the browser's error page instead, which never tries again. Else it
// belongs to a panel that was updated under an open page: the new page is loaded.
import { link } from "../api/live-link.ts";
import { isLost, noteUnreached } from "../api/reach.ts";

const RELOADED = "signalbox.reloaded";
/** The page loads itself again no oftener. A page that was to be left so long ago was not left: it was a download. */
const ONCE_MS = 60_000;

/** Call it before `reloadOldPage`. */
export function keepPageWhileAway(): void {
  addEventListener("vite:preloadError", (event) => {
    if (!isLost() && link.state().status !== "lost" && navigator.onLine) return;
    // The page says so (`PageFrame`) until the panel answers.
    noteUnreached();
    event.stopImmediatePropagation();
  });
}

/**
 * A browser that leaves the page gives up what the page still loads. To load the page again then would take the person
 * back from where they went.
 */
export function reloadOldPage(): void {
  let left = Number.NEGATIVE_INFINITY;
  const leave = (): void => {
    left = performance.now();
  };
  addEventListener("beforeunload", leave);
  addEventListener("pagehide", leave);
  addEventListener("vite:preloadError", (event) => {
    if (performance.now() - left < ONCE_MS) return;
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - last < ONCE_MS) return;
    event.preventDefault();
    sessionStorage.setItem(RELOADED, String(Date.now()));
    location.reload();
  });
}
