// A user's speed limit on engines that have none of their own: held for all his connections together, and for nobody
// else.
import { describe, expect, onTestFinished, test } from "vitest";
import { hasTable, havePortMap, limitedConnections } from "../portmap/rig.ts";
import { during, keeps, settled, startDownload, startStream, unhindered } from "../portmap/stream.ts";
import { installedEngines } from "./installed.ts";
import { LANES, startSeats } from "./lanes.ts";
import { dial, ports, startRig, structure, until, user, users } from "./rig.ts";
import { selfSigned } from "../../certificate.ts";

const RATE = 2_000_000;
const able = await havePortMap();
const engines = await installedEngines();

describe.skipIf(!able).each(engines)("$kind", ({ factory, info }) => {
  // rule agents.engine.6
  test("holds a user's speed limit, and tells where it does not", async () => {
    const rig = await startRig(factory, info);
    onTestFinished(() => rig.end());
    const lanes = LANES.filter(
      ({ name, engines: kinds }) => (name === "vless tcp" || name === "hysteria2") && kinds.includes(info.kind),
    );
    const [port = 0, quicPort = 0] = await ports(2);
    const inbounds = await Promise.all(
      lanes.map(async (lane, index) =>
        lane.inbound(index + 1, index === 0 ? port : quicPort, await selfSigned("node.test")),
      ),
    );
    const [slow, free] = [user(1, { speedLimit: RATE }), user(2)];
    const { warnings } = await rig.driver.apply({ structure: structure(...inbounds), users: users(slow, free) });
    expect(warnings.filter(({ detail }) => detail.includes("speed limit"))).toHaveLength(lanes.length - 1);

    const [lane] = lanes;
    if (!lane) throw new Error("no lane");
    const client = await startSeats([slow, free].map((who) => ({ lane, port, who })));
    onTestFinished(() => client.end());
    const target = await startStream();
    const [slowSeat = 0, freeSeat = 0] = client.ports;
    const flows = await Promise.all(
      [slowSeat, slowSeat].map(async (seat) => startDownload(await dial(seat, "127.0.0.1", target.port))),
    );
    await until("both are limited", async () => (await limitedConnections(rig)) === 2);
    await settled();
    const both = await during(3000, flows);
    expect(keeps(RATE, both), JSON.stringify(both)).toBe(true);
    expect(unhindered(both), JSON.stringify(both)).toBeGreaterThan(0.85 * RATE);
    // Briefly, since nothing holds it back.
    const other = startDownload(await dial(freeSeat, "127.0.0.1", target.port));
    const carried = await during(1000, [other]);
    other.close();
    expect(unhindered(carried)).toBeGreaterThan(2 * RATE);

    // Without limits nothing of them is left.
    await rig.driver.changeUsers(
      { put: [user(1)], drop: [] },
      { structure: structure(...inbounds), users: users(user(1), free) },
    );
    expect(hasTable(rig.directory, "_speed")).toBe(false);
    for (const flow of flows) flow.close();
  });
});
