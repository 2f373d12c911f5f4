// Bans on the wire (rule access.ban.1).
import { z } from "zod";

export const Ban = z
  .object({ ip: z.string(), until: z.int(), reason: z.string(), attempts: z.int() })
  .meta({ id: "Ban" });
