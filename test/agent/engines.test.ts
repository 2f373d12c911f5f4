// Which engine an agent takes, and the engine that is none.
import { expect, test } from "vitest";
import type { DriverFactory } from "../../src/agent/engines/contract/driver.ts";
import { chooseEngine } from "../../src/agent/engines/index.ts";
import { noneFactory } from "../../src/agent/engines/none.ts";
import type { EngineKind } from "../../src/protocol/messages.ts";
import { inbound } from "./fixture.ts";

function factory(kind: EngineKind, installed: boolean): DriverFactory {
  return {
    ...noneFactory,
    kind,
    probe: async () =>
      installed ? { kind, version: "1", tags: [], can: (await noneFactory.probe())?.can ?? never() } : undefined,
  };
}

function never(): never {
  throw new Error("none is always there");
}

// rule agents.engine.1
test("auto prefers an installed engine to the embedded one, and never takes none", async () => {
  const chosen = async (...factories: DriverFactory[]): Promise<EngineKind> =>
    (await chooseEngine("auto", factories)).info.kind;
  expect(await chosen(factory("embedded", true), factory("v2ray", true), factory("xray", true))).toBe("xray");
  expect(await chosen(noneFactory, factory("embedded", true), factory("v2ray", false))).toBe("embedded");
  await expect(chosen(noneFactory)).rejects.toThrow("no engine is installed");
});

// rule agents.engine.1
test("a named engine that is missing, or that nobody here can drive, is refused with a sentence", async () => {
  await expect(chooseEngine("v2ray", [factory("v2ray", false)])).rejects.toThrow(
    "the engine v2ray is not installed on this machine",
  );
  await expect(chooseEngine("xray", [noneFactory])).rejects.toThrow(
    "this agent cannot drive the engine xray; it knows none",
  );
});

test("none holds its state, serves nobody and says so", async () => {
  const info = await noneFactory.probe();
  if (info === undefined) return never();
  const driver = noneFactory.create(info, {
    directory: "/",
    privateTargets: "block",
    log: () => undefined,
    onStatus: () => undefined,
    now: () => 1,
  });
  const desired = { structure: inbound(1), users: new Map() };
  expect(await driver.apply(desired)).toEqual({
    how: "stopped",
    warnings: [expect.objectContaining({ code: "no_engine", kind: "inbound", tag: "in-1" })],
  });
  expect((await driver.changeUsers({ put: [], drop: [] }, desired)).warnings).toHaveLength(1);
  expect((await driver.counters()).users.size).toBe(0);
});
