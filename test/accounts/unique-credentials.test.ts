// A credential is one account's: engines count users of equal secrets as one, so a person who knew another account's
// credential could use up that account's volume, or replace it.
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshSecrets } from "../../src/accounts/credentials/credentials.ts";
import { UserRows } from "../../src/accounts/index.ts";
import { CredentialKeys } from "../../src/accounts/testing.ts";
import { sql } from "../../src/db/index.ts";
import { dialects } from "../database.ts";
import { TestPanel } from "./panel.ts";

const KINDS = ["uuid", "password", "ss16", "ss32"] as const;

// rule users.credential.2
test("what is kept of a credential is an HMAC under the panel's key", () => {
  const secretKey = new Uint8Array(32).fill(5);
  const key = createHmac("sha256", secretKey).update("credentials of accounts").digest();
  const [entered] = new CredentialKeys(secretKey).of({ password: "pässword" });
  expect(entered?.id).toBe(
    createHmac("sha256", key).update("password\npässword").digest().subarray(0, 12).toString("base64url"),
  );
});

test("a hash does not depend on what was hashed before it", () => {
  const keys = new CredentialKeys(new Uint8Array(32).fill(5));
  const texts = ["a", "pässword", "🚀\ud800", "x".repeat(300)];
  const idsOf = (all: readonly string[]) => all.map((password) => keys.of({ password })[0]?.id);
  expect(idsOf(texts.toReversed()).toReversed()).toEqual(idsOf(texts));
  expect(new Set(idsOf(texts)).size).toBe(texts.length);
});

test("the secrets of accounts are drawn apart: none is part of another", () => {
  const drawn = Array.from({ length: 50 }, () => freshSecrets());
  const bytes = drawn.flatMap(({ uuid, password, ss16, ss32, subToken }) => [
    Buffer.from(uuid.replaceAll("-", ""), "hex"),
    Buffer.from(password, "base64url"),
    Buffer.from(ss16, "base64"),
    Buffer.from(ss32, "base64"),
    Buffer.from(subToken, "hex"),
  ]);
  expect(new Set(bytes.map(({ length }) => length))).toEqual(new Set([16, 32]));
  // Four bytes that a UUID's version does not touch.
  const pieces = bytes.flatMap((secret) => [secret.subarray(0, 4), secret.subarray(secret.length - 6)]);
  expect(new Set(pieces.map((piece) => piece.toString("hex"))).size).toBe(pieces.length);
  expect(new Set(drawn.map(({ subId }) => subId)).size).toBe(drawn.length);
});

