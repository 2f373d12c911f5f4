// Edits of fields that stand for themselves have a way of their own through a bulk operation (`users/plain-edit.ts`).
// Here each is carried out by both ways, on two copies of one database: what is answered, and every row of every table,
// is the same.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql, type Dialect } from "../../src/db/index.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase, dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { jobEnded, makeUsers, newReseller } from "./users.ts";

/** A field that no way of its own knows of, and that changes nothing. */
const THE_LONG_WAY = { contact: {} };

/** What says who runs and since when, not what was done. */
const OF_PROCESSES = ["id_blocks", "commit_log", "processes", "shards", "sessions", "api_tokens", "event_log"];
/** Texts are taken from the one table into the other at any time; counts are summed up over processes. */
const SUMMED_UP = ["user_texts", "user_text_queue", "state_counts"];
const TIMES = /^(?:at|time|took|msince|.*_at)$/;
/** Rows whose numbers are drawn from what other processes leave. */
const NUMBERED = ["events", "journal", "job_parts", "changes"];

type Rows = Readonly<Record<string, readonly unknown[]>>;

/** Everything that a stopped panel's database holds. */
async function everything(dialect: Dialect, url: string): Promise<Rows> {
  const database = await connectTestDatabase(url, entities);
  const all: Record<string, unknown[]> = {};
  for (const { name } of database.tables.all()) {
    if (OF_PROCESSES.includes(name) || SUMMED_UP.includes(name)) continue;
    const rows = await database.reads.query<Record<string, unknown>>(sql`select * from ${sql.table(name)}`);
    all[name] = rows.map((row) => timeless(name, row)).toSorted();
  }
  all["texts"] = await database.reads.query(
    sql`select u.id, coalesce(q.text, t.text) as text from users u left join user_texts t on t.id = u.id
      left join user_text_queue q on q.id = u.id order by u.id`,
  );
  all["counts"] = await database.reads.query(
    sql`select kind, state, sum(total) as total from state_counts group by kind, state order by kind, state`,
  );
  await database.close();
  return all;

  /** As JSON, without moments (Unix seconds among them) and what only names the way. */
  function timeless(table: string, row: Record<string, unknown>): string {
    const kept = Object.entries(row).filter(
      ([column]) =>
        !TIMES.test(column) &&
        !(NUMBERED.includes(table) && ["id", "previous", "position"].includes(column)) &&
        !(column === "mlast" && table === "jobs"),
    );
    return JSON.stringify(kept.map(([column, value]) => [column, dialect === "sqlite" ? parsed(value) : value]))
      .replaceAll(/"contact":\{\},?/g, "")
      .replaceAll(/,\}/g, "}")
      .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1")
      .replaceAll(/\b1\d{9}\b/g, "0");
  }
}

