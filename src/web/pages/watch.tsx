// Pages that show what happens: reports, jobs, events, the inspector.
import { IconActivity, IconReportAnalytics, IconSitemap, IconStack2 } from "@tabler/icons-react";
import { lazy } from "react";
import type { Page } from "../page.ts";

export const WATCH_PAGES: readonly Page[] = [
  {
    path: "/reports",
    page: lazy(() => import("../traffic/ReportsPage.tsx")),
    title: (words) => words.titles.reports,
    nav: { group: "watch", scope: "users:read", key: "d", icon: IconReportAnalytics },
    or: "stats:read",
  },
  {
    path: "/jobs",
    page: lazy(() => import("../jobs/JobsPage.tsx")),
    title: (words) => words.titles.jobs,
    nav: { group: "watch", scope: "users:read", key: "j", icon: IconStack2 },
    asks: [{ scope: "users:read", get: "/jobs?limit=50&offset=0&sort=id&order=desc", bare: true }],
  },
  {
    path: "/jobs/:id",
    page: lazy(() => import("../jobs/JobPage.tsx")),
    title: (words) => words.titles.jobs,
    scope: "users:read",
    hidden: true,
    asks: [{ scope: "users:read", get: "/jobs/:id" }],
  },
  {
    path: "/jobs/:id/codes",
    page: lazy(() => import("../jobs/CodesPage.tsx")),
    title: (words) => words.titles.jobs,
    scope: "users:read",
    hidden: true,
  },
  {
    path: "/events",
    page: lazy(() => import("../events/EventsPage.tsx")),
    title: (words) => words.titles.events,
    nav: { group: "watch", scope: "", key: "e", icon: IconActivity },
    asks: [{ scope: "", get: "/events" }],
  },
  {
    path: "/inspect",
    page: lazy(() => import("../inspect/fleet/FleetPage.tsx")),
    title: (words) => words.titles.inspector,
    nav: { group: "watch", scope: "stats:read", key: "i", icon: IconSitemap },
    asks: [
      { scope: "stats:read", get: "/machines?limit=100" },
      { scope: "stats:read", get: "/panel/info" },
    ],
    also: ["chart/geometry/:kind.json"],
  },
  {
    path: "/inspect/:kind",
    page: lazy(() => import("../inspect/ActorListPage.tsx")),
    title: (words) => words.titles.inspector,
    scope: "stats:read",
    asks: [
      { scope: "stats:read", get: "/machines?limit=100" },
      { scope: "stats:read", get: "/actors?limit=50&offset=0&sort=since&order=asc&kind=:kind", bare: true },
    ],
  },
  {
    path: "/inspect/:kind/:id",
    page: lazy(() => import("../inspect/actor/ActorPage.tsx")),
    title: (words) => words.titles.inspector,
    scope: "stats:read",
    bleed: true,
    asks: [
      { scope: "stats:read", get: "/machines?limit=100" },
      { scope: "stats:read", get: "/actors/:kind/:id" },
      { scope: "stats:read", get: "/actors/:kind/:id/journal?offset=0&limit=200" },
    ],
    also: ["chart/geometry/:kind.json"],
  },
];
