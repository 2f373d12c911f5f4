// The watch over a store: one word when it goes out of service, one when it is back, and nobody sent to a store that a
// probe found away.
import { expect, test } from "vitest";
import { isToldByWatch, StoreUnavailable } from "../../src/db/index.ts";
import type { Store } from "../../src/db/store.ts";
import { StoreWatch } from "../../src/db/store-watch.ts";

/** A store whose reads and changes fail as told, and that counts what it is asked. */
class Frail implements Store {
  readonly dialect = "sqlite";
  readonly sessions = 1;
  readonly exclusiveStatements = true;
  reads = true;
  changes = true;
  /** Reads and changes besides those of the probe. */
  asked = 0;

  begin() {
    return {
      load: async () => new Map(),
      finish: () => this.#work(this.changes),
      abandon: async () => {},
    };
  }
  execute = async () => this.#work(this.changes).then(() => []);
  read = async () => this.#work(this.reads).then(() => []);
  ping = async () => this.#check(this.reads);
  reserve = async () => {
    this.#check(this.changes);
    return 1;
  };
  close = async () => {};

  async #work(works: boolean): Promise<void> {
    this.asked++;
    this.#check(works);
  }

  #check(works: boolean): void {
    if (!works) throw new StoreUnavailable("it is away");
  }
}

function watched() {
  const store = new Frail();
  const said: string[] = [];
  const heard = Promise.withResolvers<void>();
  const recovered = Promise.withResolvers<number>();
  const watch = new StoreWatch(store, {
    now: Date.now,
    onOutage: () => {
      said.push("away");
      heard.resolve();
    },
    onRecovery: ({ failures }) => {
      said.push("back");
      recovered.resolve(failures);
    },
    onHiccup: () => {
      said.push("once");
      heard.resolve();
    },
  });
  const read = () => watch.read({ text: "", values: [] });
  const change = () => watch.begin().finish({ purges: [], writes: [], statements: [] });
  return { store, watch, said, heard: heard.promise, recovered: recovered.promise, read, change };
}

test("a failure that a probe does not meet is no outage", async () => {
  const { store, watch, said, heard, read } = watched();
  store.reads = false;
  const failed = read();
  store.reads = true;
  await expect(failed).rejects.toSatisfy(isToldByWatch);
  await heard;
  expect(said).toEqual(["once"]);
  await watch.ping();
  await read();
  await watch.close();
});

test("an outage is told once, refuses at once, and ends by itself", async () => {
  const { store, watch, said, heard, recovered, read, change } = watched();
  store.reads = store.changes = false;
  const first = await Promise.allSettled([read(), read(), change(), change()]);
  expect(first.every(({ status }) => status === "rejected")).toBe(true);
  await heard;
  const { asked } = store;
  await expect(read()).rejects.toBeInstanceOf(StoreUnavailable);
  await expect(change()).rejects.toSatisfy(isToldByWatch);
  await expect(watch.ping()).rejects.toBeInstanceOf(StoreUnavailable);
  expect(store.asked, "nobody is sent there any more").toBe(asked);
  store.reads = store.changes = true;
  expect(await recovered).toBeGreaterThanOrEqual(4);
  await Promise.all([read(), change(), watch.ping()]);
  expect(said).toEqual(["away", "back"]);
  await watch.close();
});

test("where only changes fail, reads go on and the check of health says so", async () => {
  const { store, watch, heard, read, change } = watched();
  store.changes = false;
  await expect(change()).rejects.toBeInstanceOf(StoreUnavailable);
  await heard;
  await read();
  await expect(watch.ping()).rejects.toBeInstanceOf(StoreUnavailable);
  await watch.close();
});

test("failures that go on while probes succeed are an outage", async () => {
  const { store, watch, said, heard, change } = watched();
  const failing = async () => {
    store.changes = false;
    const failed = change();
    store.changes = true;
    await expect(failed).rejects.toBeInstanceOf(StoreUnavailable);
  };
  await failing();
  await heard;
  await failing();
  expect(said).toEqual(["once", "away"]);
  await expect(watch.ping()).rejects.toBeInstanceOf(StoreUnavailable);
  await change();
  await watch.close();
});
