// A dry run and the import of the same file, where lines far behind ask for what earlier lines have or gave up.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { SharedCredentialRows, UserCredentialRows } from "../../src/accounts/records/user-credential.entity.ts";
import { UserRows, type UserRow } from "../../src/accounts/records/user.entity.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase, dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";
import { sendFile } from "./send-file.ts";
import { makeUsers, newReseller } from "./users.ts";

/** Characters of a line behind which one of half as many begins another part, in the dry run and in the import. */
const APART = 60_000;

describe.each(dialects)("the dry run of an import on %s", (dialect) => {
  let panel: WholePanel;
  let serial = 0;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  const stem = () => `trial-${dialect}-${++serial}`;
  const user = async (id: number | undefined) => (await panel.call("GET", `/api/v1/users/${id}`)).body;
  const ndjson = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

  /** What the dry run and then the import say. */
  async function both(lines: readonly object[], headers?: Record<string, string>) {
    const file = ndjson(lines);
    const dry = await sendFile(panel, "?onConflict=update&dryRun=true", file, headers);
    const done = await sendFile(panel, "?onConflict=update", file, headers);
    return { dry, done };
  }

  /** A file whose last lines are in another part than its first ones, which a first step does. */
  function apart(first: readonly object[], last: readonly object[]): object[] {
    const name = stem();
    const between = Array.from({ length: 420 }, (_, at) => ({ name: `${name}-between-${at}` }));
    return [...first, ...between, ...last];
  }

  type Refused = { readonly line: number; readonly field?: string; readonly code: string };
  const told = ({ problems }: { readonly problems: readonly Refused[] }) =>
    problems.map(({ line, field, code }) => [line, field, code]);

  // rules jobs.import.4, jobs.import.13
  test.each(["a credential", "a link"])(
    "more than ten lines at a time that have %s of earlier lines end both, a reseller's more than twelve a minute",
    async (what) => {
      const ofLine = (value: string) => (what === "a link" ? { subId: value } : { config: { password: value } });
      const clashing = (many: number) => {
        const name = stem();
        const lines = (again: string) =>
          Array.from({ length: many }, (_, at) => ({
            name: `${name}-${again}${at}`,
            ...ofLine(`${name}-value-${at}`),
          }));
        const [first, second] = [lines("first-"), lines("again-")];
        Object.assign(first.at(-1) ?? {}, { filler: "x".repeat(APART) });
        Object.assign(second[0] ?? {}, { filler: "x".repeat(APART / 2) });
        return [...first, ...second, { name: `${name}-fine` }];
      };
      const { dry, done } = await both(clashing(11));
      expect([dry.status, dry.body.code]).toEqual([400, "duplicate"]);
      expect(dry.body.error).toBe("from line 12 on, more than 10 lines have credentials or links of other accounts");
      expect(done.body).toMatchObject({ created: 11, failed: 0, error: dry.body.error });
      const seller = await newReseller(panel);
      const sold = await both(clashing(13), seller.headers);
      expect(sold.dry.body.error).toMatch(/^from line 14 on, too many lines for one minute/);
      expect(sold.done.body).toMatchObject({ created: 13, failed: 0, error: sold.dry.body.error });
    },
  );

  // rule jobs.import.13
  test.each(["7", "0"])(
    "what a line takes from an account that is there, a line behind may have; a link after %s days",
    async (days) => {
      const keep = (value: string) => panel.call("PUT", "/api/v1/settings/deleted_retention_days", { value });
      expect((await keep(days)).status).toBe(200);
      const name = stem();
      const givers = await Promise.all(
        Array.from({ length: 5 }, async (_, at) => {
          const config = { uuid: randomUUID(), password: `${name}-${at}`, by: { vless: { uuid: randomUUID() } } };
          const [id] = await makeUsers(panel, 1, { externalId: `${name}-${at}`, subId: `${name}-link-${at}`, config });
          return user(id);
        }),
      );
      const [one, two, three, four, five] = givers;
      const giving = [
        { name: one.name, externalId: `${name}-one` },
        { name: two.name, config: { uuid: randomUUID() } },
        { name: three.name, config: { password: `${name}-three` } },
        { name: four.name, config: { by: { vless: { uuid: randomUUID() } } } },
        { name: five.name, subId: `${name}-link-five`, externalId: "" },
      ];
      const taking = [
        { name: `${name}-a`, externalId: one.externalId },
        { name: `${name}-b`, config: { uuid: two.config.uuid } },
        { name: `${name}-c`, config: { password: three.config.password } },
        { name: `${name}-d`, config: { by: { tuic: { uuid: four.config.by.vless.uuid } } } },
        { name: `${name}-e`, externalId: five.externalId },
        { name: `${name}-f`, subId: five.subId },
        // What they have by then, and what another took before.
        { name: `${name}-g`, externalId: `${name}-one` },
        { name: `${name}-h`, config: { password: three.config.password } },
      ];
      const { dry, done } = await both(apart(giving, taking));
      const behind = giving.length + 420;
      expect(told(dry.body)).toEqual(told(done.body));
      expect(told(done.body)).toEqual([
        ...(days === "0" ? [] : [[behind + 6, "subId", "duplicate"]]),
        [behind + 7, "externalId", "duplicate"],
        [behind + 8, "config.password", "duplicate"],
      ]);
      expect(dry.body).toMatchObject({ create: done.body.created, update: 5, skip: 0, fail: done.body.failed });
      expect(done.body).toMatchObject({ updated: 5, skipped: 0 });
      await keep("7");
    },
  );

  // rule jobs.import.13
  test("a credential that accounts shared is free when all of them have given it up", async () => {
    const [one, other] = await Promise.all((await makeUsers(panel, 2)).map(user));
    await share(one, other.id);
    const { uuid, password } = one.config;
    const name = stem();
    const first = { name: one.name, config: { uuid: randomUUID(), password: `${name}-one` } };
    const then = { name: other.name, config: { password: `${name}-other` } };
    const taking = [
      { name: `${name}-a`, config: { uuid } },
      { name: `${name}-b`, config: { password } },
    ];
    const lines = [...apart([first], [then]), ...apart([], taking)];
    const { dry, done } = await both(lines);
    expect(told(dry.body)).toEqual(told(done.body));
    expect(told(done.body)).toEqual([[lines.length - 1, "config.uuid", "duplicate"]]);
    expect(dry.body).toMatchObject({ create: done.body.created, update: 2, fail: 1 });
  });

  /** As an older version left it: the other account has all credentials of the first one. */
  async function share(one: Pick<UserRow, "id" | "config">, other: number): Promise<void> {
    const db = await connectTestDatabase(panel.databaseUrl, entities);
    try {
      const of = async (id: number) =>
        (await db.reads.query<{ id: string }>(sql`select id from user_credentials where user_id = ${id}`)).map(
          (row) => row.id,
        );
      const [shared, left] = [await of(one.id), await of(other)];
      expect([shared.length, left.length]).toEqual([4, 4]);
      await db.commits.submit({
        name: "older",
        locks: [],
        decide(draft) {
          draft.find(UserRows, other);
          draft.findAll(UserCredentialRows, shared);
          draft.update(UserRows, other, { config: one.config });
          for (const id of left) draft.delete(UserCredentialRows, id);
          for (const id of shared) {
            draft.update(UserCredentialRows, id, { sharers: 1 });
            draft.insert(SharedCredentialRows, { id: `${id}:${other}`, credentialId: id, userId: other });
          }
        },
      });
    } finally {
      await db.close();
    }
  }
});
