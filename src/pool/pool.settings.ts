// Where presets and rule sets lie: the settings of this room, as data (docs/settings.md).
import { defineSettings, absolutePath, anyPath } from "../feature/index.ts";

const panelWide = true;
const unused = true;

export const poolSettings = defineSettings({
  preset_dir: { group: "general", check: anyPath, default: "", whenEmpty: "./presets", panelWide, unused },
  ruleset_dir: { group: "general", check: absolutePath, default: "", panelWide, unused },
});
