// Accounts found by what names them alone: name, link, a shop's own reference.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { TestPanel } from "./panel.ts";

describe.each(dialects)("look-ups on %s", (dialect) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
    panel.reseller("shop", 42);
  });
  afterAll(() => panel.dispose());

  const make = (body: object) => panel.ok("POST", "/users", body);
  const found = async (query: Record<string, string>, token?: string) => {
    const { items } = await panel.ok("GET", `/users?${new URLSearchParams(query).toString()}`, undefined, token);
    return items.map(({ id }: { id: number }) => id);
  };

  // rule users.list.6
  test("name, subId and externalId are exact, together with other filters, and hide what the caller does not see", async () => {
    const { id } = await make({ name: "Anna B", subId: "link-1", externalId: "Shop/4711 ü", group: "g" });
    await make({ name: "Anna B2", subId: "link-10", externalId: "Shop/47112" });
    expect(await found({ name: "Anna B" })).toEqual([id]);
    expect(await found({ subId: "link-1" })).toEqual([id]);
    expect(await found({ externalId: "Shop/4711 ü" })).toEqual([id]);
    expect(await found({ externalId: "Shop/4711 ü", name: "Anna B", group: "g" })).toEqual([id]);
    for (const none of [
      { name: "anna b" },
      { name: "Anna" },
      { subId: "link" },
      { externalId: "shop/4711 ü" },
      { externalId: "Shop" },
      { externalId: "Shop/4711 ü", group: "other" },
    ])
      expect(await found(none)).toEqual([]);
    expect(await found({ q: "4711 Ü" })).toEqual([id]);
    expect(await found({ externalId: "Shop/4711 ü" }, "shop")).toEqual([]);
    expect((await panel.call("GET", "/users?externalId=")).body).toMatchObject({
      code: "validation",
      field: "externalId",
    });
  });

  // rule users.create.9
  test("a reference is unique where it is set, kept by PUT, taken away by an empty one", async () => {
    const one = await make({ name: "one", externalId: "order-1" });
    expect(one.externalId).toBe("order-1");
    const two = await make({ name: "two" });
    const three = await make({ name: "three", externalId: "" });
    expect([two.externalId, three.externalId]).toEqual(["", ""]);
    for (const [method, path, body] of [
      ["POST", "/users", { name: "four", externalId: "order-1" }],
      ["PATCH", `/users/${two.id}`, { externalId: "order-1" }],
      ["PUT", `/users/${two.id}`, { name: "two", externalId: "order-1" }],
    ] as const)
      expect(await panel.call(method, path, body)).toMatchObject({
        status: 400,
        body: { code: "duplicate", field: "externalId" },
      });
    const batch = await panel.ok("POST", "/users/batch", {
      users: [
        { name: "five", externalId: "order-5" },
        { name: "six", externalId: "order-1" },
        { name: "seven", externalId: "order-5" },
      ],
    });
    expect(batch.created.map(({ externalId }: { externalId: string }) => externalId)).toEqual(["order-5"]);
    expect(batch.problems).toEqual([
      { index: 1, error: "externalId: the value is taken" },
      { index: 2, error: "externalId: the value is taken" },
    ]);
    expect((await panel.ok("PUT", `/users/${one.id}`, { name: "one", enable: true })).externalId).toBe("order-1");
    expect((await panel.ok("PATCH", `/users/${one.id}`, { externalId: "" })).externalId).toBe("");
    expect((await panel.ok("PATCH", `/users/${two.id}`, { externalId: "order-1" })).externalId).toBe("order-1");
    for (const externalId of ["x".repeat(129), "a\u0007b", 5])
      expect((await panel.call("PATCH", `/users/${one.id}`, { externalId })).body.field).toBe("externalId");
  });
});
