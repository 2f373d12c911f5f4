// Where the page for people leads by its settings: to the stores and links of apps, and by what its texts say (rules
// admins.point).
import { links } from "../../http/index.ts";
import { DEFAULT_APPS, SubApps } from "./apps.ts";

/**
 * Where setting `sub_apps` leads. An operator without a list has the panel's, which leads to the same places for
 * everybody.
 */
export function partsOfApps(text: string): readonly string[] {
  const apps = SubApps.safeParse(jsonIn(text)).data ?? DEFAULT_APPS;
  return apps.flatMap(({ name, stores, import: template, steps = {} }) => [
    ...Object.values(stores),
    ...(template === undefined ? [] : [template]),
    ...links([name, steps]),
  ]);
}

/** Where setting `sub_theme` leads. */
export function partsOfTheme(text: string): readonly string[] {
  return links(jsonIn(text));
}

function jsonIn(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch (error) {
    // Written by another version, or into the database by hand.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
