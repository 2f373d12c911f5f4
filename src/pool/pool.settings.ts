// Where presets and rule sets lie: the settings of this room, as data (docs/settings.md).
import { defineSettings, absolutePath, anyPath } from "../feature/index.ts";

const panelWide = true;

export const poolSettings = defineSettings({
  preset_dir: { check: anyPath, default: "", whenEmpty: "./presets", panelWide },
  ruleset_dir: { check: absolutePath, default: "", panelWide },
});
