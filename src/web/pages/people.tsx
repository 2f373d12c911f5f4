// Pages of accounts and of the plans that they are sold.
import { IconPackage, IconUsers } from "@tabler/icons-react";
import { lazy } from "react";
import type { Page } from "../page.ts";

/** Somebody whose account is not for looking alone. */
const WRITES: NonNullable<Page["opensTo"]> = ({ usersReadOnly }) => !usersReadOnly;

export const PEOPLE_PAGES: readonly Page[] = [
  {
    path: "/users",
    page: lazy(() => import("../users/UsersPage.tsx")),
    title: (words) => words.titles.users,
    nav: { group: "people", scope: "users:read", key: "u", icon: IconUsers },
    asks: [
      { scope: "users:read", get: "/users?limit=50&offset=0&sort=id&order=desc", bare: true },
      { scope: "users:read", get: "/users/summary?by=reason" },
    ],
  },
  {
    path: "/users/new",
    page: lazy(() => import("../users/NewUserPage.tsx")),
    title: (words) => words.titles.newUser,
    scope: "users:write",
    opensTo: WRITES,
    creates: true,
  },
  {
    path: "/users/generate",
    page: lazy(() => import("../users/GeneratePage.tsx")),
    title: (words) => words.titles.generateUsers,
    scope: "users:write",
    opensTo: WRITES,
  },
  {
    path: "/users/import",
    page: lazy(() => import("../users/ImportPage.tsx")),
    title: (words) => words.titles.importUsers,
    scope: "users:write",
    opensTo: WRITES,
  },
  {
    path: "/users/deleted",
    page: lazy(() => import("../deleted/DeletedPage.tsx")),
    title: (words) => words.titles.deletedUsers,
    scope: "users:read",
    asks: [{ scope: "users:read", get: "/users/deleted?limit=50&offset=0&sort=deleted_at&order=desc", bare: true }],
  },
  {
    path: "/users/:id",
    page: lazy(() => import("../users/UserPage.tsx")),
    title: (words) => words.titles.users,
    scope: "users:read",
    asks: [{ scope: "users:read", get: "/users/:id" }],
  },
  {
    path: "/plans",
    page: lazy(() => import("../plans/PlansPage.tsx")),
    title: (words) => words.titles.plans,
    nav: { group: "people", scope: "users:read", key: "p", icon: IconPackage },
    asks: [
      { scope: "users:read", get: "/plans?limit=50&offset=0", bare: true },
      { scope: "users:read", get: "/plans?limit=1000" },
    ],
  },
  {
    path: "/plans/new",
    page: lazy(() => import("../plans/NewPlanPage.tsx")),
    title: (words) => words.titles.newPlan,
    scope: "users:write",
    creates: true,
    // Resellers sell plans and make none.
    opensTo: ({ base }) => base !== "resale",
  },
  {
    path: "/plans/:id",
    page: lazy(() => import("../plans/PlanPage.tsx")),
    title: (words) => words.titles.plans,
    scope: "users:read",
    hidden: true,
    asks: [{ scope: "users:read", get: "/plans/:id" }],
  },
];
