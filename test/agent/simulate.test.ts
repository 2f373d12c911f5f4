// The simulated fleet: one port, a node for each loopback address, exact traffic, one shared copy of the users.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { startFleet } from "../../src/agent/simulate/fleet.ts";
import type { FleetOptions, RunningFleet } from "../../src/agent/simulate/fleet.ts";
import type { UsageBatch } from "../../src/protocol/messages.ts";
import { digestBuckets, digestObjects, digestStructure, digestUser, formatBucket } from "../../src/protocol/digest.ts";
import { inbound, planUser } from "./fixture.ts";
import { dial, makePanelIdentity, UsageBook } from "./panel.ts";
import type { PanelLink } from "./panel.ts";

const Report = z.object({
  at: z.int(),
  nodes: z.record(
    z.string(),
    z.object({ users: z.record(z.string(), z.object({ up: z.int(), down: z.int() })), links: z.int(), dials: z.int() }),
  ),
});

let directory: string;
let panel: Awaited<ReturnType<typeof makePanelIdentity>>;
let fleet: RunningFleet;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "signalbox-fleet-"));
  panel = await makePanelIdentity("panel");
  await writeFile(join(directory, "trust.pem"), panel.trust);
});
afterEach(async () => {
  await fleet.stop();
  await rm(directory, { recursive: true, force: true });
});

async function start(options: Partial<FleetOptions> = {}): Promise<void> {
  fleet = await startFleet({
    host: "0.0.0.0",
    port: 0,
    trustFile: join(directory, "trust.pem"),
    activeShare: 1,
    rate: 10_000,
    seed: 7,
    reportPath: join(directory, "report.json"),
    log: pino({ level: "silent" }),
    tickMs: 500,
    ...options,
  });
}

async function node(address: string, book = new UsageBook()): Promise<PanelLink> {
  const link = await dial(fleet.port, panel.client, book, address);
  await link.hello(1);
  return link;
}

const readReport = async () => Report.parse(JSON.parse(await readFile(join(directory, "report.json"), "utf8")));

// rule agents.command.4
test("fifty addresses are fifty nodes with state, ledger and figures of their own", async () => {
  await start();
  const addresses = Array.from({ length: 50 }, (_, index) => `127.3.0.${index + 1}`);
  const books = addresses.map(() => new UsageBook());
  const links = await Promise.all(addresses.map((address, index) => node(address, books[index])));
  const users = Array.from({ length: 40 }, (_, index) => planUser(index + 1));
  const applied = await Promise.all(
    links.map((link, index) =>
      link.peer.call("state.apply", {
        revision: index + 1,
        objects: { put: inbound(index + 1), drop: [] },
        users: { put: users.slice(0, index + 1) },
      }),
    ),
  );
  expect(applied[3]?.applied.structure).toBe(digestStructure(digestObjects(inbound(4))));
  expect(new Set(applied.map((answer) => answer.applied.users)).size).toBe(40);
  await expect.poll(() => books.every((book) => book.cursor >= 2)).toBe(true);
  expect(new Set(books.map((book) => book.bootId)).size).toBe(50);
  // Without inbounds nothing moves any more: then the fleet's book and ours must agree to the byte.
  await Promise.all(
    links.map((link) =>
      link.peer.call("state.apply", {
        revision: 99,
        objects: { put: {}, drop: Object.keys(inbound(links.indexOf(link) + 1)) },
      }),
    ),
  );
  const counted = async (): Promise<unknown> => {
    const { nodes } = await readReport();
    return addresses.map((address) =>
      Object.fromEntries(Object.entries(nodes[address]?.users ?? {}).map(([id, { up, down }]) => [id, up + down])),
    );
  };
  await expect
    .poll(
      async () =>
        JSON.stringify(await counted()) === JSON.stringify(books.map((book) => Object.fromEntries(book.totals))),
    )
    .toBe(true);
  const { nodes } = await readReport();
  expect(nodes["127.3.0.50"]).toMatchObject({ links: 1, dials: 1 });
  expect(Object.keys(nodes["127.3.0.50"]?.users ?? {})).toHaveLength(40);
});

