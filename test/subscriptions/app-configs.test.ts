// Configurations for programs of one protocol.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { START, TestPanel } from "../accounts/panel.ts";

describe.each(dialects)("configurations of apps on %s", (dialect) => {
  let panel: TestPanel;
  let templateId = 0;
  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
    await panel.supervisor.start();
    const tls = { enabled: true, server_name: "cdn.example.com" };
    const make = async (tag: string, type: string, config: object): Promise<number> =>
      (await panel.ok("POST", "/inbounds", { tag, type, config })).id;
    const inboundIds = [
      await make("hy", "hysteria2", { listen_port: 443, tls, obfs: { type: "salamander", password: "veil" } }),
      await make("tu", "tuic", { listen_port: 444, tls, congestion_control: "bbr" }),
      await make("vl", "vless", { listen_port: 445 }),
    ];
    templateId = (await panel.ok("POST", "/templates", { name: "t", inboundIds })).id;
    const node = { templateId, remark: "", vision: true, multiplex: true };
    panel.entryNodes = [
      { ...node, id: 1, name: "one", address: "192.0.2.1", linkAddress: "Main|de.example.com, Alt|203.0.113.7" },
      { ...node, id: 2, name: "two", address: "2001:db8::2", linkAddress: "" },
    ];
  });
  afterAll(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });
  const configs = (id: number) => panel.ok("GET", `/users/${id}/app-configs`);

  // rule subscriptions.app.1
  test("one for each node and inbound that its own program speaks, by the primary address", async () => {
    const { id, config } = await panel.ok("POST", "/users", { name: "anna", templateIds: [templateId] });
    const local = { socks5: { listen: "127.0.0.1:1080" }, http: { listen: "127.0.0.1:8080" } };
    const hysteria = {
      auth: config.password,
      obfs: { type: "salamander", salamander: { password: "veil" } },
      ...local,
    };
    const tls = { sni: "cdn.example.com", insecure: false };
    const relay = {
      server: "cdn.example.com:444",
      uuid: config.uuid,
      password: config.password,
      udp_relay_mode: "native",
      congestion_control: "bbr",
    };
    const answer: { nodeId: number; inbound: string }[] = await configs(id);
    expect(answer.map(({ nodeId, inbound }) => `${nodeId} ${inbound}`).toSorted()).toEqual([
      "1 hy",
      "1 tu",
      "2 hy",
      "2 tu",
    ]);
    const of = (nodeId: number, inbound: string) =>
      answer.find((each) => each.nodeId === nodeId && each.inbound === inbound);
    expect(of(1, "hy")).toMatchObject({ node: "one", protocol: "hysteria2", name: expect.stringContaining("one") });
    expect(of(1, "hy")).toMatchObject({ config: { server: "de.example.com:443", tls, ...hysteria } });
    expect(of(2, "hy")).toMatchObject({ node: "two", config: { server: "[2001:db8::2]:443", tls } });
    expect(of(1, "tu")).toMatchObject({ protocol: "tuic", config: { relay, local: { server: "127.0.0.1:1080" } } });
    expect(of(2, "tu")).toMatchObject({ config: { relay: { ...relay, ip: "2001:db8::2" } } });
  });

  // rule subscriptions.app.1
  test("an account that is not served has none, and a stranger's is not there", async () => {
    const { id } = await panel.ok("POST", "/users", { name: "late", templateIds: [templateId], expiry: START - 1 });
    expect(await configs(id)).toEqual([]);
    expect((await panel.call("GET", "/users/999999/app-configs")).status).toBe(404);
    panel.reseller("shop", 7);
    expect((await panel.call("GET", `/users/${id}/app-configs`, undefined, "shop")).status).toBe(404);
  });
});
