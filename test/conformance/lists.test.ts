// Every list of the panel, walked from the description on both prefixes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import type { Operation } from "./described.ts";
import { Target } from "./target.ts";

interface Got {
  readonly status: number;
  readonly total: number;
  readonly items: readonly unknown[];
  readonly body: Readonly<Record<string, unknown>>;
}

describe.each(dialects)("lists on %s", (dialect) => {
  let target: Target;
  let lists: readonly Operation[];
  beforeAll(async () => {
    target = await Target.open(dialect);
    lists = target.description.operations.filter(({ parameters }) =>
      // Files of a list have its filters, and no pages.
      ["updated_since", "offset"].every((wanted) => parameters.some(({ name }) => name === wanted)),
    );
  });
  afterAll(() => target.close());

  /** A list of the description with its parameters filled in. */
  const address = (operation: Operation) => operation.path.replace("{kind}", "user").replace(/\{\w+\}/g, "1");

  async function get(path: string, query = ""): Promise<Got> {
    const { status, headers, body } = await target.panel.call("GET", `${path}${query === "" ? "" : `?${query}`}`);
    const items: readonly unknown[] = Array.isArray(body) ? body : Array.isArray(body.items) ? body.items : [];
    return { status, total: Number(headers.get("x-total-count") ?? Number.NaN), items, body };
  }

  async function walk(check: (path: string, operation: Operation) => Promise<void>): Promise<void> {
    expect(lists.length).toBeGreaterThan(30);
    for (const operation of lists) await check(address(operation), operation);
  }

  const isV1 = (path: string) => path.startsWith("/api/v1/");

  test("every list of the panel is there under both prefixes", () => {
    const names = lists.map(({ path }) => path);
    for (const name of names.filter(isV1)) expect(names).toContain(name.replace("/api/v1/", "/api/"));
    for (const name of [
      "roles",
      "admins",
      "tokens",
      "changes",
      "settings",
      "users",
      "nodes",
      "inbounds",
      "webhooks",
      "events/log",
      "actors",
    ])
      expect(names).toContain(`/api/v1/${name}`);
  });

  // rule http.list.1
  test("an envelope under /api/v1 with a limit of 100, a bare array under /api, the total on both", () =>
    walk(async (path) => {
      const { status, total, items, body } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(Number.isInteger(total), path).toBe(true);
      if (isV1(path)) expect(body, path).toEqual({ items, total, limit: 100, offset: 0 });
      else expect([path, Array.isArray(body), items.length]).toEqual([path, true, total]);
    }));

  // rule http.list.2
  test("limit and offset cut the same list, and past its end the page is empty", () =>
    walk(async (path) => {
      const all = (await get(path)).items;
      const one = await get(path, "limit=1");
      expect([path, one.items.length]).toEqual([path, Math.min(1, all.length)]);
      const second = await get(path, "limit=1&offset=1");
      // The log of changes, of events and of transitions may grow meanwhile; everything else stays as it is.
      if (all.length > 1 && !/changes|log|journal|deliveries/.test(path))
        expect([path, second.items]).toEqual([path, [all[1]]]);
      const beyond = await get(path, `offset=${2 ** 53 - 1}`);
      expect([path, beyond.status, beyond.items, beyond.total >= all.length || all.length === 100]).toEqual([
        path,
        200,
        [],
        true,
      ]);
    }));

  // rule http.list.3
  test("what is out of range is 400 with the parameter's name", () =>
    walk(async (path, { parameters }) => {
      const wrong = [
        "limit=",
        "limit=0",
        "limit=-1",
        "limit=1.5",
        "limit=ten",
        "limit=1e2",
        "limit=%201",
        "limit=9007199254740992",
      ];
      wrong.push(
        "offset=",
        "offset=-1",
        "offset=x",
        "updated_since=yesterday",
        "updated_since=-1",
        `q=${"x".repeat(257)}`,
        "q=%00",
      );
      wrong.push("limit=1&limit=2", "q=a&q=b", "offset=0&offset=0");
      if (isV1(path)) wrong.push("limit=1001");
      if (parameters.some(({ name }) => name === "sort"))
        wrong.push("sort=colour", "sort=", "sort=__proto__", "order=up", "order=ASC", "sort=id&sort=id");
      for (const query of wrong) {
        const { status, body } = await get(path, query);
        expect([path, query, status, body["field"], body["code"]]).toEqual([
          path,
          query,
          400,
          query.split("=")[0],
          "validation",
        ]);
      }
      expect((await get(path, "limit=1000")).status).toBe(200);
      if (!isV1(path)) expect((await get(path, "limit=1001")).status).toBe(200);
    }));

  // rule http.list.4
  test("q finds a substring in any case, and % _ \\ are what they are", () =>
    walk(async (path) => {
      expect([path, (await get(path, `q=${encodeURIComponent("no such text %_\\ '")}`)).total]).toEqual([path, 0]);
      const whole = await get(path);
      expect([path, (await get(path, "q=")).items.length]).toEqual([path, whole.items.length]);
      for (const sign of ["%25", "_", "%5C", "%FF", "ÄÖ"])
        expect([path, sign, (await get(path, `q=${sign}`)).status]).toEqual([path, sign, 200]);
    }));

  // rule http.list.5
  test("updated_since lies in the future: nothing, except where a resource has no such column", () =>
    walk(async (path) => {
      const { total } = await get(path, "updated_since=9007199254740991");
      const whole = (await get(path)).total;
      const ignored = /\/(settings|tokens|machines)$|deliveries$/.test(path);
      if (ignored) expect([path, total]).toEqual([path, whole]);
      else expect([path, total]).toEqual([path, 0]);
    }));

  // rule http.list.6
  test("every value of sort, in both directions, gives the same rows", () =>
    walk(async (path, { parameters }) => {
      const sorts = parameters.find(({ name }) => name === "sort")?.schema["enum"];
      for (const sort of Array.isArray(sorts) ? sorts : []) {
        const up = await get(path, `sort=${String(sort)}&limit=1000`);
        const down = await get(path, `sort=${String(sort)}&order=desc&limit=1000`);
        const ids = ({ items }: Got) => items.map((item) => (item as { id: number }).id).toSorted((a, b) => a - b);
        expect([path, sort, up.status, ids(up)]).toEqual([path, sort, 200, ids(down)]);
      }
    }));
});

