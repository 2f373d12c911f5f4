// Run in a network and with files of its own (see `private-targets.test.ts`): serves an engine, tries everything a
// proxy user can try, and prints what arrived where.  Arguments: the engine's kind, `block` or `allow`.
import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { engineFactories } from "../../../src/agent/engines/all.ts";
import { type Attempt, httpConnect, httpPlain, type Question, socksTcp, socksUdp, trojan, vless } from "./attempts.ts";
import { LANES, startSeats } from "./lanes.ts";
import { startNamesServer } from "./names-server.ts";
import { type Notation, NOTATIONS, PRIVATE_HERE, PUBLIC_HERE, ZONE } from "./notations.ts";
import { inbound, ports, startRig, structure, user, users } from "./rig.ts";
import { selfSigned } from "../../certificate.ts";

const NAMESERVER = "127.0.0.77";
const TARGET = 4433;
const FEW: ReadonlySet<string> = new Set(
  `127.0.0.1 0.0.0.0 ::1 :: ::ffff:127.0.0.1 10.9.9.9 169.254.169.254 64:ff9b::7f00:1 localhost 0x7f000001 loop.test six.test
  mapped-shared.test private.test first-public.test rebinding.test public.test ${PUBLIC_HERE[0]}`.split(/\s+/),
);
const [kind = "", mode = "block"] = process.argv.slice(2);

interface Findings {
  /** `<way> | <notation> -> <local address of the target>`. */
  readonly arrived: readonly string[];
  readonly warnings: readonly string[];
  readonly questions: number;
  readonly rejected: number;
  /** Engine interfaces that answered a proxy user: `<notation>:<port>`. */
  readonly interfaces: readonly string[];
  readonly listening: readonly string[];
}

function readyNetwork(): void {
  const ip = (...words: string[]): void => void execFileSync("ip", words, { stdio: "ignore" });
  ip("link", "set", "lo", "up");
  for (const address of [...PRIVATE_HERE, ...PUBLIC_HERE])
    ip(
      "addr",
      "add",
      `${address}/${address.includes(":") ? 128 : 32}`,
      "dev",
      "lo",
      ...(address.includes(":") ? ["nodad"] : []),
    );
  ip("addr", "add", "fe80::1/64", "dev", "lo", "nodad");
}

/** The same text in different ways must be told apart where it arrives. */
async function startTargets(arrived: Set<string>): Promise<void> {
  const note = (data: Buffer, local: string | undefined): void => {
    for (const [, what] of data.toString("utf8").matchAll(/<<(.*?)>>/g))
      arrived.add(`${what} -> ${(local ?? "").replace(/^::ffff:/, "")}`);
  };
  const server = createServer((socket: Socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (data: Buffer) => {
      note(data, socket.localAddress);
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    });
  }).listen(TARGET, "::");
  await once(server, "listening");
  // A datagram's own address is not told to a wildcard socket, so each has its own.
  for (const local of ["127.0.0.1", "::1", ...PRIVATE_HERE, ...PUBLIC_HERE]) {
    const socket = createSocket(local.includes(":") ? "udp6" : "udp4");
    socket.on("message", (data, from) => {
      note(data, local);
      socket.send("ok", from.port, from.address);
    });
    socket.bind(TARGET, local);
    await once(socket, "listening");
  }
}

