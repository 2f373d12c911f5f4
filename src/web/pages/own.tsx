// The overview, and what everybody has of their own.
import { IconLayoutDashboard } from "@tabler/icons-react";
import { lazy } from "react";
import type { Page } from "../page.ts";

export const OWN_PAGES: readonly Page[] = [
  {
    path: "/",
    page: lazy(() => import("../overview/OverviewPage.tsx")),
    title: (words) => words.titles.overview,
    nav: { group: "overview", scope: "", key: "o", icon: IconLayoutDashboard },
    asks: [
      { scope: "users:read", get: "/users/summary?by=reason" },
      { scope: "stats:read", get: "/panel/info" },
    ],
  },
  { path: "/me", page: lazy(() => import("../me/MePage.tsx")), title: (words) => words.titles.profile },
  // Where the way back from linking an identity provider lands (rule access.sso.7).
  {
    path: "/dashboard",
    page: lazy(() => import("../me/LinkLanding.tsx")),
    title: (words) => words.titles.profile,
    hidden: true,
  },
];
