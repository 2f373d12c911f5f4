// Strict handling on every route of the panel: a name that it does not know is refused, and nothing is done.
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { openWalkedPanel, pathOf, type WalkedPanel } from "../access/route-table.ts";
import { dialects } from "../database.ts";

const headers = { prefer: "handling=strict" };
/** Their members are kept as they are. */
const FREE = ["PUT /me/ui"];
const Refused = z.object({
  code: z.literal("validation"),
  issues: z.array(z.object({ path: z.string(), code: z.string() })),
});

let panel: WalkedPanel;
beforeAll(async () => {
  panel = await openWalkedPanel(dialects[0] ?? "sqlite");
});
afterAll(() => panel.dispose());

// rule http.strict.1
test("every route refuses a parameter and a member that it does not know, and says that it was strict", async () => {
  let asked = 0;
  for (const route of panel.routes) {
    const sends = route.method !== "GET" && route.stream !== true;
    const answer = await panel.send(route.method, `${pathOf(route)}?colour=red`, {
      headers,
      ...(sends ? { body: { shape: "round" } } : {}),
    });
    const place = `${route.method} ${route.path}`;
    expect([place, answer.headers["preference-applied"]]).toEqual([place, "handling=strict"]);
    // A record that there is not is said first.
    if (answer.status === 404 && route.path.includes("{")) continue;
    expect([place, answer.status]).toEqual([place, 400]);
    const { issues } = Refused.parse(answer.body);
    expect([place, issues.map(({ path, code }) => [path, code])]).toEqual([
      place,
      [["colour", "unknown"], ...(sends && !FREE.includes(place) ? [["shape", "unknown"]] : [])],
    ]);
    asked++;
  }
  expect(asked).toBeGreaterThan(80);
});

// rule http.strict.1
test("a name within a real body; a batch is refused as a whole", async () => {
  const made = await panel.send("POST", "/api/v1/users", { body: { name: "calm", colour: "red" } });
  expect(made.status).toBe(200);
  const batch = { users: [{ name: "one" }, { name: "two", expiryy: 1 }] };
  const refused = await panel.send("POST", "/api/v1/users/batch", { headers, body: batch });
  expect([refused.status, Refused.parse(refused.body).issues.map(({ path }) => path)]).toEqual([
    400,
    ["users.1.expiryy"],
  ]);
  const known = await panel.send("GET", "/api/v1/users?name=calm&limit=5&sort=name&order=asc", { headers });
  expect([known.status, known.headers["preference-applied"]]).toEqual([200, "handling=strict"]);
  expect((await panel.send("GET", "/api/v1/users?extrenalId=1", { headers })).body["field"]).toBe("extrenalId");
  expect((await panel.send("GET", "/api/v1/users?name=one")).body["total"]).toBe(0);
});
