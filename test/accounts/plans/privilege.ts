// Rights over plans, for the model of permissions: who may do what with them.
import type { FeaturePrivileges } from "../../privilege/features.ts";
import { creates, deletes } from "../../privilege/things.ts";

const seen = { scope: "users:read" } as const;
const kept = { scope: "users:write", tiers: ["sudo", "admin"] } as const;

export const PLAN_PRIVILEGES: FeaturePrivileges = {
  tables: ["plans"],
  rules: {
    "GET /plans": seen,
    "GET /plans/{id}": seen,
    "POST /plans": { ...kept, writes: { plans: "new" } },
    "PUT /plans/order": { ...kept, writes: { plans: "any" } },
    "PUT /plans/{id}": { ...kept, writes: { plans: "target" } },
    "DELETE /plans/{id}": { ...kept, writes: { plans: "target" } },
  },
  forms: {
    "GET /plans": () => ({}),
    "GET /plans/{id}": ({ id }) => id("plans"),
    "POST /plans": ({ chance, fresh }) => ({ body: { name: fresh("plan"), days: 30, volume: chance.whole(0, 9) } }),
    "PUT /plans/order": ({ some }) => ({ body: { ids: [some("plans")] } }),
    "PUT /plans/{id}": ({ fresh, id }) => ({ ...id("plans"), body: { name: fresh("plan") } }),
    "DELETE /plans/{id}": ({ id }) => id("plans"),
  },
  effects: { "POST /plans": creates("plans", "name"), "DELETE /plans/{id}": deletes("plans") },
};
