// The pieces that need no engine: access lines, the followed log, sessions joined with sockets, the tally of counters and the journal of users.
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { LogFollower, parseAccessLine } from "../../../src/agent/engines/process/access-log.ts";
import { CounterTally, offsetOf } from "../../../src/agent/engines/process/counter-tally.ts";
import { SessionTable } from "../../../src/agent/engines/process/session-table.ts";
import { UserJournal } from "../../../src/agent/engines/process/user-journal.ts";

const directory = mkdtempSync(join(tmpdir(), "signalbox-log-"));
afterAll(() => rmSync(directory, { recursive: true }));

const socket = (localPort: number, address: string, port: number) => ({
  localPort,
  peer: `${address}:${port}`,
  address,
  port,
  sent: 5,
  received: 7,
});

describe("access lines", () => {
  test.for<[string, object | undefined]>([
    [
      "2026/11/21 15:12:26 127.0.0.1:47598 accepted tcp:a.test:1 [direct] email: 7.3",
      { source: "127.0.0.1", sourcePort: 47_598, network: "tcp", destination: "a.test:1", outbound: "direct", user: "7.3" },
    ],
    [
      "2026/11/21 14:49:25 127.0.0.1:59872 accepted http://127.0.0.1:21080/ [direct]",
      { destination: "http://127.0.0.1:21080/", user: undefined },
    ],
    [
      "2026/11/21 12:36:31.623461 from [2001:db8::9]:35407 accepted udp:blocked.test:443 [in-3 -> block] email: 7.3",
      { source: "2001:db8::9", network: "udp", outbound: "in-3 -> block" },
    ],
    ["2026/11/21 12:36:31 203.0.113.9:0 accepted tcp:x.test:80 [direct] email: 7.2", { sourcePort: 0 }],
    ["2026/11/21 12:36:31 [Warning] v2ray.com/core: V2Ray 4.34.0 started", undefined],
    ["2026/11/21 12:36:31 127.0.0.1:5 rejected  proxy/vless/encoding: invalid request user id", undefined],
  ])("%s", ([line, expected]) => {
    const parsed = parseAccessLine(line);
    if (expected) expect(parsed).toMatchObject(expected);
    else expect(parsed).toBeUndefined();
  });

  test("the time is the engine's local time", () => {
    expect(parseAccessLine("2026/11/21 15:12:26 127.0.0.1:1 accepted tcp:a:1 [x]")?.at).toBe(
      new Date(2026, 10, 21, 15, 12, 26).getTime() / 1000,
    );
  });
});

test("a followed log loses no line over unfinished writes and emptying", () => {
  const path = join(directory, "log");
  const lines: string[] = [];
  const follower = new LogFollower(path, 0, (line) => lines.push(line));
  appendFileSync(path, "one\ntw");
  follower.read();
  appendFileSync(path, "o\nthree\n");
  follower.read();
  expect(follower.truncateAbove(1000, () => undefined)).toBe(false);
  expect(follower.truncateAbove(5, () => undefined)).toBe(true);
  appendFileSync(path, "four\n");
  follower.read();
  expect(lines).toEqual(["one", "two", "three", "four"]);
  expect(readFileSync(path, "utf8")).toBe("four\n");
});

describe("sessions", () => {
  const inbounds = [
    { id: 3, tag: "three", port: 443, fronted: false },
    { id: 4, tag: "four", port: 444, fronted: true },
  ];
  const line = (text: string) => {
    const parsed = parseAccessLine(text);
    if (!parsed) throw new Error(`no access line: ${text}`);
    return parsed;
  };

  test("live as long as their socket", () => {
    const table = new SessionTable();
    table.see(line("198.51.100.9:1000 accepted tcp:a.test:443 [direct] email: 7.3"), 100);
    table.see(line("198.51.100.9:1001 accepted tcp:b.test:443 [direct] email: 8.3"), 100);
    expect(
      table.join([socket(443, "198.51.100.9", 1000), socket(443, "198.51.100.9", 1001)], inbounds, 110).map(({ row }) => row.userId),
    ).toEqual([7, 8]);
    const [left] = table.join([socket(443, "198.51.100.9", 1001)], inbounds, 120);
    expect(left?.row).toEqual({
      id: "3|198.51.100.9|1001",
      userId: 8,
      inboundId: 3,
      inbound: "three",
      outbound: "direct",
      network: "tcp",
      source: "198.51.100.9:1001",
      destination: "b.test:443",
      up: 7,
      down: 5,
      startedAt: 100,
    });
    expect(table.addresses(7, 120)).toEqual([{ userId: 7, inboundId: 3, address: "198.51.100.9", lastSeenAt: 110 }]);
    expect(table.addresses(7, 800)).toEqual([]);
  });

  test("behind a forwarding header take the socket that nobody accounts for, and its true address", () => {
    const table = new SessionTable();
    table.see(line("203.0.113.66:0 accepted tcp:a.test:443 [direct] email: 7.4"), 100);
    expect(table.waiting).toBe(true);
    const [session] = table.join([socket(444, "198.51.100.1", 2000)], inbounds, 101);
    expect(session?.row).toMatchObject({ userId: 7, source: "198.51.100.1:2000" });
    expect(table.waiting).toBe(false);
    expect(table.addresses(7, 101).map(({ address }) => address)).toEqual(["198.51.100.1"]);
  });

  test("survive a snapshot", () => {
    const table = new SessionTable();
    table.see(line("198.51.100.9:1000 accepted tcp:a.test:443 [direct] email: 7.3"), 100);
    const next = new SessionTable();
    next.restore(table.snapshot());
    expect(next.join([socket(443, "198.51.100.9", 1000)], inbounds, 200)).toHaveLength(1);
  });
});

describe("counters of several processes", () => {
  test("add up and never fall", () => {
    const tally = new CounterTally("i");
    tally.update("a", new Map([["7.3", { up: 10, down: 20 }]]));
    tally.update("b", new Map([["7.3", { up: 1, down: 2 }]]));
    expect(tally.total().get("7.3")).toEqual({ up: 11, down: 22 });
    tally.end("a");
    tally.update("b", new Map([["7.3", { up: 3, down: 4 }]]));
    expect(tally.total().get("7.3")).toEqual({ up: 13, down: 24 });
  });

  test("a new instance over an old process begins at nothing", () => {
    const read = new Map([["7.3", { up: 10, down: 20 }]]);
    const tally = new CounterTally("j", offsetOf(read));
    tally.update("b", read);
    expect(tally.total().get("7.3")).toEqual({ up: 0, down: 0 });
  });
});

test("the journal of users remembers what was agreed and what was not", () => {
  const path = join(directory, "users");
  const journal = UserJournal.create(path, new Map([["1.3", "aa"]]), new Map([["uuid-1", "1.5"]]));
  journal.begin(["2.3", "1.3"]);
  journal.commit([["2.3", "bb"]]);
  journal.alias(
    new Map([
      ["uuid-1", "1.6"],
      ["uuid-2", "2.6"],
    ]),
  );
  appendFileSync(path, "+ 9.9 torn");
  const next = UserJournal.open(path);
  expect([...next.users]).toEqual([
    ["1.3", "?"],
    ["2.3", "bb"],
  ]);
  expect(next.resolve("uuid-1")).toBe("1.5");
  expect(next.resolve("uuid-2")).toBe("2.6");
  expect(next.resolve("7.3")).toBe("7.3");
});
