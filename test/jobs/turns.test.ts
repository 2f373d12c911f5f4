// Whose turn it is when many jobs wait.
import { expect, test } from "vitest";
import { Turns } from "../../src/jobs/turns.ts";

/** Turns for four, and the jobs that began, in order. */
function turnsOfFour() {
  const turns = new Turns(4);
  const begun: number[] = [];
  const wait = (id: number, account?: number) => {
    turns.wait(id, () => begun.push(id));
    if (account !== undefined) turns.belongs(id, account);
  };
  return { turns, begun, wait };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

// rule jobs.own.3
test("one account has three turns at most, and another's job does not wait for its", async () => {
  const { turns, begun, wait } = turnsOfFour();
  for (let id = 1; id <= 20; id++) wait(id, 7);
  await settled();
  expect(begun).toEqual([1, 2, 3]);
  wait(30, 8);
  await settled();
  expect(begun).toEqual([1, 2, 3, 30]);
  wait(31, 9);
  turns.leave(2);
  await settled();
  expect(begun.slice(4)).toEqual([31]);
  for (const id of [30, 31]) turns.leave(id);
  await settled();
  expect(begun.slice(5)).toEqual([4]);
});

test("a job whose account is not known yet waits; one that goes on from its wait keeps its turn", async () => {
  const { turns, begun, wait } = turnsOfFour();
  wait(1);
  await settled();
  expect(begun).toEqual([]);
  turns.belongs(1, 7);
  await settled();
  for (const id of [2, 3]) wait(id, 7);
  turns.leave(1);
  turns.take(1);
  wait(4, 7);
  await settled();
  expect(begun).toEqual([1, 2, 3]);
  turns.leave(1);
  await settled();
  expect(begun).toEqual([1, 2, 3, 4]);
});

test("jobs that another panel began count for their account", async () => {
  const { turns, begun, wait } = turnsOfFour();
  for (const id of [1, 2, 3]) {
    turns.take(id);
    turns.belongs(id, 7);
  }
  wait(4, 7);
  wait(5, 8);
  await settled();
  expect(begun).toEqual([5]);
});
