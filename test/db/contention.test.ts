// A store that gives way (deadlock, serialization): the unit runs again by itself, in its turn, until it holds or its tries are used up.
import { expect, test } from "vitest";
import { Committer } from "../../src/db/commit.ts";
import { StoreContention } from "../../src/db/errors.ts";
import type { Session, Store } from "../../src/db/store.ts";
import { Tables } from "../../src/db/table.ts";

/** A store that refuses the first `refusals` transactions and remembers how many it was asked for. */
function givingWay(refusals: number): Store & { begun: number } {
  const session = (turn: number): Session => ({
    load: async () => {
      if (turn <= refusals) throw new StoreContention("the database gave way");
      return new Map();
    },
    finish: async () => {},
    abandon: async () => {},
  });
  return {
    dialect: "postgresql",
    sessions: 1,
    exclusiveStatements: false,
    begun: 0,
    begin() {
      return session(++this.begun);
    },
    execute: async () => [],
    read: async () => [],
    reserve: async () => 1,
    ping: async () => {},
    close: async () => {},
  };
}
const committer = (store: Store) =>
  new Committer(store, new Tables([]), {
    now: Date.now,
    onListenerError: (error) => {
      throw error;
    },
  });

test("units that met contention settle, alone and in a batch, in their order", async () => {
  const store = givingWay(4);
  const commits = committer(store);
  const order: number[] = [];
  const answers = await Promise.all(
    [1, 2, 3].map((answer) => commits.submit({ name: "unit", locks: [], decide: () => (order.push(answer), answer) })),
  );
  expect(answers).toEqual([1, 2, 3]);
  expect(order).toEqual([1, 2, 3]);
  expect(store.begun).toBe(4 + 3);
  await commits.drain();
});

test("contention without end is the caller's answer, and nobody is left waiting", async () => {
  const commits = committer(givingWay(Number.POSITIVE_INFINITY));
  const results = await Promise.allSettled([1, 2].map((answer) => commits.submit({ name: "unit", locks: [], decide: () => answer })));
  expect(results.map((result) => result.status === "rejected" && result.reason instanceof StoreContention)).toEqual([true, true]);
  expect(commits.waiting).toBe(0);
  await commits.drain();
});
