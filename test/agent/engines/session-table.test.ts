// Sessions from log lines and evidence: sockets, flows and engines' lists as the kernel and the engines would show
// them.
import { describe, expect, test } from "vitest";
import { parseAccessLine } from "../../../src/agent/engines/process/view/access-log.ts";
import type { EngineControl } from "../../../src/agent/engines/process/dialect.ts";
import type { ListeningInbound } from "../../../src/agent/engines/process/view/engines-in-view.ts";
import type { Evidence } from "../../../src/agent/engines/process/view/evidence.ts";
import { ipLimitWarnings, IpLimits } from "../../../src/agent/engines/process/view/ip-limits.ts";
import type { LiveSession } from "../../../src/agent/engines/process/view/liveness.ts";
import { SessionTable } from "../../../src/agent/engines/process/view/session-table.ts";
import { parseEngineUserName } from "../../../src/protocol/plan.ts";

const inboundOf = (id: number, port: number, changes: Partial<ListeningInbound> = {}): ListeningInbound => ({
  id,
  tag: `in-${id}`,
  port,
  localPorts: [port],
  networks: ["tcp"],
  fronted: false,
  anonymous: false,
  open: true,
  ...changes,
});
const inbounds = [
  inboundOf(3, 443, { localPorts: [443, 20_443, 20_444] }),
  inboundOf(4, 444, { fronted: true }),
  inboundOf(6, 446, { fronted: true, trusting: true }),
  inboundOf(5, 445, { localPorts: [20_445], networks: ["udp"] }),
];
const socket = (localPort: number, address: string, port: number, silentMs = 0) => ({
  localPort,
  peer: `${address}:${port}`,
  address,
  port,
  sent: 5,
  received: 7,
  silentMs,
});
const nothing: Evidence = { at: 200, sockets: [], flows: undefined, streams: undefined, online: undefined };
// The table hands controls on and never calls them.
const control = {} as EngineControl;

const see = (table: SessionTable, text: string, clock = 100): void => {
  const line = parseAccessLine(text);
  const name = parseEngineUserName(line?.user ?? "");
  if (!line || !name) throw new Error(`no access line: ${text}`);
  const { fronted = false, trusting = false } = inbounds.find(({ id }) => id === name.inboundId) ?? {};
  table.see(line, name, fronted, clock, trusting);
};
const users = (sessions: readonly LiveSession[]) => sessions.filter(({ idle }) => !idle).map(({ row }) => row.userId);

