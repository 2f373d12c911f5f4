// In which formats an account's servers can be had, on the wire.
import { z } from "zod";
import { count } from "../../http/index.ts";
import { ENTRY_FORMAT_NAMES } from "../documents/limits.ts";

/** In which formats a user's servers can be had. */
export const UserSubFormats = z
  .object({
    servers: count.describe("servers of the account, in whatever format"),
    formats: z.array(
      z.object({
        format: z.enum(ENTRY_FORMAT_NAMES),
        url: z.string(),
        servers: count.describe("how many of them the format can say"),
      }),
    ),
  })
  .meta({ id: "UserSubFormats" });
export type UserSubFormats = z.output<typeof UserSubFormats>;
