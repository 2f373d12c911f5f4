// The wire of operators.
import { z } from "zod";
import { count, version, writtenTime } from "../../http/index.ts";
import type { AdminRow, RoleRow } from "../records/admin.entity.ts";
import { ALLOWANCE_STATES, type Holdings } from "../rights/holdings.ts";
import { Username } from "../login/passwords.ts";

export const Admin = z
  .object({
    id: z.int(),
    username: z.string(),
    role: z.string(),
    base: z.enum(["sudo", "admin", "resale"]),
    owner: z.boolean(),
    volume: z.int(),
    used: z.int(),
    period: z.string(),
    periodDay: z.int(),
    periodStart: z.int(),
    nextReset: z.int(),
    expiry: z.int(),
    userLimit: z.int(),
    users: z.int(),
    plansOnly: z.boolean(),
    planIds: z.array(z.int()),
    usersReadOnly: z.boolean(),
    state: z.enum(["", ...ALLOWANCE_STATES]),
    closedBy: z.enum(["", "volume", "expiry"]),
    twoFactor: z.boolean(),
    lastLoginAt: z.int(),
    lastLoginIp: z.string(),
    createdAt: z.int(),
    updatedAt: z.int(),
  })
  .meta({ id: "Admin" });
export type AdminView = z.input<typeof Admin>;

const allowance = {
  volume: count.optional(),
  period: z.enum(["", "weekly", "monthly", "yearly"]).optional(),
  periodDay: count.optional(),
  expiry: writtenTime.optional(),
  userLimit: count.optional(),
  plansOnly: z.boolean().optional(),
  planIds: z.array(z.int().min(1)).max(10_000).optional(),
  usersReadOnly: z.boolean().optional(),
};

export const AdminCreate = z.object({
  username: Username,
  password: z.string().max(4096),
  /** A role that nobody named is not the one that may do everything. */
  role: z.string().max(64).default("admin"),
  ...allowance,
});
export const AdminUpdate = z.object({ username: Username, role: z.string().max(64), ...allowance, version });
export type AllowanceFields = z.output<z.ZodObject<typeof allowance>>;

export function adminView(row: AdminRow, role: RoleRow, { users, used, state, closedBy }: Holdings): AdminView {
  const resale = role.base === "resale";
  const { passwordHash: _hash, usernameKey: _key, roleId: _role, dashboardTiles: _tiles, ...more } = row;
  const { twoFactorAt, totpSeed: _seed, totpUsed: _used, recoveryHashes: _codes, ...shown } = more;
  const standing = resale ? { state, closedBy } : ({ state: "", closedBy: "" } as const);
  return { ...shown, role: role.name, base: role.base, used, users, ...standing, twoFactor: twoFactorAt > 0 };
}
