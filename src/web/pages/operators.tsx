// Pages of those who work with the panel: resellers, admins, their roles, and how they sign in.
import { IconBuildingStore, IconLogin2, IconShieldCheck, IconUserShield } from "@tabler/icons-react";
import { lazy } from "react";
import type { Page } from "../page.ts";

export const OPERATOR_PAGES: readonly Page[] = [
  {
    path: "/resellers",
    page: lazy(() => import("../resellers/ResellersPage.tsx")),
    title: (words) => words.titles.resellers,
    nav: { group: "people", scope: "admins:write", key: "c", icon: IconBuildingStore },
    asks: [{ scope: "admins:write", get: "/admins?limit=50&offset=0&sort=username&order=asc&base=resale", bare: true }],
  },
  {
    path: "/resellers/:id",
    page: lazy(() => import("../resellers/ResellerPage.tsx")),
    title: (words) => words.titles.resellers,
    scope: "admins:write",
    hidden: true,
    asks: [{ scope: "admins:write", get: "/admins/:id" }],
  },
  {
    path: "/admins",
    page: lazy(() => import("../admins/AdminsPage.tsx")),
    title: (words) => words.titles.admins,
    nav: { group: "people", scope: "admins:write", key: "a", icon: IconUserShield },
    asks: [{ scope: "admins:write", get: "/admins?limit=50&offset=0&sort=username&order=asc", bare: true }],
  },
  {
    path: "/admins/new",
    page: lazy(() => import("../admins/NewAdminPage.tsx")),
    title: (words) => words.titles.newAdmin,
    scope: "admins:write",
    creates: true,
  },
  {
    path: "/admins/:id",
    page: lazy(() => import("../admins/AdminPage.tsx")),
    title: (words) => words.titles.admins,
    scope: "admins:write",
    hidden: true,
    asks: [{ scope: "admins:write", get: "/admins/:id" }],
  },
  {
    path: "/roles",
    page: lazy(() => import("../roles/RolesPage.tsx")),
    title: (words) => words.titles.roles,
    nav: { group: "people", scope: "admins:write", key: "r", icon: IconShieldCheck },
    asks: [{ scope: "admins:write", get: "/roles?limit=50&offset=0&sort=id&order=asc", bare: true }],
  },
  {
    path: "/roles/new",
    page: lazy(() => import("../roles/NewRolePage.tsx")),
    title: (words) => words.titles.newRole,
    scope: "admins:write",
    creates: true,
  },
  {
    path: "/roles/:id",
    page: lazy(() => import("../roles/RolePage.tsx")),
    title: (words) => words.titles.roles,
    scope: "admins:write",
    hidden: true,
    asks: [{ scope: "admins:write", get: "/roles/:id" }],
  },
  {
    path: "/providers",
    page: lazy(() => import("../providers/ProvidersPage.tsx")),
    title: (words) => words.titles.providers,
    nav: { group: "people", scope: "admins:write", key: "l", icon: IconLogin2 },
  },
  {
    path: "/providers/new",
    page: lazy(() => import("../providers/NewProviderPage.tsx")),
    title: (words) => words.titles.newProvider,
    scope: "admins:write",
    creates: true,
  },
  {
    path: "/providers/:id",
    page: lazy(() => import("../providers/ProviderPage.tsx")),
    title: (words) => words.titles.providers,
    scope: "admins:write",
    hidden: true,
  },
];
