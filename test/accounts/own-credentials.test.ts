// Credentials for one protocol alone (`config.by`): what they may be, where they win, and whose they are.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UserRows } from "../../src/accounts/index.ts";
import { planUserOf } from "../../src/fleet/desired/servable-user.ts";
import { shadowsocksKey, uuidV4 } from "../../src/lib/ids.ts";
import { digestUser } from "../../src/protocol/digest.ts";
import { dialects } from "../database.ts";
import { TestPanel } from "./panel.ts";

const METHOD = "chacha20-ietf-poly1305";

describe.each(dialects)("credentials for one protocol on %s", (dialect) => {
  let panel: TestPanel;
  let serial = 0;
  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
    while (!(await panel.credentialEntry.step()));
    const serverKey = shadowsocksKey(16);
    const inbounds = [
      { tag: "vless", type: "vless", config: { listen_port: 1001 } },
      { tag: "vmess", type: "vmess", config: { listen_port: 1002 } },
      { tag: "trojan", type: "trojan", config: { listen_port: 1003 } },
      { tag: "old", type: "shadowsocks", config: { listen_port: 1004, method: METHOD, password: "" } },
      {
        tag: "new",
        type: "shadowsocks",
        config: { listen_port: 1005, method: "2022-blake3-aes-128-gcm", password: serverKey },
      },
      { tag: "mixed", type: "mixed", config: { listen_port: 1006 } },
    ];
    const ids = [];
    for (const inbound of inbounds) ids.push((await panel.ok("POST", "/inbounds", inbound)).id);
    const template = (await panel.ok("POST", "/templates", { name: "t", inboundIds: ids })).id;
    const node = { id: 1, templateId: template, name: "n", remark: "", address: "192.0.2.1", linkAddress: "" };
    panel.entryNodes = [{ ...node, vision: true, multiplex: true }];
  });
  afterAll(() => panel.dispose());

  const made = async (config: object = {}) => panel.ok("POST", "/users", { name: `user-${++serial}`, config });
  const subscription = async (subId: string, format: string): Promise<string> =>
    (await panel.api.app.inject({ method: "GET", url: `/sub/${subId}?format=${format}` })).body;
  const outbounds = async (subId: string): Promise<Record<string, string>[]> =>
    JSON.parse(await subscription(subId, "singbox")).outbounds;

  // rule users.own.1
  test("they win for their protocol in every format, and nowhere else", async () => {
    const own = { vless: { uuid: uuidV4() }, trojan: { password: "of-trojan" }, socks: { password: "of-socks" } };
    const { subId, config } = await made({ by: { ...own, shadowsocks: { password: "of-old", method: METHOD } } });
    const found = await outbounds(subId);
    const by = (port: number) => found.find((each) => Number(each["server_port"]) === port);
    expect(by(1001)).toMatchObject({ uuid: own.vless.uuid });
    expect(by(1002)).toMatchObject({ uuid: config.uuid });
    expect(by(1003)).toMatchObject({ password: "of-trojan" });
    expect(by(1004)).toMatchObject({ password: "of-old", method: METHOD });
    // What is for another cipher is of no use here.
    expect(by(1005)?.["password"]).toMatch(new RegExp(`:${config.ss16.replaceAll(/[+/]/g, ".")}$`));
    expect(by(1006)).toMatchObject({ username: config.uuid, password: "of-socks" });
    const links = await subscription(subId, "links");
    expect(links).toContain(`vless://${own.vless.uuid}@`);
    expect(links).toContain("trojan://of-trojan@");
    for (const [format, password] of [
      ["clash", "of-socks"],
      ["xray", "of-trojan"],
    ] as const) {
      const text = await subscription(subId, format);
      expect(text).toContain(own.vless.uuid);
      expect(text).toContain(password);
    }
  });

  // rule users.own.1
  test("a key of Shadowsocks 2022 takes the place of the generated one of its length", async () => {
    const key = shadowsocksKey(16);
    const { subId } = await made({ by: { shadowsocks: { password: key, method: "2022-blake3-aes-128-gcm" } } });
    const found = await outbounds(subId);
    expect(found.find((each) => Number(each["server_port"]) === 1005)?.["password"]).toContain(`:${key}`);
  });

  // rule users.own.2
  test("nodes are told of them, and who has none is told of as before", async () => {
    const own = { vmess: { uuid: uuidV4() } };
    const { id } = await made({ by: own });
    const row = await panel.database.reads.find(UserRows, id);
    const plan = row && planUserOf(row);
    expect(plan?.by).toEqual(own);
    const { id: plain } = await made();
    const other = await panel.database.reads.find(UserRows, plain);
    expect(other && planUserOf(other)).not.toHaveProperty("by");
    if (!plan) throw new Error("no plan");
    const { by: _, ...without } = plan;
    expect(digestUser(plan)).not.toBe(digestUser(without));
  });

  // rule users.own.3
  test("a PATCH keeps them, replaces them as a whole, or takes them away; new credentials end them", async () => {
    const own = { vless: { uuid: uuidV4() } };
    const { id } = await made({ by: own });
    const config = async (body: object) => (await panel.ok("PATCH", `/users/${id}`, body)).config;
    expect(await config({ config: { password: "another-password" } })).toMatchObject({ by: own });
    const other = { trojan: { password: "of-trojan-2" } };
    expect((await config({ config: { by: other } })).by).toEqual(other);
    expect(await config({ config: { by: null } })).not.toHaveProperty("by");
    await config({ config: { by: own } });
    expect((await panel.ok("PUT", `/users/${id}`, { name: "put", enable: true })).config.by).toEqual(own);
    const rotated = await panel.ok("POST", `/users/${id}/sub/rotate`, { credentials: true });
    expect(rotated.config).not.toHaveProperty("by");
    // What it left is free.
    expect((await made({ by: own })).config.by).toEqual(own);
  });

  // rule users.own.4
  test.each([
    [{ naive: { password: "x" } }, "config.by.naive"],
    [{ vless: { uuid: "x" } }, "config.by.vless.uuid"],
    [{ vless: { uid: "x" } }, "config.by.vless.uid"],
    [{ shadowsocks: { password: "x", method: METHOD, key: "x" } }, "config.by.shadowsocks.key"],
    [{ trojan: { password: "" } }, "config.by.trojan.password"],
    [{ shadowsocks: { password: "x" } }, "config.by.shadowsocks.method"],
    [{ shadowsocks: { password: "x", method: "rc4" } }, "config.by.shadowsocks.method"],
    [{ shadowsocks: { password: "x", method: "2022-blake3-aes-256-gcm" } }, "config.by.shadowsocks.password"],
    [[], "config.by"],
  ])("%j is refused by name", async (by, field) => {
    expect(await panel.call("POST", "/users", { name: "refused", config: { by } })).toMatchObject({
      status: 400,
      body: { field },
    });
  });

  // rule users.own.5
  test("one that another account has for that protocol is refused, for another protocol it is not", async () => {
    const uuid = uuidV4();
    const victim = await made({ by: { vless: { uuid } } });
    const taken = async (by: object) => panel.call("POST", "/users", { name: `thief-${++serial}`, config: { by } });
    expect(await taken({ vless: { uuid: uuid.toUpperCase() } })).toMatchObject({
      status: 400,
      body: { code: "duplicate", field: "config.by.vless.uuid" },
    });
    expect((await taken({ vmess: { uuid } })).status).toBe(200);
    // Against itself an account may write what it has.
    await panel.ok("PATCH", `/users/${victim.id}`, { config: { by: { vless: { uuid }, tuic: { uuid } } } });
  });

  // rule users.own.5
  test("a common credential of one and an own one of another are the same on that protocol: refused, both ways", async () => {
    const common = await made();
    const { uuid, password, ss16 } = common.config;
    const other = await made();
    const patch = async (by: object) => panel.call("PATCH", `/users/${other.id}`, { config: { by } });
    const refused = { status: 400, body: { code: "duplicate" } };
    expect(await patch({ vmess: { uuid } })).toMatchObject(refused);
    expect(await patch({ trojan: { password } })).toMatchObject(refused);
    expect(await patch({ shadowsocks: { password, method: METHOD } })).toMatchObject(refused);
    expect(await patch({ shadowsocks: { password: ss16, method: "2022-blake3-aes-128-gcm" } })).toMatchObject(refused);
    // Its own common one it may name again.
    expect((await patch({ vless: { uuid: other.config.uuid } })).status).toBe(200);
    const mine = uuidV4();
    expect((await patch({ tuic: { uuid: mine, password: "of-tuic" } })).status).toBe(200);
    const config = (value: object) => panel.call("PATCH", `/users/${common.id}`, { config: value });
    expect(await config({ uuid: mine })).toMatchObject({ ...refused, body: { field: "config.uuid" } });
    expect(await config({ password: "of-tuic" })).toMatchObject({ ...refused, body: { field: "config.password" } });
    // In a batch it is a problem of its item.
    const users = [{ name: `batch-${++serial}`, config: { uuid: mine } }, { name: `batch-${++serial}` }];
    const batch = await panel.ok("POST", "/users/batch", { users });
    expect([batch.created.length, batch.problems]).toEqual([
      1,
      [{ index: 0, error: "config.uuid: the value is taken" }],
    ]);
  });

  // rule users.own.5
  test("of many that ask for one at once, one gets it", async () => {
    const uuid = uuidV4();
    const asked = await Promise.all(
      Array.from({ length: 8 }, async (_, index) =>
        panel.call("POST", "/users", {
          name: `race-${++serial}`,
          config: index % 2 === 0 ? { uuid } : { by: { http: { uuid } } },
        }),
      ),
    );
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
