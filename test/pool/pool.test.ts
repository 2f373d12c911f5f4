// Inbounds, outbounds and templates over HTTP.
import { createPrivateKey, createPublicKey } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Draft } from "../../src/db/index.ts";
import { TestPanel } from "../accounts/panel.ts";
import { dialects } from "../database.ts";

const vless = (tag: string, port = 443) => ({ tag, type: "vless", config: { listen: "::", listen_port: port } });

describe.each(dialects)("the pool on %s", (dialect) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  // rules pool.inbound.2, http.body.4
  test("an inbound is created, listed, changed and deleted; absent fields of a PUT stay", async () => {
    const made = await panel.ok("POST", "/inbounds", {
      ...vless("one"),
      remark: "first",
      clientConfig: { server: "a.example" },
    });
    expect(made).toMatchObject({
      tag: "one",
      remark: "first",
      useNodeCert: false,
      certificateId: null,
      frontedOnly: false,
    });
    expect(made).not.toHaveProperty("templateIds");
    const changed = await panel.ok("PUT", `/inbounds/${made.id}`, { tag: "uno" });
    expect(changed).toEqual({ ...made, tag: "uno", updatedAt: made.updatedAt + 1 });
    expect(await panel.ok("GET", "/inbounds?q=UNO")).toMatchObject({ total: 1, items: [{ id: made.id }] });
    expect(await panel.ok("DELETE", `/inbounds/${made.id}`)).toEqual({ ok: true });
    expect((await panel.call("DELETE", `/inbounds/${made.id}`)).status).toBe(404);
  });

  // rule pool.inbound.1
  test("a faulty inbound is refused, naming the field", async () => {
    await panel.ok("POST", "/inbounds", vless("taken"));
    const refused = async (body: object) => {
      const { status, body: answer } = await panel.call("POST", "/inbounds", body);
      return [status, answer.code, answer.field];
    };
    expect(await refused(vless("taken"))).toEqual([400, "duplicate", "tag"]);
    expect(await refused({ ...vless("x"), type: "nonsense" })).toEqual([400, "validation", "type"]);
    expect(await refused({ ...vless("x"), config: { listen_port: 1, users: [] } })).toEqual([
      400,
      "forbidden_key",
      "config.users",
    ]);
    expect(await refused({ ...vless("x"), clientConfig: { port: 1 } })).toEqual([
      400,
      "forbidden_key",
      "clientConfig.port",
    ]);
    expect(await refused({ ...vless("x"), certificateId: 9 })).toEqual([400, "validation", "certificateId"]);
    expect(await refused({ type: "vless" })).toEqual([400, "validation", "tag"]);
  });

  // rules pool.inbound.3, pool.template.1, pool.template.2
  test("a template carries what it names, in its order, and refuses what names nothing", async () => {
    const a = await panel.ok("POST", "/inbounds", vless("t-a"));
    const b = await panel.ok("POST", "/inbounds", vless("t-b", 8443));
    const direct = await panel.ok("POST", "/outbounds", { tag: "t-direct", type: "direct" });
    const made = await panel.ok("POST", "/templates", {
      name: "both",
      inboundIds: [b.id, a.id],
      outboundIds: [direct.id],
      route: { final: "t-direct" },
    });
    expect(made.inbounds.map((inbound: { tag: string }) => inbound.tag)).toEqual(["t-b", "t-a"]);
    expect(made).toMatchObject({
      outbounds: [{ tag: "t-direct" }],
      endpoints: [],
      ruleSets: [],
      endpointIds: [],
      core: {},
    });
    const refused = async (body: object) => {
      const { status, body: answer } = await panel.call("PUT", `/templates/${made.id}`, body);
      return [status, answer.field];
    };
    expect(await refused({ inboundIds: [999] })).toEqual([400, "inboundIds"]);
    expect(await refused({ outboundIds: [999] })).toEqual([400, "outboundIds"]);
    expect(await refused({ endpointIds: [1] })).toEqual([400, "endpointIds"]);
    expect(await refused({ route: { final: "elsewhere" } })).toEqual([400, "route"]);
    expect(await refused({ outboundIds: [] })).toEqual([400, "route"]);
    expect(await refused({ core: { inbounds: {} } })).toEqual([400, "core.inbounds"]);
    expect(await panel.ok("PUT", `/templates/${made.id}`, { remark: "r" })).toMatchObject({
      inboundIds: [b.id, a.id],
      route: { final: "t-direct" },
    });

    await panel.ok("DELETE", `/inbounds/${b.id}`);
    const { items } = await panel.ok("GET", "/templates?q=both");
    expect(items[0]).toMatchObject({ inboundIds: [a.id], inbounds: [{ tag: "t-a" }] });
  });

  // rules pool.outbound.1, pool.outbound.2
  test("an outbound that is named cannot be deleted or renamed", async () => {
    const exit = await panel.ok("POST", "/outbounds", { tag: "exit", type: "direct" });
    const group = await panel.ok("POST", "/outbounds", {
      tag: "group",
      type: "selector",
      config: { outbounds: ["exit"] },
    });
    const template = await panel.ok("POST", "/templates", {
      name: "carrier",
      outboundIds: [exit.id],
      route: { final: "exit" },
    });
    const deleted = await panel.call("DELETE", `/outbounds/${exit.id}`);
    expect([deleted.status, deleted.body.names]).toEqual([409, ["template carrier", "outbound group"]]);
    expect((await panel.call("PUT", `/outbounds/${exit.id}`, { tag: "way-out" })).status).toBe(409);
    expect(await panel.ok("PUT", `/outbounds/${exit.id}`, { remark: "kept" })).toMatchObject({
      tag: "exit",
      remark: "kept",
    });
    expect((await panel.call("POST", "/outbounds", { tag: "exit", type: "block" })).body).toMatchObject({
      code: "duplicate",
      field: "tag",
    });
    await panel.ok("DELETE", `/outbounds/${group.id}`);
    await panel.ok("PUT", `/templates/${template.id}`, { route: {}, outboundIds: [] });
    expect(await panel.ok("PUT", `/outbounds/${exit.id}`, { tag: "way-out" })).toMatchObject({ tag: "way-out" });
    await panel.ok("POST", "/outbounds", { tag: "exit", type: "block" });
    await panel.ok("DELETE", `/outbounds/${exit.id}`);
  });

  // rules users.create.3, pool.template.3, pool.template.4
  test("a template is kept while a node runs it; deleted, it leaves the accounts that name it", async () => {
    const gone = await panel.ok("POST", "/templates", { name: "gone" });
    const kept = await panel.ok("POST", "/templates", { name: "kept" });
    const user = await panel.ok("POST", "/users", { name: "member", templateIds: [gone.id, kept.id] });
    panel.nodeNames.set(gone.id, ["berlin"]);
    expect((await panel.call("DELETE", `/templates/${gone.id}`)).body).toMatchObject({
      code: "in_use",
      names: ["node berlin"],
    });
    panel.nodeNames.clear();
    await panel.ok("DELETE", `/templates/${gone.id}`);
    const after = await panel.ok("GET", `/users/${user.id}`);
    expect(after).toMatchObject({ templateIds: [kept.id], allTemplates: false });
    expect(after.updatedAt).toBeGreaterThan(user.updatedAt);
    expect((await panel.call("POST", "/users", { name: "late", templateIds: [gone.id] })).body).toMatchObject({
      field: "templateIds",
    });
  });

  test("a template's deletion knows the rows that it decides on: it is decided once", async () => {
    const inbound = await panel.ok("POST", "/inbounds", vless("of-a-template"));
    const outbound = await panel.ok("POST", "/outbounds", { tag: "of-a-template", type: "block" });
    const lists = { inboundIds: [inbound.id], outboundIds: [outbound.id] };
    const template = await panel.ok("POST", "/templates", { name: "with-members", ...lists });
    const { commits } = panel.database;
    const decided: string[] = [];
    const submit = commits.submit.bind(commits);
    vi.spyOn(commits, "submit").mockImplementation((unit) => {
      const counted = (draft: Draft) => {
        decided.push(unit.name);
        return unit.decide(draft);
      };
      return submit({ ...unit, decide: counted });
    });
    try {
      await panel.ok("DELETE", `/templates/${template.id}`);
    } finally {
      vi.restoreAllMocks();
    }
    expect(decided.filter((name) => name.includes("/templates/"))).toHaveLength(1);
  });

  // rule pool.tool.1
  test("tools make keys of the right form", async () => {
    expect((await panel.ok("POST", "/tools/uuid")).uuid).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect((await panel.ok("POST", "/tools/password")).password).toMatch(/^[\w-]{22}$/);
    const { key } = await panel.ok("POST", "/tools/ss-key", { method: "2022-blake3-aes-128-gcm" });
    expect(Buffer.from(key, "base64")).toHaveLength(16);
    expect((await panel.call("POST", "/tools/ss-key", { method: "rot13" })).body).toMatchObject({ field: "method" });
    const reality = await panel.ok("POST", "/tools/reality-keypair");
    const jwk = { kty: "OKP", crv: "X25519", d: reality.privateKey, x: reality.publicKey };
    expect(createPublicKey(createPrivateKey({ key: jwk, format: "jwk" })).export({ format: "jwk" })).toMatchObject({
      x: reality.publicKey,
    });
    expect(reality.shortId).toMatch(/^[0-9a-f]{16}$/);
    expect((await panel.ok("POST", "/tools/wireguard-keypair")).publicKey).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  });

  // rule admins.scope.5
  test("resellers reach none of it", async () => {
    panel.reseller("shop", 5);
    for (const path of ["/inbounds", "/outbounds", "/templates"])
      expect((await panel.call("GET", path, undefined, "shop")).status).toBe(403);
  });
});
