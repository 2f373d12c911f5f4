// What users and strangers try from their seat: private targets by a later datagram, the fallback's address, lines for
// the log.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, BlockList, connect, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { portMapObjection } from "../../../src/agent/engines/portmap/index.ts";
import { PRIVATE_RANGES } from "../../../src/agent/private-ranges.ts";
import type { EngineInfo } from "../../../src/agent/engines/contract/driver.ts";
import { singBoxFactory } from "../../../src/agent/engines/sing-box/index.ts";
import {
  type Client,
  findEngine,
  inbound,
  ports,
  reaches,
  type Rig,
  startRig,
  startTarget,
  structure,
  until,
  user as someone,
  users,
} from "../engines/rig.ts";
import { startNamesServer } from "../engines/names-server.ts";
import { associate, startEcho, startSingBoxClient } from "./client.ts";

const info = await findEngine(singBoxFactory);

/** An address of this machine that counts as public. */
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal, address }) => family === "IPv4" && !internal && !isPrivate(address))?.address;
const noMap = await portMapObjection();
if (outside === undefined || noMap !== undefined)
  console.warn(`SKIPPED: one socket, several targets: ${noMap ?? "no address that is not private"}`);

function isPrivate(address: string): boolean {
  const list = new BlockList();
  for (const range of PRIVATE_RANGES) {
    const [net = "", bits = ""] = range.split("/");
    if (isIP(net) === 4) list.addSubnet(net, Number(bits), "ipv4");
  }
  return list.check(address);
}

/** A trojan inbound whose users 7 and 8 may not reach private targets, and a client of user 7. */
async function withTrojan(
  fallback: { readonly server: string; readonly server_port: number },
  work: (rig: Rig, port: number, proxyPort: number) => Promise<void>,
): Promise<void> {
  if (!info) return;
  const rig = await startRig(singBoxFactory, info, "block");
  let client: Client | undefined;
  try {
    const [port = 0] = await ports(1);
    const trojan = inbound(1, "trojan", { listen: "127.0.0.1", listen_port: port, fallback });
    await rig.driver.apply({ structure: structure(trojan), users: users(someone(7), someone(8)) });
    client = await startSingBoxClient([{ type: "trojan", server_port: port, password: "password-7" }]);
    await work(rig, port, client.ports[0] ?? 0);
  } finally {
    await client?.end();
    await rig.end();
  }
}

async function startSite(address: string): Promise<{ port: number; visits: () => number; close: () => void }> {
  let visits = 0;
  const server = createServer((_, response) => {
    visits += 1;
    response.end("the site");
  }).listen(0, address);
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, visits: () => visits, close: () => server.close() };
}

async function asStranger(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    headers: { "x-filler": "x".repeat(100), connection: "close" },
  });
  return answer.text();
}

test.runIf(info && outside !== undefined)(
  "strangers reach the fallback, users do not reach private targets",
  async () => {
    const site = await startSite(outside ?? "");
    try {
      await withTrojan({ server: outside ?? "", server_port: site.port }, async (rig, port, proxyPort) => {
        expect(await asStranger(port)).toBe("the site");
        const target = await startTarget();
        for (let attempt = 0; attempt < 2; attempt += 1)
          expect(await reaches(proxyPort, "127.0.0.1", target.port)).toBe(false);
        await until(
          "refusals are counted",
          async () => ((await rig.driver.counters()).rejected.get("block") ?? 0) >= 2,
        );
        target.close();
      });
    } finally {
      site.close();
    }
  },
);

