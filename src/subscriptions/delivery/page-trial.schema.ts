// The page for people while somebody designs it, on the wire.
import { STATUSES } from "../../accounts/index.ts";
import { z } from "zod";
import { SubApp } from "../page/apps.ts";
import { LANGUAGE_CODES } from "../page/language.ts";
import { PLATFORMS } from "../page/platform.ts";
import { SubTheme, ThemeTexts } from "../page/theme.ts";

/** A theme in requests: a member that this version does not know is ignored, as everywhere. */
const theme = z
  .object({
    ...SubTheme.shape,
    texts: z.partialRecord(z.enum(LANGUAGE_CODES), z.object(ThemeTexts.shape)).default({}).describe("by language"),
  })
  .describe("as in setting `sub_theme`");
const apps = z.array(z.object(SubApp.shape)).max(30).describe("as in setting `sub_apps`");

export const SubPageTrial = z
  .object({
    theme: theme.optional().describe("a theme to try; absent: the panel's own"),
    apps: apps.optional().describe("apps to try; absent: the panel's own list"),
    language: z.enum(LANGUAGE_CODES).default("en").describe("of the visitor"),
    platform: z.enum(PLATFORMS).default("android").describe("of the visitor's device"),
    status: z.enum(STATUSES).default("active").describe("of the account that is shown"),
  })
  .meta({ id: "SubPageTrial" });

export const SubPageTrialAnswer = z
  .object({ html: z.string().describe("the page, of an account that does not exist"), theme, apps })
  .meta({ id: "SubPageTrialResult" });
