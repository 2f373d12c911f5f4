// A template that is deleted while a node is given it: one of the two is refused, whichever comes later.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

const TRIES = 30;

describe.each(dialects)("deleting a template on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  // rule pool.template.3
  test("beside a new node leaves no node without its template", { timeout: 60_000 }, async () => {
    const seen = new Set<string>();
    for (let turn = 0; turn < TRIES; turn++) {
      const template = await panel.call("POST", "/api/v1/templates", { name: `t${turn}` });
      const node = { name: `n${turn}`, address: "127.0.0.1", port: 1, enabled: false, templateId: template.body.id };
      const create = () => panel.call("POST", "/api/v1/nodes", node);
      const remove = () => panel.call("DELETE", `/api/v1/templates/${template.body.id}`);
      const [made, deleted] =
        turn % 2 === 0
          ? await Promise.all([create(), remove()])
          : (await Promise.all([remove(), create()])).toReversed();
      const outcome = `${made?.status} ${deleted?.status}`;
      expect(["200 409", "400 200"]).toContain(outcome);
      seen.add(outcome);
    }
    expect(seen.size).toBeGreaterThan(0);
    const nodes = await panel.call("GET", "/api/v1/nodes?limit=1000");
    const templates = await panel.call("GET", "/api/v1/templates?limit=1000");
    const ids = new Set(templates.body.items.map(({ id }: { id: number }) => id));
    expect(nodes.body.items.filter(({ templateId }: { templateId: number }) => !ids.has(templateId))).toEqual([]);
  });

  // rule pool.template.3
  test("says which nodes run it", async () => {
    const template = await panel.call("POST", "/api/v1/templates", { name: "kept" });
    const body = { name: "keeper", address: "127.0.0.1", port: 1, enabled: false, templateId: template.body.id };
    const node = await panel.call("POST", "/api/v1/nodes", body);
    const refused = await panel.call("DELETE", `/api/v1/templates/${template.body.id}`);
    expect([refused.status, refused.body.names]).toEqual([409, ["node keeper"]]);
    await panel.call("DELETE", `/api/v1/nodes/${node.body.id}`);
    expect((await panel.call("DELETE", `/api/v1/templates/${template.body.id}`)).status).toBe(200);
  });
});
