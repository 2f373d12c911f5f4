// A removed user is out within five seconds in every protocol, and stays out; nobody else's connection breaks.
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { installedEngines } from "./installed.ts";
import { reaches, user } from "./rig.ts";
import { goesOn, setStage } from "./stage.ts";
import { startStopwatch } from "../../stopwatch.ts";

const engines = await installedEngines();
const OUT_MS = 5000;

describe("a removed user", () => {
  // rule agents.engine.3
  test.concurrent.each(engines.filter(({ info }) => info.can.closeSessions))(
    "$kind: is out of every protocol, and only he",
    async (engine) => {
      const [one, two] = [user(1), user(2)];
      const stage = await setStage(engine, [one, two]);
      try {
        const hisSeats = await stage.sit(stage.lanes.map((lane) => ({ lane, who: one, from: "127.0.0.2" })));
        const mine = await stage.drips(hisSeats);
        const others = await stage.drips(
          await stage.sit(stage.lanes.map((lane) => ({ lane, who: two, from: "127.0.0.3" }))),
        );
        const elapsed = startStopwatch();
        await stage.change([one, two], [two]);
        const alive = new Map<string, number>();
        const last = mine.map((drip) => drip.bytes());
        while (elapsed() < OUT_MS) {
          await delay(100);
          for (const [index, drip] of mine.entries()) {
            if (drip.bytes() > (last[index] ?? 0)) alive.set(stage.lanes[index]?.name ?? "", elapsed());
            last[index] = drip.bytes();
          }
        }
        await delay(500);
        expect(mine.map((drip) => drip.bytes())).toEqual(last);
        expect(Math.max(...alive.values())).toBeLessThan(OUT_MS);
        const tries = await Promise.all(
          hisSeats.ports.map(async (port) => reaches(port, "127.0.0.1", stage.target.port)),
        );
        expect(tries).toEqual(stage.lanes.map(() => false));
        await goesOn(stage, others);
      } finally {
        await stage.end();
      }
    },
  );
});
