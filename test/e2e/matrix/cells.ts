// The columns of the matrix: every protocol over every transport with every kind of security, as inbounds in the
// panel's dialect.
type Json = Readonly<Record<string, unknown>>;

export type Security = "none" | "tls" | "reality";

/** One protocol over one transport with one kind of security. */
export interface Cell {
  /** As the table names its row: `vless ws tls`. */
  readonly name: string;
  /** The row's first column. */
  readonly protocol: string;
  readonly transport: string;
  readonly security: Security;
  /** The inbound's type. */
  readonly type: string;
  /** Clients use XTLS Vision: that takes an account whose flow says so. */
  readonly vision: boolean;
  /** The inbound's fragment besides address and port. */
  readonly config: Json;
}

/** Secrets of the inbounds, the same in all of them. */
export interface CellKeys {
  /** PEM, valid for `serverName`. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
  readonly serverName: string;
  /** base64url of an X25519 key. */
  readonly realityKey: string;
  /** The site whose handshake REALITY borrows. */
  readonly handshake: { readonly server: string; readonly server_port: number };
}

const TRANSPORTS: Readonly<Record<string, Json | undefined>> = {
  tcp: undefined,
  ws: { type: "ws", path: "/ws" },
  grpc: { type: "grpc", service_name: "service" },
  httpupgrade: { type: "httpupgrade", path: "/upgrade" },
  xhttp: { type: "xhttp", path: "/x" },
  http: { type: "http", path: "/h2" },
};
const SECURITIES: readonly Security[] = ["none", "tls", "reality"];
const METHODS: readonly (readonly [method: string, password?: string])[] = [
  ["aes-128-gcm"],
  ["aes-256-gcm"],
  ["chacha20-ietf-poly1305"],
  ["2022-blake3-aes-128-gcm", Buffer.alloc(16, 3).toString("base64")],
  ["2022-blake3-aes-256-gcm", Buffer.alloc(32, 4).toString("base64")],
];

function tlsOf(security: Security, { certificate, key, serverName, realityKey, handshake }: CellKeys): Json {
  if (security === "none") return {};
  if (security === "tls")
    return { tls: { enabled: true, server_name: serverName, certificate: [certificate], key: [key] } };
  const reality = { enabled: true, handshake, private_key: realityKey, short_id: ["0123456789abcdef"] };
  return { tls: { enabled: true, server_name: serverName, reality } };
}

/** All cells, in the order of the table. */
export function cellsOf(keys: CellKeys): readonly Cell[] {
  const cell = (protocol: string, transport: string, security: Security, config: Json = {}, type = protocol): Cell => {
    const shown = TRANSPORTS[transport];
    return {
      name: `${protocol} ${transport} ${security}`,
      protocol,
      transport,
      security,
      type,
      vision: protocol.endsWith(" vision"),
      config: { ...config, ...tlsOf(security, keys), ...(shown ? { transport: shown } : {}) },
    };
  };
  const carried = ["vless", "vmess", "trojan"].flatMap((protocol) =>
    Object.keys(TRANSPORTS).flatMap((transport) => SECURITIES.map((security) => cell(protocol, transport, security))),
  );
  return [
    ...carried,
    ...(["tls", "reality"] as const).map((security) => cell("vless vision", "tcp", security, {}, "vless")),
    ...METHODS.map(([method, password]) =>
      cell(
        `shadowsocks ${method}`,
        "tcp",
        "none",
        { method, ...(password === undefined ? {} : { password }) },
        "shadowsocks",
      ),
    ),
    // Only the clients sing-box and mihomo use multiplex; the others connect as to any inbound.
    cell("vless multiplex", "tcp", "none", { multiplex: { enabled: true } }, "vless"),
    cell("trojan multiplex", "ws", "tls", { multiplex: { enabled: true, padding: true } }, "trojan"),
    cell(
      "shadowsocks multiplex",
      "tcp",
      "none",
      { method: "aes-128-gcm", multiplex: { enabled: true } },
      "shadowsocks",
    ),
    cell("hysteria2", "quic", "tls"),
    cell(
      "hysteria2 salamander",
      "quic",
      "tls",
      { obfs: { type: "salamander", password: "cry of the salamander" } },
      "hysteria2",
    ),
    cell("tuic", "quic", "tls"),
    cell("anytls", "tcp", "tls"),
    cell("anytls", "tcp", "reality"),
    ...(["none", "tls"] as const).flatMap((security) =>
      ["socks", "http"].map((protocol) => cell(protocol, "tcp", security)),
    ),
  ];
}
