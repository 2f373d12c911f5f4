// The client against a real panel: calls, answers that get lost, pages, refusals.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiError, Panel } from "../../src/client/index.ts";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

describe.each(dialects)("on %s", (dialect) => {
  let whole: WholePanel;
  let client: Panel;
  beforeAll(async () => {
    whole = await WholePanel.open(dialect);
    client = new Panel({ url: whole.url, token: whole.token });
  });
  afterAll(() => whole.dispose());

  test("a call by its name, with path and body", async () => {
    const made = await client.call("createUser", { body: { name: "anna", volume: 10 } });
    expect(made).toMatchObject({ name: "anna", volume: 10 });
    expect(await client.call("getUser", { path: { id: made.id } })).toMatchObject({ id: made.id, name: "anna" });
  });

  test("an answer that got lost: the write happens once", async () => {
    let lost = 0;
    const flaky = new Panel({
      url: whole.url,
      token: whole.token,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (lost++ > 0) return response;
        await response.arrayBuffer();
        throw new TypeError("the connection was reset");
      },
    });
    const made = await flaky.call("createUser", { body: { name: "boris" } });
    expect(lost).toBe(2);
    const names = [];
    for await (const { name } of client.items("listUsers", { query: { q: "boris" } })) names.push(name);
    expect(names).toEqual([made.name]);
  });

  test("a panel that restarts is waited for", async () => {
    const answered = client.call("createUser", { body: { name: "clara" } });
    await whole.restart();
    expect(await answered).toMatchObject({ name: "clara" });
  });

  test("an order's own number as key: a program that begins again gets the first answer", async () => {
    const order = (name: string) => client.call("createUser", { body: { name } }, { idempotencyKey: "order-4711" });
    const first = await order("dora");
    expect((await order("dora")).id).toBe(first.id);
    await expect(order("other")).rejects.toMatchObject({ status: 409, code: "idempotency_reuse" });
  });

  test("all rows of a list, page after page, while rows are added", async () => {
    for (let n = 0; n < 7; n++) await client.call("createUser", { body: { name: `page-${n}` } });
    const names: string[] = [];
    for await (const { name } of client.items("listUsers", { query: { q: "page-", sort: "name", limit: 3 } })) {
      if (names.length === 3) await client.call("createUser", { body: { name: "page-0-late" } });
      names.push(name);
    }
    expect(names).toEqual(["page-0", "page-1", "page-2", "page-3", "page-4", "page-5", "page-6"]);
  });

  test("a refusal names its field, and is not repeated", async () => {
    let asked = 0;
    const counted = new Panel({
      url: whole.url,
      token: whole.token,
      fetch: (url, init) => {
        asked++;
        return fetch(url, init);
      },
    });
    const refusal: unknown = await counted
      .call("createUser", { body: { name: "anna" } })
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal).toMatchObject({ status: 400, field: "name" });
    expect(asked).toBe(1);
  });

  test("strict: a member that nobody knows is refused", async () => {
    const strict = new Panel({ url: whole.url, token: whole.token, strict: true });
    const body = { name: "emil", volumme: 5 };
    await expect(strict.call("createUser", { body })).rejects.toMatchObject({ status: 400, field: "volumme" });
  });
});
