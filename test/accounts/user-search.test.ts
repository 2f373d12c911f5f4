// `q` of accounts: what is found, by which way, and that the index is what the accounts are after every change.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UserTextRows } from "../../src/accounts/records/text.entity.ts";
import { sql, type Draft } from "../../src/db/index.ts";
import { folded } from "../../src/lib/folded.ts";
import { dialects } from "../database.ts";
import { TestPanel } from "./panel.ts";

/** By the index, and by walking through the texts as where the index would leave too many. */
const WAYS = [
  ["by the index", undefined],
  ["by walking", -1],
] as const;

const cases = dialects.flatMap((dialect) => WAYS.map(([way, few]) => [dialect, way, few] as const));

describe.each(cases)("search on %s, %s", (dialect, _way, few) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.open(dialect, undefined, few);
    panel.reseller("shop", 42);
  });
  afterAll(() => panel.dispose());

  const make = async (body: object): Promise<number> => (await panel.ok("POST", "/users", body)).id;
  const listed = async (q: string, more: string, token?: string): Promise<number[]> => {
    const { items, total } = await panel.ok("GET", `/users?q=${encodeURIComponent(q)}${more}`, undefined, token);
    expect(total).toBe(items.length);
    return items.map(({ id }: { id: number }) => id);
  };
  /** As texts wait in the queue, and again when they are indexed. */
  const found = async (q: string, more = "", token?: string): Promise<number[]> => {
    const ids = await listed(q, more, token);
    await panel.indexTexts();
    expect([q, await listed(q, more, token)]).toEqual([q, ids]);
    return ids;
  };

  // rules users.list.3, http.list.4
  test("a part of each field, in any case, with whichever keyboard's letters and digits", async () => {
    const id = await make({
      name: "Straße ÄÖ 100%_'\"!",
      group: "Gold-Kunden",
      desc: "first line\nсекретное",
      remark: "🚀 fast",
      subId: "Link-4711",
      externalId: "Order/99",
      contact: { email: "Ali@Example.com", note: "علي كمالي ۱۲۳" },
    });
    await make({ name: "somebody else" });
    for (const q of [
      "straße",
      "äö",
      "0%_'\"!",
      "%",
      "D-KUND",
      "СЕКРЕТ",
      "line\nс",
      "🚀 f",
      "🚀",
      "nk-4",
      "r/99",
      "li@ex",
      "علی",
      "کمالي 123",
      "١٢٣",
      "123",
      "Straße ÄÖ 100%_'\"!",
    ])
      expect([q, await found(q)]).toEqual([q, [id]]);
    // Neither from one field into the next, nor patterns, nor what only looks like it.
    for (const q of ["!gold", "\u001fgold", "strasse", "100%'", "a\\", '" or "', "x".repeat(256)])
      expect([q, await found(q)]).toEqual([q, []]);
  });

  // rule users.list.7
  test("a link that somebody sent along finds its account, whatever app it is for", async () => {
    const uuid = crypto.randomUUID();
    const user = await panel.ok("POST", "/users", { name: "linked", subId: "Pasted-Link_1", config: { uuid } });
    const { id, subUrl, subToken } = user;
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const token = subUrl.replace("Pasted-Link_1", subToken);
    const v2rayN = { v: "2", ps: "x".repeat(300), add: "192.0.2.1", port: "443", id: uuid, net: "tcp" };
    for (const q of [
      subUrl,
      ` ${subUrl}\n`,
      `${subUrl}/`,
      `${subUrl}/clash`,
      `${subUrl}/sing-box/`,
      `${subUrl}?format=clash&lang=fa#name`,
      token,
      subUrl.replace(/^https?:\/\/[^/]+/, "http://old.example:8080/some/where"),
      `here it is: ${subUrl} , it does not work`,
      `happ://add/${subUrl}`,
      `clash://install-config?url=${encodeURIComponent(subUrl)}&name=x`,
      `sing-box://import-remote-profile?url=${encodeURIComponent(subUrl)}#x`,
      `sub://${base64(subUrl)}`,
      `vless://${uuid}@192.0.2.1:443?encryption=none&security=reality&pbk=${"x".repeat(300)}#Server`,
      `vless://${uuid.toUpperCase()}@[2001:db8::1]:443`,
      `tuic://${uuid}:a-password@192.0.2.1:443`,
      `vmess://${base64(JSON.stringify(v2rayN))}`,
      uuid,
    ])
      expect([q, await found(q)]).toEqual([q, [id]]);
    // Not by a password, not by parts, and not for a reseller that does not own it.
    for (const q of [
      `trojan://${user.config.password}@192.0.2.1:443`,
      `vless://${crypto.randomUUID()}@192.0.2.1:443`,
      "https://sub.example/sub/Pasted",
      "https://sub.example/sub/Pasted-Link_1/devices",
      "vmess://not-base-64-at-all",
      "https://%zz",
    ])
      expect([q, await found(q)]).toEqual([q, []]);
    for (const q of [subUrl, `vless://${uuid}@192.0.2.1:443`]) expect(await found(q, "", "shop")).toEqual([]);
    expect((await panel.call("GET", `/users?q=${"x".repeat(257)}`)).status).toBe(400);
    expect((await panel.call("GET", `/users?q=https://${"x".repeat(4096)}`)).status).toBe(400);
  });

  // rule users.list.3
  test("what was changed is found by what it is now, what was deleted not at all", async () => {
    const id = await make({ name: "before-change", desc: "note one" });
    await panel.ok("PATCH", `/users/${id}`, { name: "after-change", contact: { phone: "+98 555" } });
    expect([await found("before-ch"), await found("after-ch"), await found("98 55")]).toEqual([[], [id], [id]]);
    await panel.ok("PUT", `/users/${id}`, { name: "put-change" });
    expect([await found("note one"), await found("after-ch"), await found("put-ch")]).toEqual([[], [], [id]]);
    const { subId } = await panel.ok("POST", `/users/${id}/sub/rotate`, {});
    expect(await found(subId)).toEqual([id]);
    await panel.ok("DELETE", `/users/${id}`);
    expect(await found("put-ch")).toEqual([]);
    const { created } = await panel.ok("POST", "/users/batch", {
      users: [{ name: "batch-one" }, { name: "batch-one" }, { name: "batch-two" }],
    });
    expect(await found("batch-")).toEqual(created.map((user: { id: number }) => user.id));
  });

  // rules users.list.1, users.list.3
  test("goes together with filters, orders and pages, and shows a reseller its own", async () => {
    const ids: number[] = [];
    for (let n = 0; n < 5; n++)
      ids.push(await make({ name: `paged ${9 - n}`, group: n % 2 === 0 ? "even" : "odd", adminId: n < 2 ? 42 : 0 }));
    await panel.traffic(ids[3] ?? 0, 5, 5);
    expect(await found("paged")).toEqual(ids);
    expect(await found("paged", "&sort=name")).toEqual(ids.toReversed());
    expect(await found("paged", "&sort=usage&order=desc&limit=100")).toEqual([ids[3], ids[4], ids[2], ids[1], ids[0]]);
    expect(await found("paged", "&group=odd")).toEqual([ids[1], ids[3]]);
    expect(await found("paged", "&status=active&used_min=1")).toEqual([ids[3]]);
    expect(await found("paged", "&updated_since=1")).toEqual(ids);
    expect(await found("paged", "", "shop")).toEqual(ids.slice(0, 2));
    for (const sort of ["id", "name", "expiry"]) {
      const { items, total } = await panel.ok("GET", `/users?q=paged&sort=${sort}&limit=2&offset=2`);
      expect([items.length, total]).toEqual([2, 5]);
    }
  });

  test("the index serves what is asked of it", async () => {
    const { reads } = panel.database;
    const plan =
      dialect === "sqlite"
        ? await reads.query(
            sql`explain query plan select rowid from user_text_grams where user_text_grams match ${'"ann"'}`,
          )
        : await reads.query(
            sql`explain select id from user_texts t where user_text_grams(t.text) collate "C" @> user_text_grams('ann')`,
            { scans: true, short: true },
          );
    expect(JSON.stringify(plan)).toContain(dialect === "sqlite" ? "VIRTUAL TABLE INDEX" : "user_texts_grams");
  });

  // rule users.list.3
  test("accounts of an older version are found before they are entered and after", async () => {
    const { commits, reads } = panel.database;
    const id = await make({ name: "old-timer" });
    await commits.execute({
      name: "test.older",
      statements: [
        reads.statement("queue", sql`delete from user_text_queue`),
        reads.statement("texts", sql`delete from user_texts`),
        reads.statement("mark", sql`delete from user_text_entry`),
      ],
    });
    panel.textEntry = panel.newTextEntry();
    expect(await found("old-tim")).toEqual([id]);
    while (!(await panel.textEntry.step()));
    expect(await found("old-tim")).toEqual([id]);
  });

  // rule users.list.3
  test("after many changes the texts are those of the accounts, and finds are those of a comparison", async () => {
    const { reads } = panel.database;
    const names = ["anna", "Hanna", "HANSON", "sonja", "ann-son", "naan", "ana"];
    const ids: number[] = [];
    for (let n = 0; n < 40; n++) {
      const name = `${names[n % names.length]} ${n}`;
      if (n % 3 === 2) await panel.ok("PATCH", `/users/${ids[n % ids.length]}`, { name, remark: `was ${n - 1}` });
      else if (n % 8 === 7) await panel.ok("DELETE", `/users/${ids.splice(n % ids.length, 1)[0]}`);
      else ids.push(await make({ name }));
    }
    const { items } = await panel.ok("GET", "/users?limit=1000");
    const texts = items.map((user: Record<string, string>) => ({
      id: user["id"],
      parts: [user["name"], user["group"], user["desc"], user["remark"], user["subId"], user["externalId"]].map(
        (part) => folded(part ?? ""),
      ),
    }));
    expect(await reads.query(sql`select id from user_text_queue limit 1`)).not.toEqual([]);
    for (const q of ["an", "ann", "anna", "NNA", "son", "n-s", "a", " 1", "na 2", "hanson 3", "was 1", "zzz"])
      expect([q, await found(q, "&limit=1000")]).toEqual([
        q,
        texts
          .filter(({ parts }: { parts: string[] }) => parts.some((part) => part.includes(folded(q))))
          .map(({ id }: { id: number }) => id),
      ]);
    const [count] = await reads.query<{ n: number | string }>(sql`select count(*) as n from user_texts`);
    expect(Number(count?.n)).toBe(items.length);
    // No part of the index goes over fields that are empty.
    const separated = `%${"\u001f".repeat(2)}%`;
    expect(await reads.query(sql`select id from user_texts where text like ${separated}`)).toEqual([]);
    // SQLite compares the index with the texts and throws where they differ.
    if (dialect === "sqlite")
      await panel.database.commits.execute({
        name: "test.check",
        statements: [
          reads.statement(
            "check",
            sql`insert into user_text_grams (user_text_grams, rank) values ('integrity-check', 1)`,
          ),
        ],
      });
  });

  if (dialect === "sqlite")
    test("the texts of one commit are one piece of the index", async () => {
      const { reads, commits } = panel.database;
      const pieces = async () =>
        (await reads.query<{ n: number }>(sql`select count(distinct segid) as n from user_text_grams_idx`))[0]?.n ?? 0;
      const rows = Array.from({ length: 12 }, (_, n) => ({ id: 900_000 + n, text: `piece ${n} "ü\u0000'` }));
      const write = (change: (draft: Draft) => void) => commits.submit({ name: "texts", locks: [], decide: change });
      const before = await pieces();
      await write((draft) => rows.forEach((row) => draft.insert(UserTextRows, row)));
      // Pieces may have been merged meanwhile.
      expect(await pieces()).toBeLessThanOrEqual(before + 1);
      expect(await reads.rows(UserTextRows, sql`select * from user_texts where id >= 900000 order by id`)).toEqual(
        rows,
      );
      await write((draft) => rows.forEach(({ id }) => draft.delete(UserTextRows, id)));
    });
  else
    test("the parts that are indexed are all that have three letters", async () => {
      const texts = ["", "a", "ab", "abc", "🚀🚀é1\u001f", "a\nb  c'\"%_\\", "e\u0301e\u0301", "علی کمالي"];
      for (const text of texts) {
        const letters = Array.from(text);
        const parts = letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(""));
        const [row] = await panel.database.reads.query(sql`select user_text_grams(${text}) as parts`);
        expect([text, row]).toEqual([text, { parts }]);
      }
    });
});
