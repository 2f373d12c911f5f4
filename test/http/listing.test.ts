// Lists on both prefixes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { openPanel, request, type TestPanel } from "./panel.ts";

describe.each(dialects)("lists on %s", (dialect) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await openPanel(dialect);
    panel.caller("root", { rateLimit: 10_000 });
    for (const [title, size] of [
      ["Apple", 30],
      ["apricot", 10],
      ["50%_off", 0],
      ["Ünder", 20],
    ] as const) {
      await panel.api.app.inject(request("POST", "/api/notes", { title, size }));
      panel.clock.now += 10_000;
    }
  });
  afterAll(() => panel.dispose());

  const get = (url: string) => panel.api.app.inject(request("GET", url));
  const titles = async (query: string) =>
    (await get(`/api/notes?${query}`)).json<{ title: string }[]>().map((note) => note.title);

  // rule http.list.1
  test("an envelope under /api/v1, a bare array under /api, the total on both", async () => {
    const v1 = await get("/api/v1/notes?limit=2&offset=1");
    expect([v1.json().total, v1.json().limit, v1.json().offset, v1.json().items.length]).toEqual([4, 2, 1, 2]);
    expect(v1.headers["x-total-count"]).toBe("4");
    expect((await get("/api/v1/notes")).json()).toMatchObject({ limit: 100, offset: 0 });
    const bare = await get("/api/notes?limit=3");
    expect([bare.json().length, bare.headers["x-total-count"]]).toEqual([3, "4"]);
    expect((await get("/api/v1/notes?offset=99")).json().items).toEqual([]);
  });

  // rule http.list.4
  test("q is a substring without regard to case, with % and _ as they are", async () => {
    expect(await titles("q=AP")).toEqual(["Apple", "apricot"]);
    expect(await titles("q=%25_o")).toEqual(["50%_off"]);
    expect(await titles("q=%25")).toEqual(["50%_off"]);
    expect(await titles("q=")).toHaveLength(4);
    expect((await get("/api/v1/notes?q=ap&limit=1")).json().total).toBe(2);
  });

  // rule http.list.6
  test("sort and order; rows without a value come last in either direction", async () => {
    expect(await titles("sort=size")).toEqual(["apricot", "Ünder", "Apple", "50%_off"]);
    expect(await titles("sort=size&order=desc")).toEqual(["Apple", "Ünder", "apricot", "50%_off"]);
  });

  // rule http.list.5
  test("updated_since is inclusive", async () => {
    const third = (await get("/api/notes")).json<{ id: number }[]>()[2];
    expect(third?.id).toBeDefined();
    const since = Math.floor(panel.clock.now / 1000) - 20;
    expect(await titles(`updated_since=${since}`)).toEqual(["50%_off", "Ünder"]);
  });

  // rule http.list.3
  test("what is out of range is 400 with the parameter's name", async () => {
    const cases = [
      "limit=0",
      "limit=-1",
      "limit=",
      "limit=ten",
      "limit=1.5",
      "limit=1001",
      "offset=-1",
      "updated_since=yesterday",
      "sort=colour",
      "order=up",
    ];
    for (const query of cases) {
      const refused = await get(`/api/v1/notes?${query}`);
      expect([query, refused.statusCode, refused.json().field]).toEqual([query, 400, query.split("=")[0]]);
    }
    expect((await get("/api/notes?limit=5000")).statusCode).toBe(200);
  });
});
