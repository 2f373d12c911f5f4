// Every engine as server against every engine as client, from the panel's own records and subscriptions; the table that
// this prints is the one in docs/engines.md.
import { spawnSync } from "node:child_process";
import { beforeEach, describe, expect, it } from "vitest";
import { HERE } from "./clients.ts";
import { documentOf, keptDocument } from "./document.ts";
import { PAYLOAD } from "./echo.ts";
import { runMatrix, type MatrixRun } from "./run.ts";
import { matrixMarkdown } from "./table.ts";

const missing = ["xray", "sing-box", "v2ray"].filter((engine) => spawnSync(engine, ["version"]).error !== undefined);
if (missing.length > 0 && process.env["CI"] === "true")
  throw new Error(`CI has every engine; missing here: ${missing.join(", ")}`);
if (missing.length > 0)
  console.warn(`skipped: the matrix takes every engine, and ${missing.join(", ")} is not installed`);

if (!HERE.includes("mihomo"))
  console.warn(
    "skipped: MIHOMO names no program, what subscriptions in the formats clash and base64 carry is not known",
  );

/** What a protocol's own head may add to a counter, for each exchange. */
const OVERHEAD = 4096;

describe.skipIf(missing.length > 0)("the matrix of engines", () => {
  let shared: MatrixRun | undefined;
  let run: MatrixRun;

  // One run for all tests; one that is tried again gets a run of its own, which those after it share.
  beforeEach(async ({ task }) => {
    if ((task.result?.retryCount ?? 0) > 0) shared = undefined;
    run = shared ?? (await runMatrix());
    if (run !== shared) console.info(matrixMarkdown(run));
    shared = run;
  });

  // rule subscriptions.entry.10
  it("carries bytes both ways wherever server and client can, and says why elsewhere", () => {
    const failed = run.outcomes.filter(({ state }) => state === "failed");
    const told = failed.map(
      ({ server, cell, client, reason }) => `${cell.name} of ${server} with ${client}: ${reason}`,
    );
    expect(told, [...told, run.output.slice(-4000)].join("\n")).toEqual([]);
    expect(run.outcomes).toHaveLength(run.cells.length * 4 * HERE.length);
    expect(run.outcomes.filter(({ state }) => state === "ok").length).toBeGreaterThan(150);
  });

  it("counts every byte of it, by user and inbound, and adds up in the panel", () => {
    const wrong = run.counted.filter(({ exchanges, tries, up, down }) =>
      [up, down].some((bytes) => bytes < exchanges * PAYLOAD || bytes > tries * (PAYLOAD * 1.02 + OVERHEAD)),
    );
    expect(wrong).toEqual([]);
    expect(run.counted.length).toBeGreaterThan(150);
    expect(run.differences).toEqual([]);
  });

  it("leaves nothing running", () => {
    expect(run.leftovers).toEqual([]);
  });

  it("is what docs/engines.md says", () => {
    expect(keptDocument(), "npm run matrix -- --write renews it").toBe(documentOf(run));
  });
});
