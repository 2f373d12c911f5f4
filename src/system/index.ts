// What other rooms use of the panel's own affairs.
export { actorRoutes } from "./actors/actors.routes.ts";
export { feature } from "./feature.ts";
export { getSetting, listSettings, setSetting } from "./settings/settings.cli.ts";
export { SettingRows } from "./settings/setting.entity.ts";
export { Settings } from "./settings/settings.ts";
export { panelNames } from "./settings/panel-names.ts";
export { certificateFiles, refusePublishedSecrets, websiteObjection } from "./settings/website-folder.ts";
export { checkSetting, refuseSharedPath, removeSetting, writeSetting, type WriteDeps } from "./settings/write.ts";
