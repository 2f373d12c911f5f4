// Which parts of the interface share a file: as few files as pay, and no circle of imports.
import { expect, test } from "vitest";
import { clustered, type Part, type Visit } from "../../../src/web/vite/clusters.ts";

const part = (name: string, size: number, imports: readonly string[] = [], styled = false): Part => ({
  name,
  size,
  styled,
  imports,
});
const visit = (...parts: readonly string[]): Visit => ({ weight: 1, parts: new Set(parts) });

/** In an order of their own, so that they can be compared. */
const cut = (parts: readonly Part[], visits: readonly Visit[], fileCost: number) =>
  clustered(parts, visits, fileCost)
    .map((file) => file.toSorted().join("+"))
    .toSorted();

test("what the same visits load is one file, whatever a file costs", () => {
  const parts = [part("page", 10), part("kit", 500), part("other", 7)];
  expect(cut(parts, [visit("page", "kit"), visit("other")], 0)).toEqual(["kit+page", "other"]);
});

test("a part is carried in vain as long as that is less than what a file costs", () => {
  const visits = [visit("kit", "list"), visit("kit")];
  expect(cut([part("kit", 1000), part("list", 90)], visits, 100)).toEqual(["kit+list"]);
  expect(cut([part("kit", 1000), part("list", 110)], visits, 100)).toEqual(["kit", "list"]);
  // Two files each with styles are four requests.
  expect(cut([part("kit", 1000, [], true), part("list", 110, [], true)], visits, 100)).toEqual(["kit+list"]);
});

test("what is seldom visited does not decide", () => {
  const parts = [part("page", 400), part("dialog", 50)];
  const rare: Visit = { weight: 0.1, parts: new Set(["dialog"]) };
  expect(cut(parts, [visit("page", "dialog"), rare], 100)).toEqual(["dialog+page"]);
  expect(cut(parts, [visit("page", "dialog"), { ...rare, weight: 1 }], 100)).toEqual(["dialog", "page"]);
});

test("what a joined file brings along counts: a visit that carries a part carries its imports too", () => {
  const visits = [visit("kit", "list", "plots"), visit("kit")];
  const kit = part("kit", 1000);
  expect(cut([kit, part("list", 50), part("plots", 900)], visits, 100)).toEqual(["kit", "list+plots"]);
  // `plots` is visited by a third page, so it stands alone: with `list` in its file the kit would need it always.
  const parts = [kit, part("list", 50, ["plots"]), part("plots", 900)];
  expect(cut(parts, [...visits, visit("plots"), visit("plots"), visit("plots")], 100)).toEqual([
    "kit",
    "list",
    "plots",
  ]);
});

test("no two files import each other, at once or through others", () => {
  const parts = [part("a", 5, ["b"]), part("b", 900, ["c"]), part("c", 5)];
  // By cost alone a and c would be one file, which would need b and be needed by it.
  const visits = [visit("a", "b", "c"), visit("a", "b", "c"), visit("b", "c"), visit("c"), visit("c")];
  const files = clustered(parts, visits, 20);
  const fileOf = (name: string) => files.findIndex((file) => file.includes(name));
  expect(files.flat().toSorted()).toEqual(["a", "b", "c"]);
  expect(fileOf("a") === fileOf("c") && fileOf("a") !== fileOf("b")).toBe(false);
});
