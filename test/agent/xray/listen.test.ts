// An inbound that cannot listen where it is told to does not take the others with it.
import { expect, test } from "vitest";
import { xrayFactory } from "../../../src/agent/engines/xray/index.ts";
import { findEngine, inbound, reaches, user } from "../engines/rig.ts";
import { LANES } from "./lanes.ts";
import { setScene } from "./scene.ts";
import { sentences } from "../sentences.ts";

const info = await findEngine(xrayFactory);

test.skipIf(!info)(
  "an address that the host has not got is a warning; the rest runs, from the start and after a change",
  async () => {
    if (!info) return;
    const scene = await setScene(info, LANES.slice(0, 1));
    try {
      const strange = inbound(9, "vless", { listen: "203.0.113.77", listen_port: 24_399 });
      const first = await scene.apply([...scene.inbounds, strange], [user(7)]);
      expect(sentences(first.warnings)).toEqual([expect.stringContaining("inbound in-9: ")]);
      const client = await scene.client(user(7));
      expect(await reaches(client.ports[0] ?? 0, "127.0.0.1", scene.target.port)).toBe(true);
      await scene.apply(scene.inbounds, [user(7)]);
      const again = await scene.apply([...scene.inbounds, strange], [user(7)]);
      expect(sentences(again.warnings)).toEqual([expect.stringContaining("inbound in-9: ")]);
      expect(await reaches(client.ports[0] ?? 0, "127.0.0.1", scene.target.port)).toBe(true);
    } finally {
      await scene.end();
    }
  },
);
