// Changes while traffic flows: they affect only the users concerned.
import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { EngineDriver } from "../../../src/agent/engines/contract/driver.ts";
import {
  closed,
  desired,
  echoTarget,
  endlessTarget,
  inbound,
  planUser,
  readBytes,
  startEngine,
  tcpConnect,
  until,
  vlessHead,
} from "./harness.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { startStopwatch } from "../../stopwatch.ts";

const [anna, bert] = [planUser(1), planUser(2)];
let driver: EngineDriver;
let statuses: string[];
let ports: number[];
let source: Awaited<ReturnType<typeof endlessTarget>>;
let echo: Awaited<ReturnType<typeof echoTarget>>;

beforeEach(async () => {
  ({ driver, statuses } = await startEngine());
  ports = await quietPorts(3);
  source = await endlessTarget();
  echo = await echoTarget();
});
afterEach(async () => {
  await driver.close("stop");
  source.close();
  echo.close();
});

const two = () => [inbound(1, "vless", ports[0] ?? 0), inbound(2, "vless", ports[1] ?? 0)];

/** A download that runs; `bytes()` grows while it does. */
async function download(user: typeof anna, port = ports[0] ?? 0): Promise<{ socket: Socket; bytes: () => number }> {
  const socket = await tcpConnect(port);
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => (bytes += chunk.length));
  socket.write(vlessHead(user, source.port));
  await until(() => bytes > 0);
  return { socket, bytes: () => bytes };
}

async function stillRuns(flow: { socket: Socket; bytes: () => number }): Promise<void> {
  const before = flow.bytes();
  await until(() => flow.bytes() > before + 1_000_000);
  expect(flow.socket.destroyed).toBe(false);
}

// rule agents.engine.3
test("a removed user's session ends within 100 ms, another's download goes on", async () => {
  await driver.apply(desired(two(), [anna, bert]));
  const [mine, other] = [await download(anna), await download(bert)];
  const elapsed = startStopwatch();
  const result = await driver.changeUsers({ put: [], drop: [1] }, desired(two(), [bert]));
  expect((await driver.sessions({ userId: 1 }, 10)).total).toBe(0);
  // The client has to read what is under way before it sees the end.
  await closed(mine.socket);
  expect(elapsed()).toBeLessThan(100);
  expect(result).toEqual({ warnings: [], how: "hot" });
  await stillRuns(other);
  const refused = await tcpConnect(ports[0] ?? 0);
  refused.write(vlessHead(anna, source.port));
  refused.resume();
  await closed(refused);
  expect((await driver.sessions({}, 10)).rows.map(({ userId }) => userId)).toEqual([2]);
});

test("new credentials end the old sessions and let the new ones in; new limits end nothing", async () => {
  await driver.apply(desired(two(), [anna, bert]));
  const [mine, other] = [await download(anna), await download(bert)];
  const changed = planUser(1, { uuid: "11111111-1111-4111-8111-111111111111" });
  await driver.changeUsers({ put: [changed, { ...bert, ipLimit: 3 }], drop: [] }, desired(two(), [changed, bert]));
  await closed(mine.socket);
  await stillRuns(await download(changed));
  await stillRuns(other);
});

test("an apply keeps unchanged inbounds and their sessions, rebinds changed ones, closes removed ones", async () => {
  expect((await driver.apply(desired(two(), [anna]))).how).toBe("hot");
  expect((await driver.apply(desired(two(), [anna]))).how).toBe("unchanged");
  const [kept, moved] = [await download(anna), await download(anna, ports[1])];
  await driver.apply(desired([inbound(1, "vless", ports[0] ?? 0), inbound(2, "vless", ports[2] ?? 0)], [anna]));
  await closed(moved.socket);
  await stillRuns(kept);
  await stillRuns(await download(anna, ports[2]));
  await expect(tcpConnect(ports[1] ?? 0)).rejects.toThrow();
  expect((await driver.apply(desired([], [anna]))).how).toBe("stopped");
  await closed(kept.socket);
  expect(statuses).toEqual(["running", "stopped"]);
});

test("two inbounds exchange their ports", async () => {
  await driver.apply(desired(two(), [anna]));
  const result = await driver.apply(
    desired([inbound(1, "vless", ports[1] ?? 0), inbound(2, "vless", ports[0] ?? 0)], [anna]),
  );
  expect(result.warnings).toEqual([]);
  await stillRuns(await download(anna));
  expect((await driver.sessions({}, 1)).rows[0]?.inbound).toBe("in-2");
});

