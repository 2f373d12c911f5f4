// The speed limit: exact by the clock, and in real downloads of several sessions within five per cent.
import { afterEach, describe, expect, test } from "vitest";
import { TokenBucket } from "../../../src/agent/engines/embedded/limiter.ts";
import type { EngineDriver } from "../../../src/agent/engines/driver.ts";
import { desired, endlessTarget, freePorts, inbound, planUser, startEngine, tcpConnect, tcpTarget, vlessHead } from "./harness.ts";

describe("the bucket", () => {
  test("bytes leave at the rate, whoever asks", () => {
    let now = 0;
    const bucket = new TokenBucket(1000, () => now);
    expect(bucket.reserve(500)).toBe(500);
    expect(bucket.reserve(500)).toBe(1000);
    now = 1000;
    expect(bucket.reserve(100)).toBe(100);
  });

  test("a pause earns at most a twentieth of a second", () => {
    let now = 0;
    const bucket = new TokenBucket(1000, () => now);
    now = 60_000;
    expect(bucket.reserve(50)).toBe(0);
    expect(bucket.reserve(100)).toBe(100);
  });

  test("time lost to a late timer is made up for while bytes keep coming", () => {
    let now = 0;
    const bucket = new TokenBucket(1000, () => now);
    bucket.reserve(100);
    now = 280;
    expect(bucket.reserve(100)).toBe(0);
    expect(bucket.reserve(100)).toBe(20);
    // Beyond a quarter of a second it is lost.
    now = 579;
    expect(bucket.reserve(250)).toBe(0);
    expect(bucket.reserve(100)).toBe(100);
  });

  test("a new rate holds at once, and none means no waiting", () => {
    const now = 0;
    const bucket = new TokenBucket(10, () => now);
    bucket.reserve(1000);
    bucket.setRate(1000);
    expect(bucket.reserve(100)).toBe(1100);
    bucket.setRate(0);
    expect(bucket.reserve(1e9)).toBe(0);
  });

  test("datagrams over the rate are not admitted", () => {
    let now = 0;
    const bucket = new TokenBucket(1000, () => now);
    let admitted = 0;
    for (; now < 10_000; now += 10) if (bucket.admit(100, 250)) admitted += 100;
    expect(admitted).toBeGreaterThan(9_900);
    expect(admitted).toBeLessThan(10_800);
  });
});

describe("real sessions", () => {
  let driver: EngineDriver | undefined;
  afterEach(() => driver?.close("stop"));

  /** Bytes that `streams` sessions of one user carry in `ms` milliseconds, both directions by themselves. */
  async function carried(
    rate: number,
    streams: number,
    ms: number,
  ): Promise<{
    up: number;
    down: number;
    change: (rate: number) => Promise<unknown>;
    measure: (ms: number) => Promise<{ up: number; down: number }>;
  }> {
    const [port = 0] = await freePorts(1);
    const user = planUser(1, { speedLimit: rate });
    const engine = await startEngine();
    driver = engine.driver;
    await driver.apply(desired([inbound(1, "vless", port)], [user]));
    const source = await endlessTarget();
    let arrived = 0;
    const sink = await tcpTarget((socket) => socket.on("data", (chunk: Buffer) => (arrived += chunk.length)));
    let received = 0;
    for (let i = 0; i < streams; i++) {
      const down = await tcpConnect(port);
      down.on("data", (chunk: Buffer) => (received += chunk.length));
      down.write(vlessHead(user, source.port));
      const up = await tcpConnect(port);
      up.write(vlessHead(user, sink.port));
      const block = Buffer.alloc(64 * 1024);
      const more = () => {
        while (up.writable && up.write(block));
      };
      up.on("drain", more);
      more();
    }
    const measure = async (time: number) => {
      const [from, upFrom, downFrom] = [performance.now(), arrived, received];
      await new Promise((resolve) => setTimeout(resolve, time));
      const share = time / (performance.now() - from);
      return { up: (arrived - upFrom) * share, down: (received - downFrom) * share };
    };
    return {
      ...(await measure(ms)),
      measure,
      change: (next) => engine.driver.changeUsers({ put: [{ ...user, speedLimit: next }], drop: [] }, desired([], [])),
    };
  }

  // A machine that is busy with other things measures badly: such a measurement may be repeated.
  test("four sessions share two megabytes a second in each direction, changed live to one", { retry: 2, timeout: 40_000 }, async () => {
    const run = await carried(2_000_000, 4, 3000);
    for (const bytes of [run.up, run.down]) expect(Math.abs(bytes / 6_000_000 - 1)).toBeLessThan(0.05);
    await run.change(1_000_000);
    const slower = await run.measure(3000);
    for (const bytes of [slower.up, slower.down]) expect(Math.abs(bytes / 3_000_000 - 1)).toBeLessThan(0.05);
    await run.change(0);
    const free = await run.measure(1000);
    expect(free.down).toBeGreaterThan(3_000_000);
  });

  test("a slow user flows evenly", { retry: 2, timeout: 20_000 }, async () => {
    const run = await carried(100_000, 1, 3000);
    expect(Math.abs(run.down / 300_000 - 1)).toBeLessThan(0.05);
  });
});
