// Bad inputs to every writing route: each is refused with the field's name, and nothing at all has changed afterwards.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { Target } from "./target.ts";

type Body = Readonly<Record<string, unknown>>;

/** A route, a body that it takes, and what no field of it may be. A field written `a.b` is inside another. */
interface BadInputs {
  readonly method: "POST" | "PUT" | "PATCH";
  readonly path: string;
  readonly good: Body;
  readonly bad: Readonly<Record<string, readonly unknown[]>>;
  /** Asked by the cookie of a session. */
  readonly session?: true;
}

const NO_TEXT = [1, true, null, [], {}];
const NO_OPTIONAL_TEXT = [1, true, [], {}];
const NO_COUNT = [-1, 1.5, "1", true, [], {}, 2 ** 53, 1e300];
const NO_FLAG = ["true", 1, 0, [], {}];
const NO_NAME = [...NO_TEXT, "", "x".repeat(129), "a\u0000", "a\nb", "\u007f"];
const NO_IDS = ["1", 1, {}, [0], [-1], [1.5], ["1"], [null], Array.from({ length: 1001 }, (_, n) => n + 1)];

const limits = { volume: NO_COUNT, speedLimit: NO_COUNT, ipLimit: NO_COUNT, deviceLimit: NO_COUNT };
const resets = {
  autoReset: NO_FLAG,
  resetDays: [...NO_COUNT, 3661],
  resetPeriod: ["daily", 1, null, "Weekly"],
  resetStartDay: [...NO_COUNT, 32],
  resetStartMonth: [...NO_COUNT, 13],
  resetCalendar: ["hijri", 1, null],
};
const userFields = {
  name: NO_NAME,
  enable: NO_FLAG,
  desc: [...NO_OPTIONAL_TEXT, "x".repeat(4097)],
  group: [...NO_OPTIONAL_TEXT, "x".repeat(129), "\u0000"],
  adminId: [...NO_COUNT, 1, 999_999],
  remark: [...NO_OPTIONAL_TEXT, "x".repeat(257)],
  ...limits,
  expiry: NO_COUNT,
  duration: NO_COUNT,
  ...resets,
  allTemplates: NO_FLAG,
  templateIds: [...NO_IDS, [999_999]],
  subId: [1, "a b", "x".repeat(65), "ü", "a/b"],
};

