// Refusals are short and cheap however much is wrong: twenty issues and their count, of whatever route and input.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendFile } from "../jobs/send-file.ts";
import { startStopwatch } from "../stopwatch.ts";
import { WholePanel } from "../whole-panel.ts";

/** Bytes of an answer. */
const SHORT = 64 * 1024;
/** Milliseconds for some megabytes of body: most of it is the reading of them. */
const QUICK = 1500;

let panel: WholePanel;
beforeAll(async () => {
  panel = await WholePanel.open("sqlite");
});
afterAll(() => panel.dispose());

const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const record = (count: number, value: unknown) => Object.fromEntries(many(count, (at) => [`m${at}`, value]));
const STRICT = { prefer: "handling=strict" };

interface Wrong {
  readonly what: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Undefined: as many as the route finds. */
  readonly count?: number;
}

const WRONG: readonly Wrong[] = [
  {
    what: "members of a batch",
    path: "/users/batch",
    body: { users: many(1000, (at) => ({ name: `u${at}`, ...record(400, 1) })) },
    headers: STRICT,
    count: 400_000,
  },
  { what: "ids that are texts", path: "/users/bulk/enable", body: { ids: many(100_000, String) }, count: 100_000 },
  { what: "more ids than a list takes", path: "/users/bulk/enable", body: { ids: many(300_000, String) }, count: 1 },
  { what: "more users than a batch takes", path: "/users/batch", body: { users: many(100_000, () => ({})) }, count: 1 },
  { what: "pairs of a contact", path: "/users", body: { name: "a", contact: record(60_000, []) }, count: 1 },
  { what: "wrong pairs of a contact", path: "/users", body: { name: "a", contact: record(40, []) }, count: 40 },
  {
    what: "templates of an account",
    path: "/users",
    body: { name: "a", templateIds: many(100_000, String) },
    count: 1,
  },
  { what: "keys of a fragment", path: "/inbounds", body: { tag: "a", type: "vless", config: record(60_000, 1) } },
  {
    what: "rules of a route",
    path: "/templates",
    body: { name: "a", route: { rules: many(20_000, () => ({ action: "none", odd: 1 })) } },
  },
  {
    what: "events of a webhook",
    path: "/webhooks",
    body: { name: "a", url: "https://a.example", events: many(50_000, String) },
  },
  { what: "members of settings", path: "/me/ui", body: { ...record(60_000, 1) } },
  { what: "one long name", path: "/users", body: { name: "a", ["x".repeat(900_000)]: 1 }, headers: STRICT, count: 1 },
  {
    what: "a long name within",
    path: "/users",
    body: { name: "a", contact: { ["x".repeat(900_000)]: "1" } },
    count: 1,
  },
];

// rule http.error.11
test.each(WRONG)("$what", async ({ path, body, headers = {}, count }) => {
  const elapsed = startStopwatch();
  const method = path === "/me/ui" ? "PUT" : "POST";
  const authorization = { authorization: `Bearer ${panel.token}` };
  const answer = await panel.call(method, `/api/v1${path}`, body, { ...authorization, ...headers });
  expect(elapsed()).toBeLessThan(QUICK);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.text.length).toBeLessThan(SHORT);
  const { issues = [], issueCount = 0, field = "" } = answer.body;
  expect(issues.length).toBe(Math.min(20, issueCount));
  expect(field.length).toBeLessThanOrEqual(256);
  if (count !== undefined) expect([answer.status, issueCount]).toEqual([400, count]);
});

// rule http.error.11
test("what each element of a batch is refused for is short too", async () => {
  const users = many(1000, () => ({ name: "a", ["x".repeat(100)]: 1, contact: { ["y".repeat(2000)]: "\n" } }));
  const { status, body, text } = await panel.call("POST", "/api/v1/users/batch", { users });
  expect([status, body.problems.length]).toEqual([200, 1000]);
  expect(text.length).toBeLessThan(1000 * 512);
});

// rule jobs.import.10
test("tables are as wide as accounts have columns, and a row says of a contact what an account may hold", async () => {
  const elapsed = startStopwatch();
  const columns = ["name", ...many(9000, (at) => `c${at}`)].join(",");
  expect(await sendFile(panel, "?format=csv", `${columns}\nanna\n`)).toMatchObject({
    status: 400,
    body: { field: "body", issues: [{ code: "too_many", values: [256] }] },
  });
  const contacts = many(200, (at) => `contact_c${at}`);
  const rows = many(100, (at) => [`w${at}`, ...contacts.map(() => "1234567890")].join(","));
  const wide = await sendFile(panel, "?format=csv", `${["name", ...contacts].join(",")}\n${rows.join("\n")}\n`);
  expect(wide.body).toMatchObject({ created: 0, failed: 100, problems: expect.arrayContaining([]) });
  const lines = many(100, (at) => JSON.stringify({ name: `l${at}`, contact: record(6000, []) }));
  const long = await sendFile(panel, "?format=ndjson", `${lines.join("\n")}\n`);
  expect(long.body).toMatchObject({ created: 0, failed: 100 });
  expect(long.body.problems[0]).toMatchObject({ field: "contact", code: "validation" });
  expect(elapsed()).toBeLessThan(3 * QUICK);
});
