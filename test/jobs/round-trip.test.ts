// What an export writes, an import reads: whatever accounts hold, a table says the same of them as lines of JSON.
import { expect, test } from "vitest";
import { bodyOfCells } from "../../src/accounts/transfer/cells.ts";
import { COLUMNS, fileRow, type FileUser } from "../../src/accounts/transfer/columns.ts";
import { CONTACT_KEYS } from "../../src/accounts/users/contact.ts";
import { csvLine } from "../../src/lib/csv.ts";
import { CsvReader } from "../../src/lib/csv-reader.ts";
import { oneOf, seeded, whole, type Random } from "../crash/random.ts";

const ACCOUNTS = 400;
const LINE = 64 * 1024;
/** What spreadsheets, readers of tables and JSON make something else of. */
const PIECES = [
  "=",
  "+",
  "-",
  "@",
  "'",
  '"',
  "\\",
  ",",
  ";",
  "|",
  " ",
  "\t",
  "\r",
  "\n",
  "{",
  "}",
  "[",
  "]",
  ":",
  "0",
  "1e5",
  "null",
  "true",
  "''",
  '""',
  "\r\n",
  "\u2028",
  "\u200f",
  "\u00a0",
  "\ufeff",
  "🚂",
  "ß",
  "کاربر",
  "用户",
  "=HYPERLINK(1)",
  "__proto__",
  "constructor",
];
const NUMBERS = [0, 1, 7, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER];

const text = (random: Random): string => Array.from({ length: whole(random, 6) }, () => oneOf(random, PIECES)).join("");
const flag = (random: Random): boolean => random() < 0.5;
const list = (random: Random): number[] => Array.from({ length: whole(random, 4) }, () => oneOf(random, NUMBERS));

function contactOf(random: Random): Record<string, string> {
  const pairs = [
    ...CONTACT_KEYS.filter(() => flag(random)).map((key) => [key, text(random)] as const),
    ...Array.from({ length: whole(random, 4) }, () => [text(random), text(random)] as const),
  ];
  return Object.fromEntries(pairs.filter(([key, value]) => key !== "" && value !== ""));
}

function userOf(random: Random): FileUser {
  const t = () => text(random);
  const n = () => oneOf(random, NUMBERS);
  const config = { uuid: t(), password: t(), ss16: t(), ss32: t(), flow: t() };
  const times = { expiry: n(), duration: n(), term: n(), activatedAt: n(), createdAt: n(), updatedAt: n() };
  const counters = { up: n(), down: n(), totalUp: n(), totalDown: n(), onlineAt: n(), lastInbound: t() };
  const fetched = { subFetchedAt: n(), subSeenAt: n(), subClient: t(), subFetchIp: t() };
  const resets = {
    autoReset: flag(random),
    resetDays: n(),
    resetPeriod: t(),
    resetStartDay: n(),
    resetStartMonth: n(),
    resetCalendar: t(),
    nextReset: n(),
  };
  return {
    id: n(),
    name: t(),
    enable: flag(random),
    disabledReason: t(),
    config,
    desc: t(),
    contact: contactOf(random),
    subToken: t(),
    subId: t(),
    externalId: t(),
    remark: t(),
    group: t(),
    subUrl: t(),
    volume: n(),
    speedLimit: n(),
    ipLimit: n(),
    deviceLimit: n(),
    adminId: n(),
    ...times,
    ...counters,
    ...fetched,
    ...resets,
    allTemplates: flag(random),
    templateIds: list(random),
    inboundIds: flag(random) ? null : list(random),
    licensed: flag(random),
  };
}

/** An empty text says nothing in either format: the account's default. */
function said(body: Readonly<Record<string, unknown>>): object {
  const { contact, ...rest } = body;
  const isSaid = ([, value]: readonly [string, unknown]) => value !== "" && value !== undefined;
  const pairs = Object.entries((contact ?? {}) as Record<string, unknown>);
  return { ...Object.fromEntries(Object.entries(rest).filter(isSaid)), contact: Object.fromEntries(pairs) };
}

/** The rows of a table that comes in pieces of this many characters. */
function rowsOf(table: string, length: number): readonly (readonly string[])[] {
  const reader = new CsvReader(LINE);
  const pieces = Array.from({ length: Math.ceil(table.length / length) }, (_, at) =>
    table.slice(at * length, (at + 1) * length),
  );
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()].map(({ cells }) => cells ?? []);
}

const READING = { timeZone: "UTC", empty: "refuse", unlimited: [] } as const;

// rule jobs.import.1
test.each([1, 2, 3])("a table and lines of JSON say the same, seed %i", (seed) => {
  const random = seeded(seed);
  const users = Array.from({ length: ACCOUNTS }, () => userOf(random));
  const table = csvLine(COLUMNS) + users.map((user) => fileRow("csv", user)).join("");
  const [head, ...rows] = rowsOf(table, seed === 1 ? 1 : seed * 1013);
  expect(head).toEqual(COLUMNS);
  expect(rows).toHaveLength(ACCOUNTS);
  for (const [at, user] of users.entries()) {
    const line = JSON.parse(fileRow("ndjson", user)) as Record<string, unknown>;
    const { body, problems } = bodyOfCells(COLUMNS, rows[at] ?? [], READING);
    expect(problems).toEqual([]);
    expect(said(body)).toEqual(said(line));
  }
});
