// Random fragments against the four engines' translations: whatever is written, no configuration holds a key that names
// a file, program, interface or setting of the host, and where a host or address stands there is never a socket, a file
// or the environment. Each holds alone, without the screen before them. `FUZZ_SEED` and `FUZZ_ROUNDS` repeat a run or
// make it longer.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { KeyList } from "../../../scripts/engine-keys/key-list.ts";
import { KEY_LISTS } from "../../../scripts/engine-keys/sources.ts";
import { readInbound } from "../../../src/agent/engines/embedded/inbounds.ts";
import { readOutbound } from "../../../src/agent/engines/embedded/outbounds.ts";
import { type Dialect, engineTags, type Json } from "../../../src/agent/engines/process/dialect.ts";
import { singBoxDialect } from "../../../src/agent/engines/sing-box/dialect.ts";
import { v2rayDialect } from "../../../src/agent/engines/v2ray/dialect.ts";
import { xrayDialect } from "../../../src/agent/engines/xray/dialect.ts";
import { screen } from "../../../src/agent/screen.ts";
import type { PlanObject, Structure } from "../../../src/protocol/plan.ts";
import { refusedBySingBox } from "../../dialect/refused-keys.ts";
import { refusedXrayKeys } from "../../dialect/xray-keys.ts";
import { fixedPair } from "./fixed-pair.ts";
import { inbound, structure, user, users } from "./rig.ts";

const seed = Number(process.env["FUZZ_SEED"] ?? 12);
const rounds = Number(process.env["FUZZ_ROUNDS"] ?? 80);
const keys = KeyList.parse(JSON.parse(readFileSync(KEY_LISTS["sing-box"], "utf8")));

/** Numbers of a seed: mulberry32. */
function randomOf(start: number): <T>(items: readonly T[]) => T {
  let state = start;
  return (items) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    const item = items[((t ^ (t >>> 14)) >>> 0) % items.length];
    if (item === undefined) throw new Error("nothing to choose from");
    return item;
  };
}

/** What a hostile panel would write, and what an honest one does. */
const VALUES: readonly unknown[] = [
  "/planted/file",
  "../planted",
  "file:///planted",
  "@planted",
  "@@planted",
  "env:PLANTED",
  "ext:planted:x",
  "ext-ip:planted:x",
  "geoip:planted",
  "unix:/planted",
  "fe80::1%planted",
  "https+local://planted/",
  "planted",
  "localhost",
  "127.0.0.1",
  "site.example",
  "https://site.example/",
  "",
  0,
  1,
  443,
  true,
  false,
  null,
  "1m",
  ["/planted/file"],
  [],
  {},
  { path: "/planted/file" },
  { type: "file", directory: "/planted" },
];

const tls = { enabled: true, server_name: "w.test", ...fixedPair };
const server = { server: "192.0.2.1", server_port: 443 };
const out = (tag: string, type: string, config: Record<string, unknown> = {}): PlanObject => ({
  kind: "outbound",
  tag,
  type,
  config,
});

