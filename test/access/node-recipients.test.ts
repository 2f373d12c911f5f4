// A node is sent the credentials of its accounts: who may only change nodes cannot say which machine that is, nor whose
// accounts.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { openWalkedPanel, type WalkedPanel } from "./route-table.ts";

const NODE = {
  name: "mine",
  address: "192.0.2.1",
  port: 7443,
  enabled: false,
  linkAddress: "fi|entry.example, 192.0.2.1",
};

describe.each(dialects)("who says where accounts are sent, on %s", (dialect) => {
  let panel: WalkedPanel;
  let writer: string;
  let template: number;
  beforeAll(async () => {
    panel = await openWalkedPanel(dialect);
    writer = await panel.token(["nodes:write"]);
    template = Number((await panel.send("POST", "/api/v1/templates", { body: { name: "all" } })).body["id"]);
    await panel.send("POST", "/api/v1/nodes", { body: NODE });
  });
  afterAll(() => panel.dispose());

  const attacks = (): readonly (readonly ["POST" | "PUT", string, object?])[] => [
    ["POST", "/nodes", { ...NODE, name: "theirs", templateId: template }],
    ["POST", "/nodes/1/move", { address: "198.51.100.6" }],
    ["POST", "/nodes/1/repin"],
    ["PUT", "/nodes/1/template", { templateId: template }],
    ["PUT", "/nodes/1", { address: "198.51.100.6" }],
    ["PUT", "/nodes/1", { port: 7444 }],
    ["PUT", "/nodes/1", { isLocal: true }],
    ["PUT", "/nodes/1", { templateId: template }],
    ["PUT", "/nodes/1", { linkAddress: "evil.example" }],
    ["PUT", "/nodes/1", { remark: "in the cellar", linkAddress: "fi|entry.example,fi|evil.example" }],
    ["PUT", "/nodes/1", { enabled: true, name: "mine", address: "198.51.100.6" }],
  ];

  // rule admins.scope.6, rule admins.point.2
  test("nodes:write alone is refused with the scope that is missing, and nothing is changed", async () => {
    for (const [method, path, body] of attacks()) {
      const answer = await panel.send(method, `/api/v1${path}`, { as: writer, body });
      expect([path, answer.status, answer.body["code"], answer.body["scope"]]).toEqual([
        path,
        403,
        "scope",
        "users:read",
      ]);
    }
    const { body } = await panel.send("GET", "/api/v1/nodes", { as: writer });
    expect(body["items"]).toMatchObject([{ ...NODE, isLocal: false, templateId: null }]);
  });

  // rule admins.scope.6, rule admins.point.2
  test("what sends nothing to anybody else stays with nodes:write", async () => {
    for (const linkAddress of ["Helsinki|entry.example,192.0.2.1", "192.0.2.1", ""]) {
      const shorter = await panel.send("PUT", "/api/v1/nodes/1", { as: writer, body: { linkAddress } });
      expect([shorter.status, shorter.body["linkAddress"]]).toEqual([200, linkAddress]);
    }
    await panel.send("PUT", "/api/v1/nodes/1", { body: { linkAddress: NODE.linkAddress } });
    const same = { ...NODE, remark: "in the cellar", isLocal: false, templateId: 0, limitBytes: 10 };
    const answer = await panel.send("PUT", "/api/v1/nodes/1", { as: writer, body: same });
    expect([answer.status, answer.body["remark"]]).toEqual([200, "in the cellar"]);
  });

  test("with users:read beside it each of them is carried out", async () => {
    const both = await panel.token(["nodes:write", "users:read"]);
    for (const [method, path, body] of attacks().filter(([, each]) => !each.endsWith("/repin"))) {
      const answer = await panel.send(method, `/api/v1${path}`, { as: both, body });
      expect([path, answer.status], JSON.stringify(answer.body)).toEqual([path, 200]);
    }
  });
});
