// The order of steps when many jobs wait.
import { expect, test } from "vitest";
import { Turns, type Place, type Whose } from "../../src/jobs/step-turns.ts";

/** Turns for four steps, and the jobs whose steps began, in order. */
function turnsOfFour() {
  const turns = new Turns(4);
  const begun: number[] = [];
  const places = new Map<number, Place>();
  const wait = (job: number, account: number, more: Partial<Whose> & { readonly left?: AbortSignal } = {}) => {
    const { left = new AbortController().signal, main = false } = more;
    void turns.place({ job, account, main }, left).then((place) => {
      if (!place) return;
      begun.push(job);
      places.set(job, place);
    });
  };
  /** The step of a job is over. */
  const end = async (...jobs: number[]) => {
    for (const job of jobs) {
      places.get(job)?.giveBack();
      places.delete(job);
    }
    await settled();
  };
  const since = () => begun.splice(0);
  return { turns, places, wait, end, since };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

// rule jobs.own.3
test("one account has three places at most, and another's step does not wait for its", async () => {
  const { wait, end, since } = turnsOfFour();
  for (let job = 1; job <= 20; job++) wait(job, 7);
  await settled();
  expect(since()).toEqual([1, 2, 3]);
  wait(30, 8);
  await settled();
  expect(since()).toEqual([30]);
  wait(31, 9);
  await end(2);
  expect(since()).toEqual([31]);
  await end(30, 31);
  expect(since()).toEqual([4]);
});

// rule jobs.own.3
test("a place is lent for one step: who came last goes on before those who were served", async () => {
  const { wait, end, since } = turnsOfFour();
  for (const account of [1, 2, 3, 4, 5]) wait(account * 10, account);
  await settled();
  expect(since()).toEqual([10, 20, 30, 40]);
  // Each goes on at once with its next step, and stands behind the one that was never served.
  wait(10, 1);
  await end(10);
  expect(since()).toEqual([50]);
  wait(60, 6);
  wait(20, 2);
  await end(20);
  expect(since()).toEqual([60]);
  await end(30, 40);
  expect(since()).toEqual([10, 20]);
});

// rule jobs.own.3
test("a main admin goes before any number of others, and keeps one place alone", async () => {
  const { wait, end, since } = turnsOfFour();
  for (let account = 10; account < 60; account++) wait(account, account);
  await settled();
  expect(since()).toEqual([10, 11, 12, 13]);
  wait(1, 1, { main: true });
  wait(2, 2, { main: true });
  await end(10);
  expect(since()).toEqual([1]);
  await end(11);
  expect(since()).toEqual([14]);
  wait(1, 1, { main: true });
  await end(1);
  // Among main admins, too, the one that was served longest ago comes first.
  expect(since()).toEqual([2]);
});

// rule jobs.own.3
test("the jobs of one account go on by turns", async () => {
  const { wait, end, since } = turnsOfFour();
  for (const job of [1, 2, 3, 4, 5]) wait(job, 7);
  await settled();
  expect(since()).toEqual([1, 2, 3]);
  for (const job of [1, 2, 3]) {
    wait(job, 7);
    await end(job);
  }
  expect(since()).toEqual([4, 5, 1]);
});

test("who leaves while it waits gets no place; who leaves with one gives it back", async () => {
  const { turns, places, wait, end, since } = turnsOfFour();
  const left = new AbortController();
  for (const account of [1, 2, 3, 4]) wait(account, account);
  wait(5, 5, { left: left.signal });
  await settled();
  left.abort();
  expect(turns.crowded).toBe(false);
  expect(await turns.place({ job: 6, account: 6, main: false }, left.signal)).toBeUndefined();
  await end(1);
  expect(since()).toEqual([1, 2, 3, 4]);
  wait(7, 7);
  await settled();
  // Given back twice is given back once.
  const place = places.get(7);
  place?.giveBack();
  place?.giveBack();
  wait(8, 8);
  wait(9, 9);
  await settled();
  expect(since()).toEqual([7, 8]);
});

// rule jobs.own.3
test("who rests has no place meanwhile, and takes one again", async () => {
  const { places, wait, end, since } = turnsOfFour();
  for (const account of [1, 2, 3, 4, 5]) wait(account, account);
  await settled();
  const rested = places.get(1)?.rest(5);
  await settled();
  expect(since()).toEqual([1, 2, 3, 4, 5]);
  await end(2);
  await rested;
  wait(6, 6);
  await settled();
  expect(since()).toEqual([]);
  await end(1);
  expect(since()).toEqual([6]);
});
