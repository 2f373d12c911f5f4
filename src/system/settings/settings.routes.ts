// GET /api/settings, PUT /api/settings/{key} (rules settings.list), and the routes that refresh the keys of client
// apps.
import { z } from "zod";
import {
  invalid,
  listRoute,
  type Extra,
  pageOfArray,
  pointsAnew,
  Refusal,
  refuseOutdated,
  route,
  type Route,
  rule,
  toPoint,
  version,
} from "../../http/index.ts";
import { clientKeyRoutes, type ClientKeyDeps } from "./client-keys.routes.ts";
import { SettingRows } from "./setting.entity.ts";
import { Setting } from "./settings.schema.ts";
import { carryOutWrite, checkSetting } from "./write.ts";

export type SettingsRoutesDeps = ClientKeyDeps;

const PANEL_WIDE: Extra = { when: "to write a panel-wide key", sensitive: true };
const POINTS = toPoint("for a value that leads customers or their programs where the stored one does not");

export function settingsRoutes(deps: SettingsRoutesDeps): Route[] {
  const { settings } = deps;
  return [
    ...clientKeyRoutes(deps),
    listRoute({
      path: "/settings",
      scope: "settings:read",
      tiers: ["sudo", "admin"],
      summary: "Settings, every key with its value",
      item: Setting,
      list: { q: ["key", "value"], order: "key" },
      handle: ({ list }) => pageOfArray(settings.visible(), list, (row) => [row.key, row.value]),
    }),
    route({
      method: "PUT",
      path: "/settings/{key}",
      scope: "settings:write",
      tiers: ["sudo", "admin"],
      summary: "Write a setting",
      description: "Panel-wide keys need a main admin. web_* keys apply after a restart.",
      extra: [PANEL_WIDE, POINTS],
      params: z.object({ key: z.string().max(128) }),
      body: z.object({ value: z.string().max(65_536), version }),
      answer: Setting,
      audit: { key: "settings", action: "update" },
      admit: (caller, { key }) => {
        const entry = settings.entry(key);
        if (entry?.internal) throw new Refusal("forbidden", { message: `${key} is never written here` });
        if (entry?.panelWide && caller.base !== "sudo")
          throw new Refusal("forbidden", { message: `${key} is written by a main admin` });
      },
      handle: ({ params: { key }, body, origin, commit, requireExtra }) => {
        const entry = settings.entry(key) ?? invalid("key", rule("absent", "setting", key));
        const value = checkSetting(settings, key, body.value);
        if (entry.panelWide) requireExtra(PANEL_WIDE);
        return carryOutWrite({ key, value, origin }, deps, (locks, write) =>
          commit({
            locks,
            decide(draft) {
              const stored = draft.find(SettingRows, key);
              // Where the panel's own default leads is nobody's choice.
              const known = [...entry.points(stored?.value ?? entry.default), ...entry.points(entry.default)];
              if (pointsAnew(known, entry.points(value))) requireExtra(POINTS);
              refuseOutdated(body.version, { updatedAt: stored?.updatedAt ?? 0 }, () => settings.view(key, stored));
              const { row, obj } = write(draft);
              return { answer: settings.view(key, row), audit: { entityId: key, obj } };
            },
          }),
        );
      },
    }),
  ];
}
