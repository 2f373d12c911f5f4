// A month of a small fleet in seconds: quotas used up and reset, terms that end, links that are lost and come back,
// certificates renewed in time, with kills in between. The charts of accounts and nodes are the product's; the
// certificate's is this test's own, until the product has one.
import { beforeAll, describe, expect, test } from "vitest";
import type { UserRow, UserUsageRow } from "../../src/accounts/testing.ts";
import { entities } from "../../src/panel/entities.ts";
import type { NodeRow } from "../../src/fleet/index.ts";
import type { EventRow, JournalRow, TimerRow } from "../../src/runtime/index.ts";
import { SimulatedDatabase } from "./database.ts";
import { AGAIN_MS, Certificates, RENEW_AFTER_MS, VALID_MS, type CertificateRow } from "./month/certificate.ts";
import { MonthlyFleet, type Plans } from "./month/fleet.ts";

const DAY_MS = 86_400_000;
const GB = 1_000_000_000;

/** Plans from a moment on, Unix seconds. */
function plans(now: number): Plans {
  const monthly = { autoReset: true, resetPeriod: "monthly", resetStartDay: 1, nextReset: now + 17 * 86_400 };
  const weekly = { autoReset: true, resetDays: 7, nextReset: now + 7 * 86_400 };
  const kinds: readonly Partial<UserRow>[] = [
    { volume: 2 * GB, ...monthly },
    { volume: GB, ...weekly },
    { expiry: now + 12 * 86_400 + 345 },
    { duration: 10 * 86_400 },
    {},
    { volume: 3 * GB },
    { volume: GB, expiry: now + 20 * 86_400, ...weekly },
  ];
  return {
    users: Array.from({ length: 42 }, (_, index) => kinds[index % kinds.length] ?? {}),
    nodes: [{}, {}, {}, { limitBytes: 8 * GB, limitPeriod: "weekly", limitStartDay: 1 }],
    certificates: Array.from({ length: 20 }, (_, index) => index * 2 * DAY_MS),
  };
}