/** A plan that every engine serves in part, to be spoilt. */
function plan(): PlanObject[] {
  const reality = {
    enabled: true,
    server_name: "w.test",
    reality: {
      enabled: true,
      handshake: { ...server },
      private_key: "UuMBgl7MXTPx9inmQp2UC7Jcnwc6XYbwDNebonM-FCc",
      short_id: ["01"],
    },
  };
  const objects: PlanObject[] = [
    inbound(1, "vless", {
      listen: "127.0.0.1",
      listen_port: 1001,
      tls: { ...tls },
      transport: { type: "ws", path: "/a", headers: { Host: "a.test" } },
    }),
    inbound(2, "trojan", {
      listen_port: 1002,
      tls: { ...tls },
      fallback: { ...server },
      fallback_for_alpn: { h2: { ...server } },
    }),
    inbound(3, "hysteria2", {
      listen_port: 1003,
      tls: { ...tls },
      masquerade: "https://site.example/",
      obfs: { type: "salamander", password: "abcd" },
    }),
    inbound(4, "vless", { listen_port: 1004, tls: reality }),
    inbound(5, "vless", {
      listen_port: 1005,
      transport: { type: "xhttp", path: "/x", extra: { xPaddingBytes: "1-2" } },
    }),
    inbound(6, "socks", { listen_port: 1006 }),
    inbound(7, "direct", { listen_port: 1007, override_address: "192.0.2.9", override_port: 53 }),
    inbound(8, "shadowsocks", { listen_port: 1008, method: "aes-128-gcm", password: "x" }),
    out("direct", "direct", {
      inet4_bind_address: "192.0.2.9",
      domain_resolver: { server: "d", strategy: "prefer_ipv4" },
    }),
    out("up", "socks", { ...server, username: "u", password: "p" }),
    out("vl", "vless", {
      ...server,
      uuid: user(1).uuid,
      tls: { enabled: true, server_name: "a.test", certificate: [fixedPair.certificate] },
    }),
    out("ss", "shadowsocks", { ...server, method: "aes-128-gcm", password: "x" }),
    out("ssh", "ssh", { ...server, user: "u", password: "p" }),
    out("wg", "wireguard", {
      address: ["10.9.0.2/32"],
      private_key: "k",
      peers: [{ address: "192.0.2.1", port: 1, public_key: "p", allowed_ips: ["0.0.0.0/0"] }],
    }),
    out("best", "urltest", { outbounds: ["up", "vl"], url: "https://site.example/" }),
    {
      kind: "route",
      route: {
        rules: [
          { domain: ["a.test"], ip_cidr: ["192.0.2.0/24"], outbound: "up" },
          { type: "logical", mode: "and", rules: [{ port: 1 }], outbound: "vl" },
        ],
        rule_set: [{ tag: "s", type: "inline", rules: [{ domain: ["b.test"] }] }],
        final: "direct",
      },
    },
    {
      kind: "core",
      core: {
        dns: {
          servers: [
            { tag: "d", type: "udp", server: "192.0.2.53" },
            { tag: "h", type: "hosts", predefined: { "a.test": "192.0.2.1" } },
          ],
          rules: [{ domain: ["a.test"], server: "d" }],
        },
        log: { level: "warn" },
        ntp: { enabled: true, ...server },
      },
    },
  ];
  return structuredClone(objects);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** All objects inside a value. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isRecord(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

const EVERY_KEY = [...new Set(Object.values(keys.blocks).flatMap((block) => Object.keys(block.keys)))].toSorted();
const XRAY_KEYS = [
  "certificateFile",
  "keyFile",
  "masterKeyLog",
  "interface",
  "sockopt",
  "downloadSettings",
  "tlsSettings",
  "dest",
  "target",
  "dir",
  "customSockopt",
];

function spoilt(random: ReturnType<typeof randomOf>): Structure {
  const objects = plan();
  for (let change = random([1, 2, 3, 6]); change > 0; change -= 1) {
    const object = random(objects);
    const fragment = object.kind === "route" ? object.route : object.kind === "core" ? object.core : object.config;
    const place = random(objectsIn(fragment));
    // Half of the time a key that is there, so that what is hostile stands where an engine looks.
    place[random([random([...Object.keys(place), "path"]), random([...EVERY_KEY, ...XRAY_KEYS])])] = structuredClone(
      random(VALUES),
    );
  }
  return structure(...objects);
}

function configOf(dialect: Dialect, wanted: Structure): Json {
  const everybody = users(user(7));
  const screening = dialect.screen(everybody);
  const compiled = dialect.compile(wanted, { privateTargets: "block", apiPorts: [4001] });
  const populated = compiled.inbounds.flatMap((one) => dialect.populate(one, everybody, screening) ?? []);
  const inbounds = populated.map((one) =>
    dialect.inboundConfig(one, {
      tag: engineTags(one.inbound.id)[0],
      listen: one.inbound.listen,
      port: one.inbound.port,
    }),
  );
  return dialect.config(compiled, inbounds, { grpc: "127.0.0.1:4001", ports: [4001] });
}

interface Leaf {
  readonly key: string;
  readonly value: unknown;
}

function leaves(value: unknown, key = ""): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item) => leaves(item, key));
  if (!isRecord(value)) return [{ key, value }];
  // Names of headers are the operator's own.
  return Object.entries(value).flatMap(([name, field]) =>
    key === "headers" ? [] : [{ key: name, value: field }, ...leaves(field, name)],
  );
}

