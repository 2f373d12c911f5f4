// Rights over backups, for the model of permissions: who may do what with them.
import type { FeaturePrivileges } from "../privilege/features.ts";
import type { Rule } from "../privilege/rules.ts";

const seen = { scope: "backup:read", tiers: ["sudo"] } as const;
const kept = { scope: "backup:write", tiers: ["sudo"] } as const;
/** Sessions of main admins with every permission. */
const restore: Rule = {
  scope: "-",
  tiers: ["sudo"],
  sensitive: true,
  refused: (by, _call, model) =>
    (model.roles.get("sudo")?.scopes ?? []).every((scope) => by.scopes.has(scope))
      ? undefined
      : "a restore needs every permission",
};
/** One that is not there. */
const none = () => ({ path: { name: "none.tar.gz" } });

export const BACKUP_PRIVILEGES: FeaturePrivileges = {
  rules: {
    "GET /backup": seen,
    "GET /backups": seen,
    "POST /backups": kept,
    "GET /backups/schedule": seen,
    "PUT /backups/schedule": { ...kept, writes: { settings: "any" } },
    "GET /backups/{name}": seen,
    "GET /backups/{name}/manifest": seen,
    "DELETE /backups/{name}": kept,
    "POST /backup/preview": seen,
    "POST /backups/{name}/preview": seen,
    "POST /backups/{name}/rehearse": { ...kept, sensitive: true },
    "POST /backup/restore": restore,
    "POST /backups/{name}/restore": restore,
    "POST /setup/restore": { scope: "open" },
  },
  forms: {
    "GET /backup": () => ({}),
    "GET /backups": () => ({}),
    "POST /backups": ({ chance }) => ({ query: { audit: String(chance.whole(0, 1) === 1) } }),
    "GET /backups/schedule": () => ({}),
    "PUT /backups/schedule": ({ chance }) => ({ body: { keep: chance.whole(0, 9), includeAudit: true } }),
    "GET /backups/{name}": none,
    "GET /backups/{name}/manifest": none,
    "DELETE /backups/{name}": none,
    // No archive: it is refused once it was looked at.
    "POST /backup/preview": () => ({ body: {} }),
    "POST /backups/{name}/preview": none,
    "POST /backups/{name}/rehearse": none,
    // Without its word nothing is restored.
    "POST /backup/restore": () => ({}),
    "POST /backups/{name}/restore": () => ({ ...none(), query: { confirm: "replace-database" } }),
    "POST /setup/restore": () => ({ query: { t: "no-token" } }),
  },
};
