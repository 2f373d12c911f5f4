// A plan that asks for more than the engine serves: one sentence for each item, and the rest runs.
import { once } from "node:events";
import { createServer } from "node:net";
import { connect as tlsConnect } from "node:tls";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EngineDriver } from "../../../src/agent/engines/contract/driver.ts";
import { embeddedFactory } from "../../../src/agent/engines/embedded/index.ts";
import type { Fragment, PlanObject } from "../../../src/protocol/plan.ts";
import { desired, echoTarget, inbound, planUser, readBytes, startEngine, tcpConnect, vlessHead } from "./harness.ts";
import { selfSigned } from "../../certificate.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { sentences } from "../sentences.ts";

const user = planUser(1);
let driver: EngineDriver;
let echo: Awaited<ReturnType<typeof echoTarget>>;
let ports: number[];

beforeEach(async () => {
  ({ driver } = await startEngine({ refusalMs: 10 }));
  echo = await echoTarget();
  ports = await quietPorts(4);
});
afterEach(async () => {
  await driver.close("stop");
  echo.close();
});

async function echoes(port = ports[0] ?? 0): Promise<void> {
  const socket = await tcpConnect(port);
  socket.write(Buffer.concat([vlessHead(user, echo.port), Buffer.from("ping")]));
  expect((await readBytes(socket, 6)).toString("latin1", 2)).toBe("ping");
  socket.destroy();
}

const outbound = (tag: string, type: string, config: Fragment = {}): PlanObject => ({
  kind: "outbound",
  tag,
  type,
  config,
});

describe("inbounds that are not served", () => {
  const reality = {
    enabled: true,
    handshake: { server: "a.test", server_port: 443 },
    private_key: "x",
    short_id: ["01"],
  };
  test.each<[string, string, Fragment, RegExp]>([
    ["vmess", "vmess", {}, /in-2: type vmess .*xray, sing-box or v2ray/],
    ["shadowsocks", "shadowsocks", {}, /in-2: type shadowsocks .*xray/],
    ["hysteria2", "hysteria2", {}, /in-2: type hysteria2 .*xray or sing-box/],
    ["tuic", "tuic", {}, /in-2: type tuic .*sing-box/],
    ["REALITY", "vless", { tls: { enabled: true, reality } }, /in-2: REALITY .*xray or sing-box/],
    ["grpc", "vless", { transport: { type: "grpc", service_name: "s" } }, /in-2: transport grpc .*xray or sing-box/],
    ["httpupgrade", "trojan", { transport: { type: "httpupgrade" } }, /in-2: transport httpupgrade .*xray or sing-box/],
    ["xhttp", "vless", { transport: { type: "xhttp" } }, /in-2: transport xhttp .*xray/],
    [
      "client certificates",
      "vless",
      { tls: { enabled: true, client_authentication: "require" } },
      /client_authentication.*sing-box/,
    ],
    ["a bad PEM", "trojan", { tls: { enabled: true, certificate: "-----BEGIN", key: "x" } }, /^inbound in-2: /],
    ["no certificate", "trojan", { tls: { enabled: true } }, /in-2: tls.certificate is missing/],
    ["a bad port", "vless", { listen_port: 70_000 }, /in-2: `listen_port`/],
    ["a bad address", "vless", { listen: "192.0.2.77" }, /in-2: 192.0.2.77 is no address of this host/],
  ])("%s", async (_name, type, config, sentence) => {
    const result = await driver.apply(
      desired([inbound(1, "vless", ports[0] ?? 0), inbound(2, type, ports[1] ?? 0, config)], [user]),
    );
    expect(result.warnings).toHaveLength(1);
    expect(sentences(result.warnings)[0]).toMatch(sentence);
    await echoes();
  });

  test("a port already taken, and taken over once it is free", async () => {
    const squatter = createServer().listen(ports[1], "127.0.0.1");
    await once(squatter, "listening");
    const plan = desired([inbound(1, "vless", ports[0] ?? 0), inbound(2, "vless", ports[1] ?? 0)], [user]);
    expect(sentences((await driver.apply(plan)).warnings)).toEqual([
      expect.stringMatching(
        new RegExp(`^inbound in-2: port ${ports[1]} is used by another program: \\S+ \\(process ${process.pid}\\)$`),
      ),
    ]);
    await echoes();
    await once(squatter.close(), "close");
    expect(sentences((await driver.apply(plan)).warnings)).toEqual([]);
    await echoes(ports[1]);
  });
});

