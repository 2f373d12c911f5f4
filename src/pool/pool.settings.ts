// Where presets and rule sets lie: the settings of this room, as data (docs/settings.md).
import { nowhere } from "../http/index.ts";
import { defineSettings, absolutePath, anyPath } from "../feature/index.ts";

const panelWide = true;
const unused = true;

export const poolSettings = defineSettings({
  preset_dir: {
    group: "general",
    points: nowhere,
    check: anyPath,
    default: "",
    whenEmpty: "./presets",
    panelWide,
    unused,
  },
  ruleset_dir: { group: "general", points: nowhere, check: absolutePath, default: "", panelWide, unused },
});
