// A request for a dry run is never answered with a change: each route either has a dry run or refuses to be tried.
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { openWalkedPanel, pathOf, type WalkedPanel } from "../access/route-table.ts";
import { dialects } from "../database.ts";

const HAVE_ONE = ["POST /users/bulk/{op}", "POST /actors/{kind}/{id}/events", "POST /users/import"];
const Refused = z.object({ code: z.literal("validation"), field: z.string() });

let panel: WalkedPanel;
beforeAll(async () => {
  panel = await openWalkedPanel(dialects[0] ?? "sqlite");
});
afterAll(() => panel.dispose());

// rule http.dry.1
test("every route that changes something refuses a dry run that it does not have", async () => {
  let asked = 0;
  for (const route of panel.routes.filter(({ method }) => method !== "GET")) {
    const place = `${route.method} ${route.path}`;
    if (HAVE_ONE.includes(place)) continue;
    for (const value of ["true", "false"]) {
      const { status, body } = await panel.send(route.method, `${pathOf(route)}?dryRun=${value}`);
      // A record that there is not is said first.
      if (status === 404 && route.path.includes("{")) continue;
      expect([place, status, Refused.parse(body).field]).toEqual([place, 400, "dryRun"]);
      asked++;
    }
  }
  expect(asked).toBeGreaterThan(80);
});

// rule http.dry.1
test("a whole order that is only to be tried makes nothing", async () => {
  const order = { name: "tried" };
  const tried = await panel.send("POST", "/api/v1/users?dryRun=true", { body: order });
  expect([tried.status, tried.body["field"]]).toEqual([400, "dryRun"]);
  const file = await panel.send("POST", "/api/v1/users/import?dryRun=true", { body: order });
  expect([file.status, file.body["create"]]).toEqual([200, 1]);
  expect((await panel.send("GET", "/api/v1/users?name=tried")).body["total"]).toBe(0);
});
