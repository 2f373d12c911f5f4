// Hysteria 2 as Xray writes it: a protocol without fields of its own over a transport that carries all of them.
import { z } from "zod";
import { Names } from "../rays/certificates.ts";
import type { Security } from "./security.ts";
import { xray } from "./words.ts";
import { Refusal } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

/** Xray accepts a shorter password in its check and then does not start. */
export const Obfs = z.strictObject({
  type: z.literal("salamander"),
  password: z.string().refine((text) => Buffer.byteLength(text) >= 4, "must be of 4 bytes or more"),
});

/** A site of the public web: Xray would show files of the host for a `file:` URL. */
const Site = z.string().refine((text) => URL.parse(text)?.protocol === "https:", "must be an https URL");
const Masquerade = z.union([
  Site,
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("proxy"), url: Site, rewrite_host: z.boolean().optional() }),
    z.strictObject({
      type: z.literal("string"),
      status_code: z.int().optional(),
      headers: z.record(z.string(), Names).optional(),
      content: z.string().default(""),
    }),
  ]),
]);

export interface HysteriaFields {
  readonly up_mbps?: number | undefined;
  readonly down_mbps?: number | undefined;
  readonly obfs?: z.infer<typeof Obfs> | undefined;
  readonly ignore_client_bandwidth?: boolean | undefined;
}

/** `own`: the content of `hysteriaSettings` in addition to the version. */
export function hysteriaStream(
  fields: HysteriaFields,
  security: Security,
  own: Record<string, unknown>,
): Record<string, unknown> {
  if (security.kind !== "tls") throw new Refusal(reason("needs_tls", "hysteria2"));
  const { up_mbps: up = 0, down_mbps: down = 0 } = fields;
  const quicParams = {
    ...(up > 0 && { brutalUp: `${up} mbps` }),
    ...(down > 0 && { brutalDown: `${down} mbps` }),
    ...(fields.ignore_client_bandwidth === true && { congestion: "bbr" }),
  };
  const finalmask = {
    ...(fields.obfs && { udp: [{ type: fields.obfs.type, settings: { password: fields.obfs.password } }] }),
    ...(Object.keys(quicParams).length > 0 && { quicParams }),
  };
  return {
    network: "hysteria",
    ...security.settings,
    hysteriaSettings: { version: 2, ...own },
    ...(Object.keys(finalmask).length > 0 && { finalmask }),
  };
}

/** What visitors without an account are shown. */
export function masqueradeSettings(value: unknown): Record<string, unknown> {
  const masquerade = xray.parsed(z.object({ masquerade: Masquerade }), { masquerade: value }).masquerade;
  if (typeof masquerade === "string") return { type: "proxy", url: masquerade, rewriteHost: true };
  if (masquerade.type === "proxy")
    return { type: "proxy", url: masquerade.url, rewriteHost: masquerade.rewrite_host ?? false };
  const headers = Object.fromEntries(
    Object.entries(masquerade.headers ?? {}).map(([name, values]) => [name, values[0] ?? ""]),
  );
  return { type: "string", content: masquerade.content, headers, statusCode: masquerade.status_code ?? 200 };
}
