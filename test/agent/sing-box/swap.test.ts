// A change is a second process: connections of everybody else go on, over TCP and QUIC, and a removed user is out of
// all of them.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DriverFactory, EngineInfo } from "../../../src/agent/engines/contract/driver.ts";
import { portMapObjection } from "../../../src/agent/engines/portmap/index.ts";
import { ProcessDriver } from "../../../src/agent/engines/process/driver.ts";
import { singBoxDialect } from "../../../src/agent/engines/sing-box/dialect.ts";
import { singBoxFactory } from "../../../src/agent/engines/sing-box/index.ts";
import type { PlanUser } from "../../../src/protocol/plan.ts";
import {
  type ClientOutbound,
  type Drip,
  findEngine,
  inbound,
  ports,
  reaches,
  startDrip,
  startRig,
  startTarget,
  structure,
  type Target,
  until,
  user as someone,
  users,
} from "../engines/rig.ts";
import { startStopwatch } from "../../stopwatch.ts";
import { startSingBoxClient } from "./client.ts";
import { PAIR } from "./installed.ts";

const info = await findEngine(singBoxFactory);
const noMap = await portMapObjection();
if (noMap !== undefined && process.env["CI"] === "true") throw new Error(`CI must have the port map: ${noMap}`);
if (noMap !== undefined) console.warn(`SKIPPED: ${noMap}`);

const tls = { enabled: true, server_name: "node.test", certificate: [PAIR.certificate], key: [PAIR.key] };
const clientTls = { enabled: true, server_name: "node.test", insecure: true };
const clientQuic = { ...clientTls, alpn: ["h3"] };
const PROTOCOLS: readonly {
  type: string;
  server: Record<string, unknown>;
  client: (who: PlanUser) => ClientOutbound;
}[] = [
  { type: "vless", server: {}, client: ({ uuid }) => ({ type: "vless", uuid }) },
  { type: "anytls", server: { tls }, client: ({ password }) => ({ type: "anytls", password, tls: clientTls }) },
  { type: "hysteria2", server: { tls }, client: ({ password }) => ({ type: "hysteria2", password, tls: clientQuic }) },
  {
    type: "tuic",
    server: { tls },
    client: ({ uuid, password }) => ({ type: "tuic", uuid, password, tls: clientQuic }),
  },
];

let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.close());

async function plan(): Promise<{ listen: number[]; objects: ReturnType<typeof structure> }> {
  const listen = await ports(PROTOCOLS.length);
  const inbounds = PROTOCOLS.map(({ type, server }, index) =>
    inbound(index + 1, type, { listen: "127.0.0.1", listen_port: listen[index], ...server }),
  );
  return { listen, objects: structure(...inbounds) };
}

const outboundsOf = (who: PlanUser, listen: readonly number[]): ClientOutbound[] =>
  PROTOCOLS.map(({ client }, index) => ({ ...client(who), server_port: listen[index] }));

async function drips(proxies: readonly number[]): Promise<Drip[]> {
  return Promise.all(proxies.map(async (port) => startDrip(port, target.port)));
}

async function flows(running: readonly Drip[]): Promise<void> {
  const before = running.map((drip) => drip.bytes());
  await until("every download goes on", () =>
    running.every((drip, index) => drip.open() && drip.bytes() > (before[index] ?? 0) + 4096),
  );
}

