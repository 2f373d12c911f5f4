// The clients of the matrix: an account's subscription, fetched in the client's format and run by the real program, all
// entries in one process.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import type { Api, UserAnswer } from "../api.ts";
import { Program } from "../processes.ts";

/** Programs that run subscriptions wherever the matrix does. */
export const CLIENTS = ["xray", "sing-box", "v2ray"] as const;
/**
 * mihomo reads `clash`, and `base64` as the links of its providers. It runs where `MIHOMO` names the program, and is no
 * part of the kept table.
 */
export const MIHOMO_CLIENTS = ["mihomo", "mihomo by links"] as const;
export type Client = (typeof CLIENTS)[number] | (typeof MIHOMO_CLIENTS)[number];
const MIHOMO = process.env["MIHOMO"];
/** The clients that run here. */
export const HERE: readonly Client[] = MIHOMO === undefined ? CLIENTS : [...CLIENTS, ...MIHOMO_CLIENTS];

type Json = Readonly<Record<string, unknown>>;
const XrayConfiguration = z.looseObject({
  remarks: z.string(),
  outbounds: z.array(z.looseObject({ protocol: z.string() })).min(1),
});
/** A subscription with one entry is the configuration itself. */
const XraySubscription = z.union([z.array(XrayConfiguration), XrayConfiguration.transform((only) => [only])]);
const SingBoxSubscription = z.looseObject({ outbounds: z.array(z.looseObject({ type: z.string(), tag: z.string() })) });
const ClashSubscription = z.looseObject({ proxies: z.array(z.looseObject({ name: z.string() })) });
const GROUPS = ["selector", "urltest", "direct"];

/** Which format each client reads. */
export const FORMAT: Readonly<Record<Client, string>> = {
  xray: "xray",
  "sing-box": "singbox",
  v2ray: "xray",
  mihomo: "clash",
  "mihomo by links": "base64",
};

/** What an account's subscription says to a client: the way out of every entry by its name. */
export async function entriesFor(api: Api, user: UserAnswer, client: Client): Promise<ReadonlyMap<string, Json>> {
  const answer = await api.request("GET", `/sub/${user.subId}/${FORMAT[client]}`, undefined, {
    "user-agent": userAgentOf(client),
  });
  if (answer.status !== 200)
    throw new Error(`the subscription answers ${answer.status}: ${JSON.stringify(answer.body)}`);
  if (client === "mihomo") {
    const { proxies } = ClashSubscription.parse(parse(z.string().parse(answer.body)));
    return new Map(proxies.map((proxy) => [proxy.name, proxy]));
  }
  if (client === "mihomo by links") {
    const links = Buffer.from(z.string().parse(answer.body), "base64").toString("utf8").trim().split("\n");
    return new Map(links.map((link) => [nameOf(link), { link }]));
  }
  if (client === "sing-box") {
    const { outbounds } = SingBoxSubscription.parse(answer.body);
    return new Map(outbounds.filter(({ type }) => !GROUPS.includes(type)).map((outbound) => [outbound.tag, outbound]));
  }
  return new Map(XraySubscription.parse(answer.body).map(({ remarks, outbounds }) => [remarks, outbounds[0] ?? {}]));
}

/** As the program names itself, where the panel looks at it. */
function userAgentOf(client: Client): string {
  if (client !== "mihomo") return "matrix";
  const said = spawnSync(commandOf(client), ["-v"], { encoding: "utf8" }).stdout;
  const version = /\bv?(\d+\.\d+\.\d+)\b/.exec(said)?.[1];
  if (version === undefined) throw new Error(`MIHOMO says no version: ${said}`);
  return `clash.meta/v${version}`;
}

/** What a share link calls its server. */
function nameOf(link: string): string {
  const packed = /^vmess:\/\/(.+)$/.exec(link)?.[1];
  if (packed === undefined) return decodeURIComponent(new URL(link).hash.slice(1));
  const { ps } = z.object({ ps: z.string() }).parse(JSON.parse(Buffer.from(packed, "base64").toString("utf8")));
  return ps;
}

/** The SOCKS user name that an entry is reached by. */
export function userOf(entries: ReadonlyMap<string, Json>, name: string): string {
  return `way-${[...entries.keys()].indexOf(name)}`;
}

/**
 * Several entries as one configuration: one SOCKS port whose user names choose the outbound. What the subscription says
 * besides outbounds (its own ports, private targets past the proxy) is left out.
 */
