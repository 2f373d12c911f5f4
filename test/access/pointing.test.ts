// A caller who may do everything but read accounts leads no customer anywhere: nodes, inbounds, fronts and templates,
// in all ways of writing them, and the subscription that comes of it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InboundUpdate } from "../../src/pool/inbound.schema.ts";
import { FrontUpdate } from "../../src/pool/front.schema.ts";
import { TemplateUpdate } from "../../src/pool/template.schema.ts";
import { FRONT_POINTS, INBOUND_POINTS, TEMPLATE_POINTS } from "../../src/pool/points.ts";
import { NODE_POINTS } from "../../src/fleet/nodes/node-points.ts";
import { NodeWrite } from "../../src/fleet/nodes/node.schema.ts";
import { dialects } from "../database.ts";
import { openWalkedPanel, type WalkedAnswer, type WalkedPanel } from "./route-table.ts";

type Method = "POST" | "PUT" | "DELETE";
type Call = readonly [method: Method, path: string, body?: unknown];

const vless = (transport: object, more: object = {}) => ({ listen: "::", listen_port: 17_443, transport, ...more });
const WS = { type: "ws", path: "/a", headers: { Host: "cdn.example" } };
const XHTTP = { type: "xhttp", path: "/a", host: "cdn.example" };
const CLIENT = { server: "entry.example", tls: { enabled: true, server_name: "entry.example" } };
const evilDownload = { extra: { downloadSettings: { address: "evil.example", port: 443, network: "xhttp" } } };

// rule admins.point.2, rule admins.point.3
test("every field that is written says where it leads", () => {
  const fieldsOf = (schema: { readonly shape: object }) =>
    Object.keys(schema.shape)
      .filter((name) => name !== "version")
      .toSorted();
  for (const [schema, points] of [
    [NodeWrite, NODE_POINTS],
    [InboundUpdate, INBOUND_POINTS],
    [FrontUpdate, FRONT_POINTS],
    [TemplateUpdate, TEMPLATE_POINTS],
  ] as const)
    expect(Object.keys(points).toSorted()).toEqual(fieldsOf(schema));
});

