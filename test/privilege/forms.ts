// For every route a way to fill it in at random. What is drawn is well formed, so that rights decide what becomes of
// it.
import type { Chance } from "../simulation/chance.ts";
import type { Call } from "./call.ts";
import { ofFeatures } from "./features.ts";
import { TIER_SCOPES, type Model, type Tier } from "./model.ts";

type Parts = Omit<Call, "by" | "route">;

const FORMS_OF_FEATURES = ofFeatures("forms");

/** What it makes up is never made up twice. */
export class Forms {
  readonly #chance: Chance;
  readonly #model: Model;
  #count = 0;

  constructor(chance: Chance, model: Model) {
    this.#chance = chance;
    this.#model = model;
  }

  fill(route: string): Parts {
    const parts = this.#parts[route];
    if (parts) return parts();
    const ofFeature = FORMS_OF_FEATURES[route];
    if (!ofFeature) throw new Error(`nothing is known of how to call ${route}`);
    return ofFeature({
      chance: this.#chance,
      fresh: (prefix) => this.#fresh(prefix),
      some: (collection) => this.#some(collection),
      id: this.#id,
    });
  }

  #fresh(prefix: string): string {
    return `${prefix}-${String(++this.#count).padStart(4, "0")}x`;
  }

  /** One that there is, by name; sometimes one that there is not. */
  #some(collection: string): string {
    const names = this.#model.names(collection);
    return names.length === 0 || this.#chance.happens(0.02)
      ? `@${collection}/nothing`
      : `@${collection}/${this.#chance.pick(names)}`;
  }

  #account(): string {
    return this.#chance.pick([...this.#model.accounts.keys()]);
  }

  #scopes(base: Tier): string[] {
    const held = this.#chance.pick([...this.#model.credentials.keys(), ""]);
    const among = [...(this.#chance.happens(0.6) ? (this.#model.reach(held)?.scopes ?? []) : TIER_SCOPES[base])].filter(
      (scope) => TIER_SCOPES[base].has(scope),
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
    const owner = this.#chance.happens(0.3)
      ? { adminId: this.#chance.happens(0.3) ? 0 : `@admins/${this.#account()}` }
      : {};
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
      { port: 1000 + ++this.#count },
      { multiplier: this.#chance.whole(0, 3) },
      { linkAddress: `${this.#fresh("entry")}.example` },
    ]);
  }

  #webhook(): Record<string, unknown> {
    const events = this.#chance.pick([[], ["user.*"], ["admin.*", "panel.*"], ["user.created"]]);
    return { events, ...(this.#chance.happens(0.3) ? { secret: this.#fresh("webhook-secret") } : {}) };
  }

  #provider(): Record<string, unknown> {
    const at = `@receiver/${this.#fresh("oauth")}`;
    return {
      clientSecret: this.#fresh("client-secret"),
      tokenUrl: `${at}/token`,
      authorizationUrl: `${at}/authorize`,
      userUrl: `${at}/user`,
    };
  }

  /** A sign-in or a link, in the name of somebody there. */
  #through(body: object): Parts {
    const name = this.#account();
    const provider = this.#some("oidc-providers");
    return { body: { provider, redirectUri: "@callback/", ...body }, claims: name, gives: this.#fresh("session") };
  }

  readonly #id = (collection: string): Parts => ({ path: { id: this.#some(collection) } });
  readonly #actor = (): Parts => {
    const kind = this.#chance.pick(["users", "nodes"]);
    return { path: { kind: kind.slice(0, -1), id: this.#some(kind) } };
  };
  readonly #nothing = (): Parts => ({});

  readonly #parts: Readonly<Record<string, () => Parts>> = {
    "GET /setup": () => ({ query: { t: "no-token" } }),
    "POST /setup": () => ({
      query: { t: "setup-token" },
      body: { username: this.#fresh("op"), password: "correct horse" },
    }),
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
    "POST /login/oidc/start": () => this.#through({}),
    "GET /login/oidc/callback": () => ({ query: { code: "guess", state: "guess" } }),
    "GET /login/oidc/callback/{id}": () => ({
      ...this.#id("oidc-providers"),
      query: { code: "guess", state: "guess" },
    }),

    "GET /me": this.#nothing,
    "GET /scopes": this.#nothing,
    "GET /events": this.#nothing,
    "GET /events/log": this.#nothing,
    "PUT /me/password": () => ({
      body: {
        currentPassword: this.#chance.happens(0.8) ? "@password/me" : `@password/${this.#account()}`,
        newPassword: this.#fresh("password"),
      },
    }),
    "PUT /me/dashboard-tiles": () => ({ body: { value: this.#fresh("tile") } }),
    "GET /me/ui": this.#nothing,
    "PUT /me/ui": () => ({ body: { theme: this.#fresh("theme") } }),
    "GET /me/sessions": this.#nothing,
    "DELETE /me/sessions": this.#nothing,
    "DELETE /me/sessions/{id}": () => this.#id("sessions"),
    "GET /me/2fa": this.#nothing,
    "POST /me/2fa/totp": this.#nothing,
    "POST /me/2fa/totp/confirm": () => ({ body: { code: "@enrolled/me" } }),
    "POST /me/2fa/recovery": () => ({ body: { code: "@totp/me" } }),
    "DELETE /me/2fa": () => ({ body: { code: "@recovery/me" } }),
    "POST /me/confirm": () => ({ body: { code: "@totp/me" } }),
    "GET /me/oidc": this.#nothing,
    "POST /me/oidc/link": () => this.#through({ password: "@password/me" }),
    "DELETE /me/oidc/links/{id}": () => this.#id("links"),

    "GET /oidc-providers": this.#nothing,
    "GET /oidc-providers/{id}": () => this.#id("oidc-providers"),
    "POST /oidc-providers": () => ({
      body: { name: this.#fresh("provider"), kind: "oauth2", clientId: "panel", ...this.#provider() },
    }),
    "PUT /oidc-providers/{id}": () => {
      const whole = this.#provider();
      const body = this.#chance.pick([
        { icon: "x" },
        { scopes: this.#fresh("scope") },
        { tokenUrl: whole["tokenUrl"] },
        { clientSecret: whole["clientSecret"] },
        whole,
      ]);
      return { ...this.#id("oidc-providers"), body };
    },
    "POST /oidc-providers/{id}/test": () => this.#id("oidc-providers"),
    "DELETE /oidc-providers/{id}": () => this.#id("oidc-providers"),
    "GET /roles": this.#nothing,
    "GET /roles/{id}": () => this.#id("roles"),
    "POST /roles": () => ({ body: { name: this.#fresh("role"), ...this.#role() } }),
    "PUT /roles/{id}": () => {
      const name = this.#chance.pick(this.#model.names("roles").concat("nothing"));
      return { path: { id: `@roles/${name}` }, body: { name, ...this.#role() } };
    },
    "DELETE /roles/{id}": () => this.#id("roles"),
    "GET /admins": this.#nothing,
    "GET /admins/{id}": () => this.#id("admins"),
    "POST /admins": () => ({
      body: {
        username: this.#fresh("op"),
        password: this.#fresh("password"),
        role: this.#roleName(),
        ...this.#allowance(),
      },
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
    "GET /tokens/{id}": () => this.#id("tokens"),
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
    "GET /changes/{id}": () => ({ path: { id: String(this.#chance.whole(1, 200)) } }),
    "GET /changes/export": () => ({ query: { format: this.#chance.pick(["csv", "ndjson"]), entityId: "1" } }),
    "GET /changes/facets": this.#nothing,
    "GET /changes/facetsj": this.#nothing,
    "GET /security/bans": this.#nothing,
    "DELETE /security/bans/{ip}": () => ({ path: { ip: "192.0.2.77" } }),
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
        { path: { key: "sub_support_url" }, body: { value: `https://${this.#fresh("help")}.example` } },
        { path: { key: "sub_announce" }, body: { value: `See https://${this.#fresh("help")}.example` } },
        { path: { key: "acme_eab_key" }, body: { value: this.#fresh("eab-key") } },
        { path: { key: "setup_token" }, body: { value: "chosen-by-somebody" } },
      ]),
    "POST /settings/happ-key/refresh": this.#nothing,
    "POST /settings/incy-key/refresh": this.#nothing,

    "GET /inbounds": this.#nothing,
    "GET /inbounds/{id}": () => this.#id("inbounds"),
    "POST /inbounds": () => ({
      body: {
        tag: this.#fresh("in"),
        type: "vless",
        config: { listen: "127.0.0.1", listen_port: this.#chance.whole(1000, 2000) },
        ...(this.#chance.happens(0.3) ? { clientConfig: { server: `${this.#fresh("entry")}.example` } } : {}),
      },
    }),
    "PUT /inbounds/{id}": () => ({
      ...this.#id("inbounds"),
      body: this.#chance.happens(0.5)
        ? { remark: this.#fresh("remark") }
        : { clientConfig: { server: `${this.#fresh("entry")}.example` } },
    }),
    "DELETE /inbounds/{id}": () => this.#id("inbounds"),
    "GET /inbounds/{id}/fronts": () => this.#id("inbounds"),
    "PUT /inbounds/{id}/fronts": () => ({
      ...this.#id("inbounds"),
      body: { frontIds: this.#chance.pick([[], [this.#some("fronts")]]) },
    }),
    "GET /fronts": this.#nothing,
    "GET /fronts/{id}": () => this.#id("fronts"),
    "POST /fronts": () => ({ body: { name: this.#fresh("front"), domain: "front.example" } }),
    "PUT /fronts/{id}": () => ({
      ...this.#id("fronts"),
      body: this.#chance.happens(0.5)
        ? { remark: this.#fresh("remark") }
        : { domain: `${this.#fresh("front")}.example` },
    }),
    "DELETE /fronts/{id}": () => this.#id("fronts"),
    "GET /outbounds": this.#nothing,
    "GET /outbounds/{id}": () => this.#id("outbounds"),
    "POST /outbounds": () => ({ body: { tag: this.#fresh("out"), type: "direct", config: {} } }),
    "PUT /outbounds/{id}": () => ({ ...this.#id("outbounds"), body: { remark: this.#fresh("remark") } }),
    "DELETE /outbounds/{id}": () => this.#id("outbounds"),
    "GET /templates": this.#nothing,
    "GET /templates/{id}": () => this.#id("templates"),
    "POST /templates": () => ({ body: { name: this.#fresh("template"), inboundIds: [this.#some("inbounds")] } }),
    "PUT /templates/{id}": () => ({ ...this.#id("templates"), body: { inboundIds: [this.#some("inbounds")] } }),
    "DELETE /templates/{id}": () => this.#id("templates"),
    "GET /tools/config-schema": () => ({ query: { collection: "inbounds", type: "vless" } }),
    "POST /tools/uuid": this.#nothing,
    "POST /tools/password": this.#nothing,
    "POST /tools/ss-key": () => ({ body: { method: "2022-blake3-aes-128-gcm" } }),
    "POST /tools/reality-keypair": this.#nothing,
    "POST /tools/wireguard-keypair": this.#nothing,

    "GET /users": () => (this.#chance.happens(0.5) ? {} : { query: { admin_id: String(this.#chance.whole(0, 9)) } }),
    "GET /users/summary": this.#nothing,
    "GET /stats/growth": this.#nothing,
    "GET /stats/traffic": this.#nothing,
    "GET /users/sparklines": () => ({ query: { ids: "1,2,3" } }),
    "GET /nodes/sparklines": () => ({ query: { ids: "1,2" } }),
    "GET /reports/users": this.#nothing,
    "GET /reports/nodes": this.#nothing,
    "GET /reports/admins": this.#nothing,
    "GET /users/{id}/traffic": () => this.#id("users"),
    "GET /users/{id}/node-usage": () => this.#id("users"),
    "GET /stats/expiries": this.#nothing,
    "GET /users/usage": this.#nothing,
    "GET /users/{id}": () => this.#id("users"),
    "GET /users/{id}/sub/formats": () => this.#id("users"),
    "GET /users/{id}/app-configs": () => this.#id("users"),
    "GET /users/{id}/verdict": () => this.#id("users"),
    "GET /users/{id}/sub/preview": () => this.#id("users"),
    "POST /sub/page/test": () => ({ body: {} }),
    "POST /sub/rules/test": () => ({ body: { userAgent: "Happ/2.0" } }),
    "GET /users/{id}/sub/requests": () => this.#id("users"),
    "GET /users/{id}/devices": () => this.#id("users"),
    "DELETE /users/{id}/devices": () => this.#id("users"),
    "DELETE /users/{id}/devices/{hwid}": () => ({ path: { id: this.#some("users"), hwid: "nobody" } }),
    "GET /users/{id}/addresses": () => this.#id("users"),
    "GET /users/{id}/connections": () => this.#id("users"),
    "GET /users/{id}/connections/{nodeId}": () => ({ path: { id: this.#some("users"), nodeId: this.#some("nodes") } }),
    "POST /users": () => ({ body: this.#user(this.#fresh("user")) }),
    "POST /users/batch": () => ({
      body: { users: [this.#user(this.#fresh("user")), this.#user(this.#fresh("user"))] },
    }),
    "POST /users/bulk/{op}": () => ({
      path: { op: this.#chance.pick(["enable", "disable", "add-volume", "reset-usage", "rotate-sub"]) },
      body: { ids: [this.#some("users"), this.#some("users")], bytes: 1 },
    }),
    "POST /users/generate": () => {
      const { name: pattern, ...fields } = this.#user(this.#fresh("user"));
      return { body: { ...fields, pattern, count: 1 } };
    },
    "GET /users/export": this.#nothing,
    // A line that is refused: what an import makes, it makes as a single create does.
    "POST /users/import": () => ({ body: { name: "" } }),
    "GET /jobs/{id}/users": () => this.#id("jobs"),
    "GET /jobs/{id}/lines": () => this.#id("jobs"),
    "GET /users/deleted": this.#nothing,
    "GET /users/deleted/{id}": () => this.#id("deleted"),
    "DELETE /users/deleted/{id}": () => this.#id("deleted"),
    "POST /users/{id}/restore": () => this.#id("deleted"),
    // None that is there: what this brings back, it brings back as a single restoration does.
    "POST /users/deleted/restore": () => ({ body: { ids: [1_000_000_000] } }),
    "GET /jobs": this.#nothing,
    "GET /jobs/{id}": () => this.#id("jobs"),
    "POST /jobs/{id}/cancel": () => this.#id("jobs"),
    "POST /jobs/{id}/undo": () => this.#id("jobs"),
    "PUT /users/{id}": () => {
      const name = this.#chance.pick(this.#model.names("users").concat("nothing"));
      return { path: { id: `@users/${name}` }, body: { enable: true, ...this.#user(name) } };
    },
    "PATCH /users/{id}": () => ({ ...this.#id("users"), body: this.#user() }),
    "DELETE /users/{id}": () => this.#id("users"),
    "POST /users/{id}/reset-usage": () => this.#id("users"),
    "POST /users/{id}/renew": () => ({
      ...this.#id("users"),
      body: this.#chance.happens(0.5) ? { days: this.#chance.whole(1, 90) } : {},
    }),
    "POST /users/{id}/extend": () => ({
      ...this.#id("users"),
      body: this.#chance.happens(0.7) ? { bytes: this.#chance.whole(0, 1e6) } : { seconds: 60 },
    }),
    "POST /users/{id}/sub/rotate": () => ({
      ...this.#id("users"),
      body: { credentials: this.#chance.happens(0.5), closeSessions: true },
    }),
    "POST /users/{id}/connections/close": () => ({ ...this.#id("users"), body: {} }),

    "GET /nodes": this.#nothing,
    "GET /nodes/{id}": () => this.#id("nodes"),
    "GET /nodes/{id}/usage-refusals": () => this.#id("nodes"),
    "GET /nodes/{id}/health": () => this.#id("nodes"),
    "GET /nodes/{id}/stats": () => this.#id("nodes"),
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
    "POST /nodes/{id}/move": () => ({
      ...this.#id("nodes"),
      body: { address: "127.0.0.1", port: this.#chance.whole(1, 8) },
    }),

    "GET /machines": this.#nothing,
    "GET /actors": this.#nothing,
    "GET /actors/{kind}/{id}": this.#actor,
    "GET /actors/{kind}/{id}/preview": () => ({ ...this.#actor(), query: { type: "due" } }),
    "GET /actors/{kind}/{id}/journal": this.#actor,
    "GET /actors/{kind}/{id}/log": this.#actor,
    "POST /actors/{kind}/{id}/events": () => ({
      ...this.#actor(),
      body: { type: this.#chance.pick(["due", "reconnect", "edited"]) },
      ...(this.#chance.happens(0.5) ? { query: { dryRun: "true" } } : {}),
    }),
    "POST /actors/{kind}/{id}/resume": this.#actor,
    "GET /panel/info": this.#nothing,
    "POST /restart": this.#nothing,

    "GET /webhooks": this.#nothing,
    "GET /webhooks/{id}": () => this.#id("webhooks"),
    "POST /webhooks": () => {
      const name = this.#fresh("hook");
      return { body: { name, url: `@receiver/${name}`, ...this.#webhook() } };
    },
    "PUT /webhooks/{id}": () => ({ ...this.#id("webhooks"), body: this.#webhook() }),
    "DELETE /webhooks/{id}": () => this.#id("webhooks"),
    "POST /webhooks/{id}/ping": () => this.#id("webhooks"),
    "GET /webhooks/{id}/deliveries": () => this.#id("webhooks"),
    "GET /webhooks/{id}/deliveries/{delivery}": () => ({
      path: { id: this.#some("webhooks"), delivery: String(this.#chance.whole(1, 200)) },
    }),
    "POST /webhooks/{id}/deliveries/resend": () => ({
      ...this.#id("webhooks"),
      body: this.#chance.pick<object>([{ ids: [this.#chance.whole(1, 200)] }, { state: "dead" }, { state: "pending" }]),
    }),
    "POST /webhooks/{id}/deliveries/{delivery}/resend": () => ({
      path: { id: this.#some("webhooks"), delivery: String(this.#chance.whole(1, 200)) },
    }),
  };
}
