// Fields of an inbound's fragment besides `tls` and `transport`, for each type that the panel checks whole.
import { z } from "zod";
import { rule, matching } from "../../http/index.ts";
import { typesOf } from "../../dialect/index.ts";
import { Anything, Duration, IpAddress, Port } from "./fields.ts";

/** Where and how an inbound listens: common to all types. */
export const listenFields = {
  listen: IpAddress.default("::"),
  listen_port: Port.optional(),
  reuse_addr: z.boolean().optional(),
  tcp_fast_open: z.boolean().optional(),
  tcp_multi_path: z.boolean().optional(),
  disable_tcp_keep_alive: z.boolean().optional(),
  tcp_keep_alive: Duration.optional(),
  tcp_keep_alive_interval: Duration.optional(),
  udp_fragment: z.boolean().optional(),
  udp_timeout: z
    .union([Duration, z.int().nonnegative()], { error: "must be a duration such as 5m, or seconds" })
    .optional(),
  detour: z.string().optional(),
};

const Multiplex = z.strictObject({
  enabled: z.boolean().optional(),
  padding: z.boolean().optional(),
  brutal: Anything.optional(),
});
const Fallback = z.looseObject({ server: z.string().min(1), server_port: Port });
export const Obfs = z.strictObject({
  type: z.literal("salamander", "must be salamander"),
  // Engines take a shorter one when they check it and do not start with it.
  password: z.string().refine((text) => Buffer.byteLength(text) >= 4, rule("too_few_bytes", 4)),
});

const MASQUERADE = rule("masquerade");
const MasqueradeUrl = z.string().check(matching(/^(https:\/\/.+)?$/i, MASQUERADE));

/** Fields of each type, except those for listening. */
export const typeFields = {
  vless: { multiplex: Multiplex.optional() },
  vmess: { multiplex: Multiplex.optional() },
  trojan: {
    fallback: Fallback.optional(),
    fallback_for_alpn: z.record(z.string(), Fallback).optional(),
    multiplex: Multiplex.optional(),
  },
  shadowsocks: {
    method: z.string("must name a Shadowsocks method"),
    password: z.string().default(""),
    network: z.enum(["tcp", "udp", ""], "must be tcp or udp, or absent for both").optional(),
    multiplex: Multiplex.optional(),
  },
  hysteria2: {
    up_mbps: z.int().nonnegative().optional(),
    down_mbps: z.int().nonnegative().optional(),
    obfs: Obfs.optional(),
    ignore_client_bandwidth: z.boolean().optional(),
    masquerade: z.union([MasqueradeUrl, Anything], { error: MASQUERADE.message }).optional(),
    brutal_debug: z.boolean().optional(),
  },
  tuic: {
    congestion_control: z.enum(["cubic", "new_reno", "bbr"], "must be cubic, new_reno or bbr").optional(),
    auth_timeout: Duration.optional(),
    zero_rtt_handshake: z.boolean().optional(),
    heartbeat: Duration.optional(),
  },
  anytls: { padding_scheme: z.array(z.string()).optional() },
  socks: {},
  http: {},
  mixed: {},
} as const;

export type CheckedType = keyof typeof typeFields;

/** Every inbound type that the panel accepts. Of those without fields here the values are left to the engine. */
export const INBOUND_TYPES: readonly string[] = typesOf("inbounds");

/** Types that take in what the host itself sends. */
export const HOST_TYPES: readonly string[] = ["tun", "redirect", "tproxy"];

export function isChecked(type: string): type is CheckedType {
  return Object.hasOwn(typeFields, type);
}
