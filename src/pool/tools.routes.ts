// Key generators (rule pool.tool.1), and what a fragment may hold (rule pool.tool.2). Nothing is stored: an answer
// under an Idempotency-Key is sealed like any secret.
import { z } from "zod";
import { COLLECTIONS } from "../dialect/index.ts";
import { invalid, rule, type Route, route, ruleSaying } from "../http/index.ts";
import { accountPassword, shadowsocksKey, uuidV4 } from "../lib/ids.ts";
import { configSchema } from "./dialect/config-schema.ts";
import { shadowsocksIssues, shadowsocksKeyBytes } from "./dialect/shadowsocks.ts";
import { realityKeyPair, wireguardKeyPair } from "./key-pairs.ts";

const common = { method: "POST", scope: "tools:write", secretAnswer: true } as const;

/**
 * Bytes of a method's server key; older methods take any text, so the longest. Undefined for a method that no engine
 * knows.
 */
function keyBytes(method: string): 16 | 32 | undefined {
  const fixed = shadowsocksKeyBytes(method);
  if (fixed !== undefined) return fixed;
  return method === "2022-blake3-chacha20-poly1305" || shadowsocksIssues(method, "").length === 0 ? 32 : undefined;
}

const Fragment = z.object({ collection: z.enum(COLLECTIONS), type: z.string().max(32).default("") });

export function toolRoutes(): Route[] {
  return [
    route({
      method: "GET",
      path: "/tools/config-schema",
      scope: "pool:read",
      tiers: ["sudo", "admin"],
      summary: "What a fragment of configuration may hold, as JSON Schema",
      description: "For forms and editors. A fragment that it lets pass may still be refused as a whole.",
      query: Fragment,
      answer: z.record(z.string(), z.unknown()).meta({ id: "ConfigSchema" }),
      statuses: [400],
      handle: ({ query: { collection, type } }) =>
        configSchema(collection, type) ?? invalid("type", rule("unknown", type)),
    }),
    route({
      ...common,
      path: "/tools/uuid",
      summary: "A random UUID",
      answer: z.object({ uuid: z.string() }),
      handle: () => ({ uuid: uuidV4() }),
    }),
    route({
      ...common,
      path: "/tools/password",
      summary: "A random password",
      answer: z.object({ password: z.string() }),
      handle: () => ({ password: accountPassword() }),
    }),
    route({
      ...common,
      path: "/tools/ss-key",
      summary: "A server key for a Shadowsocks method",
      body: z.object({ method: z.string() }),
      answer: z.object({ key: z.string() }),
      statuses: [400],
      handle: ({ body: { method } }) => ({
        key: shadowsocksKey(keyBytes(method) ?? invalid("method", ruleSaying("is not a Shadowsocks method", "unfit"))),
      }),
    }),
    route({
      ...common,
      path: "/tools/reality-keypair",
      summary: "A REALITY key pair and short id",
      answer: z.object({ privateKey: z.string(), publicKey: z.string(), shortId: z.string() }),
      handle: () => realityKeyPair(),
    }),
    route({
      ...common,
      path: "/tools/wireguard-keypair",
      summary: "A WireGuard key pair",
      answer: z.object({ privateKey: z.string(), publicKey: z.string() }),
      handle: () => wireguardKeyPair(),
    }),
  ];
}