const TABLE: readonly BadInputs[] = [
  { method: "POST", path: "/users", good: { name: "new" }, bad: { ...userFields, planId: NO_COUNT } },
  { method: "PUT", path: "/users/1", good: { name: "new" }, bad: userFields },
  {
    method: "PATCH",
    path: "/users/1",
    good: { desc: "d" },
    bad: {
      ...userFields,
      version: ["1", -1, 1.5],
      activatedAt: NO_COUNT,
      nextReset: NO_COUNT,
      up: [0],
      subToken: ["x"],
      planId: [1],
      unknown: [1],
      id: [1],
    },
  },
  { method: "POST", path: "/users/1/renew", good: {}, bad: { planId: [...NO_COUNT, 999_999] } },
  { method: "POST", path: "/users/1/extend", good: {}, bad: { seconds: NO_COUNT, bytes: NO_COUNT } },
  {
    method: "POST",
    path: "/users/batch",
    good: { users: [] },
    bad: { users: ["x", {}, 1, null, Array.from({ length: 1001 }, () => ({}))] },
  },
  {
    method: "POST",
    path: "/nodes",
    good: { name: "new", address: "127.0.0.1", port: 1 },
    bad: {
      name: NO_NAME,
      address: [...NO_TEXT, "a b", "a/b", "x".repeat(254)],
      port: ["1", 0, -1, 65_536, 1.5, null],
      multiplier: ["1", -1, 1001, null],
      enabled: NO_FLAG,
      limitBytes: NO_COUNT,
      limitPeriod: ["daily", 1, null],
      templateId: [-1, "1", 1.5, 999_999],
      sshPort: [-1, 65_536, "22"],
    },
  },
  {
    method: "PUT",
    path: "/nodes/1",
    good: { remark: "r" },
    bad: { name: NO_NAME, port: [0, 65_536, "1"], templateId: [-1, "1", 999_999] },
  },
  { method: "POST", path: "/nodes/1/enabled", good: { enabled: true }, bad: { enabled: [...NO_FLAG, null] } },
  {
    method: "PUT",
    path: "/nodes/1/template",
    good: { templateId: null },
    bad: { templateId: [-1, "1", 1.5, 999_999, {}] },
  },
  { method: "PUT", path: "/nodes/1/routing", good: { routing: null }, bad: { routing: ["x", 1, [], true] } },
  {
    method: "POST",
    path: "/inbounds",
    good: { tag: "new", type: "vless", config: { listen_port: 2 } },
    bad: {
      tag: [...NO_TEXT, "", " a", "in"],
      type: [...NO_TEXT, "", "nothing"],
      config: ["x", 1, null, []],
      useNodeCert: NO_FLAG,
    },
  },
  {
    method: "PUT",
    path: "/inbounds/1",
    good: { remark: "r" },
    bad: { tag: ["", 1, " a"], config: ["x", null, []], certificateId: [-1, "1", 999_999] },
  },
  {
    method: "POST",
    path: "/outbounds",
    good: { tag: "new", type: "direct", config: {} },
    bad: { tag: [...NO_TEXT, "", "direct"], type: [...NO_TEXT, "nothing"], config: ["x", 1, null, []] },
  },
  {
    method: "POST",
    path: "/templates",
    good: { name: "new" },
    bad: {
      name: NO_NAME,
      inboundIds: [...NO_IDS, [999_999]],
      outboundIds: [...NO_IDS, [999_999]],
      route: ["x", 1, []],
      core: ["x", 1, []],
    },
  },
  {
    method: "POST",
    path: "/plans",
    good: { name: "new", days: 30 },
    bad: {
      name: NO_NAME,
      days: [...NO_COUNT, 36_526],
      onFirstUse: NO_FLAG,
      volume: NO_COUNT,
      sortOrder: NO_COUNT,
      resetPeriod: ["daily", 1],
      templateIds: [...NO_IDS, [999_999]],
      namePrefix: [1, "x".repeat(65)],
    },
  },
  {
    method: "POST",
    path: "/webhooks",
    good: { name: "new", url: "http://127.0.0.1:9/x" },
    bad: {
      name: NO_NAME,
      url: [...NO_TEXT, "", "x", "ftp://127.0.0.1/", "//a", "javascript:1"],
      events: ["x", [1], ["no.such"]],
      ownOnly: NO_FLAG,
      enabled: NO_FLAG,
    },
  },
  {
    method: "POST",
    path: "/roles",
    good: { name: "new", base: "admin", scopes: ["users:read"] },
    bad: {
      name: [...NO_TEXT, "", "x".repeat(65), "sudo", "Admin", "narrow"],
      base: ["root", 1, null],
      scopes: [[], ["none"], "users:read", [1], null, ["__proto__"]],
      userLimit: NO_COUNT,
      maxDeviceLimit: NO_COUNT,
      maxDuration: NO_COUNT,
    },
  },
  {
    method: "POST",
    path: "/admins",
    good: { username: "new", password: "correct horse" },
    bad: {
      username: [...NO_TEXT, "", "a b", "x".repeat(65), "ü", "SECOND"],
      password: [...NO_TEXT, "", "short", "x".repeat(257)],
      role: ["nobody", 1],
      volume: NO_COUNT,
      expiry: NO_COUNT,
      userLimit: NO_COUNT,
      period: ["daily", 1],
    },
  },
  {
    method: "PUT",
    path: "/admins/{id}/password",
    good: { password: "correct horse" },
    bad: { password: [...NO_TEXT, "short", "x".repeat(257)] },
  },
  {
    method: "POST",
    path: "/tokens",
    good: { desc: "new" },
    bad: {
      desc: [1, "x".repeat(257), "\u0000"],
      role: ["nobody", 1],
      adminId: [...NO_COUNT, 999_999],
      scopes: ["x", [1], ["none"]],
      addon: ["A", "a b", "x".repeat(33), "unregistered"],
      rateLimit: [...NO_COUNT, 1_000_001],
      expiry: NO_COUNT,
    },
  },
  { method: "PUT", path: "/settings/timezone", good: { value: "" }, bad: { value: [...NO_TEXT, "Nowhere/At_all"] } },
  {
    method: "PUT",
    path: "/settings/web_listen_port",
    good: { value: "8080" },
    bad: { value: ["0x10", "-1", "1.5", "65536", " 1", "1e3"] },
  },
  {
    method: "PUT",
    path: "/settings/web_basepath",
    good: { value: "" },
    bad: { value: ["a", "/a/", "/", "/a//b", "/a b"] },
  },
  {
    method: "POST",
    path: "/tools/ss-key",
    good: { method: "aes-128-gcm" },
    bad: { method: [...NO_TEXT, "", "none-such"] },
  },
  {
    method: "PUT",
    path: "/me/password",
    session: true,
    good: { currentPassword: "a", newPassword: "another horse" },
    bad: { newPassword: [...NO_TEXT, "short", "x".repeat(257)] },
  },
  {
    method: "PUT",
    path: "/me/dashboard-tiles",
    session: true,
    good: { value: "" },
    bad: { value: [...NO_TEXT, "A", "a,,b", "a b", Array.from({ length: 65 }, (_, n) => `t${n}`).join(",")] },
  },
];

