// What strangers can have the panel do is cheap: the dearest request for every open route, in processor time of a panel
// in a process of its own, and how long others wait beside a flood of it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { freshAddress, oddRequestsFor, openRoutesOf, processorMs, send, type OddRequest } from "../odd-requests.ts";
import { startStopwatch } from "../stopwatch.ts";
import { startPanel, type E2ePanel } from "./panel.ts";

/** Milliseconds of processor. */
const MOST_MS = 5;
/** Bytes of an answer to what is refused. */
const MOST_BYTES = 64 * 1024;
/** A collection of garbage, or work of the panel's own, falls into one measurement or other; not into each of these. */
const TRIES = 40;

const Made = z.object({ id: z.number(), subId: z.string() });

let panel: E2ePanel;
let link: string;
let userId: number;
beforeAll(async () => {
  panel = await startPanel({ engine: "none" });
  const { body } = await panel.api.request("POST", "/api/v1/users", { name: "anna" });
  const made = Made.parse(body);
  [link, userId] = [`/sub/${made.subId}`, made.id];
});
afterAll(() => panel.dispose());

const address = freshAddress();
const port = () => Number(new URL(panel.url).port);

async function costOf(odd: OddRequest): Promise<{ ms: number; status: number; bytes: number }> {
  let least = Infinity;
  let last = { status: 0, bytes: 0 };
  for (let tried = 0; tried < TRIES && least > MOST_MS; tried++) {
    const before = processorMs(panel.pid);
    last = await send(port(), odd, address());
    least = Math.min(least, processorMs(panel.pid) - before);
  }
  return { ms: least, ...last };
}

// rule http.limit.7
test("the dearest request for every open route costs less than five milliseconds, and its refusal is short", async () => {
  const description = await fetch(`${panel.url}/api/v1/openapi.json`);
  const routes = openRoutesOf((await description.json()) as Parameters<typeof openRoutesOf>[0]);
  expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual(
    expect.arrayContaining(["POST /api/v1/login", "POST /api/v1/login/mfa", "POST /api/v1/setup"]),
  );
  const elsewhere = ["/healthz", "/nothing", "/api/v1/nothing", "/api/v1/users", "/sub/nobody", `${link}/clash`];
  const all = [...routes, ...elsewhere.map((path) => ({ method: "GET", path }))].flatMap(oddRequestsFor);
  expect(all.length).toBeGreaterThan(500);
  // What is made once is made.
  for (const { method, path } of routes) await send(port(), { name: "", method, path, headers: {} }, address());
  const dear: unknown[] = [];
  for (const odd of all) {
    const { ms, status, bytes } = await costOf(odd);
    if (ms > MOST_MS) dear.push([odd.name, `${ms.toFixed(1)} ms`]);
    if (status >= 400 && bytes > MOST_BYTES) dear.push([odd.name, `${bytes} bytes`]);
    // A refusal of what was read is an answer; what broke off was longer than it may be.
    if (status === 0 && (odd.body?.length ?? 0) < 100_000) dear.push([odd.name, "no answer"]);
  }
  expect(dear).toEqual([]);
});

// rule http.limit.7
test("beside a flood of them from two addresses others are answered as always", async () => {
  const flood = oddRequestsFor({ method: "POST", path: "/api/v1/login/mfa" }).concat(
    oddRequestsFor({ method: "GET", path: "/api/v1/openapi.json" }),
    oddRequestsFor({ method: "GET", path: link }),
  );
  const over = new AbortController();
  let sent = 0;
  const flooding = ["127.2.0.1", "127.2.0.2"].flatMap((from) =>
    Array.from({ length: 4 }, async (_, first) => {
      for (let at = first; !over.signal.aborted; at++) {
        const odd = flood[at % flood.length];
        if (odd) await send(port(), odd, from);
        sent++;
      }
    }),
  );
  const asked: Readonly<Record<string, () => Promise<number>>> = {
    "/healthz": async () => (await fetch(`${panel.url}/healthz`)).status,
    "an account": async () => (await panel.api.request("GET", `/api/v1/users/${userId}`)).status,
    "a subscription": async () =>
      (await send(port(), { name: "", method: "GET", path: link, headers: {} }, address())).status,
  };
  const times = new Map(Object.keys(asked).map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < 60; round++) {
    for (const [name, ask] of Object.entries(asked)) {
      const elapsed = startStopwatch();
      expect([name, await ask()]).toEqual([name, 200]);
      times.get(name)?.push(elapsed());
    }
  }
  over.abort();
  await Promise.all(flooding);
  expect(sent).toBeGreaterThan(50);
  for (const [name, taken] of times) {
    const slowest = taken.toSorted((a, b) => a - b).at(-1) ?? Infinity;
    expect([name, slowest < 200 ? "quick" : slowest]).toEqual([name, "quick"]);
  }
});
