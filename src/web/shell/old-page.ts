// Code that does not come while the panel answers belongs to a panel that was updated under an open page: the new page
// is loaded.

const RELOADED = "signalbox.reloaded";
/**
 * The page reloads itself at most once in this time. If it is still open so long after `beforeunload`, that was a
 * download, not a navigation.
 */
const ONCE_MS = 60_000;

/** The part of the browser's page that `reloadOldPage` needs. */
export interface OpenPage {
  listen(name: "beforeunload" | "pagehide" | "vite:preloadError", listener: (event: Event) => void): void;
  reload(): void;
}

/**
 * A browser that leaves the page gives up what the page still loads. To load the page again then would take the person
 * back from where they went.
 */
export function reloadOldPage(page: OpenPage): void {
  let left = Number.NEGATIVE_INFINITY;
  const leave = (): void => {
    left = performance.now();
  };
  page.listen("beforeunload", leave);
  page.listen("pagehide", leave);
  page.listen("vite:preloadError", (event) => {
    if (performance.now() - left < ONCE_MS) return;
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - last < ONCE_MS) return;
    event.preventDefault();
    sessionStorage.setItem(RELOADED, String(Date.now()));
    page.reload();
  });
}
