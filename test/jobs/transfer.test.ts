// Accounts as files: an export that an import reads again, and what an import does with each line.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { zoneName } from "../../src/lib/zone.ts";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { sendFile } from "./send-file.ts";
import { jobEnded, makeUsers, newReseller } from "./users.ts";

describe.each(dialects)("files of users on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  const exported = async (query: string, headers?: Record<string, string>) =>
    (await panel.call("GET", `/api/v1/users/export?${query}`, undefined, headers)).text;
  const named = async (name: string) =>
    (await panel.call("GET", `/api/v1/users?name=${encodeURIComponent(name)}`)).body.items[0];
  const ndjson = (...lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

  // rules jobs.export.1, jobs.import.1
  test.each(["csv", "ndjson"])("what is exported as %s is imported again as it was", async (format) => {
    const group = `round-${format}`;
    const now = Math.floor(Date.now() / 1000);
    const [, second] = await makeUsers(panel, 3, {
      group,
      volume: 5,
      expiry: now + 86_400,
      desc: '=HYPERLINK("x"), and\na second line',
      remark: "'=mark",
      contact: { email: "a@b.example", telegram_id: "-100200", other: "x, y" },
      templateIds: [],
      inboundIds: [],
      autoReset: true,
      resetPeriod: "monthly",
      resetStartDay: 31,
    });
    await panel.call("PATCH", `/api/v1/users/${second}`, { enable: false, nextReset: now + 12_345 });
    const { body: before } = await panel.call("GET", `/api/v1/users?group=${group}&sort=name`);
    const file = await exported(`group=${group}&format=${format}`);
    if (format === "csv") {
      const [head] = file.split("\r\n");
      expect(head).toContain("id,name,enable,disabledReason,config,desc,contact,contact_telegram_id,");
      expect(file).toContain(`"'=HYPERLINK(`);
    }
    expect((await panel.call("POST", `/api/v1/users/bulk/delete?group=${group}`)).body.affected).toBe(3);
    const { status, body } = await sendFile(panel, `?format=${format}`, file);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { created: 3, updated: 0, skipped: 0, failed: 0, problems: [] },
    });
    const { body: after } = await panel.call("GET", `/api/v1/users?group=${group}&sort=name`);
    const kept = ({ id: _, createdAt: __, updatedAt: ___, since: ____, ...rest }: Record<string, unknown>) => ({
      ...rest,
      subToken: "",
      term: 0,
    });
    expect(after.items.map(kept)).toEqual(before.items.map(kept));
    // An account that had no list has none again, also where somebody wrote one meanwhile.
    const [unlisted] = await makeUsers(panel, 1, { group: `${group}-null` });
    const whole = await exported(`group=${group}-null&format=${format}`);
    await panel.call("POST", "/api/v1/users/bulk/edit", { ids: [unlisted], set: { inboundIds: [] } });
    expect((await panel.call("GET", `/api/v1/users/${unlisted}`)).body.inboundIds).toEqual([]);
    expect((await sendFile(panel, `?format=${format}&onConflict=update`, whole)).body).toMatchObject({ updated: 1 });
    expect((await panel.call("GET", `/api/v1/users/${unlisted}`)).body.inboundIds).toBeNull();
    // The same again finds everybody there, and nothing to change.
    expect((await sendFile(panel, `?format=${format}&onConflict=update`, file)).body).toMatchObject({
      created: 0,
      updated: 0,
      skipped: 3,
      failed: 0,
    });
  });

  // rule jobs.export.1
  test("an export is of what the filters select, and of one's own accounts", async () => {
    const reseller = await newReseller(panel);
    const [mine] = await makeUsers(panel, 1, { adminId: reseller.id, group: "exported" });
    await makeUsers(panel, 1, { group: "exported" });
    const lines = async (query: string, headers?: Record<string, string>) =>
      (await exported(`format=ndjson&${query}`, headers)).trim().split("\n");
    expect(await lines("group=exported")).toHaveLength(2);
    const [line, ...others] = await lines("group=exported&admin_id=0", reseller.headers);
    expect(others).toEqual([]);
    expect(JSON.parse(line ?? "")).toMatchObject({ id: mine, adminId: reseller.id });
    expect((await panel.call("GET", "/api/v1/users/export?node_id=999999")).status).toBe(404);
    expect((await panel.call("GET", "/api/v1/users/export?format=xml")).body).toMatchObject({ field: "format" });
  });

  // rules jobs.import.3, jobs.import.4
  test("lines that cannot be read or done are listed with their numbers; the others are done", async () => {
    const stem = `lines-${dialect}`;
    const [there] = await makeUsers(panel, 1, { externalId: `ref-${stem}` });
    const { name: taken } = (await panel.call("GET", `/api/v1/users/${there}`)).body;
    const text = [
      JSON.stringify({ name: `${stem}-1`, group: stem }),
      "",
      "{ not json",
      JSON.stringify({ name: `${stem}-2`, volume: -1 }),
      JSON.stringify({ name: taken, group: stem, volume: 77 }),
      JSON.stringify({ name: `${stem}-3`, externalId: `ref-${stem}` }),
      JSON.stringify({ name: `${stem}-4`, desc: "x".repeat(70_000) }),
      JSON.stringify({ name: `${stem}-1`, volume: 99 }),
      JSON.stringify({ name: `${stem}-5`, templateIds: [987_654] }),
      JSON.stringify({ name: `${stem}-6`, group: stem }),
    ].join("\n");
    const { body } = await sendFile(panel, "?onConflict=update", text);
    expect(body).toMatchObject({ created: 2, updated: 2, skipped: 0, failed: 5 });
    expect(body.problems.map(({ line, code }: { line: number; code: string }) => [line, code])).toEqual([
      [3, "malformed_json"],
      [4, "validation"],
      [6, "duplicate"],
      [7, "too_large"],
      [9, "validation"],
    ]);
    expect(body.problems[1]).toMatchObject({
      field: "volume",
      issues: [{ path: "volume", code: "too_small", values: [0] }],
    });
    expect(await named(taken)).toMatchObject({ group: stem, volume: 77 });
    expect(await named(`${stem}-1`)).toMatchObject({ group: stem, volume: 99 });
    expect((await sendFile(panel, "?onConflict=fail", text.split("\n")[0] ?? "")).body).toMatchObject({
      failed: 1,
      problems: [{ line: 1, code: "duplicate" }],
    });
    expect((await sendFile(panel, "", text.split("\n")[0] ?? "")).body).toMatchObject({ skipped: 1, problems: [] });
  });

  // rules jobs.import.11, jobs.import.12, jobs.import.13
  test("a dry run counts what the import then does, with every problem and the value that was read", async () => {
    const stem = `dry-${dialect}`;
    const [there] = await makeUsers(panel, 1);
    const { name: taken } = (await panel.call("GET", `/api/v1/users/${there}`)).body;
    const table = [
      "\uFEFFName ; Volume;expiry;Device limit;telefon",
      `${stem}-1;50GB;1405/10/10;۲;1`,
      ";;;;",
      `${stem}-2;;2026-12-31;0;2`,
      `${stem}-3;1.07374E+11;1795809471000;x;3`,
      " ; ",
      `${taken};1;0;0;4`,
      `${stem}-1;1;0;0;5`,
      `${stem}-4;0;never;0;6`,
      ";",
    ].join("\r\n");
    const csv = { authorization: `Bearer ${panel.token}`, "content-type": "text/csv; charset=utf-8" };
    const dry = await sendFile(panel, "?dryRun=true", table, csv);
    expect({ status: dry.status, body: dry.body }).toMatchObject({
      status: 200,
      body: { lines: 6, create: 2, update: 0, skip: 2, fail: 2, unknownColumns: ["telefon"] },
    });
    expect(
      dry.body.problems.map(({ line, field, value, code }: Record<string, unknown>) => [line, field, value, code]),
    ).toEqual([
      [4, "volume", "", "empty_limit"],
      [5, "volume", "1.07374E+11", "cut_digits"],
      [5, "deviceLimit", "x", "whole_number"],
      [5, "expiry", "1795809471000", "time_range"],
    ]);
    expect(dry.body.assumed).toEqual(
      expect.arrayContaining([
        { field: "volume", code: "size_1024", value: "", lines: 1 },
        { field: "expiry", code: "persian_date", value: zoneName(""), lines: 1 },
        { field: "ipLimit", code: "absent_unlimited", value: "", lines: 2 },
      ]),
    );
    expect(await named(`${stem}-1`)).toBeUndefined();
    const { body } = await sendFile(panel, "?format=csv", table);
    expect(body).toMatchObject({ created: 2, updated: 0, skipped: 2, failed: 2, unknownColumns: ["telefon"] });
    expect(body.problems[1]).toMatchObject({ line: 5, field: "volume", value: "1.07374E+11" });
    expect(await named(`${stem}-1`)).toMatchObject({
      volume: 50 * 2 ** 30,
      expiry: new Date(2026, 11, 31, 23, 59, 59).getTime() / 1000,
      deviceLimit: 2,
    });
    const { body: job } = await panel.call("GET", `/api/v1/jobs/${body.job}`);
    expect(job.problems.map(({ line }: { line: number }) => line)).toEqual([4, 5]);
    const { body: left } = await panel.call("GET", `/api/v1/jobs/${body.job}/lines?outcome=refused`);
    expect(left.lines[1]).toMatchObject({ line: 5, field: "volume", value: "1.07374E+11" });
    const free = await sendFile(panel, "?format=csv&empty=unlimited", `name,volume\n${stem}-free,\n`);
    expect(free.body).toMatchObject({ created: 1, failed: 0 });
    const over = await sendFile(panel, "?format=csv&dryRun=true&onConflict=fail", table);
    expect(over.body).toMatchObject({ lines: 6, create: 0, fail: 6 });
  });

  // rule jobs.import.13
  test("a reseller's dry run is held to its cap over all parts of the file, and makes nothing", async () => {
    const reseller = await newReseller(panel, { userLimit: 250 });
    const lines = Array.from({ length: 600 }, (_, at) => ({ name: `capped-${dialect}-${at}` }));
    const dry = await sendFile(
      panel,
      "?dryRun=true",
      ndjson(...lines, { name: "odd", colour: "red" }),
      reseller.headers,
    );
    expect(dry.body).toMatchObject({ lines: 601, create: 250, fail: 351, unknownColumns: ["colour"] });
    expect(dry.body.problems).toHaveLength(351);
    expect((await panel.call("GET", "/api/v1/users", undefined, reseller.headers)).body.total).toBe(0);
    const { body } = await sendFile(panel, "", ndjson(...lines), reseller.headers);
    expect(body).toMatchObject({ created: 250, failed: 350 });
  });

  // rule jobs.import.13
  test.each(["update", "fail"])(
    "with onConflict=%s a dry run refuses the lines that the import refuses, however far apart those are that clash",
    async (onConflict) => {
      const stem = `far-${dialect}-${onConflict}`;
      const uuid = (at: number) => randomUUID().slice(0, 24) + String(at).padStart(12, "0");
      const lines: Record<string, unknown>[] = Array.from({ length: 1000 }, (_, at) => ({
        name: `${stem}-${at}`,
        subId: `${stem}-link-${at}`,
        externalId: `${stem}-ref-${at}`,
        config: { uuid: uuid(at), password: `${stem}-password-${at}` },
      }));
      const [first] = lines;
      const { uuid: eleventh } = z.object({ uuid: z.string() }).parse(lines[11]?.["config"]);
      const clashing = new Map<number, object>([
        // Within a part of the file, and far behind.
        [150, { externalId: `${stem}-ref-3` }],
        [300, { name: `${stem}-7` }],
        [450, { subId: `${stem}-link-5` }],
        [600, { externalId: `${stem}-ref-399` }],
        [750, { config: { password: `${stem}-password-9` } }],
        [800, { config: { by: { vless: { uuid: eleventh } } } }],
        // All its own: the name and what the same account has.
        [999, { ...first }],
      ]);
      for (const [at, fields] of clashing) Object.assign(lines[at] ?? {}, fields);
      const file = ndjson(...lines);
      const dry = await sendFile(panel, `?dryRun=true&onConflict=${onConflict}`, file);
      expect(dry.status).toBe(200);
      const { body } = await sendFile(panel, `?onConflict=${onConflict}`, file);
      type Refused = { readonly line: number; readonly field?: string; readonly code: string };
      const refused = ({ problems }: { readonly problems: readonly Refused[] }) =>
        problems.map(({ line, field, code }) => [line, field, code]);
      expect(refused(dry.body)).toEqual(refused(body));
      expect(refused(body)).toEqual([
        [151, "externalId", "duplicate"],
        ...(onConflict === "fail" ? [[301, "name", "duplicate"]] : []),
        [451, "subId", "duplicate"],
        [601, "externalId", "duplicate"],
        [751, "config.password", "duplicate"],
        [801, "config.by.vless.uuid", "duplicate"],
        ...(onConflict === "fail" ? [[1000, "name", "duplicate"]] : []),
      ]);
      expect([dry.body.create, dry.body.fail]).toEqual([body.created, body.failed]);
      expect(dry.body.update + dry.body.skip).toBe(body.updated + body.skipped);
    },
  );

  // rule jobs.export.1
  test("a file for a spreadsheet begins with the byte order mark", async () => {
    for (const path of ["users/export?format=csv", "changes/export", "reports/users?format=csv"]) {
      const answer = await fetch(`${panel.url}/api/v1/${path}`, {
        headers: { authorization: `Bearer ${panel.token}` },
      });
      expect([path, [...new Uint8Array(await answer.arrayBuffer()).slice(0, 3)]]).toEqual([path, [0xef, 0xbb, 0xbf]]);
    }
  });

  // rule jobs.import.3
  test("a line with text that not every database stores is refused as a body is; the others are done", async () => {
    const stem = `stored-${dialect}`;
    const deep = `${"[".repeat(100)}${"]".repeat(100)}`;
    const lines = [
      `{"name":"${stem}\\ud800"}`,
      `{"name":"${stem}","desc":"\\u0000"}`,
      `{"name":"${stem}","more":${deep}}`,
    ];
    const { body } = await sendFile(panel, "", [...lines, `{"name":"${stem}-fine"}`].join("\n"));
    expect(body).toMatchObject({ created: 1, failed: 3 });
    expect(body.problems.map(({ field, code }: Record<string, string>) => [field, code])).toEqual([
      ["name", "validation"],
      ["desc", "validation"],
      ["more.0.0.0.0.0.0.0", "validation"],
    ]);
    const cells = await sendFile(panel, "?format=csv", `name,contact\n${stem}-cell,"{""email"":""\\ud800""}"\n`);
    expect(cells.body).toMatchObject({ created: 0, problems: [{ line: 2, field: "contact.email" }] });
  });

  // rule jobs.import.4
  test("an account that the panel had off is judged by its limits, and one that had begun goes on", async () => {
    const now = Math.floor(Date.now() / 1000);
    const stem = `states-${dialect}`;
    await sendFile(
      panel,
      "",
      ndjson(
        { name: `${stem}-spent`, enable: false, disabledReason: "volume", volume: 10 },
        { name: `${stem}-hand`, enable: false, disabledReason: "manual" },
        { name: `${stem}-begun`, duration: 86_400, activatedAt: now - 60, expiry: now + 86_340 },
        { name: `${stem}-over`, expiry: now - 60 },
      ),
    );
    expect(await named(`${stem}-spent`)).toMatchObject({ enable: true });
    expect(await named(`${stem}-hand`)).toMatchObject({ enable: false, disabledReason: "manual" });
    expect(await named(`${stem}-begun`)).toMatchObject({ activatedAt: now - 60, expiry: now + 86_340 });
    expect(await named(`${stem}-over`)).toMatchObject({ enable: false, disabledReason: "expiry" });
  });

  // rule jobs.import.1
  test("a table needs a head with names, and text in UTF-8; nothing is kept of one that is refused", async () => {
    expect(await sendFile(panel, "?format=csv", "user,volume\nanna,5\n")).toMatchObject({
      status: 400,
      body: { field: "name" },
    });
    expect(await sendFile(panel, "?format=csv", "")).toMatchObject({ status: 400, body: { field: "name" } });
    expect(await sendFile(panel, "", "\n")).toMatchObject({ status: 400, body: { field: "body" } });
    const latin = Buffer.concat([Buffer.from(ndjson({ name: "latin" }).repeat(600)), Buffer.from([0xff, 0x0a])]);
    expect((await sendFile(panel, "", latin)).status).toBe(400);
    for (const format of ["csv", "ndjson"]) {
      const head = format === "csv" ? "name,desc\n" : "";
      const answer = await sendFile(panel, `?format=${format}`, `${head}nul,a\u0000b\n`);
      expect([format, answer.status, answer.body.code]).toEqual([format, 400, "bad_request"]);
    }
    expect((await panel.call("GET", "/api/v1/jobs?kind=users.import&state=queued,running")).body.items).toEqual([]);
    expect(
      (await sendFile(panel, "?format=csv", "\uFEFFname;volume;contact_phone\r\nsemi;5;+98911\r\n")).body,
    ).toMatchObject({
      created: 1,
    });
    expect(await named("semi")).toMatchObject({ volume: 5, contact: { phone: "+98911" } });
  });

  // rules jobs.import.2, jobs.import.5
  test("with async it is answered at once; one event and one audit record tell of it", async () => {
    const stem = `told-${dialect}`;
    const { body: before } = await panel.call("GET", "/api/v1/events/log?limit=1");
    const begun = await sendFile(panel, "?async=true", ndjson({ name: `${stem}-1` }, { name: `${stem}-2` }));
    expect(begun.status).toBe(202);
    const job = await jobEnded(panel, begun.body.job);
    expect(job).toMatchObject({
      kind: "users.import",
      state: "succeeded",
      total: 2,
      done: 2,
      affected: 2,
      undoUntil: expect.any(Number),
    });
    const { body: log } = await panel.call("GET", "/api/v1/events/log?limit=20");
    const fresh = log.items.filter(({ id }: { id: number }) => id > (before.items[0]?.id ?? 0));
    expect(fresh).toMatchObject([{ event: "user.bulk", data: { op: "import", affected: 2, failed: 0 } }]);
    expect(fresh[0].data.ids).toHaveLength(2);
    const { body: changes } = await panel.call("GET", "/api/v1/changes?limit=1&action=import");
    expect(changes.items[0]).toMatchObject({ key: "users", obj: { job: job.id, created: 2, updated: 0 } });
  });

  // rule jobs.import.4
  test("a reseller imports for itself alone, and nobody finds credentials of others by importing", async () => {
    const stem = `own-${dialect}`;
    const reseller = await newReseller(panel, { userLimit: 2 });
    const [other] = await makeUsers(panel, 1, { config: { password: `secret of ${stem}` } });
    const { name } = (await panel.call("GET", `/api/v1/users/${other}`)).body;
    const sent = await sendFile(
      panel,
      "?onConflict=update",
      ndjson({ name: `${stem}-1`, adminId: 0 }, { name, volume: 1 }, { name: `${stem}-2` }, { name: `${stem}-3` }),
      reseller.headers,
    );
    expect(sent.body).toMatchObject({ created: 2, updated: 0, failed: 2 });
    expect(sent.body.problems.map(({ line }: { line: number }) => line)).toEqual([2, 4]);
    expect(await named(`${stem}-1`)).toMatchObject({ adminId: reseller.id });
    expect(await named(name)).toMatchObject({ volume: 0 });
    const guesses = Array.from({ length: 11 }, (_, at) => ({
      name: `${stem}-guess-${at}`,
      config: { password: `secret of ${stem}` },
    }));
    const guessed = await sendFile(panel, "", ndjson(...guesses));
    expect(guessed.body).toMatchObject({ created: 0, failed: 0 });
    expect(guessed.body.error).toContain("credentials or links of other accounts");
  });

  // rule jobs.import.4
  test("of many imports a reseller learns no more of others' credentials than its sessions do", async () => {
    const stem = `guess-${dialect}`;
    const reseller = await newReseller(panel);
    const passwords = Array.from({ length: 40 }, (_, at) => `secret ${at} of ${stem}`);
    for (const password of passwords) await makeUsers(panel, 1, { config: { password } });
    await sendFile(panel, "", ndjson({ name: stem }), reseller.headers);
    const told: number[] = [];
    for (let from = 0; from < 40; from += 10) {
      const lines = passwords.slice(from, from + 10).map((password) => ({ name: stem, config: { password } }));
      const { body } = await sendFile(panel, "?onConflict=update", ndjson(...lines), reseller.headers);
      told.push(body.failed);
      expect(body.error ?? "").toMatch(body.failed === 0 ? /too many lines for one minute/ : /^$/);
    }
    // Ten a minute; another minute may have begun between two of them.
    expect(told.filter((failed) => failed > 0).length).toBeLessThanOrEqual(2);
    expect(told[0]).toBe(10);
  });
});
