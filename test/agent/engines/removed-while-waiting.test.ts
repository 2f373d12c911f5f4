// Engines whose changes need another process gather them, so that a removal may have to wait for its turn: the user is
// out at once all the same.
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { installedEngines } from "./installed.ts";
import { type Drip, reaches, startDrip, user } from "./rig.ts";
import { goesOn, setStage } from "./stage.ts";
import { startStopwatch } from "../../stopwatch.ts";

const engines = await installedEngines();
const OUT_MS = 5000;

describe("in the midst of other changes", () => {
  test.concurrent.each(engines.filter(({ info }) => info.can.closeSessions))(
    "$kind: out at once, and what he opens anew lives for a second at most",
    async (engine) => {
      const [one, two] = [user(1), user(2)];
      const others = [3, 4, 5].map((id) => user(id));
      const stage = await setStage(engine, [one, two], ({ name }) =>
        ["vless tcp", "vless ws", "hysteria2"].includes(name),
      );
      const opened: Drip[] = [];
      try {
        const his = await stage.sit(stage.lanes.map((lane) => ({ lane, who: one, from: "127.0.0.2" })));
        const mine = await stage.drips(his);
        const hers = await stage.drips(
          await stage.sit(stage.lanes.map((lane) => ({ lane, who: two, from: "127.0.0.3" }))),
        );
        const before = [one, two];
        for (const other of others) {
          await stage.change(before, [...before, other]);
          before.push(other);
        }
        const elapsed = startStopwatch();
        await stage.change(before, before.slice(1));
        const longest = await Promise.all(
          his.ports.map(async (port) => longestLife(port, stage.target.port, () => elapsed() > OUT_MS, opened)),
        );
        expect(Math.max(...longest)).toBeLessThan(1500);
        for (const port of his.ports) expect(await reaches(port, "127.0.0.1", stage.target.port)).toBe(false);
        const seen = mine.map((drip) => drip.bytes());
        await goesOn(stage, hers);
        expect(mine.map((drip) => drip.bytes())).toEqual(seen);
      } finally {
        for (const drip of opened) drip.close();
        await stage.end();
      }
    },
  );
});

/**
 * Opens downloads one after the other until it is over; resolves to the longest time in milliseconds for which bytes
 * came on one of them.
 */
async function longestLife(proxyPort: number, port: number, over: () => boolean, opened: Drip[]): Promise<number> {
  let longest = 0;
  while (!over()) {
    const elapsed = startStopwatch();
    const drip = await Promise.race([startDrip(proxyPort, port), delay(1000, undefined)]).catch(() => undefined);
    await delay(100);
    if (!drip) continue;
    opened.push(drip);
    for (let bytes = 0; drip.open() && bytes < drip.bytes() && !over(); await delay(150)) {
      bytes = drip.bytes();
      longest = Math.max(longest, elapsed());
    }
  }
  return longest;
}
