// An agent to be killed: a process of its own, whose engine outlives it (counters follow from the clock alone).
// Arguments: data directory, trust file, begin and end of the traffic in milliseconds.
import { pino } from "pino";
import type { CounterReading, DriverFactory } from "../../src/agent/engines/contract/driver.ts";
import { startAgent } from "../../src/agent/server.ts";

export const USERS = 20;

/** Bytes that a user has used by then. */
export function usedBy(user: number, begin: number, end: number, now: number): { up: number; down: number } {
  const ms = Math.max(0, Math.min(now, end) - begin);
  return { up: ms * user, down: ms * 3 };
}

const [dataDirectory, trustFile, begin, end] = process.argv.slice(2);

function counters(): CounterReading {
  const users = new Map<string, { up: number; down: number }>();
  for (let user = 1; user <= USERS; user += 1)
    users.set(`${user}.1`, usedBy(user, Number(begin), Number(end), Date.now()));
  return { instance: "outlives", users, rejected: new Map(), connections: 0 };
}

const factory: DriverFactory = {
  kind: "v2ray",
  probe: () =>
    Promise.resolve({
      kind: "v2ray",
      version: "test",
      tags: [],
      can: {
        hotUsers: true,
        hotInbounds: true,
        sessions: false,
        closeSessions: false,
        speedLimit: false,
        outlivesAgent: true,
      },
    }),
  create: (info) => ({
    info,
    status: () => ({ state: "running" }),
    restarts: () => 0,
    adopt: () => Promise.resolve(true),
    apply: () => Promise.resolve({ how: "unchanged", warnings: [] }),
    changeUsers: () => Promise.resolve({ how: "unchanged", warnings: [] }),
    counters: () => Promise.resolve(counters()),
    sessions: () => Promise.resolve({ total: 0, rows: [] }),
    closeSessions: () => Promise.resolve(0),
    addresses: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  }),
};

if (import.meta.main && dataDirectory !== undefined && trustFile !== undefined) {
  const agent = await startAgent({
    host: "127.0.0.1",
    port: 0,
    dataDirectory,
    trustFile,
    engine: "v2ray",
    privateTargets: "block",
    factories: [factory],
    log: pino({ level: "silent" }),
    readIntervalMs: 4,
  });
  process.stdout.write(`${agent.port}\n`);
  process.on("SIGTERM", () => void agent.stop());
}
