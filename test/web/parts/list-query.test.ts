// The state of a list in its address.
import { expect, test } from "vitest";
import { listParameters, readListState, writeListState } from "../../../src/web/parts/table/list-state.ts";

const DEFAULTS = { sort: "id", order: "desc", filters: ["status", "group"] } as const;
const at = (text: string) => new URLSearchParams(text);

test("an empty address is the list as it is by default", () => {
  expect(readListState(at(""), DEFAULTS)).toEqual({
    page: 1,
    limit: 50,
    q: "",
    sort: "id",
    order: "desc",
    filters: {},
  });
});

test("what an address says wrong is the default", () => {
  const state = readListState(at("page=-1&limit=5000&order=sideways&other=x"), DEFAULTS);
  expect(state).toEqual({ page: 1, limit: 50, q: "", sort: "id", order: "desc", filters: {} });
});

test("whatever is not the page leads back to the first page", () => {
  expect(writeListState(at("page=7&status=active"), DEFAULTS, { q: "ann" }).toString()).toBe("status=active&q=ann");
});

test("defaults and empty filters are not written, parameters of others stay", () => {
  const next = writeListState(at("tab=x&status=active&sort=name&order=asc"), DEFAULTS, {
    sort: "id",
    order: "desc",
    filters: { status: undefined },
  });
  expect(next.toString()).toBe("tab=x");
});

test("an order that is usual for another column is written", () => {
  expect(writeListState(at(""), DEFAULTS, { sort: "name", order: "desc" }).toString()).toBe("sort=name&order=desc");
});

test("reading back what was written gives the same list", () => {
  const text = writeListState(at(""), DEFAULTS, { page: 3, limit: 100, sort: "name", order: "asc" }).toString();
  expect(readListState(at(text), DEFAULTS)).toMatchObject({ page: 1 + 2, limit: 100, sort: "name", order: "asc" });
});

test("the route is asked for the page's rows alone", () => {
  const state = readListState(at("page=3&q=ann&status=active"), DEFAULTS);
  expect(listParameters(state)).toEqual({
    limit: 50,
    offset: 100,
    q: "ann",
    sort: "id",
    order: "desc",
    status: "active",
  });
});
