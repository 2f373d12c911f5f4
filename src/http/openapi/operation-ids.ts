// The name of each operation in the field's words: `createUser`, `renewUser`. Most follow from method and path; those
// that would read badly are listed. Names are part of the contract: a test holds them (test/openapi/operation-ids.txt).
import type { Route } from "../route.ts";

/** Where the rule below would give a poor name. */
const NAMED: Readonly<Record<string, string>> = {
  "GET /setup": "getSetup",
  "POST /setup": "finishSetup",
  "POST /login": "logIn",
  "POST /login/mfa": "logInWithCode",
  "POST /logout": "logOut",
  "GET /me": "getMe",
  "PUT /me/password": "changeMyPassword",
  "PUT /me/dashboard-tiles": "setMyDashboardTiles",
  "GET /me/ui": "getMyInterface",
  "PUT /me/ui": "setMyInterface",
  "PUT /plans/order": "orderPlans",
  "GET /me/sessions": "listMySessions",
  "DELETE /me/sessions": "endMyOtherSessions",
  "DELETE /me/sessions/{id}": "endMySession",
  "GET /me/2fa": "getMyTwoFactor",
  "DELETE /me/2fa": "switchMyTwoFactorOff",
  "POST /me/2fa/totp": "beginMyTwoFactor",
  "POST /me/2fa/totp/confirm": "switchMyTwoFactorOn",
  "POST /me/2fa/recovery": "renewMyRecoveryCodes",
  "POST /me/confirm": "confirmMySecondFactor",
  "GET /login/oidc": "listLoginProviders",
  "POST /login/oidc/start": "beginProviderLogin",
  "GET /login/oidc/callback": "finishProviderLogin",
  "GET /login/oidc/callback/{id}": "finishProviderLoginAt",
  "GET /me/oidc": "listMyIdentities",
  "POST /me/oidc/link": "linkMyIdentity",
  "DELETE /me/oidc/links/{id}": "unlinkMyIdentity",
  "PUT /admins/{id}/password": "setAdminPassword",
  "DELETE /admins/{id}/sessions": "endAdminSessions",
  "POST /admins/{id}/owner": "makeAdminOwner",
  "DELETE /security/bans/{ip}": "liftBan",
  "GET /security/bans": "listBans",
  "GET /changes/facets": "getChangeFacets",
  "GET /changes/facetsj": "getChangeFacetsAgain",
  "GET /changes/export": "exportChanges",
  "DELETE /changes": "emptyChanges",
  "POST /settings/happ-key/refresh": "refreshHappKey",
  "POST /settings/incy-key/refresh": "refreshIncyKey",
  "PUT /settings/{key}": "setSetting",
  "GET /actors/{kind}/{id}/preview": "previewActorEvent",
  "GET /actors/{kind}/{id}/journal": "listActorJournal",
  "GET /actors/{kind}/{id}/log": "getActorLog",
  "POST /actors/{kind}/{id}/events": "sendActorEvent",
  "GET /panel/info": "getPanelInfo",
  "POST /restart": "restartPanel",
  "PUT /inbounds/{id}/fronts": "setInboundFronts",
  "GET /tools/config-schema": "getConfigSchema",
  "POST /tools/uuid": "makeUuid",
  "POST /tools/password": "makePassword",
  "POST /tools/ss-key": "makeShadowsocksKey",
  "POST /tools/reality-keypair": "makeRealityKeyPair",
  "POST /tools/wireguard-keypair": "makeWireguardKeyPair",
  "GET /stats/traffic": "getTraffic",
  "GET /users/{id}/traffic": "getUserTraffic",
  "GET /users/sparklines": "getUserSparklines",
  "GET /nodes/sparklines": "getNodeSparklines",
  "GET /users/{id}/node-usage": "getUserNodeUsage",
  "GET /nodes/{id}/stats": "getNodeStats",
  "GET /reports/users": "getUserReport",
  "GET /reports/nodes": "getNodeReport",
  "GET /reports/admins": "getAdminReport",
  "GET /stats/growth": "getGrowth",
  "GET /stats/expiries": "getExpiries",
  "GET /users/summary": "summarizeUsers",
  "GET /users/usage": "listUsageMoves",
  "POST /users/batch": "createUsers",
  "POST /users/bulk/{op}": "bulkUsers",
  "POST /users/generate": "generateUsers",
  "GET /users/deleted": "listDeletedUsers",
  "GET /users/deleted/{id}": "getDeletedUser",
  "DELETE /users/deleted/{id}": "forgetDeletedUser",
  "POST /users/deleted/restore": "restoreUsers",
  "GET /users/export": "exportUsers",
  "POST /users/import": "importUsers",
  "GET /jobs/{id}/users": "listJobUsers",
  "GET /jobs/{id}/lines": "listJobLines",
  "POST /users/{id}/sub/rotate": "rotateUserLink",
  "GET /users/{id}/sub/formats": "listUserFormats",
  "GET /users/{id}/sub/preview": "previewUserSubscription",
  "GET /users/{id}/verdict": "getUserVerdict",
  "DELETE /users/{id}/devices": "deleteUserDevices",
  "POST /sub/rules/test": "testSubRules",
  "GET /users/{id}/connections/{nodeId}": "listUserConnectionsOnNode",
  "GET /nodes/install/trust": "getPanelTrust",
  "GET /nodes/{id}/health": "getNodeHealth",
  "POST /nodes/{id}/enabled": "setNodeEnabled",
  "PUT /nodes/{id}/template": "setNodeTemplate",
  "PUT /nodes/{id}/routing": "setNodeRouting",
  "POST /users/{id}/connections/close": "closeUserConnections",
  "POST /webhooks/{id}/deliveries/{delivery}/resend": "resendWebhookDelivery",
  "POST /webhooks/{id}/deliveries/resend": "resendWebhookDeliveries",
  "GET /events": "listEventTypes",
  "GET /events/log": "listEvents",
  "GET /openapi.json": "getDescriptionAsJson",
  "GET /openapi.yaml": "getDescriptionAsYaml",
  "GET /scopes": "listScopes",
  "GET /backup": "downloadBackup",
  "GET /backups/{name}": "downloadStoredBackup",
  "GET /backups/{name}/manifest": "getBackupManifest",
  "GET /backups/schedule": "getBackupSchedule",
  "PUT /backups/schedule": "setBackupSchedule",
};

