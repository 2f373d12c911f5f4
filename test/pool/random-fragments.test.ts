// Random fragments of every type, by seed: whatever the panel takes gives engines no file, socket, interface or program
// of the host, and no private target. What is looked for in the engines' configurations is written down here on its
// own, not taken from the lists.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile as compileSingBox } from "../../src/agent/engines/sing-box/compile.ts";
import { compile as compileXray } from "../../src/agent/engines/xray/compile.ts";
import { typesOf } from "../../src/dialect/index.ts";
import { issueSelfSigned } from "../../src/certificates/testing.ts";
import { parseClientConfig } from "../../src/pool/dialect/client-config.ts";
import { parseInboundConfig } from "../../src/pool/dialect/inbound.ts";
import { type Issue, privateTargetIssues } from "../../src/pool/dialect/issue.ts";
import { parseOutboundConfig } from "../../src/pool/dialect/outbound.ts";
import { coreIssues, parseRoute } from "../../src/pool/dialect/route.ts";
import { planKey, type PlanObject } from "../../src/protocol/plan.ts";
import { oneOf, seeded, whole, type Random } from "../crash/random.ts";

type Json = Record<string, unknown>;

const ROUNDS = 3000;
const SEED = Number(process.env["FRAGMENTS_SEED"] ?? 12);

const HOST_THINGS = [
  "/etc/shadow",
  "file:///etc/shadow",
  "../secret.key",
  "@abstract",
  "unix:/run/x.sock",
  "ext:secret.dat:x",
  "fe80::1%eth9",
];
const PRIVATE =
  "127.0.0.1 127.1 0x7f000001 2130706433 ::1 [::1] ::ffff:127.0.0.1 localhost localhost. 10.0.0.1 169.254.169.254".split(
    " ",
  );
const PRIVATE_SITES = ["https://127.1/", "https://localhost:8443/", "https://[::1]/", "http://10.0.0.1/"];
const PLAIN = ["", "a.test", "1.1.1.1", "https://a.test/", true, false, 0, 443, null, [], {}, ["a.test"]];

/** Keys with which engines would reach for the host, as they stand in their configurations. */
const REACHING =
  /((?<!multi)_path|_directory|^directory|^dir|File|_file|netns|[iI]nterface|^mark|_mark|executable|extra_args|torrc|^output|wifi|process|package|^user_id|write_to_system|find_process|set_system_proxy|acme|experimental|sockopt\.custom|masterKeyLog|wildcard_sni|^system)$/;
/** Keys whose values engines connect to or open. */
const CONNECTED =
  /^(server|address|dest|target|override_address|url|endpoint|listen|ip_cidr|source_ip_cidr|ip|source|plugin|plugin_opts|masquerade)$/;

const pair = await issueSelfSigned(["a.test"], Date.now());
const tls = { enabled: true, server_name: "a.test", certificate: [pair.certificate], key: [pair.privateKey] };
const reality = {
  enabled: true,
  handshake: { server: "w.test", server_port: 443 },
  private_key: "UuMBgl7MXTPx9inmQp2UC7Jcnwc6XYbwDNebonM-FCc",
};
const uuid = "00000000-0000-4000-8000-000000000001";
const key = Buffer.alloc(32, 1).toString("base64");