/** Keys of sing-box that stand in a configuration although they are refused, as `Block.key`. */
function refusedIn(config: Json): string[] {
  const found: string[] = [];
  const walk = (name: string, value: unknown): void => {
    if (Array.isArray(value)) return value.forEach((item) => walk(name, item));
    if (!isRecord(value) || name === "") return;
    const blocks = blocksOf(name, value, found);
    for (const [key, field] of Object.entries(value)) {
      const owner = blocks.find((block) => keys.blocks[block]?.keys[key] !== undefined);
      if (owner === undefined) continue;
      if (refusedBySingBox.has(`${owner}.${key}`)) found.push(`${owner}.${key}`);
      walk(keys.blocks[owner]?.keys[key] ?? "", field);
    }
  };
  walk("Options", config);
  return found;
}

function blocksOf(name: string, value: Readonly<Record<string, unknown>>, found: string[]): string[] {
  const block = keys.blocks[name];
  const { key = "", of = {} } = block?.by ?? {};
  const which = value[key];
  if (typeof which === "string" && refusedBySingBox.has(`${name}[${which}]`)) found.push(`${name}[${which}]`);
  const variant = typeof which === "string" ? of[which] : undefined;
  return [
    name,
    ...[...(block?.embeds ?? []), ...(variant ? [variant] : [])].flatMap((inner) => blocksOf(inner, value, found)),
  ];
}

/** What the agent itself writes under keys that fragments may not have. */
const OWN = new Set([
  "Options.experimental",
  ...[...refusedBySingBox].filter(([key]) => key.endsWith(".users")).map(([key]) => key),
]);

const NEVER_IN_XRAY = new Set([
  "certificateFile",
  "keyFile",
  "masterKeyLog",
  "interface",
  "mark",
  "tproxy",
  "customSockopt",
  "dir",
  "env",
  "webhook",
  "process",
  "geodata",
]);
/** Under these stand hosts and addresses alone. */
const HOSTS = new Set([
  "address",
  "dest",
  "target",
  "listen",
  "sendThrough",
  "endpoint",
  "ip",
  "source",
  "allowedIPs",
  "redirect",
]);

function strangeIn(config: Json): Leaf[] {
  return leaves(config).filter(({ key, value }) => {
    if (NEVER_IN_XRAY.has(key)) return true;
    if (!HOSTS.has(key) || typeof value !== "string") return false;
    const host = value.replace(/^(tcp|https):\/\//, "");
    return host.startsWith("/") || /[@%]|^(env|ext|ext-ip|geoip|unix|file):|\+local/.test(host);
  });
}

/** The embedded engine's own form of an item has no place for one. */
function isFile({ key }: Leaf): boolean {
  return /_path$|interface|directory/.test(key);
}

test("no engine is given anything of the host", () => {
  const random = randomOf(seed);
  const tags = ["with_v2ray_api", "with_clash_api", "with_quic", "with_utls", "with_gvisor", "with_wireguard"];
  const dialects = { singBox: singBoxDialect(tags), xray: xrayDialect("26.7.28"), v2ray: v2rayDialect };
  let carried = 0;
  for (let round = 0; round < rounds; round += 1) {
    const wanted = spoilt(random);
    const said = JSON.stringify({
      seed,
      round,
      wanted: leaves(wanted).filter(({ value }) => JSON.stringify(value).includes("planted")),
    });
    const config = configOf(dialects.singBox, wanted);
    expect(
      refusedIn(config).filter((key) => !OWN.has(key)),
      said,
    ).toEqual([]);
    for (const dialect of [dialects.xray, dialects.v2ray])
      expect(strangeIn(configOf(dialect, wanted)), `${dialect.name} ${said}`).toEqual([]);
    if (JSON.stringify(config).includes("planted")) carried += 1;
    for (const object of Object.values(wanted)) {
      // The embedded engine opens no file for an inbound; of an outbound it keeps a name, a port and a login.
      if (object.kind === "inbound") readInbound(object);
      if (object.kind === "outbound") expect(leaves(readOutbound(object).outbound).filter(isFile), said).toEqual([]);
    }
    expect(screen(screen(wanted, "block").structure, "block").warnings, said).toEqual([]);
  }
  // Texts that mean nothing to the host go through: the plans are not refused whole.
  expect(carried).toBeGreaterThan(rounds / 20);
  expect(Object.values(refusedXrayKeys).join(" ").split(" ")).toEqual(
    expect.arrayContaining(["certificateFile", "masterKeyLog", "interface", "dir"]),
  );
});
