// A removed user over QUIC: his connection outlives the removal, and everything that he could do on it must end.
import { describe, expect, test } from "vitest";
import { ProcessDriver } from "../../../src/agent/engines/process/driver.ts";
import { xrayDialect } from "../../../src/agent/engines/xray/dialect.ts";
import { startEcho, startPing } from "./datagrams.ts";
import { installedEngines } from "./installed.ts";
import { type Drip, reaches, until, user } from "./rig.ts";
import { goesOn, setStage } from "./stage.ts";
import { startStopwatch } from "../../stopwatch.ts";

const engines = (await installedEngines()).filter(({ kind, info }) => kind !== "v2ray" && info.can.closeSessions);
const OUT_MS = 5000;
const [one, two] = [user(1), user(2)];

/**
 * Resolves to when, in milliseconds from now, the last attempt succeeded of those made all the time for the seven
 * seconds of a quiet machine.
 */
async function lastSuccess(attempt: () => Promise<boolean>): Promise<number> {
  const elapsed = startStopwatch();
  let last = 0;
  while (elapsed() < OUT_MS + 2000) {
    if (await attempt()) last = elapsed();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return last;
}

describe("a removed user", () => {
  test.concurrent.each(engines)("$kind: who was idle when he was removed opens nothing any more", async (engine) => {
    const stage = await setStage(engine, [one, two], ({ over }) => over === "udp");
    try {
      const his = await stage.sit(stage.lanes.map((lane) => ({ lane, who: one, from: "127.0.0.2" })));
      for (const port of his.ports) expect(await reaches(port, "127.0.0.1", stage.target.port)).toBe(true);
      const others = await stage.drips(
        await stage.sit(stage.lanes.map((lane) => ({ lane, who: two, from: "127.0.0.3" }))),
      );
      await stage.change([one, two], [two]);
      const last = await Promise.all(
        his.ports.map(async (port) => lastSuccess(async () => reaches(port, "127.0.0.1", stage.target.port))),
      );
      expect(Math.max(...last)).toBeLessThan(OUT_MS);
      await goesOn(stage, others);
    } finally {
      await stage.end();
    }
  });

  test.concurrent.each(engines)("$kind: who sends nothing but datagrams is out as well", async (engine) => {
    const stage = await setStage(engine, [one, two], ({ name }) => name === "hysteria2");
    const echo = await startEcho();
    const pings = [];
    try {
      const [his = 0] = (await stage.sit(stage.lanes.map((lane) => ({ lane, who: one, from: "127.0.0.2" })))).ports;
      const [others = 0] = (await stage.sit(stage.lanes.map((lane) => ({ lane, who: two, from: "127.0.0.3" })))).ports;
      const [ping, other] = [await startPing(his, echo.port), await startPing(others, echo.port)];
      pings.push(ping, other);
      await until("datagrams come back", () => ping.answers() > 5 && other.answers() > 5);
      expect((await stage.rig.driver.addresses(one.id)).map(({ address }) => address)).toEqual(["127.0.0.2"]);
      await stage.change([one, two], [two]);
      let seen = ping.answers();
      const last = await lastSuccess(async () => {
        const more = ping.answers() > seen;
        seen = ping.answers();
        return more;
      });
      expect(last).toBeLessThan(OUT_MS);
      const before = other.answers();
      await until("everybody else's come back", () => other.answers() > before + 10);
    } finally {
      for (const ping of pings) ping.close();
      echo.close();
      await stage.end();
    }
  });
});

describe.each(engines.filter(({ kind }) => kind === "xray"))(
  "$kind without the port map",
  ({ factory, info, kind }) => {
    const bare = {
      ...factory,
      create: (...[found, context]: Parameters<typeof factory.create>) =>
        new ProcessDriver(xrayDialect(found.version), found, context, async () => Promise.resolve(undefined)),
    };

    test.concurrent("the inbound is opened anew; only it is cut, and a warning has said so", async () => {
      const stage = await setStage(
        { kind, info, factory: bare },
        [one, two],
        ({ name }) => name === "hysteria2" || name === "vless tcp",
      );
      const quic = stage.lanes.findIndex(({ over }) => over === "udp");
      try {
        expect(stage.warnings()).toContainEqual(expect.stringMatching(new RegExp(`in-${quic + 1}\\b.*port map`)));
        const mine = await stage.drips(
          await stage.sit(stage.lanes.map((lane) => ({ lane, who: one, from: "127.0.0.2" }))),
        );
        const hers = await stage.sit(stage.lanes.map((lane) => ({ lane, who: two, from: "127.0.0.3" })));
        const others = await stage.drips(hers);
        await stage.change([one, two], [two]);
        const grows = (drip: Drip | undefined) => {
          let seen = drip?.bytes() ?? 0;
          return async (): Promise<boolean> => {
            const more = (drip?.bytes() ?? 0) > seen;
            seen = drip?.bytes() ?? 0;
            return Promise.resolve(more);
          };
        };
        expect(await lastSuccess(grows(mine[quic]))).toBeLessThan(OUT_MS);
        expect(others[1 - quic]?.open()).toBe(true);
        const again = await stage.sit(stage.lanes.map((lane) => ({ lane, who: two, from: "127.0.0.3" })));
        expect(await reaches(again.ports[quic] ?? 0, "127.0.0.1", stage.target.port)).toBe(true);
      } finally {
        await stage.end();
      }
    });
  },
);
