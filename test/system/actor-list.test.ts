// The list of actors: filters, sorts and pages, over one kind and over all, on both databases.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase, dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

interface Actor {
  kind: string;
  id: string;
  name: string;
  state: string;
  since: number;
  rev: number;
  wakeAt: number | null;
  fault: boolean;
}

const DAY = 86_400;

describe.each(dialects)("the list of actors on %s", (dialect) => {
  let panel: WholePanel;
  const now = Math.floor(Date.now() / 1000);
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    const user = (name: string, more: object = {}) => panel.call("POST", "/api/v1/users", { name, ...more });
    await user("dora", { expiry: now + 3 * DAY });
    await user("Anna", { expiry: now + DAY });
    await user("carl");
    await user("bert", { expiry: now + 2 * DAY, enable: false });
    await user("emil", { expiry: now - DAY });
    await user("fritz", { expiry: now + 4 * DAY });
    for (const [index, name] of ["near", "far"].entries())
      await panel.call("POST", "/api/v1/nodes", { name, address: "192.0.2.1", port: 9000 + index, enabled: false });
    // Since when each is in its state, and one in quarantine: as time and a broken chart would leave them.
    const beside = await connectTestDatabase(panel.databaseUrl, entities);
    const statements = [
      beside.reads.statement(
        "since",
        sql`update users set msince = ${(now - 1000) * 1000} + (id * 7919) % 5000 * 1000`,
      ),
      beside.reads.statement("since", sql`update nodes set msince = ${(now - 500) * 1000} + id * 1000`),
      beside.reads.statement(
        "fault",
        sql`update users set fault_count = 3, fault_at = 1, fault_message = 'broken' where name = 'carl'`,
      ),
    ];
    await beside.commits.execute({ name: "prepare", statements });
    await beside.close();
    await panel.restart();
  });
  afterAll(() => panel.dispose());

  const list = async (query: string): Promise<{ items: Actor[]; total: number }> => {
    const answer = await panel.call("GET", `/api/v1/actors?${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const names = async (query: string) => (await list(query)).items.map(({ name }) => name);

  // rule inspector.read.3
  test("sorted by how long: ascending, those longest in their state first", async () => {
    for (const kind of ["kind=user&", "kind=node&", ""]) {
      const { items, total } = await list(`${kind}sort=since`);
      expect(items).toHaveLength(total);
      const since = items.map((actor) => actor.since);
      expect(since).toEqual(since.toSorted((a, b) => a - b));
      const down = (await list(`${kind}sort=since&order=desc`)).items.map((actor) => actor.since);
      expect(down).toEqual(since.toReversed());
    }
  });

  // rule inspector.read.3
  test("sorted by what wakes them next; those that nothing wakes come last, in either direction", async () => {
    const up = await names("kind=user&sort=wakeAt&order=asc");
    expect(up.slice(0, 3)).toEqual(["Anna", "dora", "fritz"]);
    expect(up.slice(3).toSorted()).toEqual(["bert", "carl", "emil"]);
    const down = await names("kind=user&sort=wakeAt&order=desc");
    expect(down.slice(0, 3)).toEqual(["fritz", "dora", "Anna"]);
    expect(down.slice(3).toSorted()).toEqual(["bert", "carl", "emil"]);
    const all = await list("sort=wakeAt");
    expect(all.items.slice(0, 3).map(({ name }) => name)).toEqual(["Anna", "dora", "fritz"]);
    expect(all.items).toHaveLength(8);
  });

  test("sorted by name and by id", async () => {
    const ids = (await list("kind=user&sort=id&order=desc")).items.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    const byName = await names("kind=user&sort=name");
    expect(byName.toSorted()).toEqual(["Anna", "bert", "carl", "dora", "emil", "fritz"]);
    expect(await names("kind=user&sort=name&order=desc")).toEqual(byName.toReversed());
    expect((await panel.call("GET", "/api/v1/actors?sort=state")).body).toMatchObject({
      code: "validation",
      field: "sort",
    });
  });

  // rule inspector.read.3
  test("pages in every order are parts of the whole", async () => {
    for (const sort of [
      "",
      "sort=since&",
      "sort=since&order=desc&",
      "sort=name&",
      "sort=id&order=desc&",
      "sort=wakeAt&",
      "sort=wakeAt&order=desc&",
    ]) {
      for (const kind of ["", "kind=user&"]) {
        const whole = await list(`${kind}${sort}limit=1000`);
        const pages: Actor[] = [];
        for (let offset = 0; offset < whole.total; offset += 3) {
          const page = await list(`${kind}${sort}limit=3&offset=${offset}`);
          expect(page.total).toBe(whole.total);
          pages.push(...page.items);
        }
        expect(pages, `${kind}${sort}`).toEqual(whole.items);
        expect((await list(`${kind}${sort}limit=3&offset=100`)).items).toEqual([]);
        const bare = await panel.call("GET", `/api/actors?${kind}${sort}`);
        expect(bare.body).toEqual(whole.items);
        expect(bare.headers.get("x-total-count")).toBe(String(whole.total));
      }
    }
  });

  // rule inspector.read.2
  test("by state, exactly or with everything within one", async () => {
    expect((await names("kind=user&state=disabled.*")).toSorted()).toEqual(["bert", "emil"]);
    expect(await names("kind=user&state=disabled.manual&sort=wakeAt")).toEqual(["bert"]);
    expect((await list("state=disabled.*")).total).toBe(4);
    expect((await list("kind=user&state=disabled")).total).toBe(0);
    expect((await list("kind=user&state=disabled.m*")).total).toBe(0);
    expect((await list("kind=user&state=*")).total).toBe(0);
    for (const { state } of (await list("kind=user&state=enabled.*&sort=since")).items)
      expect(state).toMatch(/^enabled\./);
  });

  // rule inspector.read.2
  test("those in quarantine", async () => {
    for (const query of [
      "fault=true",
      "kind=user&fault=true&sort=since",
      "fault=1&sort=wakeAt",
      "fault=true&sort=name",
      "fault=true&state=enabled.*&sort=since",
    ]) {
      const { items, total } = await list(query);
      expect([total, items.map(({ name, fault }) => [name, fault])], query).toEqual([1, [["carl", true]]]);
    }
    expect((await list("kind=user&fault=false")).total).toBe(5);
    expect((await list("kind=node&fault=true")).total).toBe(0);
    expect((await panel.call("GET", "/api/v1/actors?fault=maybe")).status).toBe(400);
  });

  test("a search goes with every sort and filter", async () => {
    expect(await names("q=AN")).toEqual(["Anna"]);
    expect(await names("q=r&sort=since&kind=node")).toEqual(await names("sort=since&kind=node"));
    expect((await list("q=r&kind=user&state=disabled.*")).items.map(({ name }) => name)).toEqual(["bert"]);
    expect((await list("q=nobody&sort=wakeAt")).total).toBe(0);
    expect((await list(`updated_since=${now + 10 * DAY}`)).total).toBe(0);
    expect((await list("updated_since=1")).total).toBe(8);
  });

  test("rows say revision, quarantine and the chart's own attempts", async () => {
    const { items } = await list("kind=node");
    expect(items[0]).toMatchObject({ rev: 1, fault: false, attempts: 0, state: "disabled.manual" });
  });
});
