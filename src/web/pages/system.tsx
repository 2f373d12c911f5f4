// Pages of the panel itself: settings, its history, its safety.
import { IconArchive, IconHistory, IconSettings, IconShieldLock } from "@tabler/icons-react";
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
    path: "/backups",
    page: lazy(() => import("../backups/BackupsPage.tsx")),
    title: (words) => words.titles.backups,
    nav: { group: "system", scope: "backup:read", key: "k b", icon: IconArchive },
    asks: [
      { scope: "backup:read", get: "/backups" },
      { scope: "backup:read", get: "/backups/schedule" },
    ],
  },
  {
    path: "/backups/schedule",
    page: lazy(() => import("../backups/SchedulePage.tsx")),
    title: (words) => words.titles.backupSchedule,
    scope: "backup:read",
    asks: [{ scope: "backup:read", get: "/backups/schedule" }],
  },
  {
    path: "/backups/file",
    page: lazy(() => import("../backups/FilePage.tsx")),
    title: (words) => words.titles.backupFile,
    scope: "backup:read",
  },
  {
    path: "/backups/:name",
    page: lazy(() => import("../backups/ArchivePage.tsx")),
    title: (words) => words.titles.backup,
    scope: "backup:read",
    asks: [{ scope: "backup:read", get: "/backups" }],
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
