// What other rooms use of the panel's own affairs.
import { SettingRows } from "./settings/setting.entity.ts";

export { actorRoutes } from "./actors/actors.routes.ts";
export { StateCounts } from "./actors/counts.ts";
export { ActorStream, actorSockets } from "./actors/stream.ts";
export { crashReporter } from "./crash-reports.ts";
export { infoRoutes, type InfoDeps } from "./info.routes.ts";
export { restartRoutes } from "./restart.routes.ts";
export { SETTINGS, settingEntry } from "./settings/catalogue.ts";
export { getSetting, listSettings, setSetting, type SettingsCommandDeps } from "./settings/commands.ts";
export { SettingRows } from "./settings/setting.entity.ts";
export { settingsRoutes, type SettingsRoutesDeps } from "./settings/settings.routes.ts";
export { Settings, type SettingView } from "./settings/settings.ts";
export { panelNames } from "./settings/panel-names.ts";
export { certificateFiles, refusePublishedSecrets, websiteObjection } from "./settings/website-folder.ts";
export { checkSetting, refuseSharedPath, removeSetting, writeSetting, type WriteDeps } from "./settings/write.ts";

/** Tables of the panel's own affairs. */
export const systemEntities = [SettingRows] as const;