test("digests are those that the panel computes, also after single edits", async () => {
  await start();
  const link = await node("127.0.0.1");
  await link.peer.call("state.apply", {
    revision: 1,
    users: { buckets: { "1": [planUser(1), planUser(257)], "2": [planUser(2)] } },
  });
  const changed = { ...planUser(257), password: "other" };
  const { applied } = await link.peer.call("state.apply", {
    revision: 2,
    users: { put: [changed, planUser(3)], drop: [2] },
  });
  const xor = Array.from({ length: 256 }, () => 0n);
  xor[1] = digestUser(planUser(1)) ^ digestUser(changed);
  xor[3] = digestUser(planUser(3));
  expect(applied.users).toBe(digestBuckets(xor.map(formatBucket)));
  expect((await link.peer.call("state.digests", {})).buckets).toEqual(xor.map(formatBucket));
});

// rule users.inbounds.7
test("a user that names its inbounds moves traffic on these alone, and none where the node has none of them", async () => {
  let now = 1_000_000;
  await start({ now: () => now, rate: 1000 });
  const book = new UsageBook();
  const link = await node("127.0.0.8", book);
  await link.peer.call("state.apply", {
    revision: 1,
    objects: { put: { ...inbound(1), ...inbound(2) }, drop: [] },
    users: {
      put: [
        { ...planUser(1), inbounds: [1] },
        { ...planUser(2), inbounds: [1, 9] },
        { ...planUser(3), inbounds: [9] },
      ],
    },
  });
  now += 1000;
  await link.peer.call("state.apply", { revision: 2, users: { put: [{ ...planUser(1), inbounds: [9] }], drop: [2] } });
  now += 1000;
  await expect.poll(() => Object.fromEntries(book.totals)).toEqual({ 1: 1000, 2: 1000 });
  const rows = [...book.seen.values()].flatMap((text) => (JSON.parse(text) as UsageBatch).rows);
  expect(rows.map(([user, on]) => [user, on])).toEqual([
    [1, 1],
    [2, 1],
  ]);
});

// rule agents.command.5
test("every active user moves the rate exactly, from the instant it is added to the instant it is removed", async () => {
  let now = 1_000_000;
  await start({ now: () => now, rate: 1003 });
  const book = new UsageBook();
  const link = await node("127.0.0.9", book);
  await link.peer.call("state.apply", {
    revision: 1,
    objects: { put: inbound(1), drop: [] },
    users: { put: [planUser(1)] },
  });
  now += 1500;
  await link.peer.call("state.apply", { revision: 2, users: { put: [planUser(2)] } });
  now += 2500;
  await link.peer.call("state.apply", { revision: 3, users: { drop: [1] } });
  now += 10_000;
  await expect.poll(() => Object.fromEntries(book.totals)).toEqual({ 1: 4012, 2: 12_538 });
  expect(book.up).toBeLessThan(book.down);
});

test("without an inbound nobody moves anything, and at --active 0 neither", async () => {
  let now = 1_000_000;
  await start({ now: () => now, activeShare: 0 });
  const link = await node("127.0.0.10");
  const answer = await link.peer.call("state.apply", {
    revision: 1,
    objects: { put: inbound(1), drop: [] },
    users: { put: [planUser(1)] },
  });
  now += 60_000;
  const beat = link.heartbeat();
  const again = await node("127.0.0.10");
  await again.heartbeat();
  await expect.poll(async () => (await readReport()).nodes["127.0.0.10"]?.dials).toBe(2);
  expect((await readReport()).nodes["127.0.0.10"]?.users).toEqual({});
  expect(answer.engine).toMatchObject({ kind: "simulated", state: "running" });
  expect(await Promise.race([beat, link.peer.closed])).toMatchObject({ code: 4001 });
});

// rule agents.command.5
test("the pin follows from the seed, the ledger's name does not outlive the fleet", async () => {
  await start();
  const first = fleet.fingerprint;
  const ledger = (await (await dial(fleet.port, panel.client)).hello(1)).ledger.bootId;
  await fleet.stop();
  await start();
  expect(fleet.fingerprint).toBe(first);
  expect((await (await dial(fleet.port, panel.client)).hello(1)).ledger.bootId).not.toBe(ledger);
  await fleet.stop();
  await start({ seed: 8 });
  expect(fleet.fingerprint).not.toBe(first);
});
