// Settings on the wire (rule settings.list.1).
import { z } from "zod";
import { SETTING_GROUPS, SETTING_TYPES } from "../../feature/index.ts";

export const Setting = z
  .object({
    key: z.string(),
    value: z.string(),
    default: z.string(),
    group: z.enum(SETTING_GROUPS),
    type: z.enum(SETTING_TYPES),
    values: z.array(z.string()),
    createdAt: z.int(),
    updatedAt: z.int(),
    panelWide: z.boolean(),
    secret: z.boolean(),
    secretSet: z.boolean(),
    restart: z.boolean(),
    restartPending: z.boolean(),
    unused: z.boolean(),
    points: z.enum(["no", "links", "always"]),
  })
  .meta({ id: "Setting" });

/** A row of `GET /api/settings`. */
export type SettingView = Readonly<z.output<typeof Setting>>;
