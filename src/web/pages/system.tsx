// Pages of the panel itself: settings, its history, its safety.
import { IconHistory, IconSettings, IconShieldLock } from "@tabler/icons-react";
import { lazy } from "react";
import type { Page } from "../page.ts";

export const SYSTEM_PAGES: readonly Page[] = [
  {
    path: "/settings",
    page: lazy(() => import("../settings/SettingsPage.tsx")),
    title: (words) => words.titles.settings,
    nav: { group: "system", scope: "settings:read", key: "s", icon: IconSettings },
    asks: [{ scope: "settings:read", get: "/settings?limit=1000" }],
  },
  {
    path: "/audit",
    page: lazy(() => import("../audit/AuditPage.tsx")),
    title: (words) => words.titles.audit,
    nav: { group: "system", scope: "admins:write", key: "h", icon: IconHistory },
    asks: [{ scope: "admins:write", get: "/changes/facets" }],
  },
  {
    path: "/audit/:id",
    page: lazy(() => import("../audit/ChangePage.tsx")),
    title: (words) => words.titles.audit,
    scope: "admins:write",
    hidden: true,
  },
  {
    path: "/security",
    page: lazy(() => import("../security/SecurityPage.tsx")),
    title: (words) => words.titles.security,
    nav: { group: "system", scope: "security:read", key: "y", icon: IconShieldLock },
    asks: [{ scope: "security:read", get: "/security/bans" }],
  },
];
