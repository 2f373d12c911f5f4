// Calls drawn at random, for every route one way to fill it in. What is drawn is well formed, so that rights decide what becomes of it.
import type { Chance } from "../simulation/chance.ts";
import type { Call } from "./call.ts";
import { TIER_SCOPES, type Model, type Tier } from "./model.ts";
import { RULES, verdict } from "./rules.ts";

type Parts = Omit<Call, "by" | "route">;

const RIGHTS = /^(POST|PUT|PATCH|DELETE) \/(roles|admins|tokens|webhooks|oidc-providers|users|nodes|settings|changes)\b/;
const SHOWS =
  /^GET \/(users|inbounds|templates|changes|webhooks|settings|tokens|admins|events\/log|oidc-providers|outbounds)$|^GET \/users\/\{id\}/;

/** Draws for one campaign; what it makes up is never made up twice. */
export class Drawer {
  readonly #chance: Chance;
  readonly #model: Model;
  readonly #receiver: string;
  #count = 0;

  /** `receiver`: where webhooks are sent. */
  constructor(chance: Chance, model: Model, receiver: string) {
    this.#chance = chance;
    this.#model = model;
    this.#receiver = receiver;
  }

  /** `routes`: what there is to call. */
  draw(routes: readonly string[], now: number): Call {
    const route = this.#weighted(routes);
    const parts = this.#parts[route];
    if (!parts) throw new Error(`nothing is known of how to call ${route}`);
    const call = { route, ...parts() };
    return { ...call, by: this.#caller(call, now) };
  }

  /** One whom the model lets in, one whom it refuses for a finer reason than its scopes, or anybody. */
  #caller(call: Omit<Call, "by">, now: number): string {
    const all = [...this.#model.credentials.keys()];
    if (call.route === "POST /logout") return this.#chance.pick(all);
    if (RULES[call.route]?.scope === "open" || this.#chance.happens(0.02)) return "";
    const said = all.map((by) => ({ by, verdict: verdict(this.#model, { ...call, by }, now) }));
    const allowed = said.filter(({ verdict: { allowed: is } }) => is);
    const refused = said.filter(({ verdict: is }) => !is.allowed);
    const reasons = [...new Set(refused.flatMap(({ verdict: is }) => (!is.allowed && is.finely ? [is.why] : [])))];
    const reason = reasons.length === 0 ? "" : this.#chance.pick(reasons);
    const finely = refused.filter(({ verdict: is }) => !is.allowed && is.why === reason);
    // A restart is only asked for by those who may not.
    const among = call.route === "POST /restart" ? [refused] : [allowed, finely, finely, said];
    const some = among.filter((each) => each.length > 0);
    return some.length === 0 ? "" : this.#chance.pick(this.#chance.pick(some)).by;
  }

  /** Routes that give and take rights come more often, and so do those that show what there is. */
  #weighted(routes: readonly string[]): string {
    const sessions = [...this.#model.credentials.values()].filter(({ via }) => via === "session").length;
    if (this.#chance.happens(sessions < 12 ? 0.3 : 0.03)) return this.#chance.pick(["POST /login", "POST /login", "POST /login/mfa"]);
    const rights = routes.filter((route) => RIGHTS.test(route));
    const shows = routes.filter((route) => SHOWS.test(route));
    const rest = routes.filter((route) => !RIGHTS.test(route) && !SHOWS.test(route));
    const part = this.#chance.next();
    return this.#chance.pick(part < 0.5 ? rights : part < 0.75 ? shows : rest);
  }

  #fresh(prefix: string): string {
    return `${prefix}-${String(++this.#count).padStart(4, "0")}x`;
  }

  /** One that there is, by name; sometimes one that there is not. */
  #some(collection: string): string {
    const names = this.#model.names(collection);
    return names.length === 0 || this.#chance.happens(0.02) ? `@${collection}/nothing` : `@${collection}/${this.#chance.pick(names)}`;
  }

  #account(): string {
    return this.#chance.pick([...this.#model.accounts.keys()]);
  }

  #scopes(base: Tier): string[] {
    const held = this.#chance.pick([...this.#model.credentials.keys(), ""]);
    const among = [...(this.#chance.happens(0.6) ? (this.#model.reach(held)?.scopes ?? []) : TIER_SCOPES[base])].filter((scope) =>
      TIER_SCOPES[base].has(scope),
    );
    const all = among.length === 0 ? [...TIER_SCOPES[base]] : among;
    if (this.#chance.happens(0.15)) return all;
    return Array.from({ length: this.#chance.whole(1, 5) }, () => this.#chance.pick(all));
  }

  #role(): Record<string, unknown> {
    const base = this.#chance.pick(["sudo", "sudo", "admin", "resale"] as const);
    return { base, scopes: [...new Set(this.#scopes(base))] };
  }

  #allowance(): Record<string, unknown> {
    return {
      ...(this.#chance.happens(0.15) ? { usersReadOnly: this.#chance.happens(0.5) } : {}),
      ...(this.#chance.happens(0.1) ? { plansOnly: this.#chance.happens(0.5) } : {}),
      ...(this.#chance.happens(0.15) ? { expiry: this.#chance.pick([0, 0, 1000]) } : {}),
    };
  }

  #roleName(): string {
    return this.#chance.pick([...this.#model.roles.keys()]);
  }

  #user(name?: string): Record<string, unknown> {
    const owner = this.#chance.happens(0.3) ? { adminId: this.#chance.happens(0.3) ? 0 : `@admins/${this.#account()}` } : {};
    return {
      ...(name === undefined ? {} : { name }),
      ...owner,
      volume: this.#chance.whole(0, 9) * 1_000_000,
      remark: this.#fresh("remark"),
    };
  }

  #node(): Record<string, unknown> {
    return this.#chance.pick([
      { remark: this.#fresh("remark") },
      { port: this.#chance.whole(1, 8) },
      { multiplier: this.#chance.whole(0, 3) },
    ]);
  }

  #webhook(): Record<string, unknown> {
    const events = this.#chance.pick([[], ["user.*"], ["admin.*", "panel.*"], ["user.created"]]);
    return { events, ...(this.#chance.happens(0.3) ? { secret: this.#fresh("webhook-secret") } : {}) };
  }

  #provider(): Record<string, unknown> {
    const host = this.#fresh("https://id");
    const of = (path: string) => `${host}.example/${path}`;
    return { clientSecret: this.#fresh("client-secret"), tokenUrl: of("token"), authorizationUrl: of("authorize"), userUrl: of("user") };
  }

  readonly #id = (collection: string): Parts => ({ path: { id: this.#some(collection) } });
  readonly #actor = (): Parts => {
    const kind = this.#chance.pick(["users", "nodes"]);
    return { path: { kind: kind.slice(0, -1), id: this.#some(kind) } };
  };
  readonly #nothing = (): Parts => ({});

  readonly #parts: Readonly<Record<string, () => Parts>> = {
    "GET /setup": () => ({ query: { t: "no-token" } }),
    "POST /setup": () => ({ query: { t: "setup-token" }, body: { username: this.#fresh("op"), password: "correct horse" } }),
    "GET /openapi.json": this.#nothing,
    "GET /openapi.yaml": this.#nothing,
    "POST /login": () => {
      const name = this.#account();
      return { body: { username: name, password: `@password/${name}` }, gives: this.#fresh("session") };
    },
    "POST /login/mfa": () => {
      const name = this.#chance.pick([...this.#model.pending.keys(), this.#account()]);
      return { body: { pending: `@pending/${name}`, code: `@recovery/${name}` }, gives: this.#fresh("session") };
    },
    "POST /logout": this.#nothing,
    "GET /login/oidc": this.#nothing,
    "POST /login/oidc/start": () => ({
      body: { provider: this.#some("oidc-providers"), redirectUri: "http://127.0.0.1/api/login/oidc/callback" },
    }),
    "GET /login/oidc/callback": () => ({ query: { code: "guess", state: "guess" } }),

    "GET /me": this.#nothing,
    "GET /scopes": this.#nothing,
    "GET /events": this.#nothing,
    "GET /events/log": this.#nothing,
    "PUT /me/password": () => ({ body: { currentPassword: `@password/${this.#account()}`, newPassword: this.#fresh("password") } }),
    "PUT /me/dashboard-tiles": () => ({ body: { value: this.#fresh("tile") } }),
    "GET /me/sessions": this.#nothing,
    "DELETE /me/sessions": this.#nothing,
    "DELETE /me/sessions/{id}": () => this.#id("sessions"),
    "GET /me/2fa": this.#nothing,
    "POST /me/2fa/totp": this.#nothing,
    "POST /me/2fa/totp/confirm": () => ({ body: { code: `@enrolled/${this.#chance.pick([...this.#model.enrolled.keys(), "nobody"])}` } }),
    "POST /me/2fa/recovery": () => ({ body: { code: `@totp/${this.#account()}` } }),
    "DELETE /me/2fa": () => ({ body: { code: `@recovery/${this.#account()}` } }),
    "POST /me/confirm": () => ({ body: { code: `@totp/${this.#account()}` } }),
    "GET /me/oidc": this.#nothing,
    "POST /me/oidc/link": () => ({
      body: {
        provider: this.#some("oidc-providers"),
        redirectUri: "http://127.0.0.1/api/login/oidc/callback",
        password: `@password/${this.#account()}`,
      },
    }),
    "DELETE /me/oidc/links/{id}": () => ({ path: { id: String(this.#chance.whole(1, 5)) } }),

    "GET /oidc-providers": this.#nothing,
    "POST /oidc-providers": () => ({ body: { name: this.#fresh("provider"), kind: "oauth2", clientId: "panel", ...this.#provider() } }),
    "PUT /oidc-providers/{id}": () => ({ ...this.#id("oidc-providers"), body: this.#provider() }),
    "DELETE /oidc-providers/{id}": () => this.#id("oidc-providers"),
    "GET /roles": this.#nothing,
    "POST /roles": () => ({ body: { name: this.#fresh("role"), ...this.#role() } }),
    "PUT /roles/{id}": () => {
      const name = this.#chance.pick(this.#model.names("roles").concat("nothing"));
      return { path: { id: `@roles/${name}` }, body: { name, ...this.#role() } };
    },
    "DELETE /roles/{id}": () => this.#id("roles"),
    "GET /admins": this.#nothing,
    "POST /admins": () => ({
      body: { username: this.#fresh("op"), password: this.#fresh("password"), role: this.#roleName(), ...this.#allowance() },
    }),
    "PUT /admins/{id}": () => {
      const username = this.#account();
      const role = this.#chance.happens(0.4) ? (this.#model.accounts.get(username)?.role ?? "") : this.#roleName();
      return { path: { id: `@admins/${username}` }, body: { username, role, ...this.#allowance() } };
    },
    "DELETE /admins/{id}": () => this.#id("admins"),
    "PUT /admins/{id}/password": () => ({ ...this.#id("admins"), body: { password: this.#fresh("password") } }),
    "DELETE /admins/{id}/sessions": () => this.#id("admins"),
    "POST /admins/{id}/owner": () => this.#id("admins"),
    "GET /tokens": this.#nothing,
    "POST /tokens": () => {
      const desc = this.#fresh("token");
      const body = {
        desc,
        rateLimit: 1_000_000,
        scopes: this.#chance.happens(0.3) ? [] : this.#scopes("sudo"),
        ...(this.#chance.happens(0.4) ? { adminId: `@admins/${this.#account()}` } : {}),
        ...(this.#chance.happens(0.3) ? { role: this.#roleName() } : {}),
      };
      return { body, gives: desc };
    },
    "DELETE /tokens/{id}": () => this.#id("tokens"),
    "GET /changes": this.#nothing,
    "GET /changes/facets": this.#nothing,
    "GET /changes/facetsj": this.#nothing,
    "DELETE /changes": () => ({ query: { before: "1000" } }),

    "GET /settings": this.#nothing,
    "PUT /settings/{key}": () =>
      this.#chance.pick<Parts>([
        { path: { key: "timezone" }, body: { value: "UTC" } },
        { path: { key: "event_retention_days" }, body: { value: String(this.#chance.whole(10, 99)) } },
        { path: { key: "webhook_allow_private" }, body: { value: "true" } },
        { path: { key: "changes_logging" }, body: { value: "true" } },
        { path: { key: "changes_retention_days" }, body: { value: String(this.#chance.whole(10, 99)) } },
        { path: { key: "sub_title" }, body: { value: this.#fresh("title") } },
        { path: { key: "acme_eab_key" }, body: { value: this.#fresh("eab-key") } },
        { path: { key: "setup_token" }, body: { value: "chosen-by-somebody" } },
      ]),
    "POST /settings/happ-key/refresh": this.#nothing,
    "POST /settings/incy-key/refresh": this.#nothing,

    "GET /inbounds": this.#nothing,
    "POST /inbounds": () => ({
      body: { tag: this.#fresh("in"), type: "vless", config: { listen: "127.0.0.1", listen_port: this.#chance.whole(1000, 2000) } },
    }),
    "PUT /inbounds/{id}": () => ({ ...this.#id("inbounds"), body: { remark: this.#fresh("remark") } }),
    "DELETE /inbounds/{id}": () => this.#id("inbounds"),
    "GET /outbounds": this.#nothing,
    "POST /outbounds": () => ({ body: { tag: this.#fresh("out"), type: "direct", config: {} } }),
    "PUT /outbounds/{id}": () => ({ ...this.#id("outbounds"), body: { remark: this.#fresh("remark") } }),
    "DELETE /outbounds/{id}": () => this.#id("outbounds"),
    "GET /templates": this.#nothing,
    "POST /templates": () => ({ body: { name: this.#fresh("template"), inboundIds: [this.#some("inbounds")] } }),
    "PUT /templates/{id}": () => ({ ...this.#id("templates"), body: { inboundIds: [this.#some("inbounds")] } }),
    "DELETE /templates/{id}": () => this.#id("templates"),
    "POST /tools/uuid": this.#nothing,
    "POST /tools/password": this.#nothing,
    "POST /tools/ss-key": () => ({ body: { method: "2022-blake3-aes-128-gcm" } }),
    "POST /tools/reality-keypair": this.#nothing,
    "POST /tools/wireguard-keypair": this.#nothing,

    "GET /users": () => (this.#chance.happens(0.5) ? {} : { query: { admin_id: String(this.#chance.whole(0, 9)) } }),
    "GET /users/summary": this.#nothing,
    "GET /users/usage": this.#nothing,
    "GET /users/{id}": () => this.#id("users"),
    "GET /users/{id}/addresses": () => this.#id("users"),
    "GET /users/{id}/connections": () => this.#id("users"),
    "GET /users/{id}/connections/{nodeId}": () => ({ path: { id: this.#some("users"), nodeId: this.#some("nodes") } }),
    "POST /users": () => ({ body: this.#user(this.#fresh("user")) }),
    "POST /users/batch": () => ({ body: { users: [this.#user(this.#fresh("user")), this.#user(this.#fresh("user"))] } }),
    "PUT /users/{id}": () => {
      const name = this.#chance.pick(this.#model.names("users").concat("nothing"));
      return { path: { id: `@users/${name}` }, body: { enable: true, ...this.#user(name) } };
    },
    "PATCH /users/{id}": () => ({ ...this.#id("users"), body: this.#user() }),
    "DELETE /users/{id}": () => this.#id("users"),
    "POST /users/{id}/reset-usage": () => this.#id("users"),
    "POST /users/{id}/renew": () => this.#id("users"),
    "POST /users/{id}/connections/close": () => ({ ...this.#id("users"), body: {} }),

    "GET /nodes": this.#nothing,
    "GET /nodes/{id}": () => this.#id("nodes"),
    "GET /nodes/install/trust": this.#nothing,
    "POST /nodes": () => ({
      body: {
        name: this.#fresh("node"),
        address: "127.0.0.1",
        port: this.#chance.whole(1, 8),
        templateId: this.#some("templates"),
        enabled: false,
      },
    }),
    "PUT /nodes/{id}": () => ({ ...this.#id("nodes"), body: this.#node() }),
    "DELETE /nodes/{id}": () => this.#id("nodes"),
    "POST /nodes/{id}/sync": () => this.#id("nodes"),
    "POST /nodes/{id}/reconnect": () => this.#id("nodes"),
    "POST /nodes/{id}/repin": () => this.#id("nodes"),
    "POST /nodes/{id}/enabled": () => ({ ...this.#id("nodes"), body: { enabled: false } }),
    "PUT /nodes/{id}/template": () => ({ ...this.#id("nodes"), body: { templateId: this.#some("templates") } }),
    "PUT /nodes/{id}/routing": () => ({ ...this.#id("nodes"), body: { routing: null } }),
    "POST /nodes/{id}/move": () => ({ ...this.#id("nodes"), body: { address: "127.0.0.1", port: this.#chance.whole(1, 8) } }),

    "GET /machines": this.#nothing,
    "GET /actors": this.#nothing,
    "GET /actors/{kind}/{id}": this.#actor,
    "GET /actors/{kind}/{id}/preview": () => ({ ...this.#actor(), query: { type: "due" } }),
    "GET /actors/{kind}/{id}/journal": this.#actor,
    "POST /actors/{kind}/{id}/events": () => ({
      ...this.#actor(),
      body: { type: this.#chance.pick(["due", "reconnect", "edited"]) },
      ...(this.#chance.happens(0.5) ? { query: { dryRun: "true" } } : {}),
    }),
    "POST /actors/{kind}/{id}/resume": this.#actor,
    "GET /panel/info": this.#nothing,
    "POST /restart": this.#nothing,

    "GET /webhooks": this.#nothing,
    "POST /webhooks": () => {
      const name = this.#fresh("hook");
      return { body: { name, url: `${this.#receiver}/${name}`, ...this.#webhook() } };
    },
    "PUT /webhooks/{id}": () => ({ ...this.#id("webhooks"), body: this.#webhook() }),
    "DELETE /webhooks/{id}": () => this.#id("webhooks"),
    "POST /webhooks/{id}/ping": () => this.#id("webhooks"),
    "GET /webhooks/{id}/deliveries": () => this.#id("webhooks"),
    "POST /webhooks/{id}/deliveries/{delivery}/resend": () => ({
      path: { id: this.#some("webhooks"), delivery: String(this.#chance.whole(1, 200)) },
    }),
  };
}

/** Routes that the model or the drawer does not know, or that are not there any more. */
export function strangers(routes: readonly string[]): string[] {
  const known = new Set(Object.keys(RULES));
  return [...routes.filter((route) => !known.has(route)), ...[...known].filter((route) => !routes.includes(route))];
}
