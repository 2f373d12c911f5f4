// `signalbox settings list|get|set`: the same validation as the route, without a panel or beside one.
import type { Committer } from "../../db/index.ts";
import type { Origin } from "../../lib/origin.ts";
import { settingEntry } from "./catalogue.ts";
import { viewOf, type Settings, type SettingView } from "./settings.ts";
import { checkSetting, settingLocks, writeSetting, type WriteDeps } from "./write.ts";

export interface SettingsCommandDeps extends WriteDeps {
  readonly settings: Settings;
  readonly commits: Committer;
}

/** All settings as the wire shows them. */
export function listSettings({ settings }: Pick<SettingsCommandDeps, "settings">): SettingView[] {
  return settings.visible();
}

/** One setting's stored value; an Error for a key that does not exist or is not shown. */
export function getSetting({ settings }: Pick<SettingsCommandDeps, "settings">, key: string): string {
  const entry = settingEntry(key);
  if (!entry || entry.internal) throw new Error(`there is no setting ${key}`);
  return viewOf(key, settings.row(key)).value;
}

/** Writes a setting. Throws a refusal that names what is wrong. */
export async function setSetting(
  deps: SettingsCommandDeps,
  { key, value, origin }: { readonly key: string; readonly value: string; readonly origin: Origin },
): Promise<SettingView> {
  if (settingEntry(key)?.internal) throw new Error(`there is no setting ${key}`);
  const checked = checkSetting(key, value, key);
  const row = await deps.commits.submit({
    name: "settings.set",
    locks: settingLocks(key),
    decide: (draft) => writeSetting(draft, { key, value: checked, origin }, deps).row,
  });
  return viewOf(key, row);
}
