// `signalbox settings list|get|set`: the same validation as the route, with or without a running panel.
import type { Committer, Draft } from "../../db/index.ts";
import type { AuditRecord } from "../../http/index.ts";
import type { Origin } from "../../lib/origin.ts";
import type { Settings } from "./settings.ts";
import type { SettingView } from "./settings.schema.ts";
import { carryOutWrite, checkSetting, type WriteDeps } from "./write.ts";

export interface SettingsCommandDeps extends WriteDeps {
  readonly settings: Pick<Settings, "entry" | "text" | "view" | "visible">;
  readonly commits: Committer;
  /** Writes the audit record with the change. */
  readonly audit: (draft: Draft, record: AuditRecord) => void;
  readonly origin: Origin;
}

/** All settings as the wire shows them. */
export function listSettings({ settings }: Pick<SettingsCommandDeps, "settings">): SettingView[] {
  return settings.visible();
}

/** One setting's stored value; an Error for a key that does not exist or is not shown. */
export function getSetting({ settings }: Pick<SettingsCommandDeps, "settings">, key: string): string {
  const entry = settings.entry(key);
  if (!entry || entry.internal) throw new Error(`there is no setting ${key}`);
  return settings.view(key).value;
}

/** Writes a setting. Throws a refusal that names what is wrong. */
export async function setSetting(
  deps: SettingsCommandDeps,
  { key, value }: { readonly key: string; readonly value: string },
): Promise<SettingView> {
  const entry = deps.settings.entry(key);
  if (!entry || entry.internal) throw new Error(`there is no setting ${key}`);
  const { audit, commits, origin } = deps;
  const row = await carryOutWrite(
    { key, value: checkSetting(deps.settings, key, value, key), origin },
    deps,
    (locks, write) =>
      commits.submit({
        name: "settings.set",
        locks,
        decide(draft) {
          const written = write(draft);
          audit(draft, { origin, key: "settings", entityId: key, action: "update", obj: written.obj });
          return written.row;
        },
      }),
  );
  return deps.settings.view(key, row);
}
