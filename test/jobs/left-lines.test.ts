// The lines that an import did not do: some for a page, all as a file, and nobody else's.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { sendFile } from "./send-file.ts";
import { makeUsers, newReseller } from "./users.ts";

describe.each(dialects)("lines of an import that were left on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  const left = (job: number, query = "", headers?: Record<string, string>) =>
    panel.call("GET", `/api/v1/jobs/${job}/lines${query}`, undefined, headers);

  // rule jobs.import.7
  test("each is there with its line, field and code; a file has all, marked for spreadsheets", async () => {
    await sendFile(panel, "", '{"name":"=there","volume":5}');
    const many = Array.from({ length: 150 }, (_, at) => `{"name":"many ${at}","volume":-1}`);
    const lines = ['{"name":"=there","volume":7}', "{", '{"name":"fine"}', '{"name":"","volume":1}', ...many];
    const { body } = await sendFile(panel, "", lines.join("\n"));
    expect(body).toMatchObject({ created: 1, skipped: 1, failed: 152 });
    expect(body.problems).toHaveLength(100);
    const { body: first } = await left(body.job, "?limit=4");
    expect(first).toEqual({
      total: 153,
      lines: [
        {
          line: 1,
          outcome: "skipped",
          name: "=there",
          field: "",
          value: "",
          code: "exists",
          error: "an account has this name",
        },
        {
          line: 2,
          outcome: "refused",
          name: "",
          field: "",
          value: "",
          code: "malformed_json",
          error: expect.any(String),
        },
        {
          line: 4,
          outcome: "refused",
          name: "",
          field: "name",
          value: "",
          code: "validation",
          error: expect.stringContaining("name: "),
          issues: expect.any(Array),
        },
        expect.objectContaining({ line: 5, name: "many 0", field: "volume", value: "-1" }),
      ],
    });
    expect((await left(body.job)).body.lines).toHaveLength(100);
    expect((await left(body.job, "?outcome=skipped")).body).toMatchObject({ total: 1, lines: [{ line: 1 }] });
    expect((await left(body.job, "?outcome=refused&limit=1000")).body.lines).toHaveLength(152);
    const csv = await left(body.job, "?format=csv");
    expect(csv.headers.get("content-disposition")).toBe(`attachment; filename="import-${body.job}-lines.csv"`);
    const rows = csv.text.split("\r\n");
    expect([rows[0], rows[1], rows.length]).toEqual([
      "line,outcome,name,field,value,code,error",
      "1,skipped,'=there,,,exists,an account has this name",
      155,
    ]);
    const ndjson = (await left(body.job, "?format=ndjson&outcome=skipped")).text;
    expect(JSON.parse(ndjson)).toMatchObject({ line: 1, code: "exists" });
    for (const query of ["?limit=0", "?limit=1001", "?format=xml", "?outcome=lost"])
      expect([query, (await left(body.job, query)).status]).toEqual([query, 400]);
    // The same again, laid over: nothing is new, and that is said.
    const again = await sendFile(panel, "?onConflict=update", '{"name":"=there","volume":5}');
    expect((await left(again.body.job)).body).toMatchObject({ total: 1, lines: [{ code: "unchanged" }] });
  });

  // rules jobs.import.7, jobs.own.1
  test("another's job is not there, and of other work there are none", async () => {
    const reseller = await newReseller(panel);
    const { body } = await sendFile(panel, "", '{"name":""}');
    expect((await left(body.job, "", reseller.headers)).status).toBe(404);
    expect((await left(body.job, "?format=csv", reseller.headers)).status).toBe(404);
    expect((await left(987_654)).status).toBe(404);
    const own = await sendFile(panel, "", '{"name":""}', reseller.headers);
    expect((await left(own.body.job, "", reseller.headers)).body).toMatchObject({ total: 1, lines: [{ line: 1 }] });
    const ids = await makeUsers(panel, 1);
    const bulk = (await panel.call("POST", "/api/v1/users/bulk/disable", { ids: [...ids, 999_999] })).body;
    expect((await left(bulk.job)).body).toEqual({ total: 0, lines: [] });
    expect((await left(bulk.job, "?format=csv")).text).toBe("line,outcome,name,field,value,code,error\r\n");
  });
});