describe("a month of a fleet", () => {
  let fleet: MonthlyFleet;
  let rows: {
    users: UserRow[];
    usage: Map<number, UserUsageRow>;
    nodes: NodeRow[];
    certificates: CertificateRow[];
    timers: TimerRow[];
    events: EventRow[];
    journals: Map<string, JournalRow[]>;
  };

  beforeAll(async () => {
    const database = await SimulatedDatabase.open([...entities, Certificates]);
    fleet = new MonthlyFleet(database, 7);
    await fleet.begin(plans(fleet.seconds));
    await fleet.schedule.runUntil(31 * DAY_MS);
    fleet.calmDown();
    await fleet.schedule.runUntil(31 * DAY_MS + 2 * AGAIN_MS);
    fleet.end();
    const all = <R>(name: string, order: string): R[] => {
      const table = database.tables.named(name);
      return database
        .read({ text: `select * from ${name} order by ${order}`, values: [] })
        .map((raw) => table.decode(raw) as R);
    };
    const journals = new Map<string, JournalRow[]>();
    for (const entry of all<JournalRow>("journal", "kind, actor_id, seq")) {
      const actor = `${entry.kind} ${entry.actorId}`;
      journals.set(actor, [...(journals.get(actor) ?? []), entry]);
    }
    rows = {
      users: all("users", "id"),
      usage: new Map(all<UserUsageRow>("user_usage", "id").map((usage) => [usage.id, usage])),
      nodes: all("nodes", "id"),
      certificates: all("month_certificates", "id"),
      timers: all("timers", "id"),
      events: all("events", "id"),
      journals,
    };
  }, 180_000);

  const usedBy = (id: number) => (rows.usage.get(id)?.up ?? 0) + (rows.usage.get(id)?.down ?? 0);
  const journalOf = (actor: string) => rows.journals.get(actor) ?? [];

  test("was eventful, and nothing failed that nobody waited for", () => {
    const happened = new Set([...rows.journals.values()].flat().map(({ event, toState }) => `${event} ${toState}`));
    expect([...happened]).toEqual(
      expect.arrayContaining([
        "due disabled.volume",
        "due disabled.expiry",
        "due enabled.started",
        "link.lost error.waiting",
        "link.synced linked.connected",
        "xstate.after.dialDeadline.node.linked.connecting.dialing error.waiting",
        "due disabled.limit",
        "xstate.done.actor.renew valid",
        "xstate.error.actor.renew failed",
      ]),
    );
    expect(fleet.kills).toBeGreaterThan(5);
    expect(fleet.errors).toEqual([]);
  });

  test("journals have no gap, and their ends are the rows", () => {
    for (const [actor, journal] of rows.journals) {
      expect(
        journal.map(({ seq }) => seq),
        actor,
      ).toEqual(journal.map((_, index) => index + 1));
      for (const [index, { fromState }] of journal.entries())
        expect(fromState, actor).toBe(journal[index - 1]?.toState ?? null);
    }
    const ends = [
      ...rows.users.map((row) => ["user", row] as const),
      ...rows.nodes.map((row) => ["node", row] as const),
      ...rows.certificates.map((row) => ["certificate", row] as const),
    ];
    for (const [kind, { id, rev, mstate }] of ends) {
      expect(journalOf(`${kind} ${id}`).at(-1), `${kind} ${id}`).toMatchObject({ seq: rev, toState: mstate });
    }
  });

  test("no deadline was forgotten", () => {
    expect(rows.timers.filter(({ dueAt }) => dueAt <= fleet.now)).toEqual([]);
  });

  // rule usage.count.8
  test("usage is what the agents wrote into their ledgers, by account and by node", () => {
    for (const { id } of rows.users) expect(rows.usage.get(id)?.totalDown, `user ${id}`).toBe(fleet.sent.get(id) ?? 0);
    const counted = fleet.database.read<{ id: number; down: number }>({
      text: "select id, down from node_usage",
      values: [],
    });
    for (const { id, down } of counted) expect(down, `node ${id}`).toBe(fleet.carried.get(id) ?? 0);
  });

  test("accounts are on if and only if their limits allow it", () => {
    for (const { id, mstate, enable, volume, expiry } of rows.users) {
      const over = volume > 0 && usedBy(id) >= volume;
      const past = expiry > 0 && expiry <= fleet.seconds;
      expect({ id, enable, mstate }).toEqual({
        id,
        enable: !over && !past,
        mstate: expect.stringMatching(enable ? /^enabled\.(started|waiting)$/ : /^disabled\.(volume|expiry)$/),
      });
    }
  });

  test("nobody used much more than the volume: what crossed it was cut off with the report that told of it", () => {
    for (const { id, volume } of rows.users) if (volume > 0) expect(usedBy(id)).toBeLessThan(volume + 5 * 60_000_000);
  });

  test("counters were reset at every boundary, and the next one is ahead", () => {
    for (const { id, autoReset, nextReset, resetDays, mstate } of rows.users) {
      if (!autoReset || mstate === "disabled.expiry") continue;
      expect(nextReset).toBeGreaterThan(fleet.seconds);
      const resets = journalOf(`user ${id}`).filter(
        ({ event, changed }) => event === "due" && changed.includes('"nextReset"'),
      );
      expect(resets.length).toBe(resetDays === 7 ? 4 : 1);
    }
  });

  test("nodes are connected, or stopped by their limit; each has one link while it shall be reached, and its losses and returns take turns", () => {
    for (const { id, mstate, limitDisabled, limitBytes } of rows.nodes) {
      expect(mstate).toBe(limitDisabled ? "disabled.limit" : "linked.connected");
      expect(fleet.links.get(id) ?? 0).toBe(limitDisabled ? 0 : 1);
      const said = rows.events
        .filter(({ subject, event }) => subject === `node:${id}` && event.endsWith("connected"))
        .map(({ event }) => event);
      expect(said.length).toBeGreaterThan(20);
      // A node that its limit stops was not lost: subscribers hear of the limit instead.
      if (limitBytes === 0) for (const [index, event] of said.entries()) expect(event).not.toBe(said[index - 1]);
    }
  });

  test("no certificate came near its end", () => {
    for (const { id, issuedAt } of rows.certificates) {
      expect(issuedAt + VALID_MS).toBeGreaterThan(fleet.now + 19 * DAY_MS);
      const renewals = journalOf(`certificate ${id}`).filter(({ event }) => event === "xstate.done.actor.renew");
      expect(renewals.length).toBe((id - 1) * 2 * DAY_MS + 31 * DAY_MS >= RENEW_AFTER_MS ? 1 : 0);
    }
  });
});
