// Domain fronts in subscriptions: what clients get of them at once, in every format, and what the preview says.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { TestPanel } from "./panel.ts";

describe.each(dialects)("subscriptions with domain fronts on %s", (dialect) => {
  let panel: TestPanel;
  let user: { id: number; subId: string };
  let inboundId: number;
  const body = async (format: string): Promise<string> => {
    const answer = await panel.api.app.inject({
      method: "GET",
      url: `/sub/${user.subId}/${format}`,
      headers: { host: "panel.example" },
    });
    return answer.body;
  };
  const preview = async (format = "links") => panel.ok("GET", `/users/${user.id}/sub/preview?format=${format}`);
  const names = async (): Promise<string[]> =>
    (await body("links"))
      .split("\n")
      .flatMap((link) => (link === "" ? [] : decodeURIComponent(link.split("#")[1] ?? "")));

  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
    const made = await panel.ok("POST", "/inbounds", {
      tag: "ws",
      type: "vless",
      config: { listen_port: 8080, transport: { type: "ws", path: "/ray" } },
    });
    inboundId = made.id;
    const { id: templateId } = await panel.ok("POST", "/templates", { name: "t", inboundIds: [inboundId] });
    const node = { templateId, remark: "", vision: true, multiplex: true };
    panel.entryNodes = [
      { ...node, id: 7, name: "n7", address: "192.0.2.7", linkAddress: "a.example,MCI|b.example" },
      { ...node, id: 8, name: "n8", address: "192.0.2.8", linkAddress: "" },
    ];
    user = await panel.ok("POST", "/users", { name: "ali", templateIds: [templateId] });
  });
  afterAll(async () => {
    expect(panel.failures).toEqual([]);
    await panel.dispose();
  });

  // rules subscriptions.entry.5, subscriptions.entry.6, subscriptions.preview.1
  test("an entry for each node address and each front, in the order of the inbound, from the next fetch on", async () => {
    const direct = ["ws n7", "ws n7 MCI", "ws n8"];
    expect(await names()).toEqual(direct);
    const one = await panel.ok("POST", "/fronts", { name: "one", domain: "one.example", inboundIds: [inboundId] });
    const two = await panel.ok("POST", "/fronts", {
      name: "two",
      remark: "Fast",
      domain: "two.example",
      address: "203.0.113.9",
      port: 8443,
      sni: "sni.example",
      path: "/two",
      inboundIds: [inboundId],
    });
    expect(await names()).toEqual([...direct, "ws one", "ws Fast"]);
    await panel.ok("PUT", `/inbounds/${inboundId}/fronts`, { frontIds: [two.id, one.id] });
    expect(await names()).toEqual([...direct, "ws Fast", "ws one"]);
    const link = new URL((await body("links")).split("\n")[3] ?? "");
    expect([link.hostname, link.port]).toEqual(["203.0.113.9", "8443"]);
    expect(Object.fromEntries(link.searchParams)).toMatchObject({
      host: "two.example",
      sni: "sni.example",
      path: "/two",
      security: "tls",
    });
    for (const format of ["clash", "singbox", "xray"])
      for (const part of ["203.0.113.9", "two.example", "sni.example", "one.example", "ws Fast"])
        expect(await body(format), `${format}: ${part}`).toContain(part);
    expect((await preview()).entries.slice(2)).toMatchObject([
      { remark: "ws n8", nodeId: 8, frontId: null, front: null },
      { remark: "ws Fast", nodeId: 0, frontId: two.id, front: "two" },
      { remark: "ws one", nodeId: 0, frontId: one.id, front: "one" },
    ]);

    await panel.ok("PUT", `/fronts/${one.id}`, { enabled: false });
    expect(await names()).toEqual([...direct, "ws Fast"]);
    expect((await preview()).omitted).toEqual([
      {
        nodeId: 0,
        node: null,
        inboundId,
        inbound: "ws",
        code: "front_off",
        what: "one",
        text: "the front one is switched off",
      },
    ]);

    await panel.ok("PUT", `/inbounds/${inboundId}`, { frontedOnly: true });
    expect(await names()).toEqual(["ws Fast"]);
    expect(
      (await preview("singbox")).omitted.map((each: { code: string; nodeId: number }) => [each.code, each.nodeId]),
    ).toEqual([
      ["fronted_only", 7],
      ["fronted_only", 8],
      ["front_off", 0],
    ]);

    // No front is left: the direct ones are what there is.
    await panel.ok("DELETE", `/fronts/${two.id}`);
    expect(await names()).toEqual(direct);
    await panel.ok("PUT", `/fronts/${one.id}`, { enabled: true });
    expect(await names()).toEqual(["ws one"]);

    // The transport is another one now.
    await panel.ok("PUT", `/inbounds/${inboundId}`, { config: { listen_port: 8080 } });
    expect(await names()).toEqual(direct);
    expect((await preview()).omitted).toMatchObject([{ code: "front_unfit", nodeId: 0 }]);
  });
});