/** Lawful fragments to begin with. */
const BASES: Readonly<Record<string, readonly Json[]>> = {
  inbound: [
    {},
    { tls },
    { tls: { enabled: true, reality } },
    { transport: { type: "ws", path: "/a", headers: { host: "a.test" } } },
    { tls, transport: { type: "xhttp", extra: { xmux: {}, downloadSettings: { address: "d.test" } } } },
    { tls, fallback: { server: "f.test", server_port: 80 } },
    { method: "aes-128-gcm", multiplex: { enabled: true, brutal: {} } },
    { tls, obfs: { type: "salamander", password: "secret" }, masquerade: { type: "string", content: "hello" } },
    { override_address: "o.test", override_port: 80 },
    { version: 3, handshake: { server: "w.test", server_port: 443 }, detour: "other" },
  ].map((base) => ({ listen: "::", listen_port: 443, ...base })),
  outbound: [
    {},
    { outbounds: ["direct"], url: "https://probe.test/" },
    {
      private_key: key,
      address: ["10.0.0.2/32"],
      peers: [{ address: "p.test", port: 1, public_key: key, allowed_ips: ["0.0.0.0/0"] }],
    },
    ...[
      {},
      { uuid },
      { uuid, tls: { enabled: true } },
      { password: "p" },
      { password: "p", tls: { enabled: true } },
    ].map((more) => ({
      server: "s.test",
      server_port: 443,
      ...more,
    })),
    { server: "s.test", server_port: 443, password: "p", method: "aes-128-gcm", plugin: "obfs-local" },
    { server: "s.test", server_port: 443, uuid, tls: { enabled: true }, transport: { type: "grpc" }, multiplex: {} },
  ],
  route: [
    {
      rules: [
        { domain: ["a.test"], outbound: "direct" },
        { ip_cidr: ["1.1.1.0/24"], action: "reject" },
      ],
      final: "direct",
    },
    {
      rule_set: [{ type: "remote", tag: "r", url: "https://r.test/" }],
      rules: [{ rule_set: "r", outbound: "direct" }],
    },
    {
      rules: [
        { type: "logical", mode: "and", rules: [{ port: 80 }], action: "route-options", override_address: "o.test" },
      ],
    },
  ],
  core: [
    {
      dns: {
        servers: [
          { type: "https", tag: "d", server: "d.test" },
          { type: "hosts", tag: "h", predefined: { "a.test": "1.1.1.1" } },
        ],
      },
    },
    {
      dns: { servers: [{ type: "local", tag: "d" }], rules: [{ domain: "a.test", server: "d" }] },
      log: { level: "info" },
    },
    { ntp: { enabled: true, server: "n.test" } },
  ],
  client: [{ server: "c.test", tls: { insecure: true } }],
};

/** Every key that an engine reads anywhere. */
const KEYS = ["sing-box", "xray"].flatMap((engine) => {
  const text = readFileSync(new URL(`../dialect/engine-keys/${engine}.json`, import.meta.url), "utf8");
  return [...text.matchAll(/^ {8}"([^"]+)":/gm)].map(([, name = ""]) => name);
});

/** Where keys are names of the operator's own. */
const NAMES = /\.(predefined|headers|hosts|fallback_for_alpn|handshake_for_server_name)$/;

/** Every object and list of a fragment. */
function containers(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(containers)];
}

function anyValue(random: Random): unknown {
  const one = structuredClone(
    oneOf<unknown>(random, oneOf<readonly unknown[]>(random, [HOST_THINGS, PRIVATE, PRIVATE_SITES, PLAIN])),
  );
  const shape = whole(random, 10);
  return shape === 0 ? [one] : shape === 1 ? { [oneOf(random, KEYS)]: one } : one;
}

function mutated(random: Random, base: Json): Json {
  const fragment = structuredClone(base);
  for (let left = whole(random, 3); left > 0; left--) {
    const at = oneOf(random, containers(fragment));
    const known = Object.keys(at);
    const name = known.length > 0 && random() < 0.6 ? oneOf(random, known) : oneOf(random, KEYS);
    Reflect.set(at, Array.isArray(at) ? whole(random, at.length + 1) : name, anyValue(random));
  }
  return fragment;
}

/** Where a configuration reaches what it must not. `dials`: a private server is an ordinary upstream there. */
function reached(value: unknown, dials: boolean, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const path = `${at}.${name}`;
    if (REACHING.test(name) && !NAMES.test(at)) return [path];
    // The tag of a DNS server.
    if (/(\.rules\.\d+|resolver)\.server(\.\d+)?$/.test(path)) return [];
    // Xray's word for the resolver that the system has.
    if (field === "localhost" && path.startsWith(".frame.dns.servers.")) return [];
    const texts = CONNECTED.test(name) ? [field].flat().filter((text) => typeof text === "string") : [];
    const bad = texts.filter(
      (text) =>
        HOST_THINGS.some((thing) => text.includes(thing)) ||
        (!dials && name !== "listen" && !/cidr|^ip$|^source$/.test(name) && namesPrivate(text)),
    );
    return [...bad.map((text) => `${path} = ${text}`), ...reached(field, dials, path)];
  });
}

