// Where the page for people leads by its settings: to the stores and links of apps, and by what its texts say (rules
// admins.point).
import { links } from "../../http/index.ts";
import { DEFAULT_APPS, SubApps } from "./apps.ts";

/** Of setting `sub_apps`. Without a list of the operator's own, the panel's leads to the same places for everybody. */
export function partsOfApps(text: string): readonly string[] {
  const apps = SubApps.safeParse(jsonIn(text)).data ?? DEFAULT_APPS;
  return apps.flatMap(({ name, stores, import: template, steps = {} }) => [
    ...Object.values(stores),
    ...(template === undefined ? [] : [template]),
    ...links([name, steps]),
  ]);
}

/** Of setting `sub_theme`. */
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