describe.each(dialects)("credentials of accounts on %s", (dialect) => {
  let panel: TestPanel;
  let serial = 0;
  const made = (body: object = {}) => panel.ok("POST", "/users", { name: `user-${++serial}`, ...body });
  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
    while (!(await panel.credentialEntry.step()));
  });
  afterAll(() => panel.dispose());

  // rule users.credential.1
  test.each(KINDS)("%s of another account is refused on create, PATCH and PUT, by name", async (kind) => {
    const victim = await made();
    const own = await made();
    const stolen = kind === "uuid" ? victim.config.uuid.toUpperCase() : victim.config[kind];
    const config = { [kind]: stolen };
    for (const [method, path] of [
      ["POST", "/users"],
      ["PATCH", `/users/${own.id}`],
      ["PUT", `/users/${own.id}`],
    ] as const) {
      const answer = await panel.call(method, path, { name: `thief-${++serial}`, config });
      expect([answer.status, answer.body.code, answer.body.field], answer.body.error).toEqual([
        400,
        "duplicate",
        `config.${kind}`,
      ]);
      expect(JSON.stringify(answer.body)).not.toContain(stolen);
    }
    expect((await panel.ok("GET", `/users/${own.id}`)).config).toEqual(own.config);
    // What is stored for it is no hash of the value alone.
    const rows = await panel.database.reads.query<{ id: string }>(
      sql`select id from user_credentials where user_id = ${victim.id}`,
    );
    expect(rows).toHaveLength(4);
    for (const { id } of rows) expect(id).toMatch(/^[\w-]{16}$/);
  });

  // rule users.credential.1
  test("against itself an account may write what it has, and one value may serve as two kinds", async () => {
    const user = await made({
      config: { uuid: "0b0b0b0b-0000-4000-8000-000000000001", password: "0b0b0b0b-0000-4000-8000-000000000001" },
    });
    const again = await panel.ok("PATCH", `/users/${user.id}`, {
      config: { ...user.config, uuid: user.config.uuid.toUpperCase() },
    });
    expect(again.config.uuid).toBe(user.config.uuid.toUpperCase());
    await panel.ok("PUT", `/users/${user.id}`, { name: user.name, config: user.config });
  });

  // rule users.credential.3
  test("what an account leaves is anybody's: changed, or deleted", async () => {
    const user = await made({ config: { password: "left behind" } });
    await panel.ok("PATCH", `/users/${user.id}`, { config: { password: "another" } });
    const next = await made({ config: { password: "left behind" } });
    expect((await panel.call("POST", "/users", { name: "late", config: { password: "another" } })).status).toBe(400);
    await panel.ok("DELETE", `/users/${user.id}`);
    await panel.ok("DELETE", `/users/${next.id}`);
    await made({ config: { password: "left behind", uuid: next.config.uuid } });
    await made({ config: { password: "another" } });
  });

  // rule users.credential.3
  test("of many that come at once one gets it, and an exchange leaves no gap", async () => {
    const wanted = { password: "wanted by many" };
    const others = await Promise.all(Array.from({ length: 6 }, () => made()));
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, (_, n) => panel.call("POST", "/users", { name: `many-${n}`, config: wanted })),
      ...others.map(({ id }) => panel.call("PATCH", `/users/${id}`, { config: wanted })),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers)
      if (status !== 200) expect([status, body.field]).toEqual([400, "config.password"]);
  });

  // rule users.credential.1
  test("a batch creates the others and names what is taken, in it and before", async () => {
    const victim = await made();
    const { created, problems } = await panel.ok("POST", "/users/batch", {
      users: [
        { name: "fresh-1" },
        { name: "taken", config: { uuid: victim.config.uuid } },
        { name: "twin-1", config: { ss16: "AAAAAAAAAAAAAAAAAAAAAA==" } },
        { name: "twin-2", config: { ss16: "AAAAAAAAAAAAAAAAAAAAAA==" } },
        { name: "fresh-2" },
      ],
    });
    expect(created.map(({ name }: { name: string }) => name)).toEqual(["fresh-1", "twin-1", "fresh-2"]);
    expect(problems).toEqual([
      { index: 1, error: "config.uuid: the value is taken" },
      { index: 3, error: "config.ss16: the value is taken" },
    ]);
  });

  // rule users.credential.4
  test("each refusal costs a token ten requests, and the answer says what is left", async () => {
    panel.token("small", 71, 60);
    const victim = await made();
    const guess = () =>
      panel.call("POST", "/users", { name: `guess-${++serial}`, config: { uuid: victim.config.uuid } }, "small");
    expect([
      (await guess()).headers["x-ratelimit-remaining"],
      (await guess()).headers["x-ratelimit-remaining"],
    ]).toEqual(["50", "40"]);
    const users = Array.from({ length: 5 }, (_, n) => ({ name: `bulk-${n}`, config: { uuid: victim.config.uuid } }));
    const bulk = await panel.call("POST", "/users/batch", { users: [{ name: "rides along" }, ...users] }, "small");
    expect([bulk.status, bulk.headers["x-ratelimit-remaining"]]).toEqual([429, "0"]);
    expect((await panel.ok("GET", "/users?q=rides+along")).items).toEqual([]);
    expect((await guess()).status).toBe(429);
  });

  // rule users.credential.4
  test("an account's sessions are told of twelve a minute; then none that names credentials is looked at, the rest goes on", async () => {
    panel.session("browser", 81);
    const victim = await made();
    const write = (config: object | undefined) =>
      panel.call("POST", "/users", { name: `session-${++serial}`, ...(config && { config }) }, "browser");
    const told: number[] = [];
    for (let n = 0; n < 13; n++) told.push((await write({ uuid: victim.config.uuid })).status);
    expect(told).toEqual([...Array.from({ length: 12 }, () => 400), 429]);
    expect((await write({ password: "nobody's" })).status).toBe(429);
    expect((await write(undefined)).status).toBe(200);
    await panel.advance(60);
    expect((await write({ password: "nobody's" })).status).toBe(200);
  });

  // rule users.credential.5
  test("shared ones of an older version stay and are listed; only changes are refused", async () => {
    const [a, b, c] = [await made(), await made(), await made()];
    // As an older version wrote them: no entries, and the same credential twice.
    await panel.database.commits.submit({
      name: "older",
      locks: [],
      decide(draft) {
        const config = { ...b.config, uuid: a.config.uuid };
        draft.find(UserRows, b.id);
        draft.update(UserRows, b.id, { config });
      },
    });
    await panel.database.commits.execute({
      name: "older",
      statements: [
        panel.database.reads.statement("entries", sql`delete from user_credentials`),
        panel.database.reads.statement("mark", sql`delete from credential_entry`),
      ],
    });
    panel.credentialEntry = panel.newCredentialEntry();
    const steal = (id: number, config: object) => panel.call("PATCH", `/users/${id}`, { config });
    // Before they are entered again.
    expect((await steal(c.id, { uuid: a.config.uuid.toUpperCase() })).status).toBe(400);
    expect(
      (await panel.call("POST", "/users", { name: "early", config: { password: a.config.password } })).status,
    ).toBe(400);
    const early = await panel.ok("POST", "/users/batch", {
      users: [{ name: "early", config: { password: a.config.password } }],
    });
    expect(early.problems).toEqual([{ index: 0, error: "config.password: the value is taken" }]);
    while (!(await panel.credentialEntry.step()));
    const listed = async () =>
      (await panel.ok("GET", "/users?duplicate_credentials=true")).items.map(({ id }: { id: number }) => id);
    expect(await listed()).toEqual([a.id, b.id]);
    expect(
      (await panel.ok("GET", "/users?duplicate_credentials=false&limit=1000")).items.map(
        ({ id }: { id: number }) => id,
      ),
    ).toContain(c.id);
    // Both keep it, and are edited beside it.
    for (const { id } of [a, b])
      await panel.ok("PATCH", `/users/${id}`, { remark: "kept", config: { uuid: a.config.uuid } });
    expect((await steal(c.id, { uuid: a.config.uuid })).status).toBe(400);
    // The first leaves it: it is the second's alone now, and still nobody else's.
    await panel.ok("PATCH", `/users/${a.id}`, { config: { uuid: "0c0c0c0c-0000-4000-8000-000000000001" } });
    expect(await listed()).toEqual([]);
    expect((await steal(c.id, { uuid: a.config.uuid })).status).toBe(400);
    expect((await steal(a.id, { uuid: a.config.uuid })).status).toBe(400);
    await panel.ok("DELETE", `/users/${b.id}`);
    await panel.ok("PATCH", `/users/${c.id}`, { config: { uuid: a.config.uuid } });
  });
});
