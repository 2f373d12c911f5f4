// XHTTP on Xray: one connection of a user takes several requests and sockets, over h2 or over QUIC. They are listed,
// closed and disconnected like any other, and no header is trusted.
import { describe, expect, test } from "vitest";
import { startXrayClient } from "../xray/lanes.ts";
import { installedEngines } from "./installed.ts";
import { quietPorts } from "../../quiet-ports.ts";
import {
  type Client,
  inbound,
  reaches,
  startDrip,
  startRig,
  startTarget,
  structure,
  until,
  user,
  users,
} from "./rig.ts";
import { insist } from "./stage.ts";
import { startStopwatch } from "../../stopwatch.ts";
import { selfSigned } from "../../certificate.ts";

const engines = (await installedEngines()).filter(({ kind, info }) => kind === "xray" && info.can.closeSessions);
const headers = { "X-Forwarded-For": "203.0.113.9" };
const VERSIONS = ["h1", "h2", "h3"] as const;

describe.each(engines)("$kind", ({ factory, info }) => {
  test.each(VERSIONS)("xhttp over %s", async (version) => {
    const [rig, target, pair] = await Promise.all([startRig(factory, info), startTarget(), selfSigned("node.test")]);
    const [port = 0] = await quietPorts(1);
    const clients: Client[] = [];
    const [one, two] = [user(1), user(2)];
    const tls = { enabled: true, server_name: "node.test", certificate: pair.certificate, key: pair.key };
    const plan = structure(
      inbound(1, "vless", {
        listen: "127.0.0.1",
        listen_port: port,
        transport: { type: "xhttp", path: "/x" },
        ...(version !== "h1" && { tls: { ...tls, alpn: [version] } }),
      }),
    );
    const security = {
      security: "tls",
      tlsSettings: {
        serverName: "node.test",
        alpn: [version],
        disableSystemRoot: true,
        certificates: [{ usage: "verify", certificate: pair.certificate.split("\n") }],
      },
    };
    const sit = async (...people: (readonly [typeof one, string])[]): Promise<Client> => {
      const client = await startXrayClient(
        people.map(([{ uuid }, from]) => ({
          sendThrough: from,
          protocol: "vless",
          settings: { vnext: [{ address: "127.0.0.1", port, users: [{ id: uuid, encryption: "none" }] }] },
          streamSettings: {
            network: "xhttp",
            xhttpSettings: { path: "/x", headers },
            ...(version !== "h1" && security),
          },
        })),
      );
      clients.push(client);
      return client;
    };
    try {
      expect((await rig.driver.apply({ structure: plan, users: users(one, two) })).warnings).toEqual([]);
      const [his = 0, hers = 0] = (await sit([one, "127.0.0.2"], [two, "127.0.0.3"])).ports;
      const first = await insist(async () => startDrip(his, target.port));
      const others = await insist(async () => startDrip(hers, target.port));
      const { rows } = await rig.driver.sessions({}, 100);
      expect(new Set(rows.map(({ userId, source }) => `${userId} ${source.replace(/:\d+$/, "")}`))).toEqual(
        new Set(["1 127.0.0.2", "2 127.0.0.3"]),
      );
      expect((await rig.driver.addresses()).map(({ userId, address }) => `${userId} ${address}`).toSorted()).toEqual([
        "1 127.0.0.2",
        "2 127.0.0.3",
      ]);
      expect(await rig.driver.closeSessions({ userId: one.id })).toBeGreaterThan(0);
      const stands = async (drip: typeof first): Promise<boolean> => {
        const before = drip.bytes();
        await new Promise((resolve) => setTimeout(resolve, 300));
        return drip.bytes() === before;
      };
      await until("his download stands", async () => stands(first));
      const [again = 0] = (await sit([one, "127.0.0.2"])).ports;
      expect(await reaches(again, "127.0.0.1", target.port)).toBe(true);
      const second = await insist(async () => startDrip(again, target.port));
      const sinceRemoval = startStopwatch();
      await rig.driver.changeUsers({ put: [], drop: [one.id] }, { structure: plan, users: users(two) });
      await until("his second download stands", async () => stands(second));
      expect(sinceRemoval()).toBeLessThan(5500);
      expect(await reaches(again, "127.0.0.1", target.port)).toBe(false);
      const before = others.bytes();
      await until("hers goes on", () => others.bytes() > before + 50_000);
      expect(others.open()).toBe(true);
    } finally {
      await Promise.all(clients.map(async (client) => client.end()));
      target.close();
      await rig.end();
    }
  });
});
