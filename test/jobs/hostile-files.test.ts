// Files of accounts with hostile text, through the real routes and from one database into the other: what is exported,
// imported and exported again is the same to the byte, and a line that is refused is named with its field.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { oneOf, seeded, whole, type Random } from "../crash/random.ts";
import { WholePanel } from "../whole-panel.ts";
import { sendFile } from "./send-file.ts";

const ACCOUNTS = 90;
const SEED = 20_261_126;
const FORMATS = ["csv", "ndjson"] as const;
type Format = (typeof FORMATS)[number];

/** What spreadsheets, readers of tables, JSON and terminals make something else of, and what a name may have. */
const PIECES = [
  ["=", "+", "-", "@", "'", '"', "''", '""', "\\", ",", ";", "|", " ", "  ", "{", "}", "[", "]", ":", "#", "%"],
  ["0", "007", "1e5", "-1", "null", "true", "undefined", "NaN", "\\u0000", "\\ud800", "\\n", "=HYPERLINK(1)"],
  ["\u00a0", "\ufeff", "\u200e", "\u200f", "\u061c", "\u200c", "\u3000", "🚂", "👩‍🚀", "𝒳", "ß", "İ", "کاربر", "用户"],
].flat();
/** In texts of several lines: line ends of every kind that they may have. */
const BREAKS = ["\r\n", "\n", "\r", "\n\n", "\r\r\n", "\t"];

const text = (random: Random, pieces: readonly string[] = PIECES): string =>
  Array.from({ length: whole(random, 6) }, () => oneOf(random, pieces)).join("");

function accountOf(random: Random, at: number): object {
  const t = () => text(random);
  const pairs = Array.from({ length: whole(random, 4) }, (_, pair) => [`${t()}${pair}`, t()] as const);
  const email = { email: `=${at}+x@a.example` };
  const chat = { telegram_id: oneOf(random, ["-100200", "@a_b", "0"]) };
  const standard = { ...(random() < 0.5 && email), ...(random() < 0.5 && chat) };
  const ends = Math.floor(Date.now() / 1000) + 86_400 * (1 + whole(random, 400));
  return {
    // Each alone has it, whatever stands around the number.
    name: `${t()}${at}${t()}`,
    subId: `${oneOf(random, ["-", "0", "null-", "_", "1e"])}${at}`,
    ...(random() < 0.5 && { externalId: `${t()}${at}${t()}` }),
    enable: random() < 0.7,
    config: { password: `${t()}${at}${t()}`, ...(random() < 0.3 && { z: t(), a: { z: t(), a: null } }) },
    desc: text(random, [...PIECES, ...BREAKS]),
    group: t(),
    remark: t(),
    contact: { ...Object.fromEntries(pairs), ...standard },
    volume: oneOf(random, [0, 1, Number.MAX_SAFE_INTEGER]),
    ...(random() < 0.5 ? { expiry: ends } : { duration: whole(random, 3) * 86_400 }),
    ...(random() < 0.3 && { autoReset: true, resetPeriod: "monthly", resetStartDay: 31, resetCalendar: "jalali" }),
    ...(random() < 0.3 && { inboundIds: [] }),
  };
}

/** What an import does not take over, or what the panel's address is part of. */
const OWN = ["id", "subToken", "subUrl", "term", "createdAt", "updatedAt"];

/** The cells of a table as they are written, with their quotes and marks: nothing of the reader that is tested. */
function writtenCells(table: string): string[][] {
  const rows: string[][] = [[]];
  let cell = "";
  let quoted = false;
  const finish = () => {
    rows.at(-1)?.push(cell);
    cell = "";
  };
  for (let at = 0; at < table.length; at++) {
    const character = table.charAt(at);
    if (character === '"') quoted = !quoted;
    if (!quoted && character === ",") finish();
    else if (!quoted && character === "\r" && table.charAt(at + 1) === "\n") {
      finish();
      rows.push([]);
      at++;
    } else cell += character;
  }
  expect([rows.pop(), cell, quoted]).toEqual([[], "", false]);
  return rows;
}

/** A file without what is the panel's own. */
function compared(format: Format, file: string): unknown {
  if (format === "csv") {
    const [head = [], ...rows] = writtenCells(file);
    return [head, ...rows].map((cells) => cells.filter((_, at) => !OWN.includes(head[at] ?? "")));
  }
  const own = new RegExp(`"(${OWN.join("|")})":(\\d+|"[^"\\\\]*")`, "g");
  return file.split("\n").map((line) => line.replaceAll(own, '"$1":0'));
}