function parsed(value: unknown): unknown {
  return typeof value === "string" && /^[[{]/.test(value) ? (JSON.parse(value) as unknown) : value;
}

describe.each(dialects)("edits of plain fields on %s", (dialect) => {
  let shortly: WholePanel;
  let longly: WholePanel;
  let seller: Awaited<ReturnType<typeof newReseller>>;
  let own: number[];
  let others: number[];

  beforeAll(async () => {
    shortly = await WholePanel.open(dialect);
    const now = Math.floor(Date.now() / 1000);
    seller = await newReseller(shortly);
    await change(shortly, `/api/v1/roles/${seller.roleId}`, { maxDeviceLimit: 4 });
    own = [
      ...(await makeUsers(shortly, 4, { adminId: seller.id, deviceLimit: 2, desc: "sold" })),
      ...(await makeUsers(shortly, 2, { adminId: seller.id, deviceLimit: 1, speedLimit: 5, group: "a" })),
    ];
    others = [
      ...(await makeUsers(shortly, 4, { contact: { email: "some@body.test", note: "x" }, remark: "r" })),
      ...(await makeUsers(shortly, 3, { enable: false, group: "a" })),
      ...(await makeUsers(shortly, 3, { expiry: now - 60, volume: 1000 })),
      ...(await makeUsers(shortly, 3, { duration: 86_400, autoReset: true, resetPeriod: "monthly" })),
      ...(await makeUsers(shortly, 3, { desc: "Ünï", group: "b", speedLimit: 5, ipLimit: 2, deviceLimit: 3 })),
    ];
    await shortly.stop();
    longly = await shortly.copy(dialect);
    await shortly.start();
  });
  afterAll(async () => {
    await shortly.dispose();
    await longly.dispose();
  });

  async function change(panel: WholePanel, path: string, fields: object): Promise<void> {
    const { body } = await panel.call("GET", path);
    const changed = await panel.call("PUT", path, { ...body, ...fields });
    expect([changed.status, changed.text]).toEqual([200, expect.any(String)]);
  }

  /** The seller's own request: it signs in for each, since changes of its rights end its sessions. */
  async function bySeller(panel: WholePanel): Promise<Record<string, string>> {
    const known = { username: seller.name, password: "correct horse battery" };
    const login = await panel.call("POST", "/api/v1/login", known, { cookie: "none=1" });
    return { cookie: login.headers.get("set-cookie")?.split(";")[0] ?? "" };
  }

  /** The answer of both ways. */
  async function both(
    query: string,
    body: { readonly set: object; readonly ids?: readonly number[] },
    headersOf: (panel: WholePanel) => Promise<Record<string, string>> = async () => ({}),
  ) {
    const path = `/api/v1/users/bulk/edit${query}`;
    const set = { ...body.set, ...THE_LONG_WAY };
    const one = await shortly.call("POST", path, body, await headersOf(shortly));
    const other = await longly.call("POST", path, { ...body, set }, await headersOf(longly));
    expect([one.status, one.body]).toEqual([other.status, other.body]);
    return one;
  }

  async function expectSame(): Promise<void> {
    const [one, other] = await Promise.all([shortly, longly].map(stopped));
    expect(one).toEqual(other);
  }

  /** What its database holds while it is stopped. */
  async function stopped(panel: WholePanel): Promise<Rows> {
    await panel.stop();
    const held = await everything(dialect, panel.databaseUrl);
    await panel.start();
    return held;
  }

  // rule jobs.bulk.2
  test("both ways answer and write the same", async () => {
    const whole = { desc: "seen", remark: "R", group: "c", speedLimit: 7, ipLimit: 2, deviceLimit: 3 };
    expect((await both("?all=true&dryRun=true", { set: whole })).body).toMatchObject({ affected: 22, failed: 0 });
    expect((await both("?all=true", { set: whole })).body).toMatchObject({ affected: 22, blocked: 0 });
    await expectSame();
    // An account that has it already is no change.
    expect((await both("?all=true", { set: { ...whole, group: "d" } })).body).toMatchObject({ affected: 22 });
    expect((await both("?group=d", { set: whole, ids: own })).body).toMatchObject({ affected: 6 });
    expect((await both("?all=true", { set: { group: "c" } })).body).toMatchObject({ matched: 22, affected: 16 });
    await expectSame();
  });

  // rule jobs.bulk.2
  test("what an owner's role caps, who may see what, and who is gone is told alike", async () => {
    const capped = await both("?all=true", { set: { deviceLimit: 9, desc: "more" } });
    expect(capped.body).toMatchObject({ matched: 22, affected: 16, blocked: 6 });
    const named = { set: { remark: "mine" }, ids: [own[0] ?? 0, others[0] ?? 0, 987_654] };
    expect((await both("", named, bySeller)).body).toMatchObject({ matched: 1, affected: 1, failed: 2 });
    expect((await both("?all=true", { set: { ipLimit: 4 } }, bySeller)).body).toMatchObject({ affected: 6 });
    for (const panel of [shortly, longly])
      await change(panel, `/api/v1/admins/${seller.id}`, { plansOnly: true, planIds: [] });
    expect((await both("?all=true", { set: { ipLimit: 5 } }, bySeller)).body).toMatchObject({ blocked: 6 });
    expect((await both("?all=true", { set: { desc: "its" } }, bySeller)).body).toMatchObject({ affected: 6 });
    await expectSame();
  });

  // rule jobs.undo.1
  test("both are taken back alike", async () => {
    const { body } = await both("?all=true", { set: { desc: "for a while", speedLimit: 1 } });
    expect(body).toMatchObject({ affected: 22 });
    const [touched] = others;
    for (const panel of [shortly, longly]) {
      await panel.call("PATCH", `/api/v1/users/${touched}`, { remark: "touched" });
      const undone = await panel.call("POST", `/api/v1/jobs/${body.job}/undo`, {});
      expect(undone.status).toBe(202);
      expect(await jobEnded(panel, undone.body.job ?? undone.body.id)).toMatchObject({ affected: 21, blocked: 1 });
    }
    await expectSame();
  });
});
