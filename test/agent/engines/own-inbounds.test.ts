// A user with inbounds of their own is on these alone, in every protocol; a change of the list is a change of that
// user.
import { describe, expect, test } from "vitest";
import { installedEngines } from "./installed.ts";
import { reaches, until, user } from "./rig.ts";
import { goesOn, setStage } from "./stage.ts";

/** One of each way of knowing a user. A refused client waits for seconds, so not all of them. */
const LANES = ["vless tcp", "trojan tls", "shadowsocks 2022"];
const engines = await installedEngines();

describe("a user with inbounds of their own", () => {
  // rule users.inbounds.1
  test.concurrent.each(engines.filter(({ info }) => info.can.closeSessions))(
    "$kind: is on these alone, and leaves one at once",
    async (engine) => {
      const other = user(2);
      const limited = user(1, { inbounds: [1] });
      const stage = await setStage(engine, [limited, other], ({ name }) => LANES.includes(name));
      try {
        const seats = stage.lanes.map((lane) => ({ lane, who: limited, from: "127.0.0.2" }));
        const { ports } = await stage.sit(seats);
        const open = async () => Promise.all(ports.map(async (port) => reaches(port, "127.0.0.1", stage.target.port)));
        expect(await open()).toEqual(stage.lanes.map((_, index) => index === 0));
        const others = await stage.drips(
          await stage.sit(stage.lanes.map((lane) => ({ lane, who: other, from: "127.0.0.3" }))),
        );
        const [first] = await stage.drips({ ports: ports.slice(0, 1), end: async () => {} });
        const moved = user(1, { inbounds: [2] });
        await stage.change([limited, other], [moved, other]);
        await until("their session on the inbound that they left ends", () => first?.open() === false);
        await until("they are on the other one", async () => reaches(ports[1] ?? 0, "127.0.0.1", stage.target.port));
        expect(await reaches(ports[0] ?? 0, "127.0.0.1", stage.target.port)).toBe(false);
        await goesOn(stage, others);
      } finally {
        await stage.end();
      }
    },
  );
});
