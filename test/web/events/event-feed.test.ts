// The list of events: nothing missed and nothing twice, whatever breaks in between, and nothing moves under a reader.
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { LinkState, SocketOwner } from "../../../src/web/api/socket-owner.ts";
import { EventFeed, PAGE } from "../../../src/web/events/event-feed.ts";
import type { RaisedEvent } from "../../../src/web/events/raised-event.ts";

/** A panel with a log, and one connection to it at a time. */
class Panel {
  readonly log: RaisedEvent[] = [];
  readonly feed: EventFeed;
  /** Cursors of the connections that were made. */
  readonly began: string[] = [];
  #owner: SocketOwner | undefined;
  #state: LinkState = { status: "off" };
  #open = false;

  constructor(events: number) {
    this.raise(events);
    this.feed = new EventFeed({
      list: (offset) => Promise.resolve({ items: this.log.toReversed().slice(offset, offset + PAGE) }),
      socket: (owner) => {
        this.#owner = owner;
        const now = (): LinkState => this.#state;
        return {
          get state() {
            return now();
          },
          open: () => this.connect(),
          close: () => (this.#open = false),
          works: () => this.#become({ status: "live" }),
        };
      },
    });
  }

  raise(count: number): void {
    for (let n = 0; n < count; n++) {
      const id = this.log.length + 1;
      this.log.push({ id, event: "user.updated", time: id, data: {} });
      if (this.#open) this.#send(id);
    }
  }

  connect(): void {
    const cursor = this.#owner?.path() ?? "";
    this.began.push(cursor);
    this.#open = true;
    this.#owner?.opened?.();
    if (cursor !== "") for (let id = Number(cursor) + 1; id <= this.log.length; id++) this.#send(id);
  }

  cut(code = 1006): void {
    this.#open = false;
    this.#owner?.ended?.(code);
    this.#become({ status: "lost", since: 0 });
  }

  ids(): number[] {
    return this.feed.picture().rows.map(({ id }) => id);
  }

  #send(id: number): void {
    this.#owner?.message({ ...this.log[id - 1], cursor: String(id) });
  }

  #become(state: LinkState): void {
    this.#state = state;
    this.#owner?.changed();
  }
}

const down = (from: number, to: number): number[] => Array.from({ length: from - to + 1 }, (_, at) => from - at);

async function opened(events: number): Promise<Panel> {
  const panel = new Panel(events);
  panel.feed.start();
  await expect.poll(() => panel.feed.picture().read).toBe(true);
  return panel;
}

test("the newest come first, live ones on top of them, older ones on request", async () => {
  const panel = await opened(120);
  expect(panel.ids()).toEqual(down(120, 71));
  panel.raise(3);
  await expect.poll(() => panel.ids()).toEqual(down(123, 71));
  await panel.feed.readOlder();
  await panel.feed.readOlder();
  expect(panel.ids()).toEqual(down(123, 1));
  expect(panel.feed.picture().older).toBe("none");
});

test("what comes while somebody reads waits, and is there when the reader asks", async () => {
  const panel = await opened(10);
  panel.feed.hold(true);
  panel.raise(12);
  await expect.poll(() => panel.feed.picture().waiting).toBe(12);
  expect(panel.ids()).toEqual(down(10, 1));
  panel.feed.release();
  expect(panel.ids()).toEqual(down(22, 1));
  panel.raise(1);
  await expect.poll(() => panel.feed.picture().waiting).toBe(1);
  panel.feed.hold(false);
  expect(panel.ids()).toEqual(down(23, 1));
});

test("after a break it goes on behind the last cursor; without one the log says what was missed", async () => {
  const panel = await opened(5);
  panel.cut();
  expect(panel.feed.picture().link).toMatchObject({ status: "lost" });
  panel.raise(4);
  panel.connect();
  await expect.poll(() => panel.ids()).toEqual(down(9, 1));
  panel.raise(1);
  await expect.poll(() => panel.ids()).toEqual(down(10, 1));
  panel.cut();
  panel.raise(3);
  panel.connect();
  await expect.poll(() => panel.ids()).toEqual(down(13, 1));
  expect(panel.began).toEqual(["", "", "10"]);
});

test("a break longer than a page leaves no hole: the list begins anew, at once or when the reader is done", async () => {
  const panel = await opened(5);
  panel.cut();
  panel.raise(PAGE + 20);
  panel.connect();
  await expect.poll(() => panel.ids()).toEqual(down(PAGE + 25, 26));
  panel.feed.hold(true);
  panel.raise(250);
  await expect.poll(() => panel.feed.picture().many).toBe(true);
  expect(panel.ids()).toEqual(down(PAGE + 25, 26));
  panel.feed.release();
  await expect.poll(() => panel.ids()).toEqual(down(PAGE + 275, 276));
  await panel.feed.readOlder();
  expect(panel.ids()).toEqual(down(PAGE + 275, 226));
});

test("a cursor that is not known any more begins anew: what was shown belongs to another history", async () => {
  const panel = await opened(5);
  panel.raise(1);
  await expect.poll(() => panel.ids()).toEqual(down(6, 1));
  panel.cut(4410);
  expect(panel.ids()).toEqual([]);
  panel.log.length = 2;
  panel.connect();
  await expect.poll(() => panel.ids()).toEqual([2, 1]);
  expect(panel.began.at(-1)).toBe("");
});

test("a list that follows does not grow; what it let go is read again as older events", async () => {
  const panel = await opened(10);
  for (let round = 0; round < 6; round++) {
    panel.raise(100);
    await expect.poll(() => panel.ids()[0]).toBe(10 + 100 * (round + 1));
  }
  expect(panel.ids()).toEqual(down(610, 111));
  await panel.feed.readOlder();
  expect(panel.ids()).toEqual(down(610, 61));
  panel.feed.stop();
  panel.raise(5);
  await pause(0);
  expect(panel.ids()[0]).toBe(610);
});
