// The wire of the caller's own account.
import { z } from "zod";
import type { Caller } from "../../http/index.ts";
import type { SettingsReader } from "../../feature/index.ts";
import { zoneName } from "../../lib/zone.ts";
import type { AdminRow } from "../records/admin.entity.ts";
import type { Holdings } from "./holdings.ts";

export const Me = z
  .object({
    id: z.int(),
    username: z.string(),
    role: z.string(),
    base: z.enum(["sudo", "admin", "resale"]),
    owner: z.boolean(),
    scopes: z.array(z.string()),
    dashboardTiles: z.string().nullable(),
    timezone: z.string(),
    auth: z.enum(["session", "token"]),
    twoFactor: z.boolean(),
    confirmedUntil: z.int(),
    plansOnly: z.boolean(),
    planIds: z.array(z.int()),
    usersReadOnly: z.boolean(),
    allowance: z
      .object({
        volume: z.int(),
        used: z.int(),
        period: z.string(),
        nextReset: z.int(),
        expiry: z.int(),
        userLimit: z.int(),
        users: z.int(),
      })
      .meta({ id: "Allowance" })
      .optional(),
  })
  .meta({ id: "Me" });

export const AdminSession = z
  .object({
    id: z.int(),
    current: z.boolean(),
    createdAt: z.int(),
    lastSeenAt: z.int(),
    expiresAt: z.int(),
    ip: z.string(),
    userAgent: z.string(),
    remember: z.boolean(),
    via: z.enum(["password", "oidc"]),
  })
  .meta({ id: "AdminSession" });

/** `holdings`: the account's. A reseller is told of its allowance. */
export function meView(
  caller: Caller,
  admin: AdminRow,
  settings: SettingsReader<"timezone">,
  holdings: Holdings,
): z.input<typeof Me> {
  const { volume, period, nextReset, expiry, userLimit } = admin;
  return {
    id: admin.id,
    username: admin.username,
    role: caller.role,
    base: caller.base,
    owner: caller.owner,
    scopes: [...caller.scopes].toSorted(),
    dashboardTiles: admin.dashboardTiles,
    timezone: zoneName(settings.text("timezone")),
    auth: caller.via,
    twoFactor: caller.twoFactor,
    confirmedUntil: caller.confirmedUntil,
    plansOnly: admin.plansOnly,
    planIds: admin.planIds,
    usersReadOnly: admin.usersReadOnly,
    ...(caller.base === "resale" && {
      allowance: { volume, used: holdings.used, period, nextReset, expiry, userLimit, users: holdings.users },
    }),
  };
}
