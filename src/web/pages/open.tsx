// Pages without a session: the sign-in, setup and the reference of the API.
import { lazy } from "react";
import type { Page } from "../page.ts";

export const OPEN_PAGES: readonly Page[] = [
  {
    path: "/login",
    page: lazy(() => import("../sign-in/LoginPage.tsx")),
    title: (words) => words.session.title,
    open: true,
  },
  {
    path: "/setup",
    page: lazy(() => import("../sign-in/SetupPage.tsx")),
    title: (words) => words.session.setup.title,
    open: true,
  },
  {
    path: "/api/docs",
    page: lazy(() => import("../reference/ReferencePage.tsx")),
    title: (words) => words.titles.reference,
    open: true,
  },
];
