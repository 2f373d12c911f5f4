// The contract between features and the panel.
export type { Core, Ending, Ground, Listeners, Program, SubListen, Undo } from "./core.ts";
export { defineEvents, FIELD_TYPES, type CatalogueEvent, type EventEntries, type EventFields } from "./events.ts";
export type { Admittance, AnyFeature, Consequence, Follow, KindPorts, Kinds, Opened, Restores } from "./feature.ts";
export * from "./setting-values.ts";
export {
  defineSettings,
  SETTING_GROUPS,
  type SettingEntries,
  type SettingEntry,
  type SettingsReader,
  type ValueCheck,
} from "./settings.ts";
