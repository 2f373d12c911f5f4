// The speed limit: exact by the clock, and in real downloads of several sessions within five per cent.
import { afterEach, describe, expect, test } from "vitest";
import { TokenBucket } from "../../../src/agent/engines/embedded/limiter.ts";
import type { EngineDriver } from "../../../src/agent/engines/contract/driver.ts";
import {
  desired,
  endlessTarget,
  inbound,
  planUser,
  startEngine,
  tcpConnect,
  tcpTarget,
  until,
  vlessHead,
} from "./harness.ts";
import { quietPorts } from "../../quiet-ports.ts";

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

  /** Relative rates of a time that was measured, and the share of it that the machine withheld from this process. */
  interface Measured {
    readonly up: number;
    readonly down: number;
    readonly withheld: number;
  }

  /**
   * `streams` sessions of one user that carry what they can in each direction. `measure`: the user's rates over some
   * milliseconds, in bytes a second.
   */
  async function carry(
    rate: number,
    streams: number,
  ): Promise<{ measure: (ms: number) => Promise<Measured>; change: (rate: number) => Promise<unknown> }> {
    const [port = 0] = await quietPorts(1);
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
    const measure = async (ms: number) => {
      let last = performance.now();
      let late = 0;
      const beat = setInterval(() => {
        const now = performance.now();
        late += Math.max(0, now - last - 20);
        last = now;
      }, 10);
      const [from, upFrom, downFrom] = [performance.now(), arrived, received];
      await new Promise((resolve) => setTimeout(resolve, ms));
      clearInterval(beat);
      const seconds = (performance.now() - from) / 1000;
      return {
        up: (arrived - upFrom) / seconds,
        down: (received - downFrom) / seconds,
        withheld: late / 1000 / seconds,
      };
    };
    // The first moments hold the work of opening everything.
    await measure(500);
    return {
      measure,
      change: (next) => engine.driver.changeUsers({ put: [{ ...user, speedLimit: next }], drop: [] }, desired([], [])),
    };
  }

  /** Within five per cent; on a machine that is busy with other things, by as much more as it withheld. */
  function expectRate(measured: Measured, rate: number): void {
    for (const bytes of [measured.up, measured.down])
      expect(Math.abs(bytes / rate - 1)).toBeLessThan(0.05 + measured.withheld);
  }

  // rule agents.engine.6
  test("four sessions share two megabytes a second in each direction, changed live to one", async () => {
    const run = await carry(2_000_000, 4);
    expectRate(await run.measure(2500), 2_000_000);
    await run.change(1_000_000);
    expectRate(await run.measure(2500), 1_000_000);
    await run.change(0);
    await until(async () => (await run.measure(200)).down > 5_000_000);
  });

  test("a slow user flows evenly", async () => {
    const run = await carry(100_000, 1);
    expectRate(await run.measure(2500), 100_000);
  });
});
