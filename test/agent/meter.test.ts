// Readings of the counters: what may end an engine's life waits for one that saw everything.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { Activity } from "../../src/agent/activity.ts";
import { Ledger } from "../../src/agent/ledger.ts";
import { Meter } from "../../src/agent/meter.ts";

test("a reading that is asked for while another is being written down sees what was counted in between", async () => {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-meter-"));
  const ledger = await Ledger.open({ path: join(folder, "ledger.log"), newBootId: randomUUID });
  let up = 10;
  let readings = 0;
  const meter = new Meter({
    counters: async () => {
      readings++;
      return {
        instance: "life 1",
        users: new Map([["1.1", { up, down: 0 }]]),
        rejected: new Map(),
        connections: undefined,
      };
    },
    ledger,
    activity: new Activity(),
    intervalMs: 3_600_000,
    now: Date.now,
    onBatch: () => {},
    onProblem: (problem, error) => expect.unreachable(`${problem}: ${String(error)}`),
  });
  const first = meter.read();
  await Promise.resolve();
  up = 25;
  await Promise.all([meter.read(), meter.read()]);
  await first;
  expect([ledger.next()?.up, readings]).toEqual([25, 2]);
  await ledger.close();
  await rm(folder, { recursive: true });
});
