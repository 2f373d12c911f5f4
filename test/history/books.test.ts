// The books of the history: what it answers is what was counted, to the byte, whenever it is asked and however it is
// asked.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notKept, type TrafficBy } from "../../src/history/index.ts";
import { dialects } from "../database.ts";
import { Chance } from "../simulation/chance.ts";
import { DAY, HOUR, HistorySide, type Counted } from "./history-side.ts";

const START = Date.UTC(2026, 9, 20, 21, 10) / 1000;
const USERS = [1, 2, 3, 5, 1023, 1024, 4095, 4096, 70_000];
const RESOLD = [6, 7, 5000];
const RESELLER = 40;
const NODES = [1, 2, 16, 1025];

const KEYS: Record<TrafficBy, (row: Counted) => number> = {
  total: () => 0,
  node: ({ node }) => node,
  user: ({ account }) => account,
  admin: ({ owner }) => owner,
  inbound: ({ inbound }) => inbound,
};

/** What the list of everything that was counted says: bytes by id and step. */
function modelOf(rows: readonly Counted[], by: TrafficBy, stepOf: (at: number) => number) {
  const sums = new Map<string, [number, number]>();
  for (const row of rows) {
    const key = `${KEYS[by](row)} ${stepOf(row.at)}`;
    const [up, down] = sums.get(key) ?? [0, 0];
    sums.set(key, [up + row.up, down + row.down]);
  }
  return sums;
}

describe.each(dialects)("on %s", (dialect) => {
  let side: HistorySide;
  beforeAll(async () => {
    side = await HistorySide.open(dialect, START, "Asia/Tehran");
    await side.addUsers(USERS);
    await side.addUsers(RESOLD, RESELLER);
    await side.addNodes(NODES);
  });
  afterAll(() => side.dispose());

  async function compare(): Promise<void> {
    const { periods, traffic } = side;
    const window = { start: START - 3 * DAY, end: side.now + 1 };
    const steps = {
      hour: (at: number) => Math.floor((at - 1800) / HOUR) * HOUR + 1800,
      day: (at: number) => periods.startOf(Math.floor((at + 12_600) / DAY)),
    };
    for (const step of ["hour", "day"] as const)
      for (const by of ["total", "node", "user", "admin", "inbound"] as const)
        for (const filter of [{}, { nodeId: 2 }, { userId: 7 }, { owners: [RESELLER] }, { userId: 7, nodeId: 2 }]) {
          if (notKept({ by, ...filter })) continue;
          const mine = side.counted.filter(
            ({ node, account, owner }) =>
              (!("nodeId" in filter) || node === filter.nodeId) &&
              (!("userId" in filter) || account === filter.userId) &&
              (!("owners" in filter) || owner === RESELLER),
          );
          const answer = await traffic.traffic({ by, step, top: 100, ...window, ...filter });
          const found = new Map<string, [number, number]>();
          for (const { id, points } of answer.series)
            for (const { at, up, down } of points) if (up + down > 0) found.set(`${id} ${at}`, [up, down]);
          expect(found, JSON.stringify({ by, step, filter })).toEqual(modelOf(mine, by, steps[step]));
          for (const { up, down, points } of answer.series) {
            expect(up).toBe(points.reduce((sum, point) => sum + point.up, 0));
            expect(down).toBe(points.reduce((sum, point) => sum + point.down, 0));
          }
        }
    for (const by of ["node", "user", "admin"] as const) {
      const sums = new Map<string, [number, number]>();
      for await (const part of traffic.sums({ by, ...window }))
        for (const { id, up, down } of part) sums.set(`${id} 0`, [up, down]);
      expect(sums, by).toEqual(modelOf(side.counted, by, () => 0));
    }
    const short = traffic.traffic({ by: "user", step: "day", top: 2, ...window });
    const { series, rest } = await short;
    const all = side.counted.reduce((sum, { up, down }) => sum + up + down, 0);
    expect(series.reduce((sum, { up, down }) => sum + up + down, rest.up + rest.down)).toBe(all);
  }

  // rule usage.history.1
  // rule usage.history.2
  // rule usage.history.3
  // rule usage.history.4
  test("what is answered is what was counted: by hours and days, before and after folding, with what comes late", async () => {
    const chance = new Chance(7);
    const accounts = [...USERS, ...RESOLD];
    for (let round = 0; round < 60; round++) {
      const late = chance.happens(0.2) ? chance.whole(1, 40) * HOUR : 0;
      const rows = Array.from({ length: chance.whole(1, 8) }, () => {
        const account = accounts[chance.whole(0, accounts.length - 1)] ?? 1;
        const at = Math.max(START - DAY, side.now - late - chance.whole(0, 100));
        return [account, chance.whole(1, 3), chance.whole(0, 5000), chance.whole(0, 10 ** 9), at] as const;
      });
      await side.count(NODES[chance.whole(0, 3)] ?? 1, rows);
      if (chance.happens(0.4)) await side.fold();
      if (round === 20) await side.deleteUser(3);
      side.pass(chance.whole(1, 3 * HOUR));
      if (round === 30) await compare();
    }
    accounts.splice(accounts.indexOf(3), 1);
    await compare();
    await side.fold();
    side.pass(3 * DAY);
    await side.fold();
    expect(await side.rowsOf("traffic_chunks")).toBe(0);
    expect(await side.rowsOf("traffic_open")).toBe(1);
    await compare();
  });
});
