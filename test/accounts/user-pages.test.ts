// Long lists, page by page: the next one begins where the last one ended.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { START, TestPanel } from "./panel.ts";

describe.each(dialects)("pages of users on %s", (dialect) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
    panel.reseller("shop", 42);
    for (let n = 0; n < 7; n++) {
      const body = {
        name: `u${(n * 3) % 7}`,
        volume: n % 3,
        expiry: n % 2 === 0 ? 0 : START + n,
        adminId: n < 4 ? 42 : 0,
      };
      const { id } = await panel.ok("POST", "/users", body);
      await panel.traffic(id, n % 3, 0);
      panel.clock.advance(n % 2 === 0 ? 1000 : 0);
    }
  });
  afterAll(() => panel.dispose());

  const ask = async (url: string, token = "root") => {
    const answer = await panel.api.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
    expect(answer.statusCode).toBe(200);
    const body = answer.json();
    const rows: { id: number }[] = Array.isArray(body) ? body : body.items;
    const [, next] = /^<(.+)>; rel="next"$/.exec(String(answer.headers.link ?? "")) ?? [];
    return { ids: rows.map(({ id }) => id), next, total: Number(answer.headers["x-total-count"]) };
  };
  const walk = async (first: string, token?: string) => {
    const ids: number[] = [];
    for (let url: string | undefined = first; url !== undefined;) {
      const page = await ask(url, token);
      ids.push(...page.ids);
      url = page.next;
    }
    return ids;
  };

  // rule http.list.7
  test.each(["id", "name", "usage", "remaining", "expiry", "online_at", "sub_fetched_at", "created_at", "updated_at"])(
    "sorted by %s both ways, pages make the whole list",
    async (sort) => {
      for (const order of ["asc", "desc"])
        for (const prefix of ["/api", "/api/v1"]) {
          const query = `sort=${sort}&order=${order}`;
          const whole = (await ask(`${prefix}/users?${query}&limit=100`)).ids;
          expect(whole).toHaveLength(7);
          expect(await walk(`${prefix}/users?${query}&limit=2`)).toEqual(whole);
          expect((await ask(`${prefix}/users?${query}&limit=3&offset=3`)).ids).toEqual(whole.slice(3, 6));
        }
      const own = (await ask(`/api/v1/users?sort=${sort}`, "shop")).ids;
      expect(own).toHaveLength(4);
      expect(await walk(`/api/v1/users?sort=${sort}&limit=1`, "shop")).toEqual(own);
    },
  );

  // rule http.list.7
  test("what is written between two pages moves nothing; the total is that of the list", async () => {
    const first = await ask("/api/v1/users?sort=name&limit=3&q=u");
    expect([first.total, first.ids.length]).toEqual([7, 3]);
    await panel.ok("POST", "/users", { name: "u" });
    const second = await ask(first.next ?? "");
    expect(second.total).toBe(8);
    expect(second.ids).toEqual((await ask("/api/v1/users?sort=name&q=u&offset=4&limit=3")).ids);
    expect((await ask("/api/v1/users?limit=100")).next).toBeUndefined();
    expect((await ask("/api/users")).next).toBeUndefined();
  });

  // rule http.list.7
  test("a cursor of another order, filter or list, or none at all, is 400", async () => {
    const { next = "" } = await ask("/api/v1/users?sort=name&limit=2");
    const cursor = new URL(next, "http://panel").searchParams.get("cursor") ?? "";
    await ask(`/api/users?limit=5&sort=name&cursor=${cursor}`);
    expect((await ask("/api/v1/users?limit=2&sort=name&cursor=")).next).toContain(cursor);
    for (const url of [
      `/users?sort=usage&cursor=${cursor}`,
      `/users?sort=name&order=desc&cursor=${cursor}`,
      `/users?sort=name&q=u&cursor=${cursor}`,
      `/users?sort=name&offset=1&cursor=${cursor}`,
      `/inbounds?sort=name&cursor=${cursor}`,
      `/users?sort=name&cursor=${cursor}x`,
      `/users?cursor=nonsense`,
      `/users?cursor=W10`,
    ]) {
      const { status, body } = await panel.call("GET", url);
      expect([url, status, body.code]).toEqual([url, 400, "validation"]);
    }
    expect((await panel.call("GET", `/users?sort=usage&cursor=${cursor}`)).body.field).toBe("cursor");
  });

  // rule http.list.7
  test("a cursor that somebody wrote by hand is 400 or some page, never a failure", async () => {
    for (const list of ["/users?limit=2", "/users?limit=2&sort=name", "/users?limit=2&sort=expiry"]) {
      const { next = "" } = await ask(`/api/v1${list}`);
      const given = new URL(next, "http://panel").searchParams.get("cursor") ?? "";
      const [binding, ...keys] = JSON.parse(Buffer.from(given, "base64url").toString());
      const asked = async (values: readonly unknown[]) => {
        const cursor = Buffer.from(JSON.stringify([binding, ...values])).toString("base64url");
        return panel.call("GET", `${list}&cursor=${cursor}`);
      };
      for (const wrong of ["abc", 1.5, 1e300, "9".repeat(40), ""]) {
        const { status, body } = await asked(keys.map(() => wrong));
        expect([list, wrong, status === 200 || body.field === "cursor"]).toEqual([list, wrong, true]);
      }
      for (const values of [[...keys, 1], keys.slice(1), keys.map(() => "a\u0000"), keys.map(() => "\ud800")]) {
        const { status, body } = await asked(values);
        expect([list, values, status, body.field]).toEqual([list, values, 400, "cursor"]);
      }
    }
  });
});
