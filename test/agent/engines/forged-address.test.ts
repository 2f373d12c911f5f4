// A client writes a forwarding header of its own: neither sessions nor addresses show what it claims.
import { describe, expect, test } from "vitest";
import { installedEngines } from "./installed.ts";
import { until, user } from "./rig.ts";
import { setStage } from "./stage.ts";

const engines = await installedEngines();
const FORGED = "203.0.113.9";
const headers = {
  "X-Forwarded-For": FORGED,
  "X-Real-IP": FORGED,
  Forwarded: `for=${FORGED}`,
  "CF-Connecting-IP": FORGED,
};

describe.each(engines.filter(({ info }) => info.can.sessions))("$kind", (engine) => {
  // rule agents.engine.8
  test("a forged header names nobody's address", async () => {
    const [liar, honest] = [user(1), user(2)];
    const stage = await setStage(engine, [liar, honest], ({ header }) => header === true);
    const { driver } = stage.rig;
    try {
      const lies = await stage.drips(
        await stage.sit(stage.lanes.map((lane) => ({ lane, who: liar, from: "127.0.0.2", headers }))),
      );
      const truths = await stage.drips(
        await stage.sit(stage.lanes.map((lane) => ({ lane, who: honest, from: "127.0.0.3" }))),
      );
      await until("all are listed", async () => (await driver.sessions({}, 100)).total === lies.length + truths.length);
      for (const { userId, source } of (await driver.sessions({}, 100)).rows)
        expect(source).toMatch(userId === liar.id ? /^127\.0\.0\.2:\d+$/ : /^127\.0\.0\.3:\d+$/);
      const seen = (await driver.addresses()).map(
        ({ userId, inboundId, address }) => `${userId} ${inboundId} ${address}`,
      );
      const expected = stage.lanes.flatMap((_, index) => [`1 ${index + 1} 127.0.0.2`, `2 ${index + 1} 127.0.0.3`]);
      expect(seen.toSorted()).toEqual(expected.toSorted());
      if (!engine.info.can.closeSessions) return;
      expect(await driver.closeSessions({ userId: liar.id })).toBe(lies.length);
      await until("the liar is cut", () => lies.every((drip) => !drip.open()));
      expect(truths.every((drip) => drip.open())).toBe(true);
    } finally {
      await stage.end();
    }
  });
});
