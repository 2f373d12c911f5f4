// The audit log as a file: every record that the filters leave, harmless in a spreadsheet, for those who read the log.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ChangeRows } from "../../src/access/records/change.entity.ts";
import { dialects } from "../database.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel } from "./panel.ts";

/** More than one piece of the export. */
const MANY = 2345;

describe.each(dialects)("the audit log as a file on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
    await panel.database.commits.submit({
      name: "test",
      locks: [],
      decide(draft) {
        for (let each = 0; each < MANY; each++)
          draft.insert(ChangeRows, {
            id: 1_000_000 + each,
            // Many of one second: the place within it counts too.
            time: 1000 + Math.floor(each / 700),
            actor: each === 0 ? '=HYPERLINK("http://evil.example","x")' : "many",
            adminId: 0,
            via: "system",
            tokenId: 0,
            ip: "",
            collection: "old",
            entityId: each === 1 ? '@a, "b"\nc' : each === 2 ? "\t=1" : String(each),
            action: "update",
            obj: { password: ["before", "after"], name: "سلام" },
          });
      },
    });
  });
  afterAll(() => panel.dispose());

  const exported = (query: string, as = root) => panel.send("GET", `/api/v1/changes/export?${query}`, { as });

  // rule admins.audit.11
  test("a record a line, in the list's order and with its filters, however many there are", async () => {
    const { text, headers } = await exported("format=ndjson&key=old");
    const rows = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: number });
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: MANY }, (_, each) => 1_000_000 + MANY - 1 - each));
    expect(headers["content-disposition"]).toBe('attachment; filename="changes.ndjson"');
    const page = (await panel.send("GET", "/api/changes?key=old&limit=2", { as: root })).body;
    expect(rows.slice(0, 2)).toEqual(page);
    const few = (
      await exported("format=ndjson&q=EVIL.example&to=1000&actor==HYPERLINK(%22http://evil.example%22,%22x%22)")
    ).text;
    expect(few.trimEnd().split("\n")).toHaveLength(1);
    expect(
      (await exported("format=ndjson&entityId=7&key=old&action=update&from=1000&updated_since=1000")).text,
    ).toContain('"entityId":"7"');
    expect((await exported("format=ndjson&key=nothing")).text).toBe("");
  });

  // rules admins.audit.11, admins.audit.4
  test("a table: cells that a spreadsheet would calculate are text, secrets are not in it", async () => {
    const { text, headers } = await exported("key=old&to=1000");
    expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(text.startsWith("\uFEFF")).toBe(true);
    const lines = text.slice(1).split("\r\n");
    expect(lines[0]).toBe("id,time,actor,adminId,via,tokenId,ip,key,entityId,action,obj");
    expect(lines).toHaveLength(702);
    expect(text).toContain(`1000000,1000,"'=HYPERLINK(""http://evil.example"",""x"")",0,system,0,,old,0,update,`);
    expect(text).toContain(`,old,"'@a, ""b""\nc",update,`);
    expect(text).toContain(",old,'\t=1,update,");
    expect(text).not.toContain("before");
  });

  // rule admins.audit.9
  test("only who reads the log gets it; a wrong parameter is named", async () => {
    await panel.send("POST", "/api/admins", { as: root, body: { username: "op", password: PASSWORD, role: "admin" } });
    expect((await exported("", await signIn(panel, "op"))).status).toBe(403);
    expect((await exported("format=xlsx")).body).toMatchObject({ field: "format" });
  });

  // rule admins.audit.5
  test("the list finds the changes of one record", async () => {
    const { body } = await panel.send("GET", "/api/v1/changes?key=old&entityId=12", { as: root });
    expect(body).toMatchObject({ total: 1, items: [{ entityId: "12" }] });
  });
});