describe.each(dialects)("users as a list on %s", (dialect) => {
  let target: Target;
  beforeAll(async () => {
    target = await Target.open(dialect);
    await target.panel.call("POST", "/api/users", { name: "Ünal ÇELİK", desc: "back\\slash" });
  });
  afterAll(() => target.close());

  const names = async (query: string) => {
    const { body } = await target.panel.call("GET", `/api/v1/users?${query}`);
    return (body as { items: { name: string }[] }).items.map(({ name }) => name);
  };

  test("q ignores the case of every alphabet and takes wildcards literally", async () => {
    expect(await names("q=ANNA")).toEqual(["Anna"]);
    expect(await names(`q=${encodeURIComponent("ünal ç")}`)).toEqual(["Ünal ÇELİK"]);
    expect(await names(`q=${encodeURIComponent("ÜNAL")}`)).toEqual(["Ünal ÇELİK"]);
    expect(await names("q=%25")).toEqual(["50%_off"]);
    expect(await names("q=_")).toEqual(["50%_off"]);
    expect(await names(`q=${encodeURIComponent("k\\S")}`)).toEqual(["Ünal ÇELİK"]);
    expect(await names(`q=${encodeURIComponent("BORIS@EXAMPLE")}`)).toEqual(["boris"]);
  });

  test("filters, q and updated_since go together, and every status is told like the account's own", async () => {
    const all = await names("");
    const told = await Promise.all(
      ["active", "disabled", "pending", "expired", "limited"].map((status) => names(`status=${status}`)),
    );
    expect(told.flat().toSorted()).toEqual(all.toSorted());
    expect(await names("status=active,disabled&q=anna&group=g&updated_since=1")).toEqual(["Anna"]);
    expect(await names("status=active&sort=remaining&order=desc&limit=2")).toHaveLength(2);
    expect(await names("online=true")).toEqual([]);
    expect(await names("used_min=0&sort=usage&offset=1&limit=2")).toHaveLength(2);
    expect(await names("online=false&used_max=0&sort=expiry")).toHaveLength(all.length);
  });
});