function configuration(client: Client, entries: ReadonlyMap<string, Json>, port: number): Json {
  const ways = [...entries].map(([name, outbound]) => ({ user: userOf(entries, name), outbound }));
  if (client === "sing-box") {
    const users = ways.map(({ user }) => ({ username: user, password: "x" }));
    return {
      log: { level: "error" },
      inbounds: [{ type: "socks", tag: "in", listen: "127.0.0.1", listen_port: port, users }],
      outbounds: ways.map(({ user, outbound }) => ({ ...outbound, tag: user })),
      route: { rules: ways.map(({ user }) => ({ auth_user: [user], outbound: user })) },
    };
  }
  if (client === "mihomo") {
    const users = ways.map(({ user }) => ({ username: user, password: "x" }));
    return {
      "log-level": "warning",
      listeners: [{ name: "in", type: "socks", listen: "127.0.0.1", port, udp: false, users }],
      proxies: ways.map(({ user, outbound }) => ({ ...outbound, name: user })),
      rules: [...ways.map(({ user }) => `IN-USER,${user},${user}`), "MATCH,REJECT"],
    };
  }
  if (client === "mihomo by links") {
    const users = ways.map(({ user }) => ({ username: user, password: "x" }));
    const filterOf = (name: string) => `^${name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`;
    return {
      "log-level": "warning",
      listeners: [{ name: "in", type: "socks", listen: "127.0.0.1", port, udp: false, users }],
      "proxy-providers": { links: { type: "file", path: LINKS_FILE, "health-check": { enable: false } } },
      "proxy-groups": [...entries.keys()].map((name, index) => ({
        name: ways[index]?.user,
        type: "select",
        use: ["links"],
        filter: filterOf(name),
      })),
      rules: [...ways.map(({ user }) => `IN-USER,${user},${user}`), "MATCH,REJECT"],
    };
  }
  const accounts = ways.map(({ user }) => ({ user, pass: "x" }));
  return {
    log: { loglevel: "info" },
    inbounds: [{ tag: "in", listen: "127.0.0.1", port, protocol: "socks", settings: { auth: "password", accounts } }],
    outbounds: ways.map(({ user, outbound }) => ({ ...outbound, tag: user })),
    routing: { rules: ways.map(({ user }) => ({ type: "field", user: [user], outboundTag: user })) },
  };
}

const RUN: Readonly<Record<Client, readonly string[]>> = {
  xray: ["run", "-c", "stdin:"],
  "sing-box": ["run", "-c", "stdin", "--disable-color"],
  v2ray: ["-config=stdin:"],
  // JSON is YAML. No directory of its own: it keeps nothing for what is asked of it here.
  mihomo: ["-d", tmpdir(), "-f", "-"],
  "mihomo by links": ["-f", "-", "-d"],
};
const TEST: Readonly<Record<Client, readonly string[]>> = {
  xray: ["run", "-test", "-c", "stdin:"],
  "sing-box": ["check", "-c", "stdin"],
  v2ray: ["-test", "-config=stdin:"],
  mihomo: ["-t", "-d", tmpdir(), "-f", "-"],
  "mihomo by links": ["-t", "-f", "-", "-d"],
};
const commandOf = (client: Client) =>
  client === "mihomo" || client === "mihomo by links" ? (MIHOMO ?? client) : client;

const LINKS_FILE = "links.txt";

/** A directory with the links in base64, as mihomo reads them; undefined where a configuration is all. */
async function linksDirectory(client: Client, entries: ReadonlyMap<string, Json>): Promise<string | undefined> {
  if (client !== "mihomo by links") return undefined;
  const directory = await mkdtemp(join(tmpdir(), "links-"));
  const links = [...entries.values()].map(({ link }) => `${String(link)}\n`).join("");
  await writeFile(join(directory, LINKS_FILE), Buffer.from(links, "utf8").toString("base64"));
  return directory;
}

let knowsXhttp: boolean | undefined;

/** Whether this version of mihomo has xhttp: an older one passes over what it does not know. */
export function mihomoKnowsXhttp(): boolean {
  const proxy = { name: "a", type: "vless", server: "a.test", port: 1, uuid: randomUUID() };
  const stdin = JSON.stringify({ proxies: [{ ...proxy, network: "xhttp", "xhttp-opts": "no options" }] });
  knowsXhttp ??= spawnSync(commandOf("mihomo"), [...TEST.mihomo], { input: stdin }).status !== 0;
  return knowsXhttp;
}

export interface RunningClient {
  readonly socksPort: number;
  /** What it wrote. */
  readonly output: string;
  close(): Promise<void>;
}

/** Runs entries; resolves when the SOCKS port answers. `env`: of the program, besides that of the tests. */
export async function startClient(
  client: Client,
  entries: ReadonlyMap<string, Json>,
  socksPort: number,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningClient> {
  const directory = await linksDirectory(client, entries);
  const removed = async () => directory === undefined || rm(directory, { recursive: true, force: true });
  const program = new Program({
    command: commandOf(client),
    args: directory === undefined ? RUN[client] : [...RUN[client], directory],
    env: { SIGNALBOX_MATRIX_CLIENT: client, ...env },
    stdin: JSON.stringify(configuration(client, entries, socksPort)),
  });
  try {
    await answering(socksPort, program);
  } catch (error) {
    await program.end("SIGKILL");
    await removed();
    throw error;
  }
  return {
    socksPort,
    get output() {
      return program.output;
    },
    close: async () => {
      await program.end("SIGTERM");
      await removed();
    },
  };
}

async function answering(port: number, program: Program): Promise<void> {
  const { connect } = await import("node:net");
  const end = performance.now() + 20_000;
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (open) return;
    if (!program.running || performance.now() > end)
      throw new Error(`the client did not start:\n${program.output.slice(-2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** What a client says to one entry; undefined when it takes it. */
export async function objectionTo(client: Client, name: string, outbound: Json): Promise<string | undefined> {
  const entries = new Map([[name, outbound]]);
  const program = new Program({
    command: commandOf(client),
    args: TEST[client],
    stdin: JSON.stringify(configuration(client, entries, 1080)),
  });
  const { code } = await program.exited;
  return code === 0 ? undefined : program.output.trim().split("\n").at(-1);
}
