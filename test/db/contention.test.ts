// A store that gives way (deadlock, serialization): the unit runs again by itself, in its turn, until it holds or its
// tries are used up.
import { expect, test } from "vitest";
import { Committer } from "../../src/db/commit.ts";
import { defineFact, Facts } from "../../src/db/facts.ts";
import { StoreContention, StoreUnavailable } from "../../src/db/errors.ts";
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

test("contention without end is an unavailable database to the caller, and nobody is left waiting", async () => {
  const commits = committer(givingWay(Number.POSITIVE_INFINITY));
  const results = await Promise.allSettled(
    [1, 2].map((answer) => commits.submit({ name: "unit", locks: [], decide: () => answer })),
  );
  expect(results.map((result) => result.status === "rejected" && result.reason instanceof StoreUnavailable)).toEqual([
    true,
    true,
  ]);
  expect(commits.waiting).toBe(0);
  await commits.drain();
});

test("a set-based change that met contention runs again", async () => {
  let turns = 0;
  const execute = async () => {
    if (++turns <= 2) throw new StoreContention("the database gave way");
    return [{ count: 3, rows: [] }];
  };
  const commits = committer({ ...givingWay(0), execute });
  expect(await commits.execute({ name: "set", statements: [] })).toEqual([{ count: 3, rows: [] }]);
  await commits.drain();
});

test("a listener that throws keeps no other from hearing of the commit", async () => {
  const defects: unknown[] = [];
  const commits = new Committer(givingWay(0), new Tables([]), {
    now: Date.now,
    onListenerError: (error) => defects.push(error),
  });
  const SAID = defineFact<number>("said");
  const heard: number[] = [];
  commits.onCommit(() => {
    throw new Error("defect");
  });
  commits.onCommit(({ facts }) => heard.push(...facts.of(SAID)));
  await commits.execute({ name: "set", statements: [], facts: new Facts().add(SAID, 1) });
  expect([heard, defects.length]).toEqual([[1], 1]);
  await commits.drain();
});
