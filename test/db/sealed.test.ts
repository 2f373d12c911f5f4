// Sealed columns: what they refuse to compile, what is derived from them, and the check of the key.
import { defineEntity, p } from "@mikro-orm/core";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  entity,
  lock,
  partlySealedText,
  sealedColumns,
  sealedText,
  sealedUnder,
  sealPlace,
  type RowOf,
} from "../../src/db/index.ts";
import { sealSecret, type Sealed } from "../../src/lib/seal.ts";
import { dialects, openTestDatabase } from "../database.ts";

const Safes = entity(
  defineEntity({
    name: "Safe",
    tableName: "safes",
    properties: {
      id: p.bigint("number").primary().autoincrement(false),
      label: p.text(),
      doorCode: sealedText(),
      note: partlySealedText(),
    },
  }),
);
const Chests = entity(
  defineEntity({
    name: "Chest",
    tableName: "chests",
    properties: { id: p.text().primary(), lock: sealedText() },
  }),
);

const key = Buffer.alloc(32, 5);
const other = Buffer.alloc(32, 6);

// rule certificates.secret.7
test("columns say it themselves, to the compiler too", () => {
  // What is written there is sealed, or the empty text: `npm run types` judges these two.
  expectTypeOf<RowOf<typeof Safes>["doorCode"]>().toEqualTypeOf<Sealed>();
  expectTypeOf<string>().not.toExtend<Sealed>();
  expect(sealedColumns([Safes, Chests])).toEqual([
    { table: "safes", property: "doorCode", column: "door_code", key: "id", partly: false },
    { table: "safes", property: "note", column: "note", key: "id", partly: true },
    { table: "chests", property: "lock", column: "lock", key: "id", partly: false },
  ]);
  expect(sealPlace(Safes, "doorCode", 3)).toEqual({ table: "safes", column: "door_code", id: 3 });
  expect(() => sealPlace(Safes, "label", 3)).toThrow("safes has no sealed column label");
});

describe.each(dialects)("the key on %s", (dialect) => {
  // rule certificates.secret.2
  test("is the one that opens what is there; one altered text says nothing", async () => {
    const database = await openTestDatabase(dialect, [Safes, Chests]);
    const { commits, reads } = database;
    const fits = (tried: Uint8Array) => sealedUnder(reads, [Safes, Chests], tried);
    const safe = (id: number, doorCode: Sealed, note = "") =>
      commits.submit({
        name: "safe",
        locks: [lock(Safes, id)],
        decide: (draft) => draft.upsert(Safes, { id, label: "", doorCode, note }),
      });
    try {
      expect(await fits(key)).toBeUndefined();
      // No secret, and a column that is sealed in parts, say nothing.
      await safe(1, "", sealSecret(other, "x", sealPlace(Safes, "note", 1)));
      expect(await fits(key)).toBeUndefined();
      await safe(2, sealSecret(key, "1234", sealPlace(Safes, "doorCode", 2)));
      expect([await fits(key), await fits(other)]).toEqual([true, false]);
      // One that was copied from another row.
      await safe(1, sealSecret(key, "1234", sealPlace(Safes, "doorCode", 2)));
      expect(await fits(key)).toBe(false);
      await commits.submit({
        name: "chest",
        locks: [lock(Chests, "a")],
        decide: (draft) =>
          draft.insert(Chests, { id: "a", lock: sealSecret(key, "1", sealPlace(Chests, "lock", "a")) }),
      });
      expect([await fits(key), await fits(other)]).toEqual([true, false]);
    } finally {
      await database.dispose();
    }
  });
});
