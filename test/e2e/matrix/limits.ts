// What cannot work, and what says so: a node's warning, or the limit of a subscription's format or of the client. The
// test holds every line against the run.
import type { Cell } from "./cells.ts";
import { mihomoKnowsXhttp, type Client } from "./clients.ts";
import type { Server } from "./servers.ts";

/** A cell that a server does not serve: the node's warning for its inbound matches `says`. */
export interface ServerLimit {
  readonly applies: (cell: Cell) => boolean;
  readonly says: RegExp;
}

const transport =
  (...names: readonly string[]) =>
  (cell: Cell) =>
    names.includes(cell.transport) && cell.type !== "hysteria2" && cell.type !== "tuic";
const type =
  (...names: readonly string[]) =>
  (cell: Cell) =>
    names.includes(cell.type);
const reality = (cell: Cell) => cell.security === "reality";
const shadowsocks2022 = (cell: Cell) => cell.protocol.startsWith("shadowsocks 2022");

/** The first that applies is what the warning must say. */
export const SERVER_LIMITS: Readonly<Record<Server, readonly ServerLimit[]>> = {
  xray: [
    { applies: type("tuic", "anytls"), says: /type (tuic|anytls).*sing-box/ },
    { applies: transport("http"), says: /transport http.*sing-box/ },
    { applies: (cell) => reality(cell) && transport("ws", "httpupgrade")(cell), says: /REALITY/ },
  ],
  "sing-box": [
    { applies: transport("xhttp"), says: /transport xhttp.*Xray/i },
    { applies: (cell) => cell.protocol === "socks" && cell.security === "tls", says: /sing-box does not serve `tls`/ },
  ],
  v2ray: [
    { applies: type("hysteria2"), says: /v2ray does not serve type hysteria2; Xray and sing-box do/ },
    { applies: type("tuic", "anytls"), says: /v2ray does not serve type (tuic|anytls); sing-box does/ },
    {
      applies: transport("grpc", "httpupgrade"),
      says: /v2ray does not serve transport (grpc|httpupgrade); Xray and sing-box do/,
    },
    { applies: transport("xhttp"), says: /v2ray does not serve transport xhttp; Xray does/ },
    { applies: reality, says: /v2ray does not serve REALITY; Xray and sing-box do/ },
    {
      applies: (cell) => transport("http")(cell) && cell.security === "none",
      says: /v2ray does not serve transport http without TLS; sing-box does/,
    },
    { applies: shadowsocks2022, says: /v2ray does not serve shadowsocks method 2022-\S+; Xray and sing-box do/ },
  ],
  embedded: [
    {
      applies: type("vmess", "shadowsocks", "hysteria2", "tuic", "anytls"),
      says: /type \w+ is not served by the embedded engine; .* serves it/,
    },
    {
      applies: transport("grpc", "httpupgrade", "xhttp", "http"),
      says: /transport \w+ is not served by the embedded engine; .* serves it/,
    },
    { applies: reality, says: /REALITY is not served by the embedded engine; xray or sing-box serves it/ },
  ],
};

/** On such an inbound the engine serves one of several users, which its warning says. */
export const SOLE_USER: { readonly server: Server; readonly applies: (cell: Cell) => boolean; readonly says: RegExp } =
  {
    server: "v2ray",
    applies: type("shadowsocks"),
    says: /serves one user on a shadowsocks inbound, the one with the lowest id/,
  };

/** An entry that a client cannot use. */
export interface ClientLimit {
  readonly applies: (cell: Cell, server: Server) => boolean;
  /** For the reader of the table. */
  readonly why: string;
  /**
   * `format`: the subscription in the client's format leaves the entry out. `objects`: the program refuses it, by its
   * own check. `silent`: the program takes it for another thing, so it is not run.
   */
  readonly shown: "format" | "objects" | "silent";
}

/** Servers on which a vision account's entries name a flow. */
export const WITH_VISION: readonly Server[] = ["xray", "sing-box"];

const XRAY_FORMAT: readonly ClientLimit[] = [
  { applies: type("tuic", "anytls"), why: "Xray speaks neither tuic nor anytls", shown: "format" },
  { applies: transport("http"), why: "Xray has no http (h2) transport any more", shown: "format" },
  {
    applies: (cell) => reality(cell) && transport("ws", "httpupgrade")(cell),
    why: "Xray knows REALITY over tcp, grpc and xhttp only",
    shown: "format",
  },
];

const MIHOMO: readonly ClientLimit[] = [
  {
    applies: (cell) => reality(cell) && (transport("ws", "httpupgrade")(cell) || cell.type === "anytls"),
    why: "mihomo knows REALITY for vless, vmess and trojan, over tcp, grpc, h2 and xhttp",
    shown: "format",
  },
  {
    applies: (cell) => transport("xhttp")(cell) && cell.type !== "vless",
    why: "mihomo has xhttp for vless alone",
    shown: "format",
  },
  {
    applies: (cell) => cell.type === "trojan" && (cell.security === "none" || transport("http")(cell)),
    why: "mihomo speaks trojan over TLS, and not over h2",
    shown: "format",
  },
  {
    applies: (cell) => transport("http")(cell) && cell.security === "none",
    why: "mihomo speaks h2 over TLS only",
    shown: "format",
  },
  {
    applies: (cell) => transport("xhttp")(cell) && !mihomoKnowsXhttp(),
    why: "this version of mihomo has no xhttp",
    shown: "format",
  },
];

export const CLIENT_LIMITS: Readonly<Record<Client, readonly ClientLimit[]>> = {
  xray: XRAY_FORMAT,
  "sing-box": [
    { applies: transport("xhttp"), why: "sing-box has no xhttp", shown: "format" },
    {
      applies: (cell) => cell.protocol === "socks" && cell.security === "tls",
      why: "sing-box speaks socks without TLS only",
      shown: "format",
    },
  ],
  v2ray: [
    ...XRAY_FORMAT,
    { applies: reality, why: "v2ray takes REALITY for no security at all", shown: "silent" },
    { applies: type("hysteria2"), why: "v2ray speaks no hysteria2", shown: "objects" },
    {
      applies: transport("grpc", "httpupgrade", "xhttp"),
      why: "v2ray has no grpc, httpupgrade and xhttp",
      shown: "objects",
    },
    { applies: shadowsocks2022, why: "v2ray knows the older shadowsocks methods only", shown: "objects" },
    {
      applies: (cell, server) => cell.vision && WITH_VISION.includes(server),
      why: "v2ray knows no XTLS Vision",
      shown: "silent",
    },
  ],
  mihomo: MIHOMO,
  // Links say more than mihomo can do: what it cannot, it passes over.
  "mihomo by links": [
    {
      applies: (cell) => cell.protocol === "socks" && cell.security === "tls",
      why: "socks5:// has no word for TLS",
      shown: "format",
    },
    {
      applies: transport("httpupgrade"),
      why: "mihomo reads no httpupgrade from links",
      shown: "silent",
    },
    {
      applies: (cell) => reality(cell) && cell.type !== "vless",
      why: "mihomo reads REALITY from links of vless alone",
      shown: "silent",
    },
    {
      applies: (cell) => transport("http")(cell) && cell.type === "vless",
      why: "mihomo reads h2 from links of vmess alone",
      shown: "silent",
    },
    ...MIHOMO.map((limit): ClientLimit => ({ ...limit, shown: "silent" })),
  ],
};
