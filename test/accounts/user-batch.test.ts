// A batch of accounts as one transaction: with its answer, its record, and whoever takes a name at the same time.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UserRows } from "../../src/accounts/index.ts";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { TestPanel } from "./panel.ts";

const MANY = 1000;

describe.each(dialects)("a batch of accounts on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  const batch = (users: readonly object[], headers?: Record<string, string>) =>
    panel.call("POST", "/api/v1/users/batch", { users }, headers);
  const names = (stem: string) => Array.from({ length: MANY }, (_, at) => ({ name: `${stem}-${at}` }));
  const total = async (query: string) => (await panel.call("GET", `/api/v1/users?limit=1&${query}`)).body.total;

  // rule users.create.6
  test("a thousand are one commit", async () => {
    const bare = await TestPanel.open(dialect);
    try {
      const made: number[] = [];
      const stop = bare.database.commits.onCommit(({ changes }) => {
        const users = changes.filter(({ table }) => table === UserRows.name);
        if (users.length > 0) made.push(users.length);
      });
      expect((await bare.ok("POST", "/users/batch", { users: names("whole") })).problems).toEqual([]);
      stop();
      expect(made).toEqual([MANY]);
    } finally {
      await bare.dispose();
    }
  });

  // rule users.create.6
  test("a repeat of the request makes nobody, and is answered the same", async () => {
    const key = { authorization: `Bearer ${panel.token}`, "idempotency-key": "a-thousand" };
    const first = await batch(names("whole"), key);
    expect([first.status, first.body.created.length, first.body.problems]).toEqual([200, MANY, []]);
    const again = await batch(names("whole"), key);
    expect([again.text, again.headers.get("idempotent-replay")]).toEqual([first.text, "true"]);
    expect(await total("q=whole-")).toBe(MANY);
    const { items } = (await panel.call("GET", "/api/v1/changes?action=batch")).body;
    expect(items).toMatchObject([{ key: "users", obj: { created: MANY } }]);
  });

  // rule users.create.6
  test("of two that ask for the same names at once each name is made once, and each answer says by whom", async () => {
    const asked = await Promise.all([batch(names("raced")), batch(names("raced"))]);
    expect(asked.map(({ status }) => status)).toEqual([200, 200]);
    const made: string[] = asked.flatMap(({ body }) => body.created.map(({ name }: { name: string }) => name));
    const wanted = names("raced").map(({ name }) => name);
    expect(made.toSorted()).toEqual(wanted.toSorted());
    for (const { body } of asked) {
      expect(body.created.length + body.problems.length).toBe(MANY);
      expect(new Set(body.problems.map(({ error }: { error: string }) => error)).size).toBeLessThanOrEqual(1);
    }
  });

  // rule users.create.6
  test("what only one may have is refused by its index, whatever else is in the batch; a plan's name counts", async () => {
    const { body: plan } = await panel.call("POST", "/api/v1/plans", { name: "p", namePrefix: "vip-" });
    await batch([{ name: "vip-a", subId: "link-a", externalId: "ref-a" }, { name: "b" }]);
    const { body } = await batch([
      { name: "a", planId: plan.id },
      { name: "b", planId: plan.id },
      { name: "vip-b" },
      { name: "c", subId: "link-a" },
      { name: "d", externalId: "ref-a" },
      { name: "e", subId: "link-e" },
      { name: "f", subId: "link-e" },
      { name: "g", planId: 4242 },
      { name: "h" },
    ]);
    expect(body.created.map(({ name }: { name: string }) => name)).toEqual(["vip-b", "e", "h"]);
    expect(body.problems).toEqual([
      { index: 0, error: "name: the value is taken" },
      { index: 2, error: "name: the value is taken" },
      { index: 3, error: "subId: the value is taken" },
      { index: 4, error: "externalId: the value is taken" },
      { index: 6, error: "subId: the value is taken" },
      { index: 7, error: expect.stringMatching(/^planId: /) },
    ]);
  });
});
