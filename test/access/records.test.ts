// Operators, roles, tokens and identity providers each have an address of their own.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { openAccessPanel, setUp, type AccessPanel } from "./panel.ts";

describe.each(dialects)("records of access by their ids on %s", (dialect) => {
  let panel: AccessPanel;
  let root: string;
  beforeAll(async () => {
    panel = await openAccessPanel(dialect);
    root = await setUp(panel);
    await panel.send("POST", "/api/tokens", { as: root, body: { desc: "shop", scopes: ["users:read"] } });
    await panel.send("PUT", "/api/settings/webhook_allow_private", { as: root, body: { value: "true" } });
    const body = {
      name: "Acme",
      kind: "oidc",
      issuer: "http://127.0.0.1:9/",
      clientId: "panel",
      clientSecret: "s3cret",
    };
    expect((await panel.send("POST", "/api/oidc-providers", { as: root, body })).status).toBe(200);
  });
  afterAll(() => panel.dispose());

  // rule admins.account.8
  test.each(["admins", "roles", "tokens", "oidc-providers", "changes"])(
    "/%s/{id} is the row of the list",
    async (collection) => {
      const rows = (await panel.send("GET", `/api/${collection}`, { as: root })).body as unknown as { id: number }[];
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows)
        expect((await panel.send("GET", `/api/v1/${collection}/${row.id}`, { as: root })).body).toEqual(row);
      expect((await panel.send("GET", `/api/${collection}/99999`, { as: root })).status).toBe(404);
    },
  );
});
