// The audit log on the wire (rules admins.audit).
import { z } from "zod";

export const Change = z
  .object({
    id: z.int(),
    time: z.int(),
    actor: z.string(),
    adminId: z.int(),
    via: z.enum(["session", "token", "cli", "system"]),
    tokenId: z.int(),
    ip: z.string(),
    key: z.string(),
    entityId: z.string(),
    action: z.string(),
    obj: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Change" });
export type ChangeBody = z.input<typeof Change>;

export const ChangeFacets = z
  .object({ actors: z.array(z.string()), keys: z.array(z.string()), actions: z.array(z.string()) })
  .meta({ id: "ChangeFacets" });
