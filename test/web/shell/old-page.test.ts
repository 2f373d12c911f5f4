// Code that does not come belongs to a panel that was updated under an open page: the new page is loaded, once, and
// never over where the person is going.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reloadOldPage } from "../../../src/web/shell/old-page.ts";

let listeners: Map<string, (event: Event) => void>;
let kept: Map<string, string>;
const reload = vi.fn<() => void>();
/** Whether the page took the failure upon itself. */
function codeIsLost(): boolean {
  const event = new Event("vite:preloadError", { cancelable: true });
  listeners.get("vite:preloadError")?.(event);
  return event.defaultPrevented;
}

beforeEach(() => {
  vi.useFakeTimers();
  listeners = new Map();
  kept = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  reload.mockClear();
  reloadOldPage({ listen: (name, listener) => listeners.set(name, listener), reload });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("an old page loads itself again, at most once a minute", () => {
  expect([codeIsLost(), reload.mock.calls.length]).toEqual([true, 1]);
  // The page that came is as old: the failure is shown, and no circle begins.
  vi.advanceTimersByTime(59_000);
  expect([codeIsLost(), reload.mock.calls.length]).toEqual([false, 1]);
  vi.advanceTimersByTime(1000);
  expect([codeIsLost(), reload.mock.calls.length]).toEqual([true, 2]);
});

test.each(["beforeunload", "pagehide"])(
  "a page that is being left (%s) does not, until it is known to have stayed",
  (left) => {
    listeners.get(left)?.(new Event(left));
    expect([codeIsLost(), reload.mock.calls.length]).toEqual([false, 0]);
    vi.advanceTimersByTime(59_999);
    expect([codeIsLost(), reload.mock.calls.length]).toEqual([false, 0]);
    vi.advanceTimersByTime(1);
    expect([codeIsLost(), reload.mock.calls.length]).toEqual([true, 1]);
  },
);
