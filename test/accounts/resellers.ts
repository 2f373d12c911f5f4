// Resellers in the rows that the owners' rules read.
import { AdminRows, RoleRows, type AdminRow, type RoleRow } from "../../src/access/index.ts";
import type { TestPanel } from "./panel.ts";

const role = {
  builtin: false,
  description: "",
  scopes: [],
  userLimit: 0,
  maxDeviceLimit: 0,
  maxDuration: 0,
  assignments: 0,
  createdAt: 0,
  updatedAt: 0,
};
const admin = {
  passwordHash: "",
  owner: false,
  volume: 0,
  period: "",
  periodDay: 0,
  periodStart: 0,
  nextReset: 0,
  expiry: 0,
  userLimit: 0,
  plansOnly: false,
  planIds: [],
  usersReadOnly: false,
  twoFactorAt: 0,
  totpSeed: "",
  totpUsed: [],
  recoveryHashes: [],
  dashboardTiles: null,
  lastLoginAt: 0,
  lastLoginIp: "",
  createdAt: 0,
  updatedAt: 0,
};

/** An account of its own role, both of that id. */
export async function reseller(
  panel: TestPanel,
  id: number,
  roles: Partial<RoleRow> = {},
  admins: Partial<AdminRow> = {},
): Promise<void> {
  await panel.database.commits.submit({
    name: "test.reseller",
    locks: [],
    decide(draft) {
      draft.insert(RoleRows, { ...role, id, name: `role ${id}`, base: "resale", ...roles });
      draft.insert(AdminRows, { ...admin, id, username: `a${id}`, usernameKey: `a${id}`, roleId: id, ...admins });
    },
  });
}
