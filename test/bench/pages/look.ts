// One first visit of one page: a window without any cache, from the address to what the page is for, as the page itself
// saw it.
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { firstSeen } from "../../web/browser/first-seen.ts";

const PATIENCE_MS = 30_000;

export interface Line {
  /** Milliseconds before each answer. */
  readonly latency: number;
  /** Bytes a second, in either direction. */
  readonly rate: number;
}

export interface Look {
  /** Milliseconds from the address to the content. */
  readonly shown: number;
  readonly requests: number;
  /** On the wire. */
  readonly bytes: number;
  /** Bytes that the page's scripts hold, after a collection. */
  readonly heap: number;
}

/** Opens `url` and resolves once `selector` is there. */
export async function lookAt(
  browser: Browser,
  url: string,
  selector: string,
  cookie: string,
  line?: Line,
): Promise<Look> {
  const context = await browser.newContext({
    locale: "en-GB",
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  });
  try {
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, url: new URL(url).origin }]);
    return await visit(context, await context.newPage(), { url, selector, line });
  } finally {
    await context.close();
  }
}

async function late(url: string): Promise<never> {
  await pause(PATIENCE_MS, undefined, { ref: false });
  throw new Error(`${url} showed nothing in half a minute`);
}

async function visit(
  context: BrowserContext,
  page: Page,
  { url, selector, line }: { readonly url: string; readonly selector: string; readonly line: Line | undefined },
): Promise<Look> {
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  if (line) {
    const conditions = {
      offline: false,
      latency: line.latency,
      downloadThroughput: line.rate,
      uploadThroughput: line.rate,
    };
    await session.send("Network.emulateNetworkConditions", conditions);
  }
  let [requests, bytes] = [0, 0];
  session.on("Network.requestWillBeSent", () => requests++);
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  const { seen } = await firstSeen(page, selector);
  await page.goto(url, { waitUntil: "commit" });
  const shown = await Promise.race([seen, late(url)]);
  const counted = { requests, bytes };
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return { shown, ...counted, heap: usedSize };
}
