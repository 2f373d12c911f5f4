// The parts of the process driver that need no engine: when to swap, how many may drain, which ports, what changes of
// users come to.
import { once } from "node:events";
import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mostDraining } from "../../../src/agent/engines/process/lifecycle/draining.ts";
import type { CompiledInbound, LiveAccount, PopulatedInbound } from "../../../src/agent/engines/process/dialect.ts";
import { Endpoints } from "../../../src/agent/engines/process/ports/endpoints.ts";
import { listeningPorts } from "../../../src/agent/engines/process/lifecycle/identity.ts";
import { innerPorts, takenPorts } from "../../../src/agent/engines/process/ports/ports.ts";
import { PublicPorts } from "../../../src/agent/engines/process/ports/public-ports.ts";
import { SwapGate } from "../../../src/agent/engines/process/change/swap-gate.ts";
import {
  carriesExactly,
  plannedOperations,
  removals,
  tooMany,
} from "../../../src/agent/engines/process/lifecycle/user-operations.ts";
import { v2rayDialect } from "../../../src/agent/engines/v2ray/dialect.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { sentences } from "../sentences.ts";

const inbound = (id: number, changes: Partial<CompiledInbound> = {}): CompiledInbound => ({
  id,
  tag: `in-${id}`,
  listen: "127.0.0.1",
  port: 1000 + id,
  networks: ["tcp"],
  protocol: "vless",
  users: "live",
  mostLiveOperations: 2,
  fronted: false,
  anonymous: false,
  vision: false,
  body: {},
  settings: {},
  notes: [],
  ...changes,
});
const account = (email: string, digest: string): LiveAccount => ({
  email,
  digest,
  account: { protocol: "trojan", password: digest },
});
const populated = (id: number, ...accounts: LiveAccount[]): PopulatedInbound => ({
  inbound: inbound(id),
  config: {},
  digest: "d",
  accounts: new Map(accounts.map((one) => [one.email, one])),
  aliases: new Map(),
});
const open = (id: number) => ({
  id,
  tag: `in-${id}`,
  engineTag: `in.${id}.a`,
  listen: "",
  port: 1,
  networks: ["tcp"] as const,
  fronted: false,
  digest: "d",
  anonymous: false,
});

test("the first swap waits for nothing, the next ones longer the more processes drain, four seconds at most", () => {
  let now = 1_000_000;
  const gate = new SwapGate(() => now);
  expect(gate.wait(0)).toBe(0);
  gate.pass();
  expect([0, 1, 2, 3, 4, 9].map((draining) => gate.wait(draining))).toEqual([250, 500, 1000, 2000, 4000, 4000]);
  now += 700;
  expect([0, 1, 2].map((draining) => gate.wait(draining))).toEqual([0, 0, 300]);
});

test("memory bounds how many processes drain", () => {
  const megabyte = 2 ** 20;
  expect([0, 400, 1000, 2000, 100_000].map((memory) => mostDraining(memory * megabyte))).toEqual([2, 2, 5, 10, 16]);
});

describe("ports", () => {
  test("inner ports are outside the kernel's own range, free on both networks, and none that is to be avoided", async () => {
    const first = await innerPorts(20, new Set(), Math.random);
    expect(new Set(first).size).toBe(20);
    for (const port of first) expect(port).toBeLessThan(32_768);
    const [held = 0] = first;
    const socket = createSocket("udp4").bind(held, "0.0.0.0");
    await once(socket, "listening");
    // A source of chance that names the held port, then the avoided one, then another.
    const picks = [held, first[1] ?? 0, first[2] ?? 0].map((port) => (port - 20_000 + 0.5) / (32_768 - 20_000));
    expect(await innerPorts(1, new Set([first[1] ?? 0]), () => picks.shift() ?? 0)).toEqual([first[2]]);
    socket.close();
  });

  test("a port held over UDP is taken for those who want UDP, and for nobody else", async () => {
    const [port = 0] = await innerPorts(1, new Set(), Math.random);
    const socket = createSocket("udp4").bind(port, "127.0.0.1");
    await once(socket, "listening");
    const tcp = { port, listen: "127.0.0.1", networks: ["tcp"] as const };
    const udp = { port, listen: "127.0.0.1", networks: ["udp"] as const };
    expect(await takenPorts([tcp, udp], new Set())).toEqual(new Set([udp]));
    expect(await takenPorts([tcp, udp], new Set([`udp:${port}`]))).toEqual(new Set());
    socket.close();
  });

  test("a process is seen listening on both networks", async () => {
    const socket = createSocket("udp4").bind(0, "127.0.0.1");
    const server = createServer().listen(0);
    await Promise.all([once(socket, "listening"), once(server, "listening")]);
    const address = server.address();
    const seen = listeningPorts(process.pid);
    expect(seen.udp).toContain(socket.address().port);
    expect(seen.tcp).toContain(typeof address === "object" ? address?.port : 0);
    expect(seen.tcp).not.toContain(socket.address().port);
    socket.close();
    server.close();
  });

  test("without the port map, the warning names the inbounds that would need it", async () => {
    const shared = new PublicPorts(v2rayDialect.abilities, async () => Promise.resolve(undefined));
    await shared.prepare([inbound(1), inbound(2, { networks: ["tcp", "udp"] })]);
    expect(sentences(shared.warnings([inbound(1)]))).toEqual([]);
    expect(
      sentences(
        shared.warnings([inbound(1), inbound(2, { networks: ["tcp", "udp"] }), inbound(3, { cutByClosing: true })]),
      ),
    ).toEqual([
      "inbounds in-2, in-3: a change of one cuts its connections; the port map, which would spare them, needs nft and CAP_NET_ADMIN",
    ]);
    const alone = new PublicPorts({ ...v2rayDialect.abilities, reusePort: false }, async () =>
      Promise.resolve(undefined),
    );
    expect(sentences(alone.warnings([inbound(1)]))).toEqual([
      "inbounds in-1: every change cuts the connections; the port map, which would spare them, needs nft and CAP_NET_ADMIN",
    ]);
    expect(alone.isShareable(inbound(1))).toBe(false);
  });
});

