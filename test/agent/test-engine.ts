// An engine for tests: it serves nothing, remembers what it was told, and its counters are moved by the test.
import type {
  ApplyResult,
  CounterReading,
  DriverContext,
  DriverFactory,
  EngineDriver,
  EngineInfo,
  EngineStatus,
} from "../../src/agent/engines/contract/driver.ts";
import { hostNotice, itemPlace, noticeOf } from "../../src/agent/notices.ts";
import { reason } from "../../src/protocol/notices/index.ts";

export class TestEngine {
  readonly calls: string[] = [];
  readonly counters = new Map<string, { up: number; down: number }>();
  instance = "life 1";
  refuses = "";
  warnings: readonly string[] = [];
  /** Tags of inbounds whose ports are taken. */
  leavesOut: readonly string[] = [];
  served: readonly number[] = [];
  /** How the driver was closed last. */
  closed = "";
  /** What happens while it is being closed: traffic of its last moment. */
  whileClosing: () => void = () => undefined;
  context: DriverContext | undefined;
  #held: { reached: () => void; released: Promise<void> } | undefined;
  #status: EngineStatus = { state: "stopped" };

  move(name: string, up: number, down: number): void {
    const before = this.counters.get(name) ?? { up: 0, down: 0 };
    this.counters.set(name, { up: before.up + up, down: before.down + down });
  }

  /** As after a crash: counters start again. */
  begin(instance: string): void {
    this.instance = instance;
    this.counters.clear();
  }

  /** The next call is carried out only once it is released. */
  hold(): { reached: Promise<void>; release: () => void } {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.#held = { reached: reached.resolve, released: released.promise };
    return { reached: reached.promise, release: released.resolve };
  }

  get factory(): DriverFactory {
    const can = {
      hotUsers: true,
      hotInbounds: false,
      sessions: true,
      closeSessions: true,
      speedLimit: false,
      outlivesAgent: false,
    };
    return {
      kind: "embedded",
      probe: () => Promise.resolve({ kind: "embedded", version: "test", tags: [], can }),
      create: (info, context) => {
        this.context = context;
        return this.#driver(info);
      },
    };
  }

  #driver(info: EngineInfo): EngineDriver {
    const row = {
      id: "1",
      userId: 1,
      inboundId: 1,
      inbound: "in",
      outbound: "direct",
      network: "tcp" as const,
      source: "s",
      destination: "d",
      up: 0,
      down: 0,
      startedAt: 1,
    };
    const carry = async (call: string, how: ApplyResult["how"], users: Iterable<number>): Promise<ApplyResult> => {
      this.calls.push(call);
      const held = this.#held;
      this.#held = undefined;
      held?.reached();
      await held?.released;
      if (this.refuses !== "") throw new Error(this.refuses);
      this.served = [...users];
      this.#status = { state: "running" };
      this.context?.onStatus(this.#status);
      const warnings = this.warnings.map((why) => hostNotice("engine_refused", why));
      const leftOut = this.leavesOut.map((tag) => noticeOf(itemPlace("inbound", tag), reason("port_taken", 443, "")));
      return { how, warnings: [...warnings, ...leftOut] };
    };
    return {
      info,
      status: () => this.#status,
      restarts: () => 0,
      adopt: () => Promise.resolve(false),
      apply: (desired) =>
        carry(`apply ${Object.keys(desired.structure).toSorted().join(",")}`, "swap", desired.users.keys()),
      changeUsers: (change, desired) =>
        carry(
          `users +${change.put.map((user) => user.id).join(",")} -${change.drop.join(",")}`,
          "hot",
          desired.users.keys(),
        ),
      counters: (): Promise<CounterReading> =>
        Promise.resolve({
          instance: this.instance,
          users: new Map([...this.counters].map(([name, value]) => [name, { ...value }])),
          rejected: new Map([["block", 3]]),
          connections: 7,
        }),
      sessions: (_selection, limit) => Promise.resolve({ total: 2, rows: [row, row].slice(0, limit) }),
      closeSessions: ({ userId }) => {
        this.calls.push(`close user:${userId}`);
        return Promise.resolve(2);
      },
      addresses: () => Promise.resolve([{ userId: 1, inboundId: 1, address: "192.0.2.1", lastSeenAt: 1 }]),
      close: (how) => {
        this.closed = how;
        this.whileClosing();
        this.#status = { state: "stopped" };
        return Promise.resolve();
      },
    };
  }
}
