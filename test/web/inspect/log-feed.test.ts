// The log of errands on the actor's page: each line once, in order, over breaks and a panel that came back from a
// backup.
import { expect, test } from "vitest";
import type { SocketOwner } from "../../../src/web/api/socket-owner.ts";
import { LogFeed, MOST_SHOWN } from "../../../src/web/inspect/log/log-feed.ts";
import type { LogLine, LogPage } from "../../../src/web/inspect/wire.ts";

const line = (seq: number): LogLine => ({
  seq,
  at: 1,
  atMs: 1000,
  level: "info",
  code: "step",
  values: [seq],
  text: "",
});
const frame = (from: number, to: number): LogPage => ({
  rows: Array.from({ length: to - from + 1 }, (_, index) => line(from + index)),
  cursor: to,
});

function open() {
  const owners: SocketOwner[] = [];
  let works = 0;
  const feed = new LogFeed((owner) => {
    owners.push(owner);
    return { state: { status: "live" }, open: () => {}, close: () => {}, works: () => works++ };
  });
  const [owner] = owners;
  if (!owner) throw new Error("no socket was asked for");
  let drawn = 0;
  feed.subscribe(() => drawn++);
  return {
    feed,
    owner,
    seqs: () => feed.picture().rows.map(({ seq }) => seq),
    drawn: () => drawn,
    works: () => works,
  };
}

// rule inspector.log.7
test("nothing is said to be empty before the first frame has come", () => {
  const { feed, owner, drawn, works } = open();
  expect(feed.picture()).toEqual({ rows: [], read: false, cut: false });
  owner.message({ rows: [], cursor: 0 });
  expect(feed.picture()).toEqual({ rows: [], read: true, cut: false });
  expect([drawn(), works()]).toEqual([1, 1]);
});

test("after a break it goes on behind the last line, and an empty frame draws nothing", () => {
  const { owner, seqs, drawn } = open();
  owner.message(frame(1, 3));
  expect(owner.path()).toBe("3");
  owner.message({ rows: [], cursor: 3 });
  owner.message(frame(4, 5));
  expect(seqs()).toEqual([1, 2, 3, 4, 5]);
  expect([owner.path(), drawn()]).toEqual(["5", 2]);
});

test("lines of a panel that came back from a backup replace those before", () => {
  const { owner, seqs } = open();
  owner.message(frame(1, 9));
  owner.message({ rows: [], cursor: 4 });
  expect([seqs(), owner.path()]).toEqual([[], "4"]);
  owner.message(frame(5, 6));
  expect(seqs()).toEqual([5, 6]);
  owner.message(frame(2, 3));
  expect(seqs()).toEqual([2, 3]);
});

test("the page keeps the newest lines and says that there are older ones", () => {
  const { feed, owner, seqs } = open();
  owner.message(frame(1, MOST_SHOWN));
  expect(feed.picture().cut).toBe(false);
  owner.message(frame(MOST_SHOWN + 1, MOST_SHOWN + 2));
  expect([seqs().length, seqs()[0], feed.picture().cut]).toEqual([MOST_SHOWN, 3, true]);
});
