// The pieces that need no engine: access lines, the followed log, the tally of counters and the journal of users.
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parseAccessLine } from "../../../src/agent/engines/process/view/access-log.ts";
import { CounterTally, offsetOf } from "../../../src/agent/engines/process/state/counter-tally.ts";
import { LogFollower } from "../../../src/agent/engines/process/view/log-follower.ts";
import { UserJournal } from "../../../src/agent/engines/process/state/user-journal.ts";

const directory = mkdtempSync(join(tmpdir(), "signalbox-log-"));
afterAll(() => rmSync(directory, { recursive: true }));

describe("access lines", () => {
  test.for<[string, object | undefined]>([
    [
      "2026/11/21 15:12:26 127.0.0.1:47598 accepted tcp:a.test:1 [direct] email: 7.3",
      {
        source: "127.0.0.1",
        sourcePort: 47_598,
        network: "tcp",
        destination: "a.test:1",
        outbound: "direct",
        user: "7.3",
      },
    ],
    [
      "2026/11/21 14:49:25 127.0.0.1:59872 accepted http://127.0.0.1:21080/ [direct]",
      { destination: "http://127.0.0.1:21080/", user: undefined },
    ],
    [
      "2026/11/21 12:36:31.623461 from [2001:db8::9]:35407 accepted udp:blocked.test:443 [in.3.a -> block] email: 7.3",
      { source: "2001:db8::9", network: "udp", inboundTag: "in.3.a", outbound: "block" },
    ],
    [
      "2026/11/21 21:02:58.512791 from 127.0.0.2:35194 accepted tcp:127.0.0.1:33000 [in.1.b >> direct] email: 7.1",
      { source: "127.0.0.2", sourcePort: 35_194, inboundTag: "in.1.b", outbound: "direct", user: "7.1" },
    ],
    [
      "2026/11/21 21:03:02.407652 from udp:127.0.0.2:41529 accepted udp:127.0.0.1:33001 [in.4.a >> direct] email: 7.4",
      { source: "127.0.0.2", sourcePort: 41_529, network: "udp", user: "7.4" },
    ],
    [
      "2026/11/21 21:03:02 from 127.0.0.2:4 accepted 127.0.0.1:33000 [in.4.a >> direct] email: 7.4",
      { destination: "127.0.0.1:33000", network: "tcp" },
    ],
    [
      "2026/11/21 21:03:03 from tcp:127.0.0.2:35442 accepted tcp:127.0.0.1:33000 [in.5.a >> direct]",
      { user: undefined, outbound: "direct" },
    ],
    [
      "2026/11/21 12:36:31 127.0.0.1:5 accepted tcp:a.test:1 [out -> house] email: 7.3",
      { inboundTag: undefined, outbound: "out -> house" },
    ],
    ["2026/11/21 12:36:31 [Warning] app: from 127.0.0.1:5 accepted tcp:a.test:1 [direct] email: 7.3", undefined],
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