describe("endpoints", () => {
  test("two ports each out of a pool, none twice", async () => {
    const endpoints = new Endpoints("/nowhere", 2);
    endpoints.restore(await quietPorts(4), undefined);
    const first = await endpoints.allocate("one", []);
    if (!first) throw new Error("no endpoint");
    const second = await endpoints.allocate("two", [first]);
    if (!second) throw new Error("no endpoint");
    expect(new Set([...first.ports, ...second.ports])).toEqual(new Set(endpoints.ports));
    expect(first.clash?.secret).not.toBe(second.clash?.secret);
    expect(await endpoints.allocate("three", [first, second])).toBeUndefined();
  });

  test("a socket in the driver's directory, or elsewhere when its name is too long for the kernel", async () => {
    const directory = mkdtempSync(join(tmpdir(), "signalbox-endpoint-"));
    const near = new Endpoints(directory, 0);
    expect((await near.allocate("0123456789", []))?.grpc).toBe(`unix:${directory}/api.01234567`);
    expect(near.socketDirectory).toBeUndefined();
    const far = new Endpoints(join(directory, "d".repeat(100)), 0);
    const endpoint = await far.allocate("0123456789", []);
    expect(endpoint?.grpc).toBe(`unix:${far.socketDirectory}/api.01234567`);
    expect(endpoint?.grpc.length).toBeLessThan(100);
    far.remove();
    rmSync(directory, { recursive: true });
  });
});

describe("changes of users", () => {
  const carried = new Map([
    ["1.1", "a"],
    ["2.1", "b"],
    ["3.1", "?"],
    ["9.7", "z"],
  ]);
  const engine = { carried, inbounds: [open(1)] };

  test("who is gone is removed, who is new added, whose secret changed both; who is in doubt too, but is not cut", () => {
    const wanted = [populated(1, account("1.1", "a"), account("2.1", "B"), account("3.1", "c"), account("4.1", "d"))];
    expect(
      plannedOperations(engine, wanted).map(({ email, add, remove, cut }) => [email, add?.digest, remove, cut]),
    ).toEqual([
      ["2.1", "B", true, true],
      ["3.1", "c", true, false],
      ["4.1", "d", false, false],
    ]);
    expect(plannedOperations(engine, [populated(1)]).map(({ email }) => email)).toEqual(["1.1", "2.1", "3.1"]);
    expect(removals(engine, ["2.1", "8.1", "9.7"]).map(({ email }) => email)).toEqual(["2.1"]);
  });

  test("too many on one inbound is too many; as many on two is not", () => {
    const operations = (inboundId: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        inbound: inboundId,
        email: `${index}.${inboundId}`,
        remove: true,
        cut: true,
      }));
    expect(tooMany([...operations(1, 2), ...operations(2, 2)], [inbound(1), inbound(2)])).toBe(false);
    expect(tooMany(operations(1, 3), [inbound(1), inbound(2)])).toBe(true);
  });

  test("exactly the same users are no change", () => {
    const same = new Map([["1.1", "a"]]);
    expect(carriesExactly(same, [populated(1, account("1.1", "a"))])).toBe(true);
    expect(carriesExactly(same, [populated(1, account("1.1", "b"))])).toBe(false);
    expect(carriesExactly(same, [populated(1)])).toBe(false);
    expect(carriesExactly(same, [populated(1, account("1.1", "a"), account("2.1", "a"))])).toBe(false);
  });
});
