// Attributes of resellers on the admin record: allowance, its period, caps, flags.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { openAccessPanel, PASSWORD, setUp, signIn, type AccessPanel } from "./panel.ts";

/** Sunday 22 February 2026, 12:00 UTC. */
const NOON = Date.UTC(2026, 1, 22, 12) / 1000;
const utc = (...date: [number, number, number]) => Date.UTC(date[0], date[1] - 1, date[2]) / 1000;

describe.each(dialects)("resellers on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  let serial = 0;
  /** Ids of accounts whose limits were looked at again. */
  const changed: number[] = [];
  beforeAll(async () => {
    panel = await openAccessPanel(dialect, {
      ports: {
        countUsers: async (ids) => new Map(ids.map((id) => [id, 3])),
        allowanceChanged: (_draft, id) => void changed.push(id),
        allowances: async (ids) =>
          new Map(ids.map((id) => [id, { used: 77, state: "closed" as const, closedBy: "volume" as const }])),
        allowanceIn: () => ({ state: "opening", closedBy: "" }),
      },
    });
    root = await setUp(panel);
    await panel.send("PUT", "/api/settings/timezone", { as: root, body: { value: "UTC" } });
    panel.clock.now = NOON * 1000;
    root = await signIn(panel, "root");
  });
  afterAll(() => panel.dispose());

  const create = (fields: object) =>
    panel.send("POST", "/api/v1/admins", {
      as: root,
      body: { username: `r${++serial}`, password: PASSWORD, role: "resale", ...fields },
    });
  const update = ({ id, username }: Readonly<Record<string, unknown>>, fields: object) =>
    panel.send("PUT", `/api/v1/admins/${String(id)}`, { as: root, body: { username, role: "resale", ...fields } });

  // rule resellers.meter.3
  test("a reseller is told its allowance, others are not", async () => {
    await create({ username: "told", volume: 1000, period: "monthly", expiry: NOON + 86_400, userLimit: 9 });
    const allowance = {
      volume: 1000,
      used: 77,
      period: "monthly",
      nextReset: utc(2026, 3, 1),
      expiry: NOON + 86_400,
      userLimit: 9,
      users: 3,
    };
    const signedIn = await panel.send("POST", "/api/login", { body: { username: "told", password: PASSWORD } });
    expect(signedIn.body["allowance"]).toEqual(allowance);
    const me = await panel.send("GET", "/api/me", { as: signedIn.cookie ?? "" });
    expect(me.body["allowance"]).toEqual(allowance);
    expect((await panel.send("GET", "/api/me", { as: root })).body).not.toHaveProperty("allowance");
  });

  // rule resellers.close.5
  test("limits are looked at again after every change of an account, and of the base of its role", async () => {
    const role = { name: "sellers", base: "resale", scopes: ["users:read"] };
    const { id: roleId } = (await panel.send("POST", "/api/v1/roles", { as: root, body: role })).body;
    changed.length = 0;
    const one = await create({ role: "sellers" });
    const two = await create({ role: "sellers" });
    await panel.send("PUT", `/api/v1/admins/${String(one.body["id"])}`, {
      as: root,
      body: { username: one.body["username"], role: "sellers", volume: 5 },
    });
    const [first, second] = [Number(one.body["id"]), Number(two.body["id"])];
    expect([...new Set(changed)].toSorted((a, b) => a - b)).toEqual([first, second]);
    changed.length = 0;
    const put = (body: object) =>
      panel.send("PUT", `/api/v1/roles/${String(roleId)}`, { as: root, body: { ...role, ...body } });
    expect((await put({ description: "the same base" })).status).toBe(200);
    expect(changed).toEqual([]);
    expect((await put({ base: "admin" })).status).toBe(200);
    expect([...new Set(changed)].toSorted((a, b) => a - b)).toEqual([first, second]);
  });

  // rule resellers.page.2
  test("resellers are listed alone", async () => {
    await create({ username: "listed" });
    const listed = await panel.send("GET", "/api/v1/admins?base=resale", { as: root });
    const bases = (listed.body["items"] as { readonly base: string }[]).map(({ base }) => base);
    expect([bases.length > 0, new Set(bases), listed.body["total"]]).toEqual([true, new Set(["resale"]), bases.length]);
    expect((await panel.send("GET", "/api/v1/admins?base=nobody", { as: root })).status).toBe(400);
  });

  // rule resellers.page.3
  test("a record says whether its accounts are served; one that is no reseller says nothing", async () => {
    const { id } = (await create({ username: "closes", volume: 5 })).body;
    const read = async (of: unknown) => (await panel.send("GET", `/api/v1/admins/${String(of)}`, { as: root })).body;
    expect(await read(id)).toMatchObject({ state: "closed", closedBy: "volume" });
    expect(await read(1)).toMatchObject({ username: "root", state: "", closedBy: "" });
    // The answer to a change says what the change made of it.
    const reopened = await update({ id, username: "closes" }, { volume: 50 });
    expect(reopened.body).toMatchObject({ volume: 50, state: "opening", closedBy: "" });
    const listed = await panel.send("GET", "/api/v1/admins?state=closed,closing", { as: root });
    expect(new Set((listed.body["items"] as { base: string }[]).map(({ base }) => base))).toEqual(new Set(["resale"]));
    expect((await panel.send("GET", "/api/v1/admins?state=shut", { as: root })).status).toBe(400);
  });

  test("every field of the record is answered, with its default", async () => {
    const made = await create({ username: "plain" });
    expect(made.body).toEqual({
      id: expect.any(Number),
      username: "plain",
      role: "resale",
      base: "resale",
      owner: false,
      volume: 0,
      used: 0,
      period: "",
      periodDay: 0,
      periodStart: 0,
      nextReset: 0,
      expiry: 0,
      userLimit: 0,
      users: 0,
      plansOnly: false,
      planIds: [],
      usersReadOnly: false,
      state: "opening",
      closedBy: "",
      twoFactor: false,
      lastLoginAt: 0,
      lastLoginIp: "",
      createdAt: NOON,
      updatedAt: NOON,
    });
    await signIn(panel, "plain", { ip: "198.51.100.9" });
    expect((await panel.send("GET", "/api/admins?q=plain", { as: root })).body[0]).toMatchObject({
      lastLoginAt: NOON,
      lastLoginIp: "198.51.100.9",
    });
  });

  // rule admins.reseller.4
  test("flags and plans are kept, returned, and shown to the reseller itself", async () => {
    const flags = { plansOnly: true, planIds: [7, 9], usersReadOnly: true };
    const made = await create({ ...flags, username: "flagged" });
    expect(made.body).toMatchObject(flags);
    expect((await update(made.body, { userLimit: 4 })).body).toMatchObject({ ...flags, userLimit: 4 });
    expect((await panel.send("GET", "/api/v1/me", { as: await signIn(panel, "flagged") })).body).toMatchObject(flags);
    expect((await update(made.body, { plansOnly: false, planIds: [], usersReadOnly: false })).body).toMatchObject({
      planIds: [],
    });
  });

  // rule admins.reseller.1
  test.each([
    ["weekly", 1, utc(2026, 2, 16), utc(2026, 2, 23)],
    ["weekly", 0, utc(2026, 2, 22), utc(2026, 3, 1)],
    ["monthly", 31, utc(2026, 1, 31), utc(2026, 2, 28)],
    ["monthly", 22, utc(2026, 2, 22), utc(2026, 3, 22)],
    ["yearly", 60, utc(2025, 3, 1), utc(2026, 3, 1)],
    ["yearly", 366, utc(2025, 12, 31), utc(2026, 12, 31)],
  ])(
    "a %s period on day %i has begun and ends where the calendar says",
    async (period, periodDay, periodStart, nextReset) => {
      expect((await create({ period, periodDay })).body).toMatchObject({ period, periodDay, periodStart, nextReset });
    },
  );

  // rule admins.reseller.2
  test.each([
    ["weekly", 0],
    ["monthly", 1],
    ["yearly", 1],
  ])("a %s period without a day has its first", async (period, periodDay) => {
    expect((await create({ period })).body).toMatchObject({ period, periodDay });
  });

  // rule admins.reseller.1
  test.each([
    ["weekly", 7],
    ["monthly", 0],
    ["monthly", 32],
    ["yearly", 0],
    ["yearly", 367],
    ["weekly", -1],
    ["monthly", 1.5],
  ])("a %s period has no day %d", async (period, periodDay) => {
    const refused = await create({ period, periodDay });
    expect([refused.status, refused.body["field"]]).toEqual([400, "periodDay"]);
  });

  // rule admins.reseller.2
  test("a changed period over a stored day that does not fit is refused by its day; one that fits keeps it", async () => {
    const made = await create({ period: "yearly", periodDay: 200 });
    const refused = await update(made.body, { period: "monthly" });
    expect([refused.status, refused.body["field"], String(refused.body["error"])]).toEqual([
      400,
      "periodDay",
      expect.stringContaining("200"),
    ]);
    expect((await update(made.body, { period: "monthly", periodDay: 5 })).body).toMatchObject({
      periodStart: utc(2026, 2, 5),
    });
    expect((await update(made.body, { period: "weekly" })).body).toMatchObject({
      periodDay: 5,
      nextReset: utc(2026, 2, 27),
    });
    expect((await update(made.body, { period: "" })).body).toMatchObject({ period: "", periodStart: 0, nextReset: 0 });
    expect((await update(made.body, { period: "monthly" })).body).toMatchObject({
      periodDay: 5,
      periodStart: utc(2026, 2, 5),
    });
  });

  // rule admins.reseller.3
  test("an edit that leaves the period alone leaves its boundaries alone", async () => {
    const made = await create({ period: "monthly", periodDay: 10, volume: 1000 });
    panel.clock.now += 40 * 86_400_000;
    root = await signIn(panel, "root");
    const kept = await update(made.body, { volume: 2000 });
    expect(kept.body).toMatchObject({
      volume: 2000,
      periodStart: made.body["periodStart"],
      nextReset: made.body["nextReset"],
    });
    panel.clock.now = NOON * 1000;
    root = await signIn(panel, "root");
  });

  test.each([
    ["volume", -1],
    ["volume", "5"],
    ["volume", 2 ** 53],
    ["period", "daily"],
    ["expiry", -1],
    ["userLimit", 0.5],
    ["plansOnly", "yes"],
    ["planIds", 3],
    ["usersReadOnly", 1],
  ])("%s cannot be %j", async (field, value) => {
    const refused = await create({ [field]: value });
    expect([refused.status, refused.body["field"]]).toEqual([400, field]);
  });
});
