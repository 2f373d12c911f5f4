// Since when an account is as it is, and who switched it off: the same in the list, the record and the answer to a
// change.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { DAY, START, TestPanel } from "./panel.ts";

describe.each(dialects)("since when and by whom on %s", (dialect) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
    panel.reseller("shop", 3);
  });
  afterAll(() => panel.dispose());

  const said = async (id: number) => {
    const [row] = (await panel.ok("GET", "/users?limit=1000")).items.filter((user: { id: number }) => user.id === id);
    const record = await panel.ok("GET", `/users/${id}`);
    expect(row).toEqual(record);
    return record;
  };

  test("an account that is on has nobody who switched it off", async () => {
    const made = await panel.ok("POST", "/users", { name: "on" });
    expect(made).toMatchObject({ since: START, offBy: "" });
    expect(await said(made.id)).toEqual(made);
  });

  // rule users.status.3
  test("one that is made switched off was so by its maker", async () => {
    const made = await panel.ok("POST", "/users", { name: "off", enable: false });
    expect(made.offBy).toBe("root");
    expect(await said(made.id)).toEqual(made);
  });

  // rule users.status.3
  test("what happens to it since moves neither the moment nor the name; on again takes the name away", async () => {
    const { id } = await panel.ok("POST", "/users", {
      name: "to and fro",
      expiry: START + 9 * DAY,
      termDays: 9,
      adminId: 3,
    });
    await panel.advance(100);
    const off = await panel.ok("PATCH", `/users/${id}`, { enable: false });
    expect(off).toMatchObject({ since: START + 100, offBy: "root" });
    await panel.advance(100);
    for (const change of [
      () => panel.ok("PATCH", `/users/${id}`, { desc: "later" }),
      () => panel.ok("POST", `/users/${id}/renew`, {}),
      () => panel.ok("POST", `/users/${id}/reset-usage`),
      () => panel.ok("POST", `/users/${id}/renew`, {}, "shop"),
      async () => {
        await panel.ok("DELETE", `/users/${id}`, undefined, "shop");
        return panel.ok("POST", `/users/${id}/restore`, {}, "shop");
      },
    ]) {
      const changed = await change();
      expect(changed).toMatchObject({ since: START + 100, offBy: "root" });
      expect(await said(id)).toEqual(changed);
    }
    const on = await panel.ok("PATCH", `/users/${id}`, { enable: true });
    expect(on).toMatchObject({ since: START + 200, offBy: "" });
    expect(await said(id)).toEqual(on);
  });
});
