// Without the port map: what an edit cuts is the edited inbound alone where the engine shares ports, and everybody
// where it does not. A warning says so.
import { describe, expect, test } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProcessDriver } from "../../../src/agent/engines/process/driver.ts";
import { dialectOf } from "./dialects.ts";
import { installedEngines } from "./installed.ts";
import { LANES, startSeats } from "./lanes.ts";
import { contextOf, ports, startDrip, startTarget, structure, until, user, users } from "./rig.ts";
import { sentences } from "../sentences.ts";
import { selfSigned } from "../../certificate.ts";

const engines = (await installedEngines()).filter(({ kind }) => kind !== "v2ray");
const who = user(1);

describe.each(engines)("$kind without the port map", ({ info }) => {
  test("an edit of a hysteria2 inbound", async () => {
    const lanes = ["vless tcp", "hysteria2"].flatMap((name) => LANES.find((lane) => lane.name === name) ?? []);
    expect(lanes).toHaveLength(2);
    const directory = mkdtempSync(join(tmpdir(), "signalbox-no-map-"));
    const [target, pair, listening] = await Promise.all([startTarget(), selfSigned("node.test"), ports(2)]);
    const driver = new ProcessDriver(dialectOf(info), info, contextOf(directory, "allow"), async () =>
      Promise.resolve(undefined),
    );
    const inbounds = lanes.map((lane, index) => lane.inbound(index + 1, listening[index] ?? 0, pair));
    const edited = inbounds.map((one) =>
      one.type === "hysteria2" ? { ...one, config: { ...one.config, up_mbps: 100, down_mbps: 100 } } : one,
    );
    await driver.adopt();
    const first = await driver.apply({ structure: structure(...inbounds), users: users(who) });
    const client = await startSeats(lanes.map((lane, index) => ({ lane, who, port: listening[index] ?? 0 })));
    try {
      const [tcp = 0, udp = 0] = client.ports;
      const drips = await Promise.all([startDrip(tcp, target.port), startDrip(udp, target.port)]);
      const second = await driver.apply({ structure: structure(...edited), users: users(who) });
      const restarts = info.kind === "sing-box";
      expect(second.how).toBe(restarts ? "restart" : "hot");
      const what = restarts
        ? "inbounds in-1, in-2: every change cuts the connections"
        : "inbounds in-2: a change of one cuts its connections";
      for (const { warnings } of [first, second])
        expect(sentences(warnings)).toContain(
          `${what}; the port map, which would spare them, needs nft and CAP_NET_ADMIN`,
        );
      if (restarts) await until("the download over TCP is cut", () => !drips.at(0)?.open());
      const before = drips[0]?.bytes() ?? 0;
      if (!restarts) await until("the download over TCP goes on", () => (drips[0]?.bytes() ?? 0) > before + 10_000);
      (await startDrip(tcp, target.port)).close();
    } finally {
      await client.end();
      target.close();
      await driver.close("stop");
      rmSync(directory, { recursive: true });
    }
  });
});