test("what is passed over is said, and the inbound is served", async () => {
  const config = { multiplex: { enabled: true }, tcp_fast_open: true, sniff: false };
  const { warnings } = await driver.apply(desired([inbound(1, "vless", ports[0] ?? 0, config)], [user]));
  expect(warnings).toHaveLength(2);
  expect(sentences(warnings).join("\n")).toMatch(/tcp_fast_open[^]*multiplex/);
  await echoes();
});

test("a flow of vision, a malformed uuid and a dns block are each said once", async () => {
  const tls = { enabled: true, ...(await selfSigned("node.test")) };
  const users = [planUser(1, { flow: "xtls-rprx-vision" }), planUser(2, { flow: "xtls-rprx-vision", uuid: "none" })];
  const core: PlanObject = {
    kind: "core",
    core: { dns: { servers: [{ address: "1.1.1.1" }] }, log: { level: "info" } },
  };
  const { warnings } = await driver.apply(desired([inbound(1, "vless", ports[0] ?? 0, { tls }), core], users));
  expect(warnings).toHaveLength(3);
  expect(sentences(warnings).join("\n")).toMatch(/dns[^]*user 2[^]*flow/);
});

/** Applies one VLESS inbound with these outbounds and this route. */
function served(objects: PlanObject[], route: Fragment) {
  return driver.apply(desired([inbound(1, "vless", ports[0] ?? 0), ...objects, { kind: "route", route }], [user]));
}

async function refused(): Promise<void> {
  const socket = await tcpConnect(ports[0] ?? 0);
  socket.write(vlessHead(user, echo.port));
  await expect(readBytes(socket, 1)).rejects.toThrow();
}

async function dialTls() {
  const socket = tlsConnect({ host: "127.0.0.1", port: ports[0] ?? 0, rejectUnauthorized: false });
  await once(socket, "secureConnect");
  return socket;
}

describe("outbounds", () => {
  test("block is counted under its tag, by rule and by final", async () => {
    expect(
      (await served([outbound("no", "block")], { rules: [{ auth_user: ["1.1"], port: echo.port, outbound: "no" }] }))
        .warnings,
    ).toEqual([]);
    await refused();
    expect((await served([outbound("no", "block")], { final: "no" })).warnings).toEqual([]);
    await refused();
    expect((await driver.counters()).rejected).toEqual(new Map([["no", 2]]));
    await served([], {});
    await echoes();
  });

  test("what cannot be served refuses, with a warning", async () => {
    const { warnings } = await served([outbound("far", "wireguard")], {
      final: "far",
      rules: [{ port: 1, outbound: "gone" }],
    });
    expect(sentences(warnings).join("\n")).toMatch(
      /outbound far: type wireguard .*refused; xray or sing-box[^]*no outbound gone/,
    );
    await refused();
  });

  test.each(["socks", "http"])("%s upstream carries the connection, with its password", async (type) => {
    const upstream = await startEngine();
    const other = planUser(5);
    await upstream.driver.apply(desired([inbound(1, type, ports[1] ?? 0)], [other]));
    const proxy = { server: "127.0.0.1", server_port: ports[1], username: other.uuid, password: other.password };
    expect((await served([outbound("up", type, proxy)], { final: "up" })).warnings).toEqual([]);
    await echoes();
    expect((await upstream.driver.counters()).users.get("5.1")).toEqual({ up: 4, down: 4 });
    await served([outbound("up", type, { ...proxy, password: "wrong" })], { final: "up" });
    await refused();
    await upstream.driver.close("stop");
  });
});

test("a renewed certificate is served to new connections while old ones go on", async () => {
  const [first, second] = [await selfSigned("node.test"), await selfSigned("node.test")];
  const plan = (tls: object) =>
    desired([inbound(1, "vless", ports[0] ?? 0, { tls: { enabled: true, ...tls } })], [user]);
  await driver.apply(plan(first));
  const old = await dialTls();
  old.write(vlessHead(user, echo.port));
  expect((await driver.apply(plan(second))).how).toBe("hot");
  const fresh = await dialTls();
  expect(fresh.getPeerX509Certificate()?.fingerprint256).not.toBe(old.getPeerX509Certificate()?.fingerprint256);
  old.write("still");
  expect((await readBytes(old, 7)).toString("latin1", 2)).toBe("still");
  expect((await driver.apply(plan({ certificate: "broken", key: "broken" }))).warnings).toHaveLength(1);
  expect((await dialTls()).authorized).toBe(false);
});

test("the factory is always there and says what it can do", async () => {
  expect(await embeddedFactory.probe()).toEqual({
    kind: "embedded",
    version: "1.0",
    tags: [],
    can: {
      hotUsers: true,
      hotInbounds: true,
      sessions: true,
      closeSessions: true,
      speedLimit: true,
      outlivesAgent: false,
    },
  });
});
