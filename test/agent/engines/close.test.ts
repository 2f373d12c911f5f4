// Closing somebody's connections: all of his are cut in every protocol, nobody else's, and he may come again.
import { describe, expect, test } from "vitest";
import { installedEngines } from "./installed.ts";
import { until, user } from "./rig.ts";
import { goesOn, setStage } from "./stage.ts";

const engines = await installedEngines();

describe.each(engines.filter(({ info }) => info.can.closeSessions))("$kind", (engine) => {
  // rule nodes.live.3
  test("one user's connections, and he is not banned", async () => {
    const [one, two] = [user(1), user(2)];
    const stage = await setStage(engine, [one, two]);
    try {
      const mine = await stage.drips(
        await stage.sit(stage.lanes.map((lane) => ({ lane, who: one, from: "127.0.0.2" }))),
      );
      const others = await stage.drips(
        await stage.sit(stage.lanes.map((lane) => ({ lane, who: two, from: "127.0.0.3" }))),
      );
      expect(await stage.rig.driver.closeSessions({ userId: one.id })).toBe(mine.length);
      // Some clients notice only after their time is up; the bytes end at once.
      await until("nothing of his arrives any more", async () => {
        const before = mine.map((drip) => drip.bytes());
        await new Promise((resolve) => setTimeout(resolve, 300));
        return mine.every((drip, index) => !drip.open() || drip.bytes() === before[index]);
      });
      await goesOn(stage, others);
      const fresh = await stage.sit(stage.lanes.map((lane) => ({ lane, who: one, from: "127.0.0.2" })));
      const again = await stage.drips(fresh);
      expect(again.every((drip) => drip.open())).toBe(true);
    } finally {
      await stage.end();
    }
  });

  test("one inbound's connections", async () => {
    const one = user(1);
    const stage = await setStage(
      engine,
      [one],
      ({ name }) => name === "vless tcp" || name === "vless ws" || name === "hysteria2",
    );
    try {
      const drips = await stage.drips(
        await stage.sit(stage.lanes.map((lane) => ({ lane, who: one, from: "127.0.0.2" }))),
      );
      expect(await stage.rig.driver.closeSessions({ inbound: "in-2" })).toBe(1);
      await until("it is cut", () => drips[1]?.open() === false);
      expect(drips.filter((drip) => drip.open())).toHaveLength(drips.length - 1);
    } finally {
      await stage.end();
    }
  });
});
