// When a page first shows something, as the page itself saw it: a question from outside would be answered later, on a
// busy machine much later.
import type { Page } from "playwright-core";

const watch = (selector: string) => `
  addEventListener("DOMContentLoaded", () => {
    const look = () => {
      if (document.querySelector(${JSON.stringify(selector)})) requestAnimationFrame(() => shownAfter(performance.now()));
      else requestAnimationFrame(look);
    };
    look();
  });`;

/**
 * To be called before the page is opened. Resolves with the milliseconds from its address to the first frame with
 * `selector` in it.
 */
export async function firstSeen(page: Page, selector: string): Promise<{ readonly seen: Promise<number> }> {
  const { promise, resolve } = Promise.withResolvers<number>();
  await page.exposeFunction("shownAfter", resolve);
  await page.addInitScript({ content: watch(selector) });
  return { seen: promise };
}
