// What a call that succeeded does to the model.
import type { Call } from "./call.ts";
import { covers, type Account, type Model } from "./model.ts";
import { ofFeatures } from "./features.ts";
import { keptTo, landed } from "./single-sign-on.ts";
import { creates, deletes, made, target, type Effect } from "./things.ts";

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly cookie: string;
  /** Where a browser landed that came back from an identity provider. */
  readonly landing: string;
}

type Fields = Readonly<Record<string, unknown>>;
const FRESH_MS = 600_000;

const named = (value: unknown): string => (typeof value === "string" ? value.replace(/^@[^/]*\//, "") : "");

function change(model: Model, name: string, fields: Partial<Account>): void {
  const account = model.accounts.get(name);
  if (account) model.accounts.set(name, { ...account, ...fields });
}

function allowance(body: Fields): Partial<Account> {
  return {
    ...(body["usersReadOnly"] === undefined ? {} : { usersReadOnly: body["usersReadOnly"] === true }),
    ...(body["plansOnly"] === undefined ? {} : { plansOnly: body["plansOnly"] === true }),
    ...(body["expiry"] === undefined ? {} : { expired: body["expiry"] !== 0 }),
  };
}

function userOwner(model: Model, call: Call, before: string): string {
  const by = model.reach(call.by);
  const wanted = (call.body as Fields | undefined)?.["adminId"];
  if (by?.base === "resale") return by.account;
  return wanted === undefined ? before : named(wanted);
}

function signedIn(model: Model, name: string, call: Call, text: string, freshUntil: number): void {
  const label = call.gives ?? "";
  const scopes = [...model.accountScopes(name)];
  model.credentials.set(label, { label, account: name, via: "session", text, scopes, freshUntil });
}

/** It belongs to another collection now, under its name. */
const moves =
  (from: string, to: string): Effect =>
  ({ model, call }) => {
    const thing = model.things.get(`${from}/${target(call)}`);
    model.things.delete(`${from}/${target(call)}`);
    if (thing) model.things.set(`${to}/${target(call)}`, thing);
  };

const EFFECTS: Readonly<Record<string, Effect>> = {
  ...ofFeatures("effects"),
  "POST /login": ({ model, call, body, answer, cookie }) => {
    const name = String(body["username"]);
    if (typeof answer["pending"] === "string") model.pending.set(name, answer["pending"]);
    else signedIn(model, name, call, cookie, 0);
  },
  "POST /login/mfa": ({ model, call, body, cookie, now }) => {
    const name = named(body["pending"]);
    model.pending.delete(name);
    change(model, name, { recovery: (model.accounts.get(name)?.recovery ?? []).slice(1) });
    signedIn(model, name, call, cookie, now + FRESH_MS);
  },
  "POST /logout": ({ model, call }) => {
    if (model.credentials.get(call.by)?.via === "session") model.end(call.by);
  },
  "PUT /me/password": ({ model, call, body, by }) => {
    change(model, by, { password: String(body["newPassword"]) });
    model.endSessions(by, call.by);
  },
  "DELETE /me/sessions/{id}": ({ model, call }) => model.end(target(call)),
  "DELETE /me/sessions": ({ model, call, by }) => model.endSessions(by, call.by),
  "POST /me/2fa/totp": ({ model, call, answer }) => {
    model.enrolled.set(call.by, String(answer["secret"]));
  },
  "POST /me/2fa/totp/confirm": ({ model, call, by, answer, now }) => {
    change(model, by, { seed: model.enrolled.get(call.by) ?? "", recovery: answer["recoveryCodes"] as string[] });
    model.enrolled.delete(call.by);
    model.pending.delete(by);
    model.usedSteps.set(by, new Set([Math.floor(now / 30_000)]));
    for (const [label, credential] of model.credentials)
      if (credential.account === by) model.credentials.set(label, { ...credential, freshUntil: 0 });
  },
  "POST /me/2fa/recovery": ({ model, by, answer }) =>
    change(model, by, { recovery: answer["recoveryCodes"] as string[] }),
  "DELETE /me/2fa": ({ model, by }) => {
    change(model, by, { seed: "", recovery: [] });
    model.pending.delete(by);
  },
  "POST /me/confirm": ({ model, call, now }) => {
    const credential = model.credentials.get(call.by);
    if (credential) model.credentials.set(call.by, { ...credential, freshUntil: now + FRESH_MS });
  },

  "POST /login/oidc/start": throughProvider,
  "POST /me/oidc/link": throughProvider,
  "DELETE /me/oidc/links/{id}": deletes("links"),
  "POST /oidc-providers": (given) => {
    creates("oidc-providers", "name")(given);
    leads(given.model, String(given.body["name"]), given.call.by);
  },
  "PUT /oidc-providers/{id}": ({ model, call, body }) => {
    if (Object.keys(body).some((name) => name.endsWith("Url") || name === "clientSecret"))
      leads(model, target(call), call.by);
  },
  "DELETE /oidc-providers/{id}": (given) => {
    unlink(given.model, `links/${target(given.call)}/`);
    deletes("oidc-providers")(given);
  },
  "POST /roles": (given) => {
    const { name, base, scopes } = given.body as unknown as { name: string; base: "sudo"; scopes: string[] };
    creates("roles", "name")(given);
    given.model.roles.set(name, { name, base, scopes, builtin: false });
  },
  "PUT /roles/{id}": ({ model, call, body }) => {
    const name = target(call);
    const { base, scopes } = body as unknown as { base: "sudo"; scopes: string[] };
    model.roles.set(name, { name, base, scopes, builtin: false });
    for (const account of model.accounts.values()) if (account.role === name) model.endSessions(account.name);
  },
  "DELETE /roles/{id}": (given) => {
    given.model.roles.delete(target(given.call));
    deletes("roles")(given);
  },
  "POST /admins": (given) => {
    const {
      username: name,
      password,
      role,
    } = given.body as unknown as { username: string; password: string; role: string };
    creates("admins", "username")(given);
    const none = { usersReadOnly: false, plansOnly: false, expired: false };
    given.model.accounts.set(name, {
      name,
      password,
      role,
      owner: false,
      seed: "",
      recovery: [],
      ...none,
      ...allowance(given.body),
    });
  },
  "PUT /admins/{id}": ({ model, call, body }) => {
    const name = target(call);
    const role = String(body["role"]);
    if (model.accounts.get(name)?.role !== role) model.endSessions(name);
    model.pending.delete(name);
    change(model, name, { role, ...allowance(body) });
  },
  "DELETE /admins/{id}": (given) => {
    const { model, call } = given;
    const name = target(call);
    model.accounts.delete(name);
    deletes("admins")(given);
    for (const { label, account } of model.credentials.values()) if (account === name) model.end(label);
    for (const [key, thing] of model.things) {
      if (thing.owner !== name) continue;
      if (/^(tokens|webhooks|links)\//.test(key)) model.things.delete(key);
      else model.things.set(key, { ...thing, owner: "" });
    }
  },
  "PUT /admins/{id}/password": ({ model, call, body, by }) => {
    const name = target(call);
    change(model, name, { password: String(body["password"]) });
    model.endSessions(name, name === by ? call.by : "");
    if (name !== by)
      for (const [key, { owner }] of model.things)
        if (key.startsWith("links/") && owner === name) model.things.delete(key);
  },
  "DELETE /admins/{id}/sessions": ({ model, call, by }) =>
    model.endSessions(target(call), target(call) === by ? call.by : ""),
  "POST /admins/{id}/owner": ({ model, call, by }) => {
    change(model, by, { owner: false });
    change(model, target(call), { owner: true });
  },
  "POST /tokens": ({ model, call, body, answer, by }) => {
    const account = named(body["adminId"]) || by;
    const label = call.gives ?? "";
    const scopes = body["scopes"] as readonly string[];
    const role = named(body["role"]) || (model.accounts.get(account)?.role ?? "");
    made(model, "tokens", label, answer, account);
    const given = { label, account, via: "token", text: String(answer["token"]), role, freshUntil: 0 } as const;
    model.credentials.set(label, scopes.length === 0 ? given : { ...given, scopes });
  },
  "DELETE /tokens/{id}": ({ model, call }) => model.end(target(call)),
  "POST /inbounds": creates("inbounds", "tag"),
  "DELETE /inbounds/{id}": deletes("inbounds"),
  "POST /fronts": creates("fronts", "name"),
  "DELETE /fronts/{id}": deletes("fronts"),
  "POST /outbounds": creates("outbounds", "tag"),
  "DELETE /outbounds/{id}": deletes("outbounds"),
  "POST /templates": creates("templates", "name"),
  "DELETE /templates/{id}": deletes("templates"),
  "POST /nodes": creates("nodes", "name"),
  "DELETE /nodes/{id}": deletes("nodes"),
  "POST /users": ({ model, call, body, answer }) =>
    made(model, "users", body["name"], answer, userOwner(model, call, "")),
  "POST /users/batch": ({ model, call, body, answer }) => {
    const wanted = new Map((body["users"] as Fields[]).map((each) => [each["name"], each]));
    for (const each of answer["created"] as Fields[])
      made(model, "users", each["name"], each, userOwner(model, { ...call, body: wanted.get(each["name"]) }, ""));
  },
  "POST /users/generate": ({ model, call, answer }) => {
    for (const each of answer["users"] as Fields[])
      made(model, "users", each["name"], each, userOwner(model, call, ""));
  },
  "PUT /users/{id}": ({ model, call }) => movedUser(model, call),
  "PATCH /users/{id}": ({ model, call }) => movedUser(model, call),
  "DELETE /users/{id}": moves("users", "deleted"),
  "DELETE /users/deleted/{id}": deletes("deleted"),
  "POST /users/{id}/restore": moves("deleted", "users"),
  "POST /webhooks": (given) => {
    creates("webhooks", "name")(given);
    wroteWebhook(given.model, `webhooks/${String(given.body["name"])}`, given.call.by, "");
  },
  "PUT /webhooks/{id}": ({ model, call, by }) => wroteWebhook(model, `webhooks/${target(call)}`, call.by, by),
  "DELETE /webhooks/{id}": deletes("webhooks"),
};

function unlink(model: Model, prefix: string): void {
  for (const key of model.things.keys()) if (key.startsWith(prefix)) model.things.delete(key);
}

/** A provider has a new address: no account is linked there, and it serves the accounts that the writer covers. */
function leads(model: Model, name: string, label: string): void {
  const key = `oidc-providers/${name}`;
  const { id = 0, owner = "" } = model.things.get(key) ?? {};
  const reach = keptTo(model.reach(label));
  unlink(model, `links/${name}/`);
  model.things.set(key, { id, owner, ...(reach && { reach }) });
}

function throughProvider({ model, call, cookie, landing }: Parameters<Effect>[0]): void {
  const came = landed(model, call, landing);
  if (!came) return;
  if (came.pending === "") signedIn(model, came.account, call, cookie, 0);
  else model.pending.set(came.account, came.pending);
}

/** A webhook is kept to what all reached that wrote it; one that others wrote is theirs too. */
function wroteWebhook(model: Model, key: string, label: string, editor: string): void {
  const hook = model.things.get(key);
  const by = model.reach(label);
  if (!hook || !by) return;
  const whole = covers(by.scopes, model.accountScopes(by.account));
  const reach = whole ? hook.reach : new Set([...by.scopes].filter((scope) => hook.reach?.has(scope) ?? true));
  model.things.set(key, {
    id: hook.id,
    owner: hook.owner,
    editor: editor === hook.owner ? "" : editor,
    ...(reach && { reach }),
  });
}

function movedUser(model: Model, call: Call): void {
  const key = `users/${target(call)}`;
  const thing = model.things.get(key);
  if (thing) model.things.set(key, { ...thing, owner: userOwner(model, call, thing.owner) });
}

/** Tells the model of a call that succeeded. */
export function learn(model: Model, call: Call, { text, cookie, landing }: Answered, now: number): void {
  const by = model.credentials.get(call.by)?.account ?? "";
  const answer = (text.startsWith("{") ? JSON.parse(text) : {}) as Fields;
  EFFECTS[call.route]?.({ model, call, body: (call.body ?? {}) as Fields, answer, cookie, landing, by, now });
}