/** `oidc-providers` → `OidcProviders`. */
export function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function singular(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return /(ss|us)$/.test(word) ? word : word.replace(/s$/, "");
}

/**
 * `GET /users` → `listUsers`, `POST /users` → `createUser`, `GET /users/{id}` → `getUser`, `PUT` there →
 * `replaceUser`, `PATCH` → `updateUser`, `POST /users/{id}/reset-usage` → `resetUserUsage`, `GET /users/{id}/addresses`
 * → `listUserAddresses`.
 */
export function operationId({ method, path }: Pick<Route, "method" | "path">): string {
  const named = NAMED[`${method} ${path}`];
  if (named !== undefined) return named;
  const parts = path.split("/").filter((part) => part !== "");
  const words = parts.filter((part) => !part.startsWith("{"));
  const last = words.at(-1) ?? "";
  const ofOne = parts.at(-1)?.startsWith("{") === true;
  const owners = words.slice(0, -1).map((word) => pascal(singular(word)));
  const one = [...owners, pascal(singular(last))].join("");
  if (method === "GET") return ofOne ? `get${one}` : `list${[...owners, pascal(last)].join("")}`;
  if (method === "PUT") return `replace${one}`;
  if (method === "PATCH") return `update${one}`;
  if (method === "DELETE") return `delete${one}`;
  if (words.length < 2 || !parts.some((part) => part.startsWith("{"))) return `create${one}`;
  const [verb = "", ...rest] = last.split("-");
  return `${verb}${owners.join("")}${pascal(rest.join("-"))}`;
}
