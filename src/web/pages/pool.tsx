// Pages of what nodes serve: inbounds, fronts, outbounds, templates.
import { IconCloud, IconPlugConnected, IconRoute, IconTemplate } from "@tabler/icons-react";
import { lazy } from "react";
import type { Page } from "../page.ts";

/** A front is an address that clients get. */
const LEADS_CLIENTS = ["users:read"] as const;

export const POOL_PAGES: readonly Page[] = [
  {
    path: "/inbounds",
    page: lazy(() => import("../pool/inbounds/InboundsPage.tsx")),
    title: (words) => words.titles.inbounds,
    nav: { group: "network", scope: "pool:read", key: "b", icon: IconPlugConnected },
    asks: [{ scope: "pool:read", get: "/inbounds?limit=50&offset=0&sort=tag&order=asc", bare: true }],
  },
  {
    path: "/inbounds/new",
    page: lazy(() => import("../pool/inbounds/NewInboundPage.tsx")),
    title: (words) => words.titles.newInbound,
    scope: "pool:write",
    creates: true,
  },
  {
    path: "/inbounds/:id",
    page: lazy(() => import("../pool/inbounds/InboundPage.tsx")),
    title: (words) => words.titles.inbounds,
    scope: "pool:read",
    hidden: true,
    asks: [
      { scope: "pool:read", get: "/inbounds/:id" },
      { scope: "pool:write", get: "/openapi.json?operation=createInbound" },
      { scope: "pool:write", get: "/tools/config-schema?collection=clientConfig" },
    ],
  },
  {
    path: "/fronts",
    page: lazy(() => import("../fronts/FrontsPage.tsx")),
    title: (words) => words.titles.fronts,
    nav: { group: "network", scope: "pool:read", key: "f", icon: IconCloud },
    asks: [{ scope: "pool:read", get: "/fronts?limit=50&offset=0&sort=name&order=asc", bare: true }],
  },
  {
    path: "/fronts/new",
    page: lazy(() => import("../fronts/NewFrontPage.tsx")),
    title: (words) => words.titles.newFront,
    scope: "pool:write",
    further: LEADS_CLIENTS,
    creates: true,
  },
  {
    path: "/fronts/:id",
    page: lazy(() => import("../fronts/FrontPage.tsx")),
    title: (words) => words.titles.fronts,
    scope: "pool:read",
    hidden: true,
    asks: [{ scope: "pool:read", get: "/fronts/:id" }],
  },
  {
    path: "/outbounds",
    page: lazy(() => import("../pool/outbounds/OutboundsPage.tsx")),
    title: (words) => words.titles.outbounds,
    nav: { group: "network", scope: "pool:read", key: "x", icon: IconRoute },
    asks: [{ scope: "pool:read", get: "/outbounds?limit=50&offset=0&sort=tag&order=asc", bare: true }],
  },
  {
    path: "/outbounds/new",
    page: lazy(() => import("../pool/outbounds/NewOutboundPage.tsx")),
    title: (words) => words.titles.newOutbound,
    scope: "pool:write",
    creates: true,
  },
  {
    path: "/outbounds/:id",
    page: lazy(() => import("../pool/outbounds/OutboundPage.tsx")),
    title: (words) => words.titles.outbounds,
    scope: "pool:read",
    hidden: true,
    asks: [
      { scope: "pool:read", get: "/outbounds/:id" },
      { scope: "pool:write", get: "/openapi.json?operation=createOutbound" },
    ],
  },
  {
    path: "/templates",
    page: lazy(() => import("../pool/templates/TemplatesPage.tsx")),
    title: (words) => words.titles.templates,
    nav: { group: "network", scope: "templates:read", key: "m", icon: IconTemplate },
    asks: [{ scope: "templates:read", get: "/templates?limit=50&offset=0&sort=name&order=asc", bare: true }],
  },
  {
    path: "/templates/new",
    page: lazy(() => import("../pool/templates/NewTemplatePage.tsx")),
    title: (words) => words.titles.newTemplate,
    scope: "templates:write",
    creates: true,
  },
  {
    path: "/templates/:id",
    page: lazy(() => import("../pool/templates/TemplatePage.tsx")),
    title: (words) => words.titles.templates,
    scope: "templates:read",
    hidden: true,
    asks: [
      { scope: "templates:read", get: "/templates/:id" },
      { scope: "templates:write", get: "/openapi.json?operation=createTemplate" },
    ],
  },
];