function namesPrivate(text: string): boolean {
  return (
    PRIVATE_SITES.includes(text) ||
    PRIVATE.some((host) => text === host || text === `${host}:80` || text === `${host}:443` || text === `[${host}]:443`)
  );
}

/** Parts of an engine's configuration that come from the plan. */
const PARTS = ["outbounds", "endpoints", "route", "routing", "dns", "ntp", "log"];
const TAGS = new Set(["with_v2ray_api", "with_clash_api", "with_quic", "with_utls", "with_gvisor", "with_wireguard"]);

/** What the engines would be given, without the parts that are the agent's own. */
function translations(object: PlanObject): unknown[] {
  const structure = {
    [planKey(object)]: object,
    "outbound:direct": { kind: "outbound", tag: "direct", type: "direct", config: {} } as const,
  };
  const options = { privateTargets: "allow", apiPorts: [] } as const;
  return [compileSingBox(structure, options, TAGS), compileXray(structure, { ...options, honest: true, mark: "" })].map(
    ({ frame, inbounds }) => ({
      frame: Object.fromEntries(Object.entries(frame).filter(([part]) => PARTS.includes(part))),
      inbounds: inbounds.map(({ body, settings }) => ({ body, settings })),
    }),
  );
}

interface Kind {
  readonly base: string;
  readonly types: readonly string[];
  issues(type: string, fragment: Json): readonly Issue[];
  object?(type: string, fragment: Json): PlanObject;
}

const issuesOf = (parsed: { ok: true } | { ok: false; issues: readonly Issue[] }) => (parsed.ok ? [] : parsed.issues);
const KINDS: readonly Kind[] = [
  {
    base: "inbound",
    types: [...typesOf("inbounds"), "tun"],
    issues: (type, config) => [
      ...issuesOf(parseInboundConfig(type, "in", config)),
      ...privateTargetIssues("inbounds", type, config),
    ],
    object: (type, config) => ({ kind: "inbound", id: 1, tag: "in", type, config }),
  },
  {
    base: "outbound",
    types: [...typesOf("outbounds"), "tor"],
    issues: (type, config) => [
      ...issuesOf(parseOutboundConfig(type, config)),
      ...privateTargetIssues("outbounds", type, config),
    ],
    object: (type, config) => ({ kind: "outbound", tag: "out", type, config }),
  },
  {
    base: "route",
    types: [""],
    issues: (_, route) => [...issuesOf(parseRoute(route)), ...privateTargetIssues("route", "", route)],
    object: (_, route) => ({ kind: "route", route }),
  },
  {
    base: "core",
    types: [""],
    issues: (_, core) => [...coreIssues(core), ...privateTargetIssues("core", "", core)],
    object: (_, core) => ({ kind: "core", core }),
  },
  { base: "client", types: [""], issues: (_, config) => issuesOf(parseClientConfig(config)) },
];

// rule pool.fragment.1
test("what is taken reaches nothing of the host", () => {
  const random = seeded(SEED);
  const taken = new Map<string, number>();
  const wrong: string[] = [];
  let refused = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const kind = oneOf(random, KINDS);
    const type = oneOf(random, kind.types);
    const fragment = mutated(random, oneOf(random, BASES[kind.base] ?? []));
    if (kind.issues(type, fragment).length > 0) {
      refused++;
      continue;
    }
    taken.set(kind.base, (taken.get(kind.base) ?? 0) + 1);
    const dials = kind.base === "outbound" || kind.base === "client";
    const found = [fragment, ...(kind.object ? translations(kind.object(type, fragment)) : [])].flatMap((config) =>
      reached(config, dials),
    );
    if (found.length > 0)
      wrong.push(`${found.join(", ")} in round ${round}: ${kind.base} ${type} ${JSON.stringify(fragment)}`);
  }
  expect(wrong.slice(0, 10), `seed ${SEED}`).toEqual([]);
  // It looked at something: both ways out were taken often.
  expect(refused).toBeGreaterThan(ROUNDS / 10);
  for (const { base } of KINDS) expect(taken.get(base), base).toBeGreaterThan(ROUNDS / 300);
});