test("sessions are listed with their bytes and closed by what is selected", async () => {
  await driver.apply(desired(two(), [anna, bert]));
  const flows = [await download(anna), await download(anna, ports[1]), await download(bert)];
  const listed = await driver.sessions({ userId: 1 }, 1);
  expect(listed.total).toBe(2);
  expect(listed.rows).toHaveLength(1);
  expect(listed.rows[0]).toMatchObject({
    userId: 1,
    inboundId: 1,
    inbound: "in-1",
    outbound: "direct",
    network: "tcp",
    destination: `127.0.0.1:${source.port}`,
    up: 0,
  });
  expect(listed.rows[0]?.down).toBeGreaterThan(0);
  expect(listed.rows[0]?.source).toBe(`127.0.0.1:${flows[0]?.socket.localPort}`);
  expect(Math.abs((listed.rows[0]?.startedAt ?? 0) - Date.now() / 1000)).toBeLessThan(10);
  expect(await driver.closeSessions({ userId: 1, inbound: "in-2" })).toBe(1);
  expect(await driver.closeSessions({ outbound: "elsewhere" })).toBe(0);
  expect((await driver.sessions({}, 10)).total).toBe(2);
  expect(await driver.closeSessions({})).toBe(2);
  await until(async () => (await driver.counters()).connections === 0);
});

test("counters outlive a user's removal, and an instance is one life", async () => {
  await driver.apply(desired(two(), [anna]));
  const send = async () => {
    const socket = await tcpConnect(ports[0] ?? 0);
    socket.write(Buffer.concat([vlessHead(anna, echo.port), Buffer.alloc(1000)]));
    await readBytes(socket, 1002);
    socket.destroy();
  };
  await send();
  const first = await driver.counters();
  await driver.changeUsers({ put: [], drop: [1] }, desired(two(), []));
  expect((await driver.counters()).users.get("1.1")).toEqual({ up: 1000, down: 1000 });
  await driver.changeUsers({ put: [anna], drop: [] }, desired(two(), [anna]));
  await send();
  const last = await driver.counters();
  expect(last.users.get("1.1")).toEqual({ up: 2000, down: 2000 });
  expect(last.instance).toBe(first.instance);
  const another = await startEngine();
  expect((await another.driver.counters()).instance).not.toBe(first.instance);
  await another.driver.close("stop");
});

test("the end of one side reaches the other after everything else did", async () => {
  await driver.apply(desired(two(), [anna]));
  const socket = await tcpConnect(ports[0] ?? 0, true);
  socket.end(Buffer.concat([vlessHead(anna, echo.port), Buffer.alloc(300_000, 1)]));
  const parts: Buffer[] = [];
  for await (const chunk of socket) parts.push(chunk);
  expect(Buffer.concat(parts).length).toBe(300_002);
  await until(async () => (await driver.counters()).connections === 0);
});

test("a limit of sources refuses one too many, not a second session of the same", async () => {
  await driver.apply(desired(two(), [{ ...anna, ipLimit: 1 }]));
  await download(anna);
  const second = await download(anna, ports[1]);
  const elsewhere = await tcpConnect(ports[0] ?? 0, false, "127.0.0.2");
  elsewhere.write(vlessHead(anna, source.port));
  await expect(readBytes(elsewhere, 1)).rejects.toThrow();
  await stillRuns(second);
  await driver.changeUsers({ put: [{ ...anna, ipLimit: 2 }], drop: [] }, desired(two(), [anna]));
  const now = await tcpConnect(ports[0] ?? 0, false, "127.0.0.2");
  now.write(vlessHead(anna, source.port));
  expect((await readBytes(now, 3)).length).toBe(3);
  const seen = (await driver.addresses(1)).map(({ inboundId, address }) => `${inboundId} ${address}`);
  expect(seen.toSorted()).toEqual(["1 127.0.0.1", "1 127.0.0.2", "2 127.0.0.1"]);
});

// rule agents.engine.11
test("where the newest source wins, it is let in and the oldest one is put out", async () => {
  await driver.close("stop");
  let newest = true;
  ({ driver } = await startEngine({ ipLimitNewest: () => newest }));
  await driver.apply(desired(two(), [{ ...anna, ipLimit: 1 }, bert]));
  const [first, same, other] = [await download(anna), await download(anna, ports[1]), await download(bert)];
  const elsewhere = await tcpConnect(ports[0] ?? 0, false, "127.0.0.2");
  elsewhere.write(vlessHead(anna, source.port));
  expect((await readBytes(elsewhere, 3)).length).toBe(3);
  await Promise.all([closed(first.socket), closed(same.socket)]);
  await stillRuns(other);
  newest = false;
  const late = await tcpConnect(ports[0] ?? 0);
  late.write(vlessHead(anna, source.port));
  late.resume();
  await closed(late);
});

// rule users.inbounds.1
test("a user with inbounds of their own is on these alone; leaving one ends what is open there, nothing else", async () => {
  const limited = planUser(1, { inbounds: [1, 2] });
  await driver.apply(desired(two(), [limited, bert]));
  const [stays, leaves] = [await download(limited), await download(limited, ports[1])];
  const narrower = planUser(1, { inbounds: [1] });
  await driver.changeUsers({ put: [narrower], drop: [] }, desired(two(), [narrower, bert]));
  await closed(leaves.socket);
  await stillRuns(stays);
  const refused = await tcpConnect(ports[1] ?? 0);
  refused.write(vlessHead(narrower, source.port));
  refused.resume();
  await closed(refused);
  await stillRuns(await download(bert, ports[1]));
});