test.runIf(info)(
  "a fallback whose name resolves to a private address is reached where private targets are open, and else by nobody",
  async () => {
    const site = await startSite("127.0.0.1");
    const [namesPort = 0] = await ports(1);
    const names = await startNamesServer({ "site.test": { answers: ["127.0.0.1"] } }, "127.0.0.1", namesPort);
    const core = { dns: { servers: [{ tag: "own", type: "udp", server: "127.0.0.1", server_port: namesPort }] } };
    const [port = 0] = await ports(1);
    const fallback = { server: "site.test", server_port: site.port };
    const trojan = inbound(1, "trojan", { listen: "127.0.0.1", listen_port: port, fallback });
    try {
      for (const privateTargets of ["allow", "block"] as const) {
        const rig = await startRig(singBoxFactory, expectInfo(), privateTargets);
        try {
          await rig.driver.apply({ structure: structure(trojan, { kind: "core", core }), users: users(someone(7)) });
          if (privateTargets === "allow") expect(await asStranger(port)).toBe("the site");
          else await expect(asStranger(port)).rejects.toThrow();
        } finally {
          await rig.end();
        }
      }
      expect(names.asked).toContain("site.test");
      expect(site.visits()).toBe(1);
    } finally {
      site.close();
      names.close();
    }
  },
);

function expectInfo(): EngineInfo {
  if (!info) throw new Error("sing-box is not installed");
  return info;
}

test.runIf(info)("a later datagram of the same socket does not reach what the first may not", async () => {
  const echo = await startEcho();
  try {
    await withTrojan({ server: "192.0.2.1", server_port: 1 }, async (rig, _port, proxyPort) => {
      const datagrams = await associate(proxyPort);
      // To an address that answers nobody, which opens the way.
      await datagrams.ask("192.0.2.1", 9, "first", 200);
      expect(await datagrams.ask("127.0.0.1", echo.port, "second", 1000)).toBeUndefined();
      await until(
        "the first one is counted",
        async () => ((await rig.driver.counters()).users.get("7.1")?.up ?? 0) >= 5,
      );
      expect(echo.heard).toEqual([]);
      datagrams.close();
    });
  } finally {
    echo.close();
  }
});

test.runIf(info && outside !== undefined && noMap === undefined)(
  "one socket speaks with several targets, but not with private ones",
  async () => {
    const [one, two, loopback] = [await startEcho(outside), await startEcho(outside), await startEcho()];
    try {
      await withTrojan({ server: "192.0.2.1", server_port: 1 }, async (_rig, _port, proxyPort) => {
        const datagrams = await associate(proxyPort);
        expect(await datagrams.ask(outside ?? "", one.port, "first")).toBe("first");
        expect(await datagrams.ask(outside ?? "", two.port, "second")).toBe("second");
        expect(await datagrams.ask("127.0.0.1", loopback.port, "third", 500)).toBeUndefined();
        expect(await datagrams.ask(outside ?? "", one.port, "fourth")).toBe("fourth");
        expect([one.heard, two.heard, loopback.heard]).toEqual([["first", "fourth"], ["second"], []]);
        datagrams.close();
      });
    } finally {
      for (const echo of [one, two, loopback]) echo.close();
    }
  },
);

test.runIf(info)("a host name with line breaks puts nobody else into the log", async () => {
  await withTrojan({ server: "192.0.2.1", server_port: 1 }, async (rig, port, proxyPort) => {
    const line = "\n+0000 2026-11-21 12:43:03 INFO [77 0ms] inbound/trojan[in.1.a]: ";
    const host = `x${line}inbound packet connection from 203.0.113.77:99${line}[8.1] inbound packet connection to z`;
    const socket = connect(port, "127.0.0.1");
    const key = createHash("sha224").update("password-7").digest("hex");
    socket.write(
      Buffer.concat([
        Buffer.from(`${key}\r\n`),
        Buffer.from([1, 3, host.length]),
        Buffer.from(host),
        Buffer.from([0, 80]),
        Buffer.from("\r\nhello"),
      ]),
    );
    socket.on("error", () => undefined);
    await new Promise((resolve) => socket.once("close", resolve));
    // Once a later line has been read, the forged ones have been too.
    await reaches(proxyPort, "127.0.0.1", 1);
    await until("a later line is read", async () => ((await rig.driver.counters()).rejected.get("block") ?? 0) >= 1);
    expect(await rig.driver.addresses(8)).toEqual([]);
  });
});
