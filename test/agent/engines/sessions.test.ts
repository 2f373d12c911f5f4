// The list of connected clients: one row for each connection, in every protocol, with its user, inbound, true address
// and bytes, for as long as it lives.
import { describe, expect, test } from "vitest";
import { installedEngines } from "./installed.ts";
import { until, user } from "./rig.ts";
import { setStage } from "./stage.ts";

const engines = await installedEngines();

describe.each(engines)("$kind", (engine) => {
  test.skipIf(!engine.info.can.sessions)("lists every connection once, with its true address", async () => {
    const [one, two] = [user(1), user(2)];
    const stage = await setStage(engine, [one, two]);
    const { lanes, target } = stage;
    const { driver } = stage.rig;
    try {
      const client = await stage.sit(
        lanes.flatMap((lane) => [
          { lane, who: one, from: "127.0.0.2" },
          { lane, who: two, from: "127.0.0.3" },
        ]),
      );
      const began = Math.floor(Date.now() / 1000);
      const drips = await stage.drips(client);
      const { rows, total } = await driver.sessions({}, 1000);
      const shown = rows.map(({ userId, inbound, source }) => `${inbound} ${userId} ${source.replace(/:\d+$/, "")}`);
      const expected = lanes.flatMap((_, index) => [`in-${index + 1} 1 127.0.0.2`, `in-${index + 1} 2 127.0.0.3`]);
      expect(shown.toSorted()).toEqual(expected.toSorted());
      expect(total).toBe(drips.length);
      for (const row of rows) {
        expect(row).toMatchObject({
          network: "tcp",
          destination: `127.0.0.1:${target.port}`,
          outbound: expect.stringMatching(/./),
        });
        expect(row.startedAt).toBeGreaterThanOrEqual(began - 1);
        expect(row.startedAt).toBeLessThanOrEqual(began + 10);
      }
      // Xray tells no bytes of a connection over UDP.
      const counted = rows.filter(
        ({ inboundId }) => engine.kind === "sing-box" || lanes[inboundId - 1]?.over === "tcp",
      );
      for (const row of counted) expect(row.down, `${row.inbound}: bytes`).toBeGreaterThan(1000);
      const again = await driver.sessions({ userId: 2 }, 1000);
      expect(new Set(again.rows.map(({ id }) => id))).toEqual(
        new Set(rows.filter(({ userId }) => userId === 2).map(({ id }) => id)),
      );
      expect((await driver.sessions({ inbound: "in-1" }, 1)).rows).toHaveLength(1);
      expect((await driver.counters()).connections).toBeGreaterThanOrEqual(drips.length);
      const seen = (await driver.addresses(1)).map(({ inboundId, address }) => `${inboundId} ${address}`);
      expect(seen.toSorted()).toEqual(lanes.map((_, index) => `${index + 1} 127.0.0.2`).toSorted());
      for (const drip of drips) drip.close();
      await client.end();
      await until("no TCP connection is left", async () => {
        const left = (await driver.sessions({}, 1000)).rows;
        return left.every(({ inboundId }) => lanes[inboundId - 1]?.over === "udp");
      });
      // They are remembered for ten minutes.
      expect((await driver.addresses(1)).length).toBe(lanes.length);
    } finally {
      await stage.end();
    }
  });
});
