// Every operation of the description document under requests drawn from it: no answer is a 500, undocumented, or of
// another shape than documented. SIGNALBOX_FUZZ: requests for each operation (a longer run); SIGNALBOX_SEED: another
// seed.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../database.ts";
import { Chance } from "../simulation/chance.ts";
import { attempt, shown, type Drawing } from "./attempts.ts";
import type { Operation } from "./described.ts";
import type { Hints } from "./inputs.ts";
import { Target } from "./target.ts";

const SEED = Number(process.env["SIGNALBOX_SEED"] ?? 20_261_122);
const EACH = Number(process.env["SIGNALBOX_FUZZ"] ?? 24);
/** Requests under way at a time. */
const ABREAST = 8;

const HINTS: Hints = {
  username: ["second", "third", "Root"],
  password: ["correct horse", "short", "x".repeat(256)],
  currentPassword: ["wrong", "x".repeat(4096)],
  newPassword: ["another horse", ""],
  role: ["admin", "resale", "narrow", "sudo", "nobody", ""],
  base: ["admin", "resale"],
  scopes: [["users:read"], ["users:read", "nodes:write"], ["none"], []],
  adminId: [0, 1, 2, 3, 999],
  planId: [0, 1],
  templateId: [1, null, 99],
  templateIds: [[1], [], [99]],
  inboundIds: [[1], [1, 1], [99]],
  outboundIds: [[1], [99]],
  endpointIds: [[], [1]],
  ruleSetIds: [[], [1]],
  certificateId: [null, 0, 1],
  tag: ["in", "direct", "out", "x y"],
  type: [
    "vless",
    "vmess",
    "trojan",
    "shadowsocks",
    "hysteria2",
    "direct",
    "socks",
    "http",
    "urltest",
    "reconnect",
    "edited",
    "due",
  ],
  config: [
    {},
    { listen: "::", listen_port: 443 },
    { listen_port: 8443, tls: { enabled: true, server_name: "a.example" } },
    { method: "2022-blake3-aes-128-gcm", password: "AAAAAAAAAAAAAAAAAAAAAA==", listen_port: 1 },
    { listen_port: 1, transport: { type: "ws", path: "/" } },
    { outbounds: ["direct"] },
    { uuid: "", password: "", ss16: "", ss32: "" },
    { uuid: "not one" },
  ],
  route: [null, { final: "direct" }, { rules: [{ outbound: "direct", domain: ["a"] }] }, { final: "nowhere" }],
  routing: [null, { final: "direct" }, { rules: "no" }],
  core: [null, {}, { dns: {} }],
  contact: [
    null,
    {},
    { email: "a@example.org" },
    { email: "no" },
    { phone: "+49 30" },
    { telegram_id: "@anna" },
    { n: 1, b: true, e: "" },
  ],
  address: ["127.0.0.1", "::1", "node.invalid"],
  url: ["http://127.0.0.1:9/x", "https://user:pw@127.0.0.1/", "ftp://127.0.0.1/", "http://127.0.0.1:0/"],
  events: [[], ["user.*"], ["user.created"], ["none"]],
  value: ["", "true", "1", "UTC", "a.example", "127.0.0.1"],
  method: ["2022-blake3-aes-256-gcm", "aes-128-gcm", "none"],
  version: [0, 1],
  sort: ["id", "name"],
  kind: ["user", "node", "nothing", "__proto__"],
  delivery: [1, 2, 999],
  nodeId: [0, 1, 999],
  // Keys whose values would close the panel to the fuzzer are left out.
  key: [
    "timezone",
    "web_domain",
    "sub_domain",
    "sub_basepath",
    "changes_retention_days",
    "event_retention_days",
    "nothing",
    "setup_token",
  ],
};

/** Each makes an archive of the whole database, one after the other. */
const HEAVY = new Set(["GET /backup", "POST /backups"]);

/** Ends the fuzzer's own session or the panel. */
const LEFT_OUT = new Set(["POST /restart", "DELETE /me/sessions/{id}"]);

/** Without the prefix of the surface. */
function nameOf({ method, path }: Operation): string {
  return `${method} ${path.replace(/^\/api(\/v1)?/, "")}`;
}

describe.each(dialects)("fuzzing on %s", (dialect) => {
  let target: Target;
  beforeAll(async () => {
    target = await Target.open(dialect);
  });
  afterAll(() => target.close());

  async function attack(
    operation: Operation,
    faults: Map<string, string>,
    statuses: Map<number, number>,
  ): Promise<void> {
    const drawing: Drawing = {
      description: target.description,
      chance: new Chance(SEED, `${operation.method} ${operation.path}`),
      hints: HINTS,
      // What the panel was filled with; not the account and the token that the requests are made with.
      ids: (path) => [...(target.ids.get(path.replace(/^\/api(\/v1)?\//, "").split("/")[0] ?? "") ?? [1, 2, 3]), 999],
    };
    const one = async (): Promise<void> => {
      const request = attempt(operation, drawing);
      const by = operation.sessionOnly && drawing.chance.happens(0.8) ? "session" : operation.open ? "nobody" : "token";
      const received = await target.send(request, by);
      statuses.set(received.status, (statuses.get(received.status) ?? 0) + 1);
      for (const fault of target.description.faults(operation, received, by === "token")) {
        const name = `${operation.method} ${operation.path}: ${fault}`.slice(0, 400);
        if (!faults.has(name)) faults.set(name, shown(request));
      }
    };
    const each = HEAVY.has(nameOf(operation)) ? EACH / 6 : EACH;
    for (let sent = 0; sent < each; sent += ABREAST)
      await Promise.all(Array.from({ length: Math.min(ABREAST, each - sent) }, one));
  }

  // rules http.path.4, http.path.11
  test(`no request gets an answer that is not documented (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
    const faults = new Map<string, string>();
    const statuses = new Map<number, number>();
    for (const operation of target.description.operations) {
      if (!LEFT_OUT.has(nameOf(operation))) await attack(operation, faults, statuses);
    }
    console.log(`fuzzing on ${dialect}: seed ${SEED}, answers ${JSON.stringify(Object.fromEntries(statuses))}`);
    expect([...faults].map(([fault, request]) => `${fault}\n    ${request}`).join("\n")).toBe("");
    // The fuzzer reaches what is behind the checks.
    expect(statuses.get(200)).toBeGreaterThan(200);
  });
});
