// The world that every campaign begins with: one account of each kind, credentials that hold a single scope, customers
// of two resellers, and something in every table that somebody might want to read, end or take over.
import type { Call } from "./call.ts";

/** Roles that are worth having: each holds the key to something that reaches further than itself. */
const ROLES = [
  { name: "role-keeper", base: "sudo", scopes: ["admins:write"] },
  { name: "role-minter", base: "sudo", scopes: ["tokens:write", "users:read"] },
  { name: "role-hooker", base: "sudo", scopes: ["webhooks:write"] },
  {
    name: "role-staff",
    base: "sudo",
    scopes: ["admins:write", "tokens:write", "users:write", "webhooks:write", "settings:write"],
  },
  { name: "role-looker", base: "admin", scopes: ["pool:read", "templates:read", "nodes:read", "settings:read"] },
  { name: "role-nodes", base: "admin", scopes: ["nodes:write", "templates:read"] },
  { name: "role-shop", base: "resale", scopes: ["users:write"] },
] as const;

const ACCOUNTS: readonly (readonly [name: string, role: string, allowance?: object])[] = [
  ["op-second", "sudo"],
  ["op-third", "sudo"],
  ["op-admin", "admin"],
  ["op-keeper", "role-keeper"],
  ["op-minter", "role-minter"],
  ["op-hooker", "role-hooker"],
  ["op-staff", "role-staff"],
  ["op-looker", "role-looker"],
  ["op-nodes", "role-nodes"],
  ["op-shop-one", "resale"],
  ["op-shop-two", "role-shop"],
  ["op-shop-reads", "resale", { usersReadOnly: true }],
];

/** A stolen token of each of these, as the owner. */
const SINGLE = [
  "admins:write",
  "tokens:write",
  "webhooks:write",
  "nodes:write",
  "pool:read",
  "templates:read",
  "settings:write",
  "stats:read",
  "users:read",
];

export const PRIVATE_KEY = "UuMBgl7MXTPx9inmQp2UC7Jcnwc6XYbwDNebonM-FCc";
const REALITY = {
  listen: "127.0.0.1",
  listen_port: 443,
  tls: {
    enabled: true,
    server_name: "www.example.com",
    reality: {
      enabled: true,
      handshake: { server: "www.example.com", server_port: 443 },
      private_key: PRIVATE_KEY,
      short_id: ["0123456789abcdef"],
    },
  },
};

export function prelude(): Call[] {
  const root = (route: string, body: unknown, more: Partial<Call> = {}): Call => ({
    by: "root-session",
    route,
    body,
    ...more,
  });
  const login = (name: string, gives: string): Call => ({
    by: "",
    route: "POST /login",
    body: { username: name, password: `@password/${name}` },
    gives,
  });
  const withFactor = (name: string): Call[] => [
    { by: `session-${name}`, route: "POST /me/2fa/totp" },
    { by: `session-${name}`, route: "POST /me/2fa/totp/confirm", body: { code: `@enrolled/session-${name}` } },
    login(name, ""),
    {
      by: "",
      route: "POST /login/mfa",
      body: { pending: `@pending/${name}`, code: `@recovery/${name}` },
      gives: `fresh-${name}`,
    },
  ];
  return [
    root("PUT /settings/{key}", { value: "eab-key-canary-71" }, { path: { key: "acme_eab_key" } }),
    ...ROLES.map((role) => root("POST /roles", role)),
    ...ACCOUNTS.map(([username, role, allowance]) =>
      root("POST /admins", { username, password: `password-of-${username}`, role, ...allowance }),
    ),
    ...ACCOUNTS.map(([name]) => login(name, `session-${name}`)),
    ...withFactor("op-second"),
    ...withFactor("op-keeper"),
    ...SINGLE.map((scope) =>
      root(
        "POST /tokens",
        { desc: `only-${scope}`, scopes: [scope], rateLimit: 1_000_000 },
        { gives: `only-${scope}` },
      ),
    ),
    ...["op-shop-one", "op-shop-two", "op-admin", "op-staff", "op-third", "op-looker"].map((name) =>
      root(
        "POST /tokens",
        { desc: `token-${name}`, adminId: `@admins/${name}`, scopes: [], rateLimit: 1_000_000 },
        { gives: `token-${name}` },
      ),
    ),
    root("POST /inbounds", { tag: "in-reality", type: "vless", config: REALITY }),
    root("POST /inbounds", {
      tag: "in-ws",
      type: "vless",
      config: { listen_port: 8080, transport: { type: "ws" } },
    }),
    root("POST /fronts", { name: "front-first", domain: "front.example", inboundIds: ["@inbounds/in-ws"] }),
    root("POST /outbounds", { tag: "out-direct", type: "direct", config: {} }),
    root("POST /templates", {
      name: "template-first",
      inboundIds: ["@inbounds/in-reality"],
      outboundIds: ["@outbounds/out-direct"],
    }),
    root("POST /plans", { name: "plan-first", days: 30, templateIds: ["@templates/template-first"] }),
    root("POST /nodes", {
      name: "node-first",
      address: "127.0.0.1",
      port: 9,
      templateId: "@templates/template-first",
      enabled: false,
    }),
    ...["op-shop-one", "op-shop-two", "root"].flatMap((owner) =>
      ["a", "b"].map((letter) =>
        root("POST /users", { name: `user-${owner}-${letter}`, adminId: owner === "root" ? 0 : `@admins/${owner}` }),
      ),
    ),
    root("POST /webhooks", { name: "hook-root", url: "@receiver/hook-root", secret: "webhook-secret-canary-23" }),
    { by: "session-op-staff", route: "POST /webhooks", body: { name: "hook-staff", url: "@receiver/hook-staff" } },
    { by: "session-op-hooker", route: "POST /webhooks", body: { name: "hook-hooker", url: "@receiver/hook-hooker" } },
    root("POST /oidc-providers", {
      name: "provider-first",
      kind: "oauth2",
      clientId: "panel",
      clientSecret: "client-secret-canary-42",
      authorizationUrl: "@receiver/oauth/authorize",
      tokenUrl: "@receiver/oauth/token",
      userUrl: "@receiver/oauth/user",
    }),
    ...["op-third", "op-staff", "op-admin"].map((name): Call => {
      const body = { provider: "@oidc-providers/provider-first", redirectUri: "@callback/", password: "@password/me" };
      return { by: `session-${name}`, route: "POST /me/oidc/link", body, claims: name };
    }),
  ];
}
