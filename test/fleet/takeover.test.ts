// A node changes hands between panels on one PostgreSQL: it stays connected without a word, its usage is counted once,
// and the older holder does and says nothing any more.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { dialects } from "../database.ts";
import { PanelSide, until } from "./panel-side.ts";

/**
 * The clocks of a process's leases, which stand still while it is `paused`: it believes in leases that are long over.
 */
class PausedTime implements Clock {
  #pausedAt: number | undefined;
  #held: (() => void)[] = [];

  readonly monotonic = () => this.#pausedAt ?? performance.now();
  now = () => Date.now();

  after(ms: number, wake: () => void) {
    let over = false;
    const cancel = systemClock.after(ms, () => {
      const act = () => over || wake();
      if (this.#pausedAt === undefined) act();
      else this.#held.push(act);
    });
    return () => {
      over = true;
      cancel();
    };
  }

  pause(): void {
    this.#pausedAt = performance.now();
  }

  goOn(): void {
    this.#pausedAt = undefined;
    for (const act of this.#held.splice(0)) act();
  }
}

describe.skipIf(!dialects.includes("postgresql"))("a node changes hands", () => {
  let time: PausedTime;
  let one: PanelSide;
  let two: PanelSide | undefined;
  let users: number[];
  let nodes: number[];
  const addresses = Array.from({ length: 6 }, (_, index) => `127.0.3.${index + 1}`);

  beforeEach(async () => {
    time = new PausedTime();
    two = undefined;
    one = await PanelSide.openShared({ clock: time, monotonic: time.monotonic });
    users = [await one.addUser(), await one.addUser()];
    nodes = [];
    for (const address of addresses) {
      nodes.push(await one.addNode(address));
      // Nine ids apart: odd and even, low and high shards, so that both panels get some.
      for (let id = 1; id < 9; id++)
        await one.db.commits.submit({ name: "skip", locks: [], decide: (draft) => draft.nextId("nodes") });
    }
    for (const id of nodes) await one.reaches(id, "linked.connected");
  });
  afterEach(async () => {
    time.goOn();
    await two?.dispose();
    await one.dispose();
  });

  const beside = async () => (two ??= await one.beside({ clock: systemClock, monotonic: () => performance.now() }));
  const heldBy = (panel: PanelSide) => nodes.filter((id) => panel.fleet.link(id)?.peer);

  /** Nothing happened to the nodes but that they were connected once, and their records still say so. */
  async function undisturbed(panel: PanelSide): Promise<void> {
    for (const id of nodes) {
      expect((await panel.node(id)).mstate).toBe("linked.connected");
      const raised = await panel.db.reads.query<{ event: string }>(
        sql`select event from events where subject = ${`node:${id}`} order by id`,
      );
      expect(raised.map(({ event }) => event)).toEqual(["node.connected"]);
      const told = await panel.db.reads.query<{ event: string }>(
        sql`select event from journal where kind = 'node' and actor_id = ${id} and event in ('link.lost', 'link.mismatched')`,
      );
      expect(told).toEqual([]);
    }
  }

  /** Ends the traffic and compares what the agents counted with what is in the books. */
  async function booksAgree(panel: PanelSide): Promise<void> {
    for (const id of users) await panel.editUser(id, { enable: false }, { type: "switchOff" });
    const path = join(one.directory, "report.json");
    // The fleet's first report is a moment away when it has just begun.
    await until(() => existsSync(path), 30_000);
    const counted = async () => {
      const report = JSON.parse(await readFile(path, "utf8")) as {
        nodes: Record<string, { users: Record<string, { up: number; down: number }> }>;
      };
      const sums = new Map<number, number>();
      for (const node of Object.values(report.nodes)) {
        for (const [id, { up, down }] of Object.entries(node.users))
          sums.set(Number(id), (sums.get(Number(id)) ?? 0) + up + down);
      }
      return users.map((id) => sums.get(id) ?? 0);
    };
    const booked = () => Promise.all(users.map(async (id) => panel.user(id).then(({ up, down }) => up + down)));
    let last = "";
    await until(async () => {
      const now = JSON.stringify([await counted(), await booked()]);
      const still = now === last;
      last = now;
      if (!still) await new Promise((resolve) => setTimeout(resolve, 1200));
      return still;
    }, 30_000);
    expect(await booked()).toEqual(await counted());
    expect((await booked()).every((bytes) => bytes > 0)).toBe(true);
  }

  test("a panel that joins gets its part, and one that leaves gives all back: no node notices", async () => {
    const other = await beside();
    await until(() => heldBy(other).length > 0 && heldBy(one).length + heldBy(other).length === nodes.length);
    const part = heldBy(other);
    expect(part).not.toContain(heldBy(one)[0]);
    await other.stopPanel();
    await until(() => heldBy(one).length === nodes.length);
    await undisturbed(one);
    await booksAgree(one);
    await other.startPanel();
  });

  test("a holder that was paused and acts on is heard by nobody, and gives up when it notices", async () => {
    time.pause();
    const other = await beside();
    await until(() => heldBy(other).length === nodes.length, 20_000);
    // The older holder still believes in leases, dials those nodes again and again, and is refused.
    const believed = [...one.fleet.links()];
    expect(believed.length).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 5000));
    expect(believed.map(({ peer }) => peer)).toEqual(believed.map(() => undefined));
    expect(heldBy(other)).toEqual(nodes);
    await undisturbed(other);
    time.goOn();
    await until(() => heldBy(one).length > 0 && heldBy(one).length + heldBy(other).length === nodes.length, 20_000);
    await undisturbed(other);
    await booksAgree(other);
  });

  test("back and forth under traffic: every byte is counted once", async () => {
    const other = await beside();
    for (let round = 0; round < 3; round++) {
      await until(
        () =>
          heldBy(one).length > 0 &&
          heldBy(other).length > 0 &&
          heldBy(one).length + heldBy(other).length === nodes.length,
      );
      await other.stopPanel();
      await until(() => heldBy(one).length === nodes.length);
      await other.startPanel();
    }
    await undisturbed(one);
    await booksAgree(one);
  });
});
