// Domain fronts over HTTP: the record, which inbounds it is for, and what follows for both.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestPanel } from "../accounts/panel.ts";
import { dialects } from "../database.ts";

const over = (tag: string, transport?: string, tls?: object) => ({
  tag,
  type: "vless",
  config: { listen_port: 443, ...(transport && { transport: { type: transport } }), ...(tls && { tls }) },
});
const reality = {
  enabled: true,
  reality: {
    enabled: true,
    handshake: { server: "www.example.com", server_port: 443 },
    private_key: "UuMBgl7MXTPx9inmQp2UC7Jcnwc6XYbwDNebonM-FCc",
    short_id: ["01"],
  },
};

describe.each(dialects)("domain fronts on %s", (dialect) => {
  let panel: TestPanel;
  const inbound = async (tag: string, transport?: string, tls?: object): Promise<number> =>
    (await panel.ok("POST", "/inbounds", over(tag, transport, tls))).id;
  const front = async (name: string, body: object = {}): Promise<number> =>
    (await panel.ok("POST", "/fronts", { name, domain: `${name}.example`, ...body })).id;
  const frontsOf = async (id: number): Promise<number[]> =>
    (await panel.ok("GET", `/inbounds/${id}/fronts`)).map((each: { id: number }) => each.id);
  const inboundsOf = async (id: number): Promise<number[]> => (await panel.ok("GET", `/fronts/${id}`)).inboundIds;
  const refused = async (method: "POST" | "PUT", path: string, body: object) => {
    const { status, body: answer } = await panel.call(method, path, body);
    return [status, answer.code, answer.field];
  };
  beforeAll(async () => {
    panel = await TestPanel.open(dialect);
  });
  afterAll(() => panel.dispose());

  // rule pool.front.1
  test("a front is created, listed, changed and deleted; absent fields of a PUT stay", async () => {
    const made = await panel.ok("POST", "/fronts", { name: "cdn", domain: "cdn.example" });
    expect(made).toMatchObject({
      address: "",
      port: 0,
      sni: "",
      path: "",
      remark: "",
      enabled: true,
      inboundIds: [],
    });
    const changed = await panel.ok("PUT", `/fronts/${made.id}`, { path: "ray", port: 8443, enabled: false });
    expect(changed).toEqual({ ...made, path: "/ray", port: 8443, enabled: false, updatedAt: made.updatedAt + 1 });
    expect(await panel.ok("GET", "/fronts?q=CDN.EX")).toMatchObject({ total: 1, items: [{ id: made.id }] });
    expect(await panel.ok("GET", "/fronts?enabled=true")).toMatchObject({ total: 0 });
    expect(await panel.ok("GET", "/fronts?enabled=false")).toMatchObject({ total: 1 });
    const stale = { remark: "r", version: made.updatedAt };
    expect(await refused("PUT", `/fronts/${made.id}`, stale)).toEqual([409, "version_conflict", undefined]);
    expect(await panel.ok("DELETE", `/fronts/${made.id}`)).toEqual({ ok: true });
    for (const method of ["GET", "DELETE"] as const)
      expect((await panel.call(method, `/fronts/${made.id}`)).status).toBe(404);
  });

  // rule pool.front.1
  test("what is no host, port or path is refused, naming the field", async () => {
    const faulty: readonly (readonly [string, unknown])[] = [
      ["domain", ""],
      ["domain", "https://cdn.example"],
      ["domain", "*.cdn.example"],
      ["domain", "a b"],
      ["address", "cdn.example/x"],
      ["address", "one.example,two.example"],
      ["address", "cdn.example:8443"],
      ["address", ":::::"],
      ["address", "[2001:db8::1"],
      ["address", "[2001:db8::1]:443"],
      ["port", 65_536],
      ["sni", "a/b"],
      ["path", "/a b"],
      ["path", "/%zz"],
      ["name", "a\r\nb"],
      ["clientHeader", "X: y"],
      ["inboundIds", [999]],
    ];
    for (const [field, value] of faulty) {
      const [status, , named] = await refused("POST", "/fronts", { name: "x", domain: "x.example", [field]: value });
      expect([status, String(named).split(".")[0]], field).toEqual([400, field]);
    }
    const addresses = ["203.0.113.7", "2001:db8::1", "[2001:db8::1]", "bücher.example", ""];
    for (const address of addresses) await front("good", { address });
  });

  // rule pool.front.2
  test("only transports that a CDN carries have fronts", async () => {
    const id = await front("carries");
    for (const transport of ["ws", "httpupgrade", "grpc", "xhttp"]) {
      const [given] = await panel.ok("PUT", `/inbounds/${await inbound(transport, transport)}/fronts`, {
        frontIds: [id],
      });
      expect(given).toMatchObject({ id, name: "carries" });
    }
    const unfit = [
      await inbound("tcp"),
      await inbound("h2", "http"),
      await inbound("hidden", "grpc", reality),
      (await panel.ok("POST", "/inbounds", { tag: "mixed", type: "mixed", config: { listen_port: 1 } })).id,
    ];
    for (const each of unfit) {
      const no = [400, "validation"];
      expect(await refused("PUT", `/inbounds/${each}/fronts`, { frontIds: [id] })).toEqual([...no, "frontIds"]);
      expect(await refused("POST", "/fronts", { name: "f", domain: "f.example", inboundIds: [each] })).toEqual([
        ...no,
        "inboundIds",
      ]);
      expect(await panel.ok("PUT", `/inbounds/${each}/fronts`, { frontIds: [] })).toEqual([]);
    }
    expect((await panel.call("PUT", "/inbounds/9999/fronts", { frontIds: [] })).status).toBe(404);
    expect((await panel.call("GET", "/inbounds/9999/fronts")).status).toBe(404);
  });

  // rules pool.front.3, pool.front.4
  test("both sides say the same, in the order of the inbound", async () => {
    const [a, b] = [await inbound("side-a", "ws"), await inbound("side-b", "ws")];
    const [one, two] = [await front("one", { inboundIds: [a, b] }), await front("two")];
    expect(await frontsOf(a)).toEqual([one]);
    await panel.ok("PUT", `/inbounds/${a}/fronts`, { frontIds: [two, one, two] });
    expect(await frontsOf(a)).toEqual([two, one]);
    expect(await inboundsOf(two)).toEqual([a]);
    expect(await panel.ok("GET", `/fronts?inbound_id=${a}`)).toMatchObject({ total: 2 });
    expect(await refused("PUT", `/inbounds/${a}/fronts`, { frontIds: [999] })).toEqual([400, "validation", "frontIds"]);
    await panel.ok("PUT", `/fronts/${one}`, { inboundIds: [b] });
    expect(await frontsOf(a)).toEqual([two]);
    expect((await panel.ok("GET", `/fronts/${one}`)).usedBy.inbounds).toEqual([{ id: b, name: "side-b" }]);
    await panel.ok("DELETE", `/fronts/${two}`);
    expect(await frontsOf(a)).toEqual([]);
    await panel.ok("DELETE", `/inbounds/${b}`);
    expect(await inboundsOf(one)).toEqual([]);
    await panel.ok("PUT", `/inbounds/${a}/fronts`, { frontIds: [one] });
    expect(panel.audits.at(-1)).toMatchObject({ key: "inbounds", action: "fronts", entityId: String(a) });
  });

  // rule pool.front.3
  test("an inbound has at most 20, also of fronts that come at once", async () => {
    const id = await inbound("many", "ws");
    const ids = [];
    for (let count = 0; count < 21; count += 1) ids.push(await front(`f${count}`));
    const no = [409, "too_many_fronts", undefined];
    expect(await refused("PUT", `/inbounds/${id}/fronts`, { frontIds: ids })).toEqual(no);
    expect(await frontsOf(id)).toEqual([]);
    await panel.ok("PUT", `/inbounds/${id}/fronts`, { frontIds: ids.slice(0, 18) });
    const at = async (name: string) =>
      (await panel.call("POST", "/fronts", { name, domain: "x.example", inboundIds: [id] })).status;
    const statuses = await Promise.all(["p", "q", "r", "s"].map(at));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 409, 409]);
    expect(await frontsOf(id)).toHaveLength(20);
    expect(await refused("PUT", `/fronts/${ids[20]}`, { inboundIds: [id] })).toEqual(no);
    expect(await panel.ok("PUT", `/inbounds/${id}/fronts`, { frontIds: [] })).toEqual([]);
  });
});