describe.each(dialects)("what leads customers somewhere, on %s", (dialect) => {
  let panel: WalkedPanel;
  const callers: Record<string, string> = {};
  let reader: string;
  let link: string;
  const ids: Record<string, number> = {};

  const send = ([method, path, body]: Call, as?: string): Promise<WalkedAnswer> =>
    panel.send(method, `/api/v1${path}`, {
      ...(as === undefined ? {} : { as }),
      ...(body === undefined ? {} : { body }),
    });
  async function made(path: string, body: object): Promise<number> {
    const answer = await send(["POST", path, body]);
    expect(answer.status, answer.text).toBe(200);
    return Number(answer.body["id"]);
  }
  /** What a customer gets: by apps that read each format, and in a browser. */
  async function received(): Promise<unknown[]> {
    const asked = [
      [`${link}/links`, ""],
      [`${link}/clash`, ""],
      [`${link}/singbox`, ""],
      [`${link}/xray`, ""],
      [link, "Happ/2.0"],
      [link, "v2rayNG/1.9"],
      [`${link}/html`, "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)"],
    ] as const;
    const answers = [];
    for (const [path, userAgent] of asked) {
      const { status, text, headers } = await panel.send("GET", path, { as: "", headers: { "user-agent": userAgent } });
      expect(status).toBe(200);
      const { date: _date, "x-request-id": _id, ...told } = headers;
      answers.push({ path, userAgent, text, told });
    }
    return answers;
  }

  beforeAll(async () => {
    panel = await openWalkedPanel(dialect);
    const { body } = await panel.send("GET", "/api/v1/me");
    const all = (body["scopes"] as string[]).filter((scope) => !scope.startsWith("users:"));
    callers["everything but accounts"] = await panel.token(all);
    callers["pools alone"] = await panel.token(["pool:write", "templates:write"]);
    callers["nodes alone"] = await panel.token(["nodes:write"]);
    reader = await panel.token([...all, "users:read"]);
    ids["ws"] = await made("/inbounds", { tag: "ws", type: "vless", config: vless(WS) });
    ids["own"] = await made("/inbounds", { tag: "own", type: "vless", config: vless(XHTTP), clientConfig: CLIENT });
    ids["plain"] = await made("/inbounds", {
      tag: "plain",
      type: "vless",
      config: { listen: "::", listen_port: 17_444 },
    });
    ids["outside"] = await made("/inbounds", { tag: "outside", type: "vless", config: vless(WS) });
    ids["aside"] = await made("/inbounds", { tag: "aside", type: "vless", config: vless({ type: "ws", path: "/" }) });
    ids["template"] = await made("/templates", { name: "all", inboundIds: [ids["ws"], ids["own"]] });
    ids["node"] = await made("/nodes", {
      name: "one",
      address: "192.0.2.1",
      port: 7443,
      templateId: ids["template"],
      linkAddress: "fi|fi.example,192.0.2.1",
    });
    ids["front"] = await made("/fronts", { name: "front", domain: "front.example", inboundIds: [ids["ws"]] });
    ids["spare"] = await made("/fronts", { name: "spare", domain: "spare.example" });
    await made("/users", { name: "anna", templateIds: [ids["template"]] });
    const { body: users } = await panel.send("GET", "/api/v1/users?q=anna");
    link = new URL(String((users["items"] as { subUrl: string }[])[0]?.subUrl)).pathname;
  });
  afterAll(() => panel.dispose());

  /** What leads elsewhere, in all ways of writing it; the scope that it is written with stands first. */
  const leading = (): readonly (readonly [scope: string, ...Call])[] => {
    const { ws, own, outside, aside, template, node, front, spare } = ids;
    const inbound = `/inbounds/${ws}`;
    return [
      ["nodes", "PUT", `/nodes/${node}`, { linkAddress: "evil.example" }],
      ["nodes", "PUT", `/nodes/${node}`, { linkAddress: "fi|fi.example,fi|evil.example" }],
      ["nodes", "PUT", `/nodes/${node}`, { linkAddress: "[2001:db8::66]", name: "one" }],
      ["nodes", "POST", "/nodes", { name: "two", address: "192.0.2.9", port: 7443, linkAddress: "evil.example" }],
      ["nodes", "POST", `/nodes/${node}/move`, { address: "198.51.100.6" }],
      ["nodes", "PUT", `/nodes/${node}/template`, { templateId: 0 }],
      ["pool", "PUT", inbound, { clientConfig: { server: "evil.example" } }],
      ["pool", "PUT", inbound, { clientConfig: { server_port: 1 } }],
      ["pool", "PUT", inbound, { clientConfig: { tls: { enabled: true, insecure: true } } }],
      ["pool", "PUT", inbound, { clientConfig: { tls: { server_name: "evil.example" } } }],
      ["pool", "PUT", `/inbounds/${own}`, { clientConfig: { ...CLIENT, tls: { enabled: false } } }],
      ["pool", "PUT", `/inbounds/${outside}`, { clientConfig: { server: "evil.example" } }],
      ["pool", "PUT", inbound, { config: vless({ ...WS, headers: { Host: "evil.example" } }) }],
      ["pool", "PUT", inbound, { config: vless({ type: "httpupgrade", path: "/a", host: "evil.example" }) }],
      ["pool", "PUT", inbound, { config: vless({ ...XHTTP, host: "evil.example" }) }],
      ["pool", "PUT", inbound, { config: vless({ ...XHTTP, ...evilDownload }) }],
      ["pool", "PUT", inbound, { config: vless(WS, { tls: { enabled: true, server_name: "evil.example" } }) }],
      ["pool", "PUT", `/inbounds/${outside}`, { config: vless({ ...XHTTP, ...evilDownload }) }],
      [
        "pool",
        "POST",
        "/inbounds",
        { tag: "n", type: "vless", config: vless(WS), clientConfig: { server: "evil.example" } },
      ],
      ["pool", "POST", "/inbounds", { tag: "n", type: "vless", config: vless({ ...XHTTP, ...evilDownload }) }],
      ["pool", "POST", "/fronts", { name: "n", domain: "evil.example" }],
      ["pool", "POST", "/fronts", { name: "n", domain: "evil.example", inboundIds: [ws] }],
      ["pool", "PUT", `/fronts/${front}`, { domain: "evil.example" }],
      ["pool", "PUT", `/fronts/${front}`, { address: "evil.example" }],
      ["pool", "PUT", `/fronts/${front}`, { port: 8443 }],
      ["pool", "PUT", `/fronts/${front}`, { sni: "evil.example" }],
      ["pool", "PUT", `/fronts/${front}`, { path: "/evil" }],
      ["pool", "PUT", `/fronts/${front}`, { inboundIds: [ws, aside] }],
      ["pool", "PUT", inbound + "/fronts", { frontIds: [front, spare] }],
      ["templates", "PUT", `/templates/${template}`, { inboundIds: [ws, own, outside] }],
    ];
  };

  // rule admins.point.2, rule admins.point.3, rule admins.point.6
  test("is refused with the scope that is missing, and every subscription stays as it is", async () => {
    const before = await received();
    expect(JSON.stringify(before)).toContain("fi.example");
    expect(JSON.stringify(before)).toContain("front.example");
    for (const [scope, ...call] of leading()) {
      const narrow = callers[scope === "nodes" ? "nodes alone" : "pools alone"] ?? "";
      for (const as of [callers["everything but accounts"] ?? "", narrow]) {
        const { status, body, text } = await send(call, as);
        expect([call, status, body["code"], body["scope"]], text).toEqual([call, 403, "scope", "users:read"]);
      }
    }
    for (const settings of [
      { sub_apps: [{ name: "Happ", stores: { ios: "https://evil.example" }, import: "https://evil.example/{url}" }] },
      {
        sub_rules: [
          {
            header: "user-agent",
            operator: "contains",
            value: "Happ",
            format: "links",
            enabled: true,
            headers: { "new-url": "https://evil.example" },
          },
        ],
      },
      { sub_support_url: "https://evil.example" },
    ])
      for (const [key, value] of Object.entries(settings)) {
        const written = { value: typeof value === "string" ? value : JSON.stringify(value) };
        const { status } = await send(["PUT", `/settings/${key}`, written], callers["everything but accounts"]);
        expect([key, status]).toEqual([key, 403]);
      }
    expect(await received()).toEqual(before);
  });

  // rule admins.point.2, rule admins.point.3
  test("the same again, what leads nowhere, and what is taken away are written", async () => {
    const { ws, own, plain, outside, template, node, front } = ids;
    const as = callers["everything but accounts"];
    const free: readonly Call[] = [
      ["PUT", `/nodes/${node}`, { linkAddress: "fi|fi.example,192.0.2.1", remark: "here" }],
      ["PUT", `/nodes/${node}`, { linkAddress: "Helsinki|fi.example" }],
      ["PUT", `/inbounds/${own}`, { clientConfig: CLIENT, remark: "again" }],
      [
        "PUT",
        `/inbounds/${own}`,
        { clientConfig: { tls: { server_name: "entry.example", enabled: true }, server: "entry.example" } },
      ],
      ["PUT", `/inbounds/${ws}`, { config: vless({ ...WS, path: "/other" }), remark: "ways", frontedOnly: false }],
      ["PUT", `/inbounds/${outside}`, { config: vless({ ...WS, headers: { Host: "other.example" } }) }],
      ["POST", "/inbounds", { tag: "fresh", type: "vless", config: vless(WS) }],
      ["PUT", `/fronts/${front}`, { domain: "front.example", name: "again", remark: "r", clientHeader: "" }],
      ["PUT", `/fronts/${front}`, { enabled: false }],
      ["PUT", `/inbounds/${ws}/fronts`, { frontIds: [front] }],
      ["PUT", `/templates/${template}`, { name: "every", inboundIds: [own, ws] }],
      ["PUT", `/templates/${template}`, { inboundIds: [own, ws, plain] }],
      ["PUT", `/inbounds/${own}`, { clientConfig: {} }],
      ["PUT", `/inbounds/${ws}/fronts`, { frontIds: [] }],
      ["PUT", `/nodes/${node}`, { linkAddress: "" }],
    ];
    for (const call of free) {
      const { status, text } = await send(call, as);
      expect([call, status], text).toEqual([call, 200]);
    }
    const got = JSON.stringify(await received());
    expect(got).toContain("192.0.2.1");
    expect(got).not.toContain("entry.example");
  });

  // rule admins.point.2, rule admins.point.3
  test("with users:read each of them is carried out, but for what would be two of the same", async () => {
    for (const [, ...call] of leading()) {
      const { status, text } = await send(call, reader);
      expect([call, status === 200 || status === 400 || status === 409], text).toEqual([call, true]);
      expect(status, text).not.toBe(403);
    }
  });

  // rule admins.point.3
  test("GET /scopes says which scope they need besides their own", async () => {
    const { body } = await panel.send("GET", "/api/v1/scopes");
    const sometimes = body["sometimes"] as Record<string, string[]>;
    for (const operation of [
      "PUT /nodes/{id}",
      "POST /inbounds",
      "PUT /inbounds/{id}",
      "PUT /inbounds/{id}/fronts",
      "PUT /fronts/{id}",
      "PUT /templates/{id}",
      "PUT /settings/{key}",
    ])
      expect([operation, sometimes[operation]]).toEqual([operation, ["users:read"]]);
    expect((body["also"] as Record<string, string[]>)["POST /fronts"]).toEqual(["users:read"]);
  });
});
