// What a person chose of the interface: kept for them alone, for sessions alone, within its size.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel } from "./panel.ts";

describe.each(dialects)("what a person chose of the interface on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
  });
  afterAll(() => panel.dispose());

  const get = (as: string) => panel.send("GET", "/api/me/ui", { as });
  const put = (body: unknown, as = root) => panel.send("PUT", "/api/me/ui", { as, body });
  const operator = async (username: string, role = "admin") => {
    const made = await panel.send("POST", "/api/admins", { as: root, body: { username, password: PASSWORD, role } });
    return { id: Number(made.body["id"]), as: await signIn(panel, username) };
  };

  // rule access.interface.1
  test("it is empty at first, replaced as a whole, and each person's own", async () => {
    const { as } = await operator("reseller", "resale");
    expect((await get(as)).body).toEqual({});
    const chosen = { theme: "dark", views: { users: [{ name: "ends soon", q: "روز" }] }, columns: [1.5, null, true] };
    expect([(await put(chosen, as)).body, (await get(as)).body]).toEqual([chosen, chosen]);
    expect((await put({ theme: "light" }, as)).status).toBe(200);
    expect([(await get(as)).body, (await get(root)).body]).toEqual([{ theme: "light" }, {}]);
    expect((await get(await signIn(panel, "reseller"))).body).toEqual({ theme: "light" });
  });

  // rule access.interface.2
  test("64 KiB are taken, a byte more is refused, and so is what is no object", async () => {
    const around = Buffer.byteLength(JSON.stringify({ a: "" }));
    expect((await put({ a: "é".repeat((65_536 - around) / 2) })).status).toBe(200);
    const refused = await put({ a: "é".repeat((65_536 - around) / 2 + 1) });
    expect([refused.status, refused.body["issues"]]).toEqual([
      400,
      [expect.objectContaining({ code: "too_many_bytes", values: [65_536] })],
    ]);
    for (const wrong of [[], "dark", null, 4]) expect((await put(wrong)).status).toBe(400);
  });

  // rule access.interface.3
  test("the audit log says what was changed, not how; the same again is no record", async () => {
    await put({ theme: "dark", tiles: ["a secret note"] });
    await put({ theme: "dark", tiles: ["another"] });
    await put({ theme: "dark", tiles: ["another"] });
    const records = (await panel.send("GET", "/api/changes?action=interface&limit=2", { as: root })).body;
    expect(records).toMatchObject([
      { key: "admins", obj: { changed: "tiles" } },
      { key: "admins", obj: { changed: "a, theme, tiles" } },
    ]);
  });

  // rule access.interface.3
  test("a long name is cut in the audit log, also within an emoji", async () => {
    expect((await put({ [`${"n".repeat(63)}😀`]: 1 })).status).toBe(200);
    const records = (await panel.send("GET", "/api/changes?action=interface&limit=1", { as: root })).body;
    expect(records).toMatchObject([{ obj: { changed: expect.stringContaining(`${"n".repeat(63)}\ufffd`) } }]);
  });

  // rule access.interface.1
  test("a token reaches it not, and it goes with its account", async () => {
    const token = await panel.send("POST", "/api/tokens", { as: root, body: {} });
    expect((await get(String(token.body["token"]))).status).toBe(403);
    const { id, as } = await operator("leaver");
    await put({ theme: "dark" }, as);
    await panel.send("DELETE", `/api/admins/${id}`, { as: root });
    expect(await panel.database.reads.query(sql`select id from admin_interfaces where id = ${id}`)).toEqual([]);
  });
});
