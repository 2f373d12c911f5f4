// What uses a record of the pool, as its page tells before somebody changes or deletes it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { WholePanel } from "../whole-panel.ts";

describe.each(dialects)("what uses the pool on %s", (dialect) => {
  let panel: WholePanel;
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    const make = async (name: string, path: string, body: object) => {
      const made = await panel.call("POST", `/api/v1${path}`, body);
      expect(made).toMatchObject({ status: 200 });
      ids[name] = made.body.id;
      return made.body.id as number;
    };
    const vless = (tag: string, port: number) => ({ tag, type: "vless", config: { listen_port: port } });
    const shared = await make("shared", "/inbounds", vless("shared", 443));
    await make("lonely", "/inbounds", vless("lonely", 444));
    const direct = await make("direct", "/outbounds", { tag: "direct", type: "direct", config: {} });
    await make("group", "/outbounds", { tag: "group", type: "selector", config: { outbounds: ["direct"] } });
    const carries = { inboundIds: [shared], outboundIds: [direct] };
    const one = await make("one", "/templates", { name: "one", ...carries, route: { final: "direct" } });
    const two = await make("two", "/templates", { name: "two", inboundIds: [shared] });
    const at = (port: number) => ({ address: "127.0.0.1", port, enabled: false });
    await make("berlin", "/nodes", { name: "berlin", ...at(9), templateId: one });
    await make("oslo", "/nodes", { name: "oslo", ...at(8), templateId: two });
    await make("paris", "/nodes", { name: "paris", ...at(7), routing: { final: "direct" } });
    await make("everywhere", "/users", { name: "everywhere" });
    await make("both", "/users", { name: "both", templateIds: [one, two] });
    await make("second", "/users", { name: "second", templateIds: [two] });
    await make("nowhere", "/users", { name: "nowhere", templateIds: [] });
  });
  afterAll(() => panel.dispose());

  const named = (...names: string[]) => names.map((name) => ({ id: ids[name], name }));
  const usedBy = async (path: string, name: string, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}`, cookie: "" };
    const { body } = await panel.call("GET", `/api/v1${path}/${ids[name]}`, undefined, headers);
    return body.usedBy;
  };

  // rule pool.use.1
  test("an inbound names its templates and their nodes, and counts each account once", async () => {
    const nobody = { templates: [], nodes: [], inbounds: [], outbounds: [], tunnels: [], users: 0 };
    expect(await usedBy("/inbounds", "shared")).toEqual({
      ...nobody,
      templates: named("one", "two"),
      nodes: named("berlin", "oslo"),
      users: 3,
    });
    expect(await usedBy("/inbounds", "lonely")).toEqual(nobody);
    expect(await usedBy("/templates", "two")).toEqual({ ...nobody, nodes: named("oslo"), users: 3 });
  });

  // rule pool.use.1
  test("an outbound names what routes to it too: other outbounds, and nodes with routing of their own", async () => {
    expect(await usedBy("/outbounds", "direct")).toMatchObject({
      templates: named("one"),
      nodes: named("berlin", "paris"),
      outbounds: named("group"),
    });
  });

  // rule pool.use.2
  test("who may not read nodes, templates or users is not told of them", async () => {
    const { body } = await panel.call("POST", "/api/v1/tokens", { desc: "pool alone", scopes: ["pool:read"] });
    expect(await usedBy("/inbounds", "shared", body.token)).toMatchObject({
      templates: null,
      nodes: null,
      users: null,
    });
  });

  // rule pool.use.3
  test("lists are filtered by type and by what carries a record", async () => {
    const found = async (path: string) =>
      (await panel.call("GET", `/api/v1${path}`)).body.items.map((each: { id: number }) => each.id);
    expect(await found(`/inbounds?template_id=${ids["one"]}`)).toEqual([ids["shared"]]);
    expect(await found("/inbounds?type=trojan")).toEqual([]);
    expect(await found("/outbounds?type=selector")).toEqual([ids["group"]]);
    expect(await found(`/templates?inbound_id=${ids["shared"]}&outbound_id=${ids["direct"]}`)).toEqual([ids["one"]]);
  });
});