describe("over TCP", () => {
  test("live as long as their socket, on whichever port of the inbound it is", () => {
    const table = new SessionTable();
    see(table, "198.51.100.9:1000 accepted tcp:a.test:443 [direct] email: 7.3");
    see(table, "198.51.100.9:1001 accepted tcp:b.test:443 [direct] email: 8.3");
    const both = [socket(443, "198.51.100.9", 1000), socket(20_444, "198.51.100.9", 1001)];
    expect(users(table.join({ ...nothing, sockets: both }, inbounds, 110))).toEqual([7, 8]);
    const [left, ...more] = table.join({ ...nothing, sockets: both.slice(1) }, inbounds, 120);
    expect(more).toEqual([]);
    expect(left?.row).toEqual({
      id: "3|198.51.100.9|1001",
      userId: 8,
      inboundId: 3,
      inbound: "in-3",
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

  // rule agents.engine.8
  test("a front that is trusted says where its clients are; who comes past it is where its socket is", () => {
    const table = new SessionTable();
    see(table, "198.51.100.7:0 accepted tcp:a.test:443 [direct] email: 7.6", 100);
    see(table, "198.51.100.8:0 accepted tcp:a.test:443 [direct] email: 8.6", 100);
    see(table, "192.0.2.9:3000 accepted tcp:a.test:443 [direct] email: 9.6", 100);
    // The front has one connection for both.
    const sockets = [socket(446, "203.0.113.1", 5000), socket(446, "192.0.2.9", 3000)];
    const found = table.join({ ...nothing, sockets, at: 101 }, inbounds, 101);
    const where = (userId: number) => table.addresses(userId, 105).map(({ address }) => address);
    expect([where(7), where(8), where(9)]).toEqual([["198.51.100.7"], ["198.51.100.8"], ["192.0.2.9"]]);
    expect(found.find(({ row }) => row.userId === 9)?.address).toBe("192.0.2.9");
    const behind = found.filter(({ row }) => row.userId !== 9);
    for (const { row, address, socket: peer } of behind)
      expect([address, peer?.address, row.source]).toEqual([where(row.userId)[0], "203.0.113.1", "203.0.113.1:5000"]);
    const again = new SessionTable();
    again.restore(table.snapshot());
    const kept = again.join({ ...nothing, sockets, at: 116 }, inbounds, 116);
    expect(kept.map(({ address }) => address).toSorted()).toEqual(found.map(({ address }) => address).toSorted());
    // Elsewhere such a line is a client's own word.
    see(table, "198.51.100.7:0 accepted tcp:a.test:443 [direct] email: 5.4", 110);
    table.join({ ...nothing, sockets: [socket(444, "203.0.113.2", 6000)], at: 115 }, inbounds, 115);
    expect(where(5)).toEqual(["203.0.113.2"]);
  });

  test("a look that began before they did does not end them, however late it is told", () => {
    const table = new SessionTable();
    see(table, "198.51.100.9:1000 accepted tcp:a.test:443 [direct] email: 7.3", 100);
    see(table, "203.0.113.66:2000 accepted tcp:a.test:443 [direct] email: 8.4", 100);
    expect(table.join({ ...nothing, at: 99 }, inbounds, 150)).toEqual([]);
    const sockets = [socket(443, "198.51.100.9", 1000), socket(444, "198.51.100.1", 2000)];
    expect(users(table.join({ ...nothing, sockets, at: 150 }, inbounds, 151))).toEqual([7, 8]);
  });

  test("a later line of the same socket keeps the start, and the outbound that an earlier one named", () => {
    const table = new SessionTable();
    see(table, "198.51.100.9:1000 accepted tcp:a.test:443 [direct] email: 7.3", 100);
    see(table, "198.51.100.9:1000 accepted udp:b.test:53 email: 7.3", 105);
    const [session] = table.join({ ...nothing, sockets: [socket(443, "198.51.100.9", 1000)] }, inbounds, 106);
    expect(session?.row).toMatchObject({
      startedAt: 100,
      outbound: "direct",
      destination: "b.test:53",
      network: "udp",
    });
  });

  test("survive a snapshot, waiting ones too", () => {
    const table = new SessionTable();
    see(table, "198.51.100.9:1000 accepted tcp:a.test:443 [direct] email: 7.3");
    see(table, "203.0.113.66:2000 accepted tcp:a.test:443 [direct] email: 8.4");
    const next = new SessionTable();
    next.restore(table.snapshot());
    const sockets = [socket(443, "198.51.100.9", 1000), socket(444, "198.51.100.1", 2000)];
    expect(users(next.join({ ...nothing, sockets }, inbounds, 101))).toEqual([7, 8]);
  });
});

describe("behind a header that anybody can write", () => {
  test.for(["203.0.113.66:0", "203.0.113.66:2000"])(
    "%s takes a socket that nobody accounts for, and its true address",
    (source) => {
      const table = new SessionTable();
      see(table, `${source} accepted tcp:a.test:443 [direct] email: 7.4`);
      expect(table.waiting).toBe(true);
      expect(table.addresses(undefined, 100)).toEqual([]);
      const [session] = table.join({ ...nothing, sockets: [socket(444, "198.51.100.1", 2000)] }, inbounds, 101);
      expect(session?.row).toMatchObject({ userId: 7, source: "198.51.100.1:2000" });
      expect(table.waiting).toBe(false);
      expect(table.addresses(7, 101).map(({ address }) => address)).toEqual(["198.51.100.1"]);
    },
  );

  test("a line that names no port takes no socket that another line names, whichever is read first", () => {
    const sockets = [socket(444, "198.51.100.2", 2000), socket(444, "198.51.100.1", 1000)];
    const liar = "203.0.113.66:0 accepted tcp:a.test:443 [direct] email: 7.4";
    const honest = "198.51.100.2:2000 accepted tcp:a.test:443 [direct] email: 8.4";
    const expected = [
      [7, "198.51.100.1:1000"],
      [8, "198.51.100.2:2000"],
    ];
    const shown = (sessions: readonly LiveSession[]) =>
      sessions.toSorted((a, b) => a.row.userId - b.row.userId).map(({ row }) => [row.userId, row.source]);
    const together = new SessionTable();
    see(together, liar);
    see(together, honest);
    expect(shown(together.join({ ...nothing, sockets, at: 100 }, inbounds, 100))).toEqual(expected);
    const late = new SessionTable();
    see(late, liar);
    // Its own line may still come: nothing is guessed yet.
    expect(late.join({ ...nothing, sockets, at: 100 }, inbounds, 100)).toEqual([]);
    expect(shown(late.join({ ...nothing, sockets, at: 102 }, inbounds, 102))).toEqual([[7, "198.51.100.2:2000"]]);
    see(late, honest, 103);
    late.join({ ...nothing, sockets, at: 103 }, inbounds, 103);
    expect(shown(late.join({ ...nothing, sockets, at: 103 }, inbounds, 103))).toEqual(expected);
  });

  test("the second line of a connection finds the session that the first one made", () => {
    const table = new SessionTable();
    const evidence = { ...nothing, sockets: [socket(444, "198.51.100.1", 2000)] };
    see(table, "203.0.113.66:2000 accepted tcp:a.test:443 email: 7.4");
    table.join(evidence, inbounds, 101);
    see(table, "203.0.113.66:2000 accepted tcp:a.test:443 [direct] email: 7.4");
    expect(table.waiting).toBe(false);
    expect(table.join(evidence, inbounds, 102).map(({ row }) => row.outbound)).toEqual(["direct"]);
  });

  test("a header that names somebody else's socket does not take it", () => {
    const table = new SessionTable();
    const sockets = [socket(444, "198.51.100.1", 2000), socket(444, "198.51.100.2", 2000)];
    see(table, "198.51.100.1:2000 accepted tcp:a.test:443 [direct] email: 7.4");
    table.join({ ...nothing, sockets: sockets.slice(0, 1) }, inbounds, 101);
    see(table, "198.51.100.1:2000 accepted tcp:a.test:443 [direct] email: 8.4");
    const rows = table.join({ ...nothing, sockets }, inbounds, 102).map(({ row }) => [row.userId, row.source]);
    expect(rows).toEqual([
      [7, "198.51.100.1:2000"],
      [8, "198.51.100.2:2000"],
    ]);
    see(table, "198.51.100.1:2000 accepted tcp:a.test:443 [direct] email: 9.4");
    expect(users(table.join({ ...nothing, sockets }, inbounds, 103))).toEqual([7, 8]);
  });
});

describe("over UDP", () => {
  const line = "198.51.100.9:1000 accepted tcp:a.test:443 [in.5.a >> direct] email: 7.5";
  const flow = { address: "198.51.100.9", port: 1000, localPort: 20_445 };
  const stream = (id: string) => ({
    control,
    stream: {
      id,
      inboundTag: "in.5.b",
      source: "198.51.100.9",
      sourcePort: 1000,
      network: "tcp" as const,
      destination: `${id}.test:1`,
      up: 1,
      down: 2,
      startedAt: 99,
    },
  });

  test("live by the kernel's flow, and by the engine's list of users where it has one", () => {
    const table = new SessionTable();
    see(table, line);
    expect(users(table.join({ ...nothing, flows: [flow] }, inbounds, 110))).toEqual([7]);
    const online = new Map([["7.5", new Map([["198.51.100.9", 111]])]]);
    expect(users(table.join({ ...nothing, flows: [flow], online }, inbounds, 111))).toEqual([7]);
    const idle = table.join({ ...nothing, flows: [flow], online: new Map() }, inbounds, 112);
    expect(users(idle)).toEqual([]);
    expect(idle).toMatchObject([{ idle: true, flows: [flow] }]);
    expect(table.join({ ...nothing, flows: [], online }, inbounds, 113)).toEqual([]);
  });

  test("without flows the engine's list alone tells, and a drop is asked for on every port", () => {
    const table = new SessionTable();
    see(table, line);
    const online = new Map([["7.5", new Map([["198.51.100.9", 111]])]]);
    expect(table.join({ ...nothing, online }, inbounds, 110)).toMatchObject([{ idle: false, flows: [flow] }]);
    expect(table.join(nothing, inbounds, 111)).toEqual([]);
  });

  test("one session for each stream that the engine lists", () => {
    const table = new SessionTable();
    see(table, line);
    const sessions = table.join({ ...nothing, streams: [stream("x"), stream("y")] }, inbounds, 110);
    expect(sessions.map(({ row }) => row)).toMatchObject([
      {
        id: "x",
        userId: 7,
        destination: "x.test:1",
        source: "198.51.100.9:1000",
        up: 1,
        down: 2,
        startedAt: 99,
        outbound: "direct",
      },
      { id: "y", userId: 7 },
    ]);
  });

  test("addresses that only the engine's list knows count too, but not those of inbounds over TCP", () => {
    const table = new SessionTable();
    const online = new Map([
      ["8.5", new Map([["198.51.100.8", 111]])],
      ["8.4", new Map([["203.0.113.9", 111]])],
    ]);
    table.join({ ...nothing, online }, inbounds, 112);
    expect(table.addresses(undefined, 112)).toEqual([
      { userId: 8, inboundId: 5, address: "198.51.100.8", lastSeenAt: 111 },
    ]);
  });
});

describe("ipLimit", () => {
  const session = (order: number, address: string, userId = 7): LiveSession => {
    const table = new SessionTable();
    see(
      table,
      `${address.includes(":") ? `[${address}]` : address}:${order} accepted tcp:a.test:443 [direct] email: ${userId}.3`,
    );
    const [found] = table.join({ ...nothing, sockets: [socket(443, address, order)] }, inbounds, 100);
    if (!found) throw new Error("no session");
    return { ...found, order };
  };

  // rule agents.engine.7
  test("the newest source goes, and who was let in stays until he leaves", () => {
    const limits = new IpLimits();
    limits.set(new Map([[7, 1]]));
    const [first, second, other] = [
      session(1, "198.51.100.1"),
      session(2, "198.51.100.2"),
      session(3, "198.51.100.3", 8),
    ];
    expect(limits.questions(7, "198.51.100.1")).toBe(true);
    expect(limits.excess([second, other, first])).toEqual([second]);
    expect(limits.questions(7, "198.51.100.1")).toBe(false);
    expect(limits.questions(7, "198.51.100.2")).toBe(true);
    expect(limits.questions(8, "198.51.100.3")).toBe(false);
    // A new connection of the first source is newer than the second one's, and stays all the same.
    expect(limits.excess([second, session(4, "198.51.100.1")])).toEqual([second]);
    expect(limits.excess([second])).toEqual([]);
    expect(limits.excess([second, first])).toEqual([first]);
  });

  // rule agents.engine.10
  test("a source that is silent holds no place and is let be; once it speaks again it is one too many", () => {
    const limits = new IpLimits();
    limits.set(new Map([[7, 1]]));
    const silent = (one: LiveSession, silentMs: number): LiveSession => ({
      ...one,
      socket: one.socket && { ...one.socket, silentMs },
    });
    const [first, second] = [session(1, "198.51.100.1"), session(2, "198.51.100.2")];
    expect(limits.excess([silent(first, 19_000), second])).toEqual([second]);
    expect(limits.excess([silent(first, 21_000), second])).toEqual([]);
    expect(limits.excess([silent(first, 90_000), second])).toEqual([]);
    expect(limits.excess([first, second])).toEqual([first]);
    // One connection of it that speaks is enough.
    const another = session(3, "198.51.100.2");
    expect(limits.excess([silent(second, 60_000), another, first])).toEqual([first]);
  });

  // rule agents.engine.11
  test("where the newest address wins, the oldest goes", () => {
    let newest = true;
    const limits = new IpLimits(() => newest);
    limits.set(new Map([[7, 2]]));
    const [first, second, third] = [session(1, "198.51.100.1"), session(2, "198.51.100.2"), session(3, "198.51.100.3")];
    expect(limits.excess([first, second])).toEqual([]);
    expect(limits.excess([first, second, third])).toEqual([first]);
    expect(limits.questions(7, "198.51.100.3")).toBe(false);
    // It comes again, and is the newest then.
    const again = session(4, "198.51.100.1");
    expect(limits.excess([second, third, again])).toEqual([second]);
    newest = false;
    expect(limits.excess([third, again, session(5, "198.51.100.2")]).map(({ order }) => order)).toEqual([5]);
  });

  // rule agents.engine.7
  test("an IPv6 source is its /64", () => {
    const limits = new IpLimits();
    limits.set(new Map([[7, 1]]));
    const near = [session(1, "2001:db8:0:1::1"), session(2, "2001:db8:0:1:ffff::2")];
    const far = session(3, "2001:db8:0:2::1");
    expect(limits.excess([...near, far])).toEqual([far]);
  });

  test("what keeps it from being held is a warning that names the inbound", () => {
    const limited = new Map([
      [7, { id: 7, uuid: "", password: "", ss16: "", ss32: "", flow: "", speedLimit: 0, ipLimit: 1 }],
    ]);
    const means = { able: true, lists: false, portMap: false };
    expect(ipLimitWarnings(new Map(), inbounds, means)).toEqual([]);
    expect(ipLimitWarnings(limited, inbounds, means)).toMatchObject([
      { code: "ip_limit_udp", kind: "inbound", tag: "in-5" },
    ]);
    expect(ipLimitWarnings(limited, inbounds, { ...means, portMap: true })).toEqual([]);
    expect(ipLimitWarnings(limited, inbounds, { ...means, able: false })).toMatchObject([{ code: "ip_limit_unheld" }]);
    expect(ipLimitWarnings(limited, [inboundOf(6, 446, { anonymous: true })], means)).toMatchObject([
      { code: "ip_limit_anonymous", tag: "in-6" },
    ]);
  });
});

describe("connections whose line was lost", () => {
  const sockets = [
    socket(443, "198.51.100.1", 1000),
    socket(443, "198.51.100.2", 1000),
    socket(444, "198.51.100.1", 1000),
  ];

  test("are of the one user whom the engine's list has there; never by a list that headers may have made", () => {
    const table = new SessionTable();
    const online = new Map([
      ["7.3", new Map([["198.51.100.1", 100]])],
      ["8.3", new Map([["198.51.100.2", 100]])],
      ["9.3", new Map([["198.51.100.2", 100]])],
      ["7.4", new Map([["198.51.100.1", 100]])],
    ]);
    const sessions = table.join({ ...nothing, sockets, online }, inbounds, 101);
    expect(sessions.map(({ row }) => [row.userId, row.inboundId, row.source])).toEqual([[7, 3, "198.51.100.1:1000"]]);
  });

  test("a line that comes late says whose it really is", () => {
    const table = new SessionTable();
    const online = new Map([["7.3", new Map([["198.51.100.1", 100]])]]);
    table.join({ ...nothing, sockets, online }, inbounds, 101);
    see(table, "198.51.100.1:1000 accepted tcp:a.test:443 [direct] email: 8.3", 102);
    expect(users(table.join({ ...nothing, sockets, online }, inbounds, 103))).toEqual([8]);
  });
});

test("inbounds on TCP and UDP may share a port number", () => {
  const shared = [inboundOf(3, 443), inboundOf(5, 443, { networks: ["udp"] })];
  const table = new SessionTable();
  see(table, "198.51.100.9:1000 accepted tcp:a.test:443 [direct] email: 7.3");
  see(table, "198.51.100.9:1000 accepted tcp:a.test:443 [direct] email: 7.5");
  const flows = [{ address: "198.51.100.9", port: 1000, localPort: 443 }];
  expect(
    table
      .join({ ...nothing, sockets: [socket(443, "198.51.100.9", 1000)], flows }, shared, 101)
      .map(({ row }) => row.id),
  ).toEqual(["3|198.51.100.9|1000", "5|198.51.100.9|1000"]);
});
