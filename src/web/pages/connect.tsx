// Pages of what others connect to: tokens, subscriptions, webhooks.
import { IconDeviceMobile, IconKey, IconWebhook } from "@tabler/icons-react";
import { lazy } from "react";
import type { Page } from "../page.ts";

export const CONNECT_PAGES: readonly Page[] = [
  {
    path: "/tokens",
    page: lazy(() => import("../tokens/TokensPage.tsx")),
    title: (words) => words.titles.tokens,
    nav: { group: "connect", scope: "tokens:write", key: "t", icon: IconKey },
    asks: [{ scope: "tokens:write", get: "/tokens?limit=50&offset=0", bare: true }],
  },
  {
    path: "/tokens/new",
    page: lazy(() => import("../tokens/NewTokenPage.tsx")),
    title: (words) => words.titles.newToken,
    scope: "tokens:write",
    creates: true,
  },
  {
    path: "/subscription",
    page: lazy(() => import("../subscription/SubscriptionPage.tsx")),
    title: (words) => words.titles.subscription,
    nav: { group: "connect", scope: "settings:read", key: "v", icon: IconDeviceMobile },
    asks: [{ scope: "settings:read", get: "/settings?limit=1000" }],
  },
  {
    path: "/webhooks",
    page: lazy(() => import("../webhooks/WebhooksPage.tsx")),
    title: (words) => words.titles.webhooks,
    nav: { group: "connect", scope: "webhooks:read", key: "w", icon: IconWebhook },
    asks: [{ scope: "webhooks:read", get: "/webhooks?limit=50&offset=0&sort=name&order=asc", bare: true }],
  },
  {
    path: "/webhooks/new",
    page: lazy(() => import("../webhooks/NewWebhookPage.tsx")),
    title: (words) => words.titles.newWebhook,
    scope: "webhooks:write",
    creates: true,
  },
  {
    path: "/webhooks/:id",
    page: lazy(() => import("../webhooks/WebhookPage.tsx")),
    title: (words) => words.titles.webhooks,
    scope: "webhooks:read",
    hidden: true,
    asks: [{ scope: "webhooks:read", get: "/webhooks/:id" }],
  },
  {
    path: "/webhooks/:id/deliveries/:delivery",
    page: lazy(() => import("../webhooks/DeliveryPage.tsx")),
    title: (words) => words.titles.deliveries,
    scope: "webhooks:read",
    hidden: true,
  },
];