async function attack(): Promise<Findings> {
  readyNetwork();
  const names = await startNamesServer(ZONE, NAMESERVER);
  const factory = engineFactories.find((one) => one.kind === kind);
  const info = await factory?.probe();
  if (!factory || !info) throw new Error(`${kind} is not installed`);
  const arrived = new Set<string>();
  await startTargets(arrived);
  const rig = await startRig(factory, info, mode === "allow" ? "allow" : "block");
  const certificate = await selfSigned("node.test");
  const lanes = LANES.filter(({ engines }) => engines.some((engine) => engine === kind));
  const who = user(1);
  const login = { user: who.uuid, password: who.password };
  const [socks = 0, http = 0, plainVless = 0, plainTrojan = 0, ...lanePorts] = await ports(4 + lanes.length);
  const at = (port: number): Record<string, unknown> => ({ listen: "127.0.0.1", listen_port: port });
  const inbounds = [
    inbound(1, "socks", at(socks)),
    inbound(2, "http", at(http)),
    inbound(3, "vless", at(plainVless)),
    inbound(4, "trojan", at(plainTrojan)),
    ...lanes.map((lane, index) => lane.inbound(10 + index, lanePorts[index] ?? 0, certificate)),
  ];
  const client =
    lanes.length > 0
      ? await startSeats(lanes.map((lane, index) => ({ lane, port: lanePorts[index] ?? 0, who })))
      : undefined;
  try {
    const { warnings } = await rig.driver.apply({ structure: structure(...inbounds), users: users(who) });
    const open: Notation = { text: PUBLIC_HERE[0], form: "v4" };
    const plainWays: [name: string, attempt: Attempt][] = [
      ["socks", send(socksTcp(socks, login))],
      ["socks udp", socksUdp(socks, login)],
      ["socks udp, second", socksUdp(socks, login, open)],
      ["http connect", httpConnect(http, who)],
      ["http plain", httpPlain(http, who)],
      ["vless", vless(plainVless, who, 1)],
      ["vless udp", vless(plainVless, who, 2)],
      ["trojan", trojan(plainTrojan, who, 1)],
      ["trojan udp", trojan(plainTrojan, who, 3)],
      ["trojan udp, second", trojan(plainTrojan, who, 3, open)],
    ];
    const laneWays = lanes.flatMap((lane, index): [string, Attempt][] => {
      const port = client?.ports[index] ?? 0;
      return [
        [`${lane.name} client`, send(socksTcp(port))],
        [`${lane.name} client udp`, socksUdp(port)],
        [`${lane.name} client udp, second`, socksUdp(port, undefined, open)],
      ];
    });
    const rebinding = ["rebinding.test", "rebinding-back.test"].map((text) => ({ text, form: "name" }) as const);
    const targets: Notation[] = [
      ...NOTATIONS,
      { text: "public.test", form: "name" },
      open,
      { text: PUBLIC_HERE[1], form: "v6" },
      ...Array.from({ length: 6 }, () => rebinding).flat(),
    ];
    // Clients write names and addresses in their own way, so a few of each kind are enough there.
    const few = targets.filter(({ text }) => FEW.has(text));
    const chosen: [typeof plainWays, Notation[]][] =
      mode === "block"
        ? [
            [plainWays, targets],
            [laneWays, few],
          ]
        : [[plainWays.slice(0, 1), targets]];
    await inParallel(
      chosen.flatMap(([ways, written]) =>
        ways.flatMap(([way, attempt]) =>
          written.map((target) => async () => attempt(target, TARGET, Buffer.from(`<<${way} | ${target.text}>>`))),
        ),
      ),
    );
    const { rejected } = await rig.driver.counters();
    const dialled = new Set([socks, http, plainVless, plainTrojan, ...lanePorts, ...(client?.ports ?? [])]);
    const listening = listeners().filter((port) => !dialled.has(port));
    const interfaces = await askInterfaces(listening, socksTcp(socks, login));
    return {
      arrived: [...arrived],
      warnings: warnings.map(({ detail }) => detail),
      questions: names.asked.size,
      rejected: [...rejected.values()].reduce((sum, count) => sum + count, 0),
      interfaces,
      listening: listening.map(String),
    };
  } finally {
    await client?.end();
    await rig.end();
  }
}

function send(question: Question): Attempt {
  return async (target, port, payload) => {
    await question(target, port, payload);
  };
}

/** TCP ports that somebody listens on, other than our targets. */
function listeners(): number[] {
  const rows = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((path) => readFileSync(path, "utf8").split("\n").slice(1));
  const found = rows.flatMap((row) => /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:0000 0A/.exec(row)?.[1] ?? []);
  return [...new Set(found.map((hex) => Number.parseInt(hex, 16)))].filter((port) => port !== TARGET);
}

/** A gRPC server greets whoever begins HTTP/2; an HTTP server answers a request. */
async function askInterfaces(open: readonly number[], ask: Question): Promise<string[]> {
  const answered: string[] = [];
  const hosts: Notation[] = [
    ...["127.0.0.1", "127.9.9.9", "0.0.0.0", "10.9.9.9"].map((text) => ({ text, form: "v4" }) as const),
    ...["::1", "::ffff:127.0.0.1", "::"].map((text) => ({ text, form: "v6" }) as const),
    ...["localhost", "loop.test", "six.test", "private.test", "mapped.test"].map(
      (text) => ({ text, form: "name" }) as const,
    ),
  ];
  const begin = Buffer.concat([
    Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
  ]);
  const words = [begin, Buffer.from("GET /version HTTP/1.1\r\nHost: x\r\n\r\n")];
  await inParallel(
    open.flatMap((port) =>
      hosts.flatMap((host) =>
        words.map((payload) => async () => {
          const heard = await ask(host, port, payload);
          const isGrpc = heard.length >= 9 && heard[3] === 4;
          if (isGrpc || /^HTTP\/1\.1 (200|401)/.test(heard.toString("latin1"))) answered.push(`${host.text}:${port}`);
        }),
      ),
    ),
  );
  return answered;
}

async function inParallel(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const rest = tasks.values();
  await Promise.all(
    Array.from({ length: 250 }, async () => {
      for (const task of rest) await task();
    }),
  );
}

console.log(JSON.stringify(await attack()));
process.exit(0);
