// A local agent's log and directory have a bound.
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AgentRoom } from "../../src/fleet/local/agent-room.ts";

const MIB = 1024 ** 2;
let folder: string;
let home: string;
let now = 0;
let ended = 0;
const said: string[] = [];
let room: AgentRoom;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-room-"));
  home = join(folder, "1");
  mkdirSync(home);
  said.length = 0;
  ended = 0;
  room = new AgentRoom({
    home,
    nodeId: 1,
    clock: { now: () => now, after: () => () => {} },
    limits: { warnBytes: 64 * MIB, mostBytes: 128 * MIB, mostFiles: 200 },
    log: (_, message) => said.push(message),
    end: () => {
      ended += 1;
      return Promise.resolve();
    },
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function look(): Promise<void> {
  now += 60_000;
  await room.look();
}

// rule agents.local.5
test("a log is cut, its end is kept, and who has it open goes on at its beginning", async () => {
  const log = openSync(`${home}.log`, "a", 0o600);
  writeSync(log, "an early line\n");
  for (let written = 0; written < 20; written++) writeSync(log, Buffer.alloc(MIB, "x"));
  writeSync(log, "the last line\n");
  await look();
  expect(statSync(`${home}.log`).size).toBe(0);
  expect(statSync(`${home}.log.1`)).toMatchObject({ size: 8 * MIB, mode: 0o100600 });
  writeSync(log, "a new line\n");
  closeSync(log);
  await look();
  expect(statSync(`${home}.log`).size).toBe("a new line\n".length);
  expect(said).toEqual([]);
});

// rule agents.local.5
test("an agent whose directory holds too much is ended until there is room", async () => {
  const heap = join(home, "engine", "heap");
  mkdirSync(heap, { recursive: true });
  await look();
  expect(room.full).toBe(false);
  for (let file = 0; file < 201; file++) writeFileSync(join(heap, String(file)), "");
  await look();
  expect([room.full, ended]).toEqual([true, 1]);
  await look();
  expect(said).toEqual([expect.stringContaining("until somebody makes room")]);
  rmSync(heap, { recursive: true });
  await look();
  expect(room.full).toBe(false);
  expect(said).toHaveLength(2);
});

test("a log that its agent replaced by nothing, or never had, is no error", async () => {
  await look();
  expect(said).toEqual([]);
});