test.runIf(info && noMap === undefined)("users come and go by a second process, and nobody else notices", async () => {
  if (!info) return;
  const [stays, goes] = [someone(7), someone(8)];
  const rig = await startRig(singBoxFactory, info, "allow");
  const { listen, objects } = await plan();
  const one = await startSingBoxClient(outboundsOf(stays, listen));
  const other = await startSingBoxClient(outboundsOf(goes, listen));
  try {
    const started = await rig.driver.apply({ structure: objects, users: users(stays) });
    expect(started.warnings).toEqual([]);
    const running = await drips(one.ports);
    const counted = async (id: number): Promise<number> =>
      [...(await rig.driver.counters()).users].reduce(
        (sum, [name, { down }]) => sum + (name.startsWith(`${id}.`) ? down : 0),
        0,
      );
    const before = await counted(7);

    const added = await rig.driver.changeUsers(
      { put: [goes], drop: [] },
      { structure: objects, users: users(stays, goes) },
    );
    expect(added).toMatchObject({ how: "swap", warnings: [] });
    await flows(running);
    await until("the new user is served everywhere", async () =>
      (await Promise.all(other.ports.map(async (port) => reaches(port, "127.0.0.1", target.port)))).every(Boolean),
    );
    const theirs = await drips(other.ports);
    await flows(theirs);
    expect(await counted(7)).toBeGreaterThan(before);

    const elapsed = startStopwatch();
    await rig.driver.changeUsers({ put: [], drop: [8] }, { structure: objects, users: users(stays) });
    // A client over QUIC takes its time to notice that nobody answers: what counts is that nothing comes any more.
    const stopped = theirs.map((drip) => drip.bytes());
    await until("the removed user gets nothing", () => {
      const still = theirs.some((drip, index) => drip.open() && drip.bytes() > (stopped[index] ?? 0));
      theirs.forEach((drip, index) => (stopped[index] = drip.bytes()));
      return !still && elapsed() > 1000;
    });
    expect(elapsed()).toBeLessThan(5000);
    const out = theirs.map((drip) => drip.bytes());
    await flows(running);
    expect(await Promise.all(other.ports.map(async (port) => reaches(port, "127.0.0.1", target.port)))).toEqual(
      PROTOCOLS.map(() => false),
    );
    expect(theirs.map((drip) => drip.bytes())).toEqual(out);
    for (const drip of [...running, ...theirs]) drip.close();
  } finally {
    await Promise.all([one.end(), other.end()]);
    await rig.end();
  }
});

test.runIf(info && noMap === undefined)(
  "an inbound that changes cuts nobody, its own connections included",
  async () => {
    if (!info) return;
    const rig = await startRig(singBoxFactory, info, "allow");
    const { listen, objects } = await plan();
    const client = await startSingBoxClient(outboundsOf(someone(7), listen));
    try {
      await rig.driver.apply({ structure: objects, users: users(someone(7)) });
      const running = await drips(client.ports);
      const [extra = 0] = await ports(1);
      const wider = { ...objects, ...structure(inbound(9, "trojan", { listen: "127.0.0.1", listen_port: extra })) };
      expect(await rig.driver.apply({ structure: wider, users: users(someone(7)) })).toMatchObject({
        how: "swap",
        warnings: [],
      });
      await flows(running);
      for (const drip of running) drip.close();
    } finally {
      await client.end();
      await rig.end();
    }
  },
);

test.runIf(info)("without the port map every change is a restart, and a standing warning says so", async () => {
  if (!info) return;
  const bare: DriverFactory = {
    ...singBoxFactory,
    create: (found: EngineInfo, context) =>
      new ProcessDriver(singBoxDialect(found.tags), found, context, async () => Promise.resolve(undefined)),
  };
  const rig = await startRig(bare, info, "allow");
  const { listen, objects } = await plan();
  const client = await startSingBoxClient(outboundsOf(someone(8), listen));
  try {
    const warning =
      "inbounds in-1, in-2, in-3, in-4: every change cuts the connections; the port map, which would spare them, needs nft and CAP_NET_ADMIN";
    expect((await rig.driver.apply({ structure: objects, users: users(someone(7)) })).warnings).toMatchObject([
      { detail: warning },
    ]);
    const added = await rig.driver.changeUsers(
      { put: [someone(8)], drop: [] },
      { structure: objects, users: users(someone(7), someone(8)) },
    );
    expect(added).toMatchObject({ how: "restart", warnings: [{ detail: warning }] });
    await until("the new user is served everywhere", async () =>
      (await Promise.all(client.ports.map(async (port) => reaches(port, "127.0.0.1", target.port)))).every(Boolean),
    );
  } finally {
    await client.end();
    await rig.end();
  }
});
