// What nodes are told of fronts: the headers that an xhttp inbound trusts, and nothing else.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plannedTemplate } from "../../src/fleet/desired/planned-template.ts";
import { structureOf } from "../../src/fleet/desired/structure.ts";
import { TestPanel } from "../accounts/panel.ts";
import { dialects } from "../database.ts";

describe.each(dialects)("inbounds with fronts on %s", (dialect) => {
  let panel: TestPanel;
  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  const served = async (transport: string) => {
    const { id } = await panel.ok("POST", "/inbounds", {
      tag: transport,
      type: "vless",
      config: { listen_port: 443, transport: { type: transport } },
    });
    const { id: templateId } = await panel.ok("POST", "/templates", { name: transport, inboundIds: [id] });
    const desired = async () => structureOf(await plannedTemplate(panel.database.reads, templateId), null);
    const trusted = async () => (await desired()).object(`inbound:${id}`);
    return { id, desired, trusted };
  };
  const front = async (name: string, clientHeader?: string): Promise<number> =>
    (
      await panel.ok("POST", "/fronts", {
        name,
        domain: "f.example",
        ...(clientHeader !== undefined && { clientHeader }),
      })
    ).id;

  // rule pool.front.5
  test("an xhttp inbound is sent again only where its trusted headers change", async () => {
    const { id, desired, trusted } = await served("xhttp");
    const without = (await desired()).digest;
    const [one, other, same, silent] = [
      await front("one"),
      await front("other", "X-CDN"),
      await front("same", "cf-connecting-IP"),
      await front("silent", ""),
    ];
    const give = async (...frontIds: number[]) => {
      await panel.ok("PUT", `/inbounds/${id}/fronts`, { frontIds });
      return (await desired()).digest;
    };
    expect(await give(silent)).toBe(without);
    const trusting = await give(one);
    expect(trusting).not.toBe(without);
    expect(await trusted()).toMatchObject({ trustedHeaders: ["cf-connecting-ip"] });
    expect(await give(same, silent, one)).toBe(trusting);
    const both = await give(other, one);
    expect(both).not.toBe(trusting);
    expect(await trusted()).toMatchObject({ trustedHeaders: ["cf-connecting-ip", "x-cdn"] });
    expect(await give(one, other)).toBe(both);
    await panel.ok("PUT", `/fronts/${other}`, { remark: "r", domain: "other.example", path: "/p" });
    expect((await desired()).digest).toBe(both);
    await panel.ok("PUT", `/fronts/${other}`, { enabled: false });
    expect((await desired()).digest).toBe(trusting);
    await panel.ok("DELETE", `/fronts/${one}`);
    expect((await desired()).digest).toBe(without);
  });

  // rule pool.front.5
  test("other transports are left alone", async () => {
    for (const transport of ["ws", "httpupgrade", "grpc"]) {
      const { id, desired } = await served(transport);
      const { digest } = await desired();
      await panel.ok("PUT", `/inbounds/${id}/fronts`, { frontIds: [await front("any")] });
      expect((await desired()).digest).toBe(digest);
    }
  });
});
