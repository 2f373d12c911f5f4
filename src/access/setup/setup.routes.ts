// /api/setup: the first main admin, every mandatory setting and the panel's own certificate in one transaction (rules
// setup.finish).
import { z } from "zod";
import { readTlsFiles, TlsFileError } from "../../certificates/index.ts";
import { lock, type Draft } from "../../db/index.ts";
import type { Origin } from "../../lib/origin.ts";
import {
  isLoopbackHost,
  originText,
  pathWith,
  readAuthority,
  readBase,
  reachedUnder,
} from "../../lib/public-address.ts";
import { invalid, openRoute, Refusal, type RequestFacts, type Route, rule, ruleSaying } from "../../http/index.ts";
import {
  checkSetting,
  panelNames,
  refusePublishedSecrets,
  refuseSharedPath,
  removeSetting,
  SettingRows,
  writeSetting,
} from "../../system/index.ts";
import type { Access } from "../access.ts";
import { newAdmin } from "../operators/admins.commands.ts";
import { AdminRows } from "../records/admin.entity.ts";
import { roleNamed } from "../rights/builtin-roles.ts";
import { passwords } from "../login/password-queue.ts";
import { checkPassword, Username } from "../login/passwords.ts";
import { SETUP_TOKEN } from "./setup-state.ts";

/** Recorded by setup where the request does not name them; `web_domain` is the request's host. */
const MANDATORY = [
  "web_domain",
  "web_basepath",
  "web_listen_ip",
  "web_listen_port",
  "web_tls_mode",
  "sub_domain",
  "sub_basepath",
  "timezone",
] as const;

const SetupBody = z.object({
  username: Username,
  password: z.string().max(4096),
  settings: z.record(z.string(), z.string()).default({}),
});

/** The settings that there are. */
type Catalogue = Pick<Access["settings"], "entry">;

/** The host of a `Host` header without its port. */
function hostName(host: string): string {
  return host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
}

function defaults(settings: Catalogue, request: RequestFacts): Record<string, string> {
  const values = Object.fromEntries(MANDATORY.map((key) => [key, settings.entry(key)?.default ?? ""]));
  // A header that is no host name is none to publish links on.
  const host = settings.entry("web_domain")?.check.safeParse(hostName(request.host));
  return { ...values, web_domain: host?.data ?? "" };
}

/** The settings that setup writes: checked, the given ones over the defaults. A refusal names `settings.<key>`. */
function chosenSettings(
  settings: Catalogue,
  given: Readonly<Record<string, string>>,
  request: RequestFacts,
): Map<string, string> {
  const values = new Map(Object.entries(defaults(settings, request)));
  for (const [key, value] of Object.entries(given)) {
    const entry = settings.entry(key);
    if (!entry || entry.internal || key === "web_cert_id")
      invalid(`settings.${key}`, ruleSaying("there is no such setting to choose", "absent", "setting", key));
    values.set(key, checkSetting(settings, key, value, `settings.${key}`));
  }
  if (values.get("web_tls_mode") === "files") {
    for (const file of ["web_cert_file", "web_key_file"])
      if (!values.get(file)) invalid("settings.web_tls_mode", ruleSaying(`files needs ${file}`, "needs", file));
  }
  refuseSharedPath(values.get("sub_basepath") ?? "", values.get("web_basepath") ?? "", "settings.sub_basepath");
  return values;
}

/**
 * The panel restarts right after setup: files that it could not serve then would lock it up. Throws a 400 that names
 * the setting.
 */
async function refuseUnservable(
  settings: ReadonlyMap<string, string>,
  privatePlaces: readonly string[],
): Promise<void> {
  refusePublishedSecrets(
    "web_masquerade_dir",
    (key) => settings.get(key) ?? "",
    privatePlaces,
    "settings.web_masquerade_dir",
  );
  if (settings.get("web_tls_mode") !== "files") return;
  try {
    await readTlsFiles(settings.get("web_cert_file") ?? "", settings.get("web_key_file") ?? "");
  } catch (error) {
    if (error instanceof TlsFileError) invalid(`settings.${error.setting}`, error.rule);
    throw error;
  }
}

/**
 * Where the panel answers after the restart: where it was said to be reached, else where the proxy says that setup was
 * asked, else at its listener. SIGNALBOX_LISTEN wins over the settings.
 */
function addressOf(
  settings: ReadonlyMap<string, string>,
  listen: string | undefined,
  { proxied, host: asked }: Pick<RequestFacts, "proxied" | "host">,
): string {
  const value = (key: string): string => settings.get(key) ?? "";
  const base = readBase(value("web_url"));
  if (base) return `${originText(base)}${pathWith(base.path, value("web_basepath"))}`;
  const plain = value("web_tls_mode") === "none";
  const named = plain ? proxied?.named : undefined;
  if (proxied && named) return `${originText({ scheme: proxied.scheme, ...named })}${value("web_basepath")}`;
  const at = listen === undefined ? undefined : readAuthority(listen);
  const ip = at?.host ?? (value("web_listen_ip") || "127.0.0.1");
  const listener = {
    scheme: plain ? "http" : "https",
    port: at?.port ?? Number(value("web_listen_port") || 8080),
    hidden: isLoopbackHost(ip) || (plain && value("trusted_proxies") !== ""),
  } as const;
  const origin = reachedUnder(value("web_domain") || ip, listener);
  // Something stands before the listener, and the person came through it: by the port that they say.
  const came = origin.port === 0 ? readAuthority(asked) : undefined;
  const port = came?.host === origin.host.toLowerCase() && came.port !== listener.port ? came.port : origin.port;
  return `${originText({ ...origin, port })}${value("web_basepath")}`;
}

