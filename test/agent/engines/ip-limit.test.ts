// `ipLimit` on process engines: a connection from one address too many is closed; the earlier ones stay.
import { describe, expect, test } from "vitest";
import { installedEngines } from "./installed.ts";
import { until, user } from "./rig.ts";
import { setStage } from "./stage.ts";

const engines = await installedEngines();

describe("ipLimit", () => {
  // rule agents.engine.6
  test.concurrent.each(engines.filter(({ info }) => info.can.closeSessions))(
    "$kind: the newest address goes, until the first has left",
    async (engine) => {
      const [limited, free] = [user(1, { ipLimit: 1 }), user(2)];
      const stage = await setStage(engine, [limited, free], ({ name }) => name === "vless tcp" || name === "vless ws");
      const [tcp, ws = tcp] = stage.lanes;
      if (!tcp || !ws) throw new Error("no lanes");
      try {
        const first = await stage.sit([{ lane: tcp, who: limited, from: "127.0.0.2" }]);
        const [stays] = await stage.drips(first);
        const unlimited = await stage.drips(
          await stage.sit([
            { lane: tcp, who: free, from: "127.0.0.2" },
            { lane: ws, who: free, from: "127.0.0.3" },
          ]),
        );
        // The limit holds over all inbounds of the node.
        const second = await stage.sit([
          { lane: tcp, who: limited, from: "127.0.0.3" },
          { lane: ws, who: limited, from: "127.0.0.3" },
        ]);
        const excess = await stage.drips(second);
        await until("the second address is put out", () => excess.every((drip) => !drip.open()));
        expect(stays?.open()).toBe(true);
        expect(unlimited.every((drip) => drip.open())).toBe(true);
        const [another] = await stage.drips(first);
        await until("the first address may have more", () => (another?.bytes() ?? 0) > 100_000);
        expect(another?.open()).toBe(true);
        stays?.close();
        another?.close();
        await first.end();
        await until(
          "the first address has left",
          async () => (await stage.rig.driver.sessions({ userId: limited.id }, 10)).total === 0,
        );
        const [welcome] = await stage.drips(second);
        const before = welcome?.bytes() ?? 0;
        await until("the second address stays now", () => (welcome?.bytes() ?? 0) > before + 200_000);
        expect(welcome?.open()).toBe(true);
      } finally {
        await stage.end();
      }
    },
  );
});