describe(`hostile files on ${dialects.join(" and ")}`, () => {
  const panels: WholePanel[] = [];
  beforeAll(async () => {
    for (const dialect of dialects) panels.push(await WholePanel.open(dialect));
  });
  afterAll(async () => {
    for (const panel of panels) await panel.dispose();
  });

  const exported = async (panel: WholePanel, format: Format) => {
    const { status, text: file } = await panel.call("GET", `/api/v1/users/export?format=${format}`);
    expect(status).toBe(200);
    return file;
  };
  const emptied = async (panel: WholePanel) =>
    expect((await panel.call("POST", "/api/v1/users/bulk/delete?all=true")).body.failed).toBe(0);

  // rules jobs.import.1, jobs.export.1
  test("what is exported, imported and exported again is the same to the byte, from database to database", async () => {
    const random = seeded(SEED);
    const [first] = panels;
    if (!first) throw new Error("no panel");
    const users = Array.from({ length: ACCOUNTS }, (_, at) => accountOf(random, at));
    const { body } = await first.call("POST", "/api/v1/users/batch", { users });
    expect([body.problems, body.created.length]).toEqual([[], ACCOUNTS]);
    const files = { csv: await exported(first, "csv"), ndjson: await exported(first, "ndjson") };
    // Each panel in turn takes what the one before it gave, in the end the first again.
    const given: Record<Format, string> = { ...files };
    for (const panel of [...panels.slice(1), first]) {
      for (const format of FORMATS) {
        await emptied(panel);
        const sent = await sendFile(panel, `?format=${format}`, given[format]);
        expect(sent.body).toMatchObject({ created: ACCOUNTS, failed: 0, skipped: 0, problems: [] });
        for (const each of FORMATS) {
          const again = await exported(panel, each);
          expect(compared(each, again)).toEqual(compared(each, files[each]));
        }
      }
      for (const format of FORMATS) given[format] = await exported(panel, format);
    }
  });

  /** A value that is refused, by the column of a table or the field of a line, and the field that is then named. */
  const REFUSED: readonly (readonly [column: string, value: string, field: string])[] = [
    ["name", "bell\u0007", "name"],
    ["name", "x".repeat(129), "name"],
    ["group", "two\nlines", "group"],
    ["group", "next\u0085line", "group"],
    ["remark", "\u202egnp.exe", "remark"],
    ["remark", "a\u2028b", "remark"],
    ["desc", "\u0001", "desc"],
    ["externalId", "x".repeat(129), "externalId"],
    ["subId", "a b", "subId"],
    ["volume", "lots", "volume"],
    ["volume", "-1", "volume"],
    ["volume", "1.5", "volume"],
    ["volume", "9007199254740993", "volume"],
    ["volume", "=1+1", "volume"],
    ["enable", "maybe", "enable"],
    ["expiry", "tomorrow", "expiry"],
    ["templateIds", "[1,", "templateIds"],
    ["resetPeriod", "daily", "resetPeriod"],
    ["contact_email", "no mail", "contact.email"],
    ["contact_telegram_id", "@a b", "contact.telegram_id"],
    ["contact_phone", "call me", "contact.phone"],
  ];
  /** Lines of JSON that no table can hold. */
  const BROKEN: readonly (readonly [line: string, field: string | undefined, code: string])[] = [
    ['{"name":"half\\ud800"}', "name", "validation"],
    ['{"name":"other half","desc":"\\udc00"}', "desc", "validation"],
    ['{"name":"nul","group":"\\u0000"}', "group", "validation"],
    ["null", "body", "validation"],
    ["[1]", "body", "validation"],
    ['"text"', "body", "validation"],
    ["{", undefined, "malformed_json"],
    ['{"name":"twice"}{"name":"twice"}', undefined, "malformed_json"],
  ];

  // rule jobs.import.3
  test.each(FORMATS)(
    "what is refused in %s is refused with its line and field, and the rest is done",
    async (format) => {
      const random = seeded(SEED + format.length);
      const columns = ["name", "desc", ...new Set(REFUSED.map(([column]) => column))].filter(
        (column, at, all) => all.indexOf(column) === at,
      );
      const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
      const lines: string[] = format === "csv" ? [columns.join(",")] : [];
      const wanted: (readonly [number, string | undefined])[] = [];
      let at = format === "csv" ? 2 : 1;
      let fine = 0;
      const add = (values: Readonly<Record<string, string>>) => {
        const { contact_email: email, contact_telegram_id: chat, contact_phone: phone, ...fields } = values;
        const contact = { ...(email && { email }), ...(chat && { telegram_id: chat }), ...(phone && { phone }) };
        const line =
          format === "csv"
            ? columns.map((column) => quote(values[column] ?? "")).join(",")
            : JSON.stringify({ ...fields, contact });
        lines.push(line);
        at += 1 + (line.match(/\r\n|\r|\n/g)?.length ?? 0);
      };
      for (const [nth, [column, value, field]] of REFUSED.entries()) {
        add({ name: `fine ${format} ${nth}`, desc: text(random, [...PIECES, ...BREAKS]) });
        fine++;
        wanted.push([at, field]);
        add({ name: `refused ${format} ${nth}`, [column]: value });
      }
      if (format === "ndjson")
        for (const [line, field] of BROKEN) {
          wanted.push([at++, field]);
          lines.push(line);
        }
      for (const panel of panels) {
        const { body } = await sendFile(
          panel,
          `?format=${format}&empty=unlimited`,
          lines.join(format === "csv" ? "\r\n" : "\n"),
        );
        expect(body).toMatchObject({ created: fine, skipped: 0, failed: wanted.length });
        expect(body.problems.map(({ line, field }: { line: number; field?: string }) => [line, field])).toEqual(wanted);
        const { body: left } = await panel.call("GET", `/api/v1/jobs/${body.job}/lines?limit=1000`);
        expect(left.lines.map(({ line, field }: { line: number; field: string }) => [line, field])).toEqual(
          wanted.map(([line, field]) => [line, field ?? ""]),
        );
        if (format === "ndjson")
          expect(left.lines.slice(-BROKEN.length).map(({ code }: { code: string }) => code)).toEqual(
            BROKEN.map(([, , code]) => code),
          );
      }
    },
  );
});