/** Milliseconds. */
const TRY_MS = 5000;

/**
 * Tries an address. The person who sets the panel up may try any, also in the panel's own network: the answer only says
 * whether the panel was reached.
 */
async function tried({ setup, fetch }: Pick<Access, "setup" | "fetch">, address: string) {
  const base = readBase(address) ?? invalid("try", rule("http_url"));
  const url = originText(base);
  const asked = (token: string) => `${url}/api/v1/setup?t=${token}`;
  const sent = await setup.arrives(async (token) => {
    await fetch({ url: asked(token), allowPrivate: true, timeout: TRY_MS, redirects: 0 });
  });
  return { url, ...sent };
}

export function setupRoutes(access: Access): Route[] {
  const { reads, outbox, setup, env, ports } = access;

  function finish(draft: Draft, settings: ReadonlyMap<string, string>, origin: Origin): void {
    // Setup raises its own event; a `panel.settings_changed` for each of its keys would add nothing.
    const silent = { ...access, outbox: { raise: () => {} } };
    for (const [key, value] of settings) writeSetting(draft, silent, { key, value, origin });
    removeSetting(draft, SETUP_TOKEN);
    outbox.raise(draft, {
      event: "panel.setup_completed",
      data: { username: origin.actor, restart: true },
      subject: "panel",
    });
  }

  return [
    openRoute({
      method: "GET",
      path: "/setup",
      summary: "Whether first-run setup is pending",
      description:
        "With `try`, the panel asks that address for itself and says whether it was reached; a redirect is not followed.",
      query: z.object({ t: z.string().optional(), try: z.string().max(2048).optional() }),
      statuses: [400],
      answer: z
        .object({
          required: z.boolean(),
          defaults: z.record(z.string(), z.string()).optional(),
          listen: z.string().optional(),
          tried: z.object({ url: z.string(), reached: z.boolean(), error: z.string() }).optional(),
        })
        .meta({ id: "SetupState" }),
      handle: async ({ request, query }) =>
        (await setup.isPending())
          ? {
              required: true,
              defaults: defaults(access.settings, request),
              ...(env.listen !== undefined && { listen: env.listen }),
              ...(query.try !== undefined && { tried: await tried(access, query.try) }),
            }
          : { required: false },
    }),
    openRoute({
      method: "POST",
      path: "/setup",
      summary: "Finish first-run setup; the panel restarts itself",
      query: z.object({ t: z.string().optional() }),
      body: SetupBody,
      answer: z.object({ status: z.string(), url: z.string(), restart: z.boolean() }).meta({ id: "SetupDone" }),
      audit: { key: "setup", action: "create" },
      statuses: [403, 409],
      codes: ["too_busy"],
      handle: async ({ body, request, commit, afterResponse }) => {
        if (!(await setup.isPending())) throw new Refusal("setup_finished");
        checkPassword(body.password, body.username);
        const settings = chosenSettings(access.settings, body.settings, request);
        await refuseUnservable(settings, access.privatePlaces);
        const role =
          (await roleNamed(reads, "sudo")) ??
          invalid("role", ruleSaying("the built-in roles are missing", "absent", "role", "sudo"));
        const passwordHash = await passwords.hash(body.password, "known");
        const issue = await ports.issuePanelCertificate?.(
          panelNames(settings.get("web_domain") ?? "", settings.get("sub_domain") ?? ""),
        );
        const rendered = await commit({
          locks: [SETUP_TOKEN, "web_cert_id", ...settings.keys()].map((key) => lock(SettingRows, key)),
          decide(draft) {
            if (!draft.find(SettingRows, SETUP_TOKEN)) throw new Refusal("setup_finished");
            const admin = newAdmin(draft, { username: body.username, passwordHash, roleId: role.id, owner: true }, "");
            draft.insert(AdminRows, admin);
            const origin = {
              via: "session",
              actor: admin.username,
              adminId: admin.id,
              tokenId: 0,
              ip: request.ip,
            } as const;
            const all = new Map(settings);
            if (issue) all.set("web_cert_id", String(issue(draft)));
            finish(draft, all, origin);
            const answer = { status: "ok", url: addressOf(settings, env.listen, request), restart: true };
            return { answer, audit: { entityId: admin.id, obj: { username: admin.username }, origin } };
          },
        });
        afterResponse(() => ports.restart());
        return rendered;
      },
    }),
  ];
}
