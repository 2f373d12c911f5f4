// Usage on its way to the panel: only to the writer, in order, again until acknowledged; and what a disk that refuses
// looks like from there.
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentFixture, inbound, planUser } from "./fixture.ts";
import type { AgentFixture } from "./fixture.ts";
import { fullDisk } from "./full-disk.ts";
import { dial, UsageBook } from "./panel.ts";

let fixture: AgentFixture;
beforeEach(async () => {
  fixture = await agentFixture();
});
afterEach(() => fixture.end());

const serve = { revision: 1, objects: { put: inbound(1), drop: [] }, users: { put: [planUser(1)] } };

test("what the engine counts arrives by user and inbound, and makes users online", async () => {
  const { port } = await fixture.start({ heartbeatMs: 30 });
  const book = new UsageBook();
  const link = await dial(port, fixture.panel.client, book);
  await link.hello(1);
  await link.peer.call("state.apply", serve);
  fixture.engine.move("1.1", 100, 1000);
  const online = await link.heartbeat((heartbeat) => heartbeat.online === 1);
  expect(online.live).toMatchObject({ connections: 7, rejected: { block: 3 } });
  await expect.poll(() => book.totals.get(1)).toBe(1100);
  fixture.engine.begin("life 2");
  fixture.engine.move("1.1", 5, 5);
  await expect.poll(() => book.totals.get(1)).toBe(1110);
  expect([book.up, book.down]).toEqual([105, 1005]);
});

// rule agents.ledger.2
test("a batch that nobody acknowledged comes again, the same, to the next writer; readers never see one", async () => {
  const { port } = await fixture.start();
  const book = new UsageBook();
  book.answering = false;
  const first = await dial(port, fixture.panel.client, book);
  await first.hello(1);
  await first.peer.call("state.apply", serve);
  fixture.engine.move("1.1", 1, 2);
  await expect.poll(() => book.seen.size).toBe(1);
  fixture.engine.move("1.1", 10, 20);
  const readerBook = new UsageBook();
  await (await dial(port, fixture.panel.client, readerBook)).hello(0, { readOnly: true });
  book.answering = true;
  await (await dial(port, fixture.panel.client, book)).hello(2);
  await expect.poll(() => book.totals.get(1)).toBe(33);
  // The book itself refuses a batch that changed after it was sent.
  expect(book.seen.size).toBe(2);
  expect(readerBook.seen.size).toBe(0);
});

test("a clean stop reads the counters a last time, and once more when the engine has ended", async () => {
  const first = await fixture.start({ readIntervalMs: 3_600_000 });
  const link = await dial(first.port, fixture.panel.client);
  await link.hello(1);
  await link.peer.call("state.apply", serve);
  fixture.engine.move("1.1", 3, 4);
  fixture.engine.whileClosing = () => fixture.engine.move("1.1", 10, 20);
  await first.stop();
  fixture.engine.whileClosing = () => undefined;
  expect(fixture.engine.closed).toBe("stop");
  const second = await fixture.start();
  const book = new UsageBook();
  await (await dial(second.port, fixture.panel.client, book)).hello(1);
  await expect.poll(() => book.totals.get(1)).toBe(37);
});

// rule agents.ledger.4
test("on a full disk the agent serves on, says so, and delivers everything once there is room", async () => {
  const disk = fullDisk(900);
  const { port } = await fixture.start({ openFile: disk.openFile, heartbeatMs: 30, mendIntervalMs: 30 });
  const book = new UsageBook();
  const link = await dial(port, fixture.panel.client, book);
  await link.hello(1);
  const users = Array.from({ length: 20 }, (_, index) => planUser(index + 1));
  const { warnings } = await link.peer.call("state.apply", { ...serve, users: { put: users } });
  expect(warnings).toEqual([expect.stringContaining("disk refuses the desired state")]);
  expect(fixture.engine.served).toHaveLength(20);
  disk.free = 0;
  for (let user = 1; user <= 20; user += 1) fixture.engine.move(`${user}.1`, user, user);
  await link.heartbeat((heartbeat) => heartbeat.warnings.some((warning) => warning.includes("usage ledger")));
  disk.free = 1e6;
  await expect.poll(() => book.up).toBe(210);
  // By itself, without another change.
  await link.heartbeat((heartbeat) => heartbeat.warnings.length === 0);
  expect(book.down).toBe(210);
});
