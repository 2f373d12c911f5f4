// POST /api/settings/happ-key/refresh and …/incy-key/refresh: download a client app's key and store it (rules
// settings.key).
import { z } from "zod";
import { lock } from "../../db/index.ts";
import { Refusal, route, type Route } from "../../http/index.ts";
import { OutgoingError, type Fetch } from "../../outgoing/index.ts";
import { CLIENT_APPS, readClientKey, type ClientApp, type ClientKey } from "./client-keys.ts";
import { SettingRows } from "./setting.entity.ts";
import type { Settings } from "./settings.ts";
import type { systemSettings } from "../system.settings.ts";
import { writeSetting, type WriteDeps } from "./write.ts";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;
const REDIRECTS = 3;

const StoredKey = z
  .object({ key: z.string(), scheme: z.string(), fingerprint: z.string(), fetchedAt: z.int() })
  .meta({ id: "ClientAppKey", description: "The key under which a client app reads encrypted import links" });

export interface ClientKeyDeps extends WriteDeps {
  readonly settings: Settings<keyof typeof systemSettings | "webhook_allow_private">;
  readonly fetch: Fetch;
}

export function clientKeyRoutes(deps: ClientKeyDeps): Route[] {
  return CLIENT_APPS.map((app) => refreshRoute(app, deps));
}

function refreshRoute(app: ClientApp, deps: ClientKeyDeps): Route {
  const { settings } = deps;
  const [keySetting, pinSetting] = [`sub_${app}_key`, `sub_${app}_key_fingerprint`];
  return route({
    method: "POST",
    path: `/settings/${app}-key/refresh`,
    scope: "-",
    also: ["settings:write", "users:read"],
    tiers: ["sudo", "admin"],
    summary: `Download and store the key of ${app === "happ" ? "Happ" : "INCY"}'s encrypted import links`,
    description: `From sub_${app}_key_url. Its fingerprint must be sub_${app}_key_fingerprint; while that is empty the first one is trusted and kept.`,
    answer: StoredKey,
    audit: { key: "settings", action: "refresh" },
    statuses: [502],
    handle: async ({ commit, origin }) => {
      const key = await download(app, deps);
      return commit({
        locks: [lock(SettingRows, keySetting), lock(SettingRows, pinSetting)],
        decide(draft) {
          const pinned = draft.find(SettingRows, pinSetting)?.value ?? "";
          if (pinned !== "" && pinned.toLowerCase() !== key.fingerprint)
            throw new Refusal("upstream", {
              message: `the key has the fingerprint ${key.fingerprint}, ${pinSetting} says ${pinned}`,
            });
          const { row } = writeSetting(draft, deps, { key: keySetting, value: key.text, origin });
          if (pinned === "") writeSetting(draft, deps, { key: pinSetting, value: key.fingerprint, origin });
          const answer = {
            key: key.text,
            scheme: settings.text(`sub_${app}_scheme`),
            fingerprint: key.fingerprint,
            fetchedAt: row.updatedAt,
          };
          return { answer, audit: { entityId: keySetting, obj: { fingerprint: key.fingerprint } } };
        },
      });
    },
  });
}

/** Downloads the key. Throws 502 with a sentence when there is none to be had. */
async function download(app: ClientApp, { settings, fetch }: ClientKeyDeps): Promise<ClientKey> {
  const url = settings.text(`sub_${app}_key_url`);
  const failed = (message: string, cause?: unknown): Refusal =>
    new Refusal("upstream", { message: `sub_${app}_key_url: ${message}`, cause });
  if (url === "") throw failed("is not set");
  try {
    const allowPrivate = settings.flag("webhook_allow_private");
    const answer = await fetch({ url, allowPrivate, timeout: TIMEOUT_MS, maxBytes: MAX_BYTES, redirects: REDIRECTS });
    if (answer.status !== 200) throw failed(`answered ${answer.status}`);
    const key = readClientKey(app, answer.body.toString("utf8"));
    if (!key) throw failed("answered no key");
    return key;
  } catch (error) {
    if (error instanceof OutgoingError) throw failed(error.message, error);
    throw error;
  }
}
