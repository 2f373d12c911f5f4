// A user with inbounds of their own is on these alone, in every protocol, and one with credentials for one protocol is
// known by them there; a change of either is a change of that user.
import { describe, expect, test } from "vitest";
import { installedEngines } from "./installed.ts";
import { reaches, until, user } from "./rig.ts";
import { goesOn, setStage, unreached } from "./stage.ts";

/** One of each way of knowing a user. A refused client waits for seconds, so not all of them. */
const LANES = ["vless tcp", "trojan tls", "shadowsocks 2022"];
const engines = await installedEngines();

describe("a user with inbounds of their own", () => {
  // rule users.inbounds.1
  test.concurrent.each(engines.filter(({ info }) => info.can.closeSessions))(
    "$kind: is on these alone, and leaves one for another",
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
        // A removed user is out within five seconds, and not sooner where a second process takes a listener over.
        const back = async () => reaches(ports[0] ?? 0, "127.0.0.1", stage.target.port);
        await until("the inbound that they left is closed to them", async () => !(await back()), 5000);
        await goesOn(stage, others);
        expect(await back()).toBe(false);
      } finally {
        await stage.end();
      }
    },
  );
});

describe("a user with credentials for one protocol", () => {
  // rule users.own.2
  test.concurrent.each(engines)("$kind: is known by these there, by the common ones elsewhere", async (engine) => {
    const { uuid, password, ss16 } = user(9);
    const method = "2022-blake3-aes-128-gcm";
    const common = user(1);
    const own = user(1, { by: { vless: { uuid }, trojan: { password }, shadowsocks: { password: ss16, method } } });
    const lanes = [...LANES, "vmess tcp"];
    const stage = await setStage(engine, [own, user(2)], ({ name }) => lanes.includes(name));
    try {
      const shown = (name: string) => (name === "vmess tcp" ? common : { ...common, uuid, password, ss16 });
      const { ports } = await stage.sit(stage.lanes.map((lane) => ({ lane, who: shown(lane.name) })));
      expect(await unreached(stage, ports)).toEqual([]);
      const [lane] = stage.lanes;
      if (!lane) throw new Error("no lane");
      const old = await stage.sit([{ lane, who: common }]);
      expect(await reaches(old.ports[0] ?? 0, "127.0.0.1", stage.target.port)).toBe(false);
      // They are taken back live.
      await stage.change([own, user(2)], [common, user(2)]);
      await until("the common ones hold", async () => reaches(old.ports[0] ?? 0, "127.0.0.1", stage.target.port));
    } finally {
      await stage.end();
    }
  });
});
