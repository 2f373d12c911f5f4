// A parameter without a value is refused by name, on every route that asks who is calling: a filter that was left empty
// by mistake selects nothing, and never everything.
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { dialects } from "../database.ts";
import { openWalkedPanel, pathOf, type WalkedPanel } from "../access/route-table.ts";
import type { Route } from "../../src/http/index.ts";

/** In these an empty text says something: every text holds it, and a list begins there before its first page. */
const MAY_BE_EMPTY = ["q", "cursor"];
/** All but those. */
const OF_LISTS = ["limit", "offset", "sort", "order", "updated_since"];

let panel: WalkedPanel;
beforeAll(async () => {
  panel = await openWalkedPanel(dialects[0] ?? "sqlite");
});
afterAll(() => panel.dispose());

function parametersOf({ query, list }: Route): string[] {
  const own =
    query instanceof z.ZodObject ? Object.keys(query.shape).filter((name) => !MAY_BE_EMPTY.includes(name)) : [];
  // One that no route knows too: a filter whose name was written wrong.
  return [...own, ...(list ? OF_LISTS : []), "contact_telegramid"];
}

// rule http.list.3
test("every parameter of every route", async () => {
  let asked = 0;
  for (const route of panel.routes.filter(({ auth }) => auth !== "open")) {
    for (const name of parametersOf(route)) {
      const { status, body } = await panel.send(route.method, `${pathOf(route)}?${name}=`);
      // A record that there is not is said first.
      if (status === 404 && route.path.includes("{")) continue;
      expect([route.method, route.path, status, body["field"]]).toEqual([route.method, route.path, 400, name]);
      asked++;
    }
  }
  expect(asked).toBeGreaterThan(150);
});