/** Names of moments and spans. */
const TIMES = /^(expiry|until|from|to|before|after|deadline|duration|seconds|since)$|At$|^nextReset$/;
const SPANS: ReadonlySet<string> = new Set(["duration", "seconds"]);
const LATE_TIMES: readonly (readonly [number, RegExp])[] = [
  [253_402_300_800, /the year 10000/],
  [1_795_809_471_000, /year 58876.*milliseconds it is 2026-11-27/],
  [1_798_401_572_306_323, /microseconds it is 2026-12-27/],
  [1_798_401_572_306_323_000, /nanoseconds it is 2026-12-27/],
];
const LONG_SPANS: readonly (readonly [number, RegExp])[] = [
  [36_525 * 86_400 + 1, /century/],
  [2_592_000_000_000, /30000000 days/],
];

/** What a node is doing moves by itself. */
const written = (row: Body) => ({
  name: row["name"],
  address: row["address"],
  port: row["port"],
  remark: row["remark"],
  templateId: row["templateId"],
  routing: row["routing"],
  enabled: row["enabled"],
});
const stored = ({ lastUsedAt: _used, ...row }: Body) => row;

/** Everything that a write could have left behind. */
const LISTS = [
  "users",
  "nodes",
  "inbounds",
  "outbounds",
  "templates",
  "webhooks",
  "roles",
  "admins",
  "tokens",
  "settings",
];

