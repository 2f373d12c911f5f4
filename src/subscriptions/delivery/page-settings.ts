// Settings of the page for people that hold JSON, read once for each text.
import type { z } from "zod";
import { DEFAULT_THEME, SubTheme } from "../page/theme.ts";
import type { SubscriptionSettings } from "../subscriptions.settings.ts";

const parsed = new Map<string, unknown>();

/**
 * What a setting of JSON holds; `otherwise` where it is empty or from a version that wrote it differently. A setting is
 * read by every visit and changes rarely, so the last few are kept.
 */
export function keptSetting<T>(text: string, schema: z.ZodType<T>, otherwise: T): T {
  if (text === "") return otherwise;
  if (!parsed.has(text)) {
    if (parsed.size >= 8) parsed.clear();
    const found = schema.safeParse(jsonOf(text));
    parsed.set(text, found.success ? found.data : otherwise);
  }
  return parsed.get(text) as T;
}

/** How the page looks, and the language for visitors and apps that ask for none. */
export function themeOf(settings: SubscriptionSettings): SubTheme {
  return keptSetting(settings.get("sub_theme"), SubTheme, DEFAULT_THEME);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
