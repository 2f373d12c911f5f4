// Two processes that decide whether a row should exist: the second finds what the first made, though there was nothing
// to lock.
import { defineEntity, p } from "@mikro-orm/core";
import { describe, expect, test } from "vitest";
import { entity, lock, type Database } from "../../src/db/index.ts";
import { connectTestDatabase, createTestDatabase, dialects } from "../database.ts";

const Counts = entity(
  defineEntity({
    name: "Count",
    tableName: "counts",
    properties: { id: p.text().primary(), value: p.bigint("number") },
  }),
);

describe.runIf(dialects.includes("postgresql"))("rows that do not exist yet", () => {
  test("are counted up from nothing by two processes at once, and nothing is lost", async () => {
    const { url, drop } = await createTestDatabase("postgresql", [Counts]);
    const processes = [await connectTestDatabase(url, [Counts]), await connectTestDatabase(url, [Counts])] as const;
    const count = ({ commits }: Database, id: string) =>
      commits.submit({
        name: "count",
        locks: [lock(Counts, id)],
        decide: (draft) => draft.upsert(Counts, { id, value: (draft.find(Counts, id)?.value ?? 0) + 1 }),
      });
    const ids = Array.from({ length: 200 }, (_, index) => `count ${index}`);
    await Promise.all(processes.flatMap((db) => [...ids, ...ids.toReversed()].map((id) => count(db, id))));
    const [{ reads }] = processes;
    const values = await Promise.all(ids.map((id) => reads.find(Counts, id)));
    expect(values.map((row) => row?.value)).toEqual(ids.map(() => 4));
    for (const db of processes) await db.close();
    await drop();
  });
});
