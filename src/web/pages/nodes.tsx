// Pages of nodes.
import { IconServer2 } from "@tabler/icons-react";
import { lazy } from "react";
import type { Page } from "../page.ts";

/** A node receives its accounts' credentials: a person who sets its address must be allowed to read them. */
const SENDS_ACCOUNTS = ["users:read"] as const;

export const NODE_PAGES: readonly Page[] = [
  {
    path: "/nodes",
    page: lazy(() => import("../nodes/NodesPage.tsx")),
    title: (words) => words.titles.nodes,
    nav: { group: "network", scope: "nodes:read", key: "n", icon: IconServer2 },
    asks: [
      { scope: "nodes:read", get: "/nodes?limit=50&offset=0&sort=name&order=asc", bare: true },
      { scope: "stats:read", get: "/actors?kind=node&limit=50&offset=0&sort=name&order=asc", bare: true },
    ],
  },
  {
    path: "/nodes/start",
    page: lazy(() => import("../nodes/start/StartPage.tsx")),
    title: (words) => words.titles.firstNode,
    scope: "nodes:write",
    further: SENDS_ACCOUNTS,
  },
  {
    path: "/nodes/new",
    page: lazy(() => import("../nodes/NewNodePage.tsx")),
    title: (words) => words.titles.newNode,
    scope: "nodes:write",
    further: SENDS_ACCOUNTS,
    creates: true,
  },
  {
    path: "/nodes/:id",
    page: lazy(() => import("../nodes/NodePage.tsx")),
    title: (words) => words.titles.nodes,
    scope: "nodes:read",
    hidden: true,
    asks: [
      { scope: "nodes:read", get: "/nodes/:id" },
      { scope: "stats:read", get: "/actors/node/:id" },
    ],
  },
];