describe.each(dialects)("bad inputs on %s", (dialect) => {
  let target: Target;
  beforeAll(async () => {
    target = await Target.open(dialect);
  });
  afterAll(() => target.close());

  async function everything(): Promise<string[]> {
    const bodies = await Promise.all(
      LISTS.map(async (name) => {
        const { body } = await target.panel.call("GET", `/api/${name}`);
        return (body as Body[]).map((row) => JSON.stringify(name === "nodes" ? written(row) : stored(row))).join("\n");
      }),
    );
    const { headers } = await target.panel.call("GET", "/api/changes?limit=1");
    return [...bodies, `changes ${headers.get("x-total-count")}`];
  }

  test("the table is long enough to mean something", () => {
    const inputs = TABLE.flatMap(({ bad }) => Object.values(bad)).flat();
    expect(inputs.length).toBeGreaterThan(600);
  });

  // rule http.body.2
  test.each(TABLE)(
    "$method $path names the field and changes nothing",
    async ({ method, path, good, bad, session }) => {
      const before = await everything();
      const wrong: unknown[] = [];
      for (const [field, values] of Object.entries(bad)) {
        for (const value of values) {
          const { status, body } = await target.panel.call(
            method,
            `/api/v1${path.replace("{id}", String(target.ids.get("admins")?.[0]))}`,
            { ...good, [field]: value },
            session === true ? { cookie: target.panel.cookie } : {},
          );
          const named = typeof body.field === "string" && (body.field === field || body.field.startsWith(`${field}.`));
          if (status !== 400 || !named || typeof body.error !== "string")
            wrong.push(
              `${field} = ${JSON.stringify(value)?.slice(0, 60)}: ${status} ${JSON.stringify(body).slice(0, 160)}`,
            );
        }
      }
      expect(wrong).toEqual([]);
      expect(await everything()).toEqual(before);
    },
  );

  // rule http.body.7
  test("moments that are written are seconds up to the year 9999, spans a century at most", async () => {
    const moments: string[] = [];
    for (const { method, path, good, bad } of TABLE) {
      for (const field of Object.keys(bad).filter((name) => TIMES.test(name))) {
        moments.push(`${method} ${path} ${field}`);
        for (const [value, said] of SPANS.has(field) ? LONG_SPANS : LATE_TIMES) {
          const { status, body } = await target.panel.call(method, `/api/v1${path}`, { ...good, [field]: value });
          expect({ place: `${method} ${path} ${field}`, status, body }).toMatchObject({
            status: 400,
            body: { code: "time_range", field, error: expect.stringMatching(said) },
          });
        }
      }
    }
    expect(moments.length).toBeGreaterThanOrEqual(9);
    const fine = await target.panel.call("PATCH", "/api/v1/users/1", { expiry: 253_402_300_799, activatedAt: 0 });
    expect(fine.status).toBe(200);
    await target.panel.call("PATCH", "/api/v1/users/1", { expiry: 0 });
  });

  // rule http.body.7
  test("every body field that is a moment or a span says its bound", () => {
    const found = new Map<string, unknown>();
    for (const { method, path, body } of target.description.operations)
      for (const [name, schema] of fieldsOf(target.document, body))
        if (TIMES.test(name) && (schema["type"] === "integer" || schema["type"] === "number"))
          found.set(`${method} ${path} ${name}`, schema["maximum"]);
    expect(found.size).toBeGreaterThan(10);
    expect([...found].filter(([, most]) => most !== 253_402_300_799 && most !== 36_525 * 86_400)).toEqual([]);
  });

  // rule http.body.7
  test("milliseconds in the query of a change select nothing; a list's filter takes any integer", async () => {
    const late = 1_795_809_471_000;
    const before = await everything();
    for (const [method, path, field] of [
      ["DELETE", "/changes", "before"],
      ["POST", "/users/bulk/delete", "expires_before"],
      ["POST", "/users/bulk/disable", "expires_after"],
      ["POST", "/users/bulk/delete", "updated_since"],
    ] as const) {
      for (const value of [String(late), `${late}000`, `${late}000000`]) {
        const { status, body } = await target.panel.call(method, `/api/v1${path}?${field}=${value}`);
        expect({ path, status, body }).toMatchObject({ status: 400, body: { code: "time_range", field } });
      }
    }
    expect(await everything()).toEqual(before);
    for (const path of [`/users?expires_before=${late}`, `/users/export?expires_before=${late}`, `/changes?to=${late}`])
      expect((await target.panel.call("GET", `/api/v1${path}`)).status).toBe(200);
  });
});

/** Fields of a body, also those of its items and parts. */
function fieldsOf(document: Target["document"], schema: unknown, depth = 0): [string, Record<string, unknown>][] {
  if (typeof schema !== "object" || schema === null || depth > 6) return [];
  const { $ref, properties, items, anyOf, allOf } = schema as Record<string, unknown>;
  const parts = [items, ...[anyOf, allOf].flat()];
  if (typeof $ref === "string") parts.push(document.components["schemas"]?.[$ref.split("/").at(-1) ?? ""]);
  return [
    ...Object.entries((properties ?? {}) as Record<string, Record<string, unknown>>).flatMap(
      ([name, field]): [string, Record<string, unknown>][] => [[name, field], ...fieldsOf(document, field, depth + 1)],
    ),
    ...parts.flatMap((part) => fieldsOf(document, part, depth + 1)),
  ];
}
