// The data of the demo: inbounds, nodes and accounts as they are sent to the API. Plain data from a clock reading:
// every run plays the same piece.

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const DAY = 86_400;

/**
 * Options of `signalbox simulate`. `rate`: bytes a second of an active account on each node; small volumes below are
 * meant for it.
 */
export const TRAFFIC = { seed: 1, activePercent: 20, rate: 2000 } as const;

const CITIES = (
  "amsterdam ankara athens baku berlin cairo chennai dublin frankfurt geneva helsinki istanbul lisbon " +
  "london madrid milan muscat oslo paris prague riga sofia tbilisi vienna warsaw"
).split(" ");
const NAMES =
  "ada bela cyrus dana elif farid goli hugo ines jalal kian lena mina nils omid petra qasim roya sami tara umut vera wim yara zoe".split(
    " ",
  );

/** The node on this machine, its account, and the node at whose address nobody answers. */
export const LOCAL_NODE = "here";
export const LOCAL_USER = "you";
export const SILENT_NODE = "unplugged";
export const ACCOUNTS = 500;

export interface CastNode {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly remark: string;
}

/** 25 nodes that the simulated fleet answers for on `port`. */
export function simulatedNodes(port: number): CastNode[] {
  return CITIES.map((name, index) => ({ name, address: `127.1.0.${index + 1}`, port, remark: "simulated" }));
}

/** A node in `error`, to see how one is retried: nobody listens at its address. */
export const silentNode: CastNode = {
  name: SILENT_NODE,
  address: "127.1.0.200",
  port: 9,
  remark: "nobody answers here",
};

/** An inbound as it is created. */
export interface CastInbound {
  readonly tag: string;
  readonly type: "vless" | "mixed";
  readonly remark: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** What the local node serves; a `mixed` inbound is SOCKS and HTTP, for programs that know nothing else. */
export function localInbounds(ports: readonly [vless: number, ws: number, mixed: number]): CastInbound[] {
  const listen = "127.0.0.1";
  return [
    { tag: "here-vless", type: "vless", remark: "VLESS", config: { listen, listen_port: ports[0] } },
    {
      tag: "here-ws",
      type: "vless",
      remark: "VLESS WebSocket",
      config: { listen, listen_port: ports[1], transport: { type: "ws", path: "/demo" } },
    },
    { tag: "here-mixed", type: "mixed", remark: "SOCKS and HTTP", config: { listen, listen_port: ports[2] } },
  ];
}

/** What the simulated nodes would serve. */
export const fleetInbound: CastInbound = {
  tag: "fleet-vless",
  type: "vless",
  remark: "VLESS",
  config: { listen_port: 8443 },
};

/** The account for a client on this machine: its month begins with the first connection. */
export function localUser(templateId: number) {
  return {
    name: LOCAL_USER,
    desc: "for a client on this machine",
    volume: GIB,
    duration: 30 * DAY,
    templateIds: [templateId],
    group: "local",
  };
}

/** 500 accounts of the simulated fleet. `now`: unix seconds. */
export function fleetUsers(templateId: number, now: number) {
  return Array.from({ length: ACCOUNTS }, (_, index) => {
    const name = `${NAMES[index % NAMES.length] ?? "user"}-${String(index + 1).padStart(3, "0")}`;
    return { name, templateIds: [templateId], ...planOf(index, now) };
  });
}

/**
 * Mixed so that something happens all the time: one in ten nearly used up, three in ten short of volume, some that
 * begin with their first connection, some that end soon.
 */
function planOf(index: number, now: number) {
  const turn = Math.floor(index / 10);
  switch (index % 10) {
    case 0:
      return { group: "trial", volume: (turn + 1) * 100 * KIB };
    case 1:
      return { group: "small", volume: (turn + 1) * MIB };
    case 2:
    case 3:
      return { group: "first-connection", volume: GIB, duration: 120 + turn * 60 };
    case 4:
      return { group: "ending", expiry: now + 60 + turn * 30 };
    case 5:
    case 6:
      return { group: "small", volume: (turn + 1) * 2 * MIB };
    case 7:
      return { group: "monthly", volume: 10 * GIB, expiry: now + 30 * DAY, termDays: 30, enable: turn % 5 !== 0 };
    default:
      return { group: "monthly", volume: (1 + (turn % 50)) * GIB, expiry: now + (5 + turn) * DAY, termDays: 30 };
  }
}
