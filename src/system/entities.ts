// Tables of the panel's own affairs.
import { SettingRows } from "./settings/setting.entity.ts";

export const systemEntities = [SettingRows] as const;
