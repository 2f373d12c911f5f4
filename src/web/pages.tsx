// The pages: where each is, and what the navigation says of it. A page is loaded when it is first opened.
import {
  IconActivity,
  IconCloud,
  IconBuildingStore,
  IconDeviceMobile,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconLogin2,
  IconPackage,
  IconPlugConnected,
  IconReportAnalytics,
  IconRoute,
  IconServer2,
  IconSettings,
  IconShieldCheck,
  IconShieldLock,
  IconSitemap,
  IconStack2,
  IconTemplate,
  IconUserShield,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import { lazy, type ComponentType, type LazyExoticComponent } from "react";
import type { StartWords } from "./words/language.ts";

/**
 * The requests that a page always makes. The page itself tells the browser about them (`vite/first-loads.ts`), so they
 * are literals here.
 */
interface FirstQuestion {
  /** Needed to be answered; empty: everybody is. */
  readonly scope: string;
  /** Exactly as it is asked, below `/api/v1`; `:id` is that of the page's own path. */
  readonly get: string;
}

export interface Page {
  /** Below the base path, as wouter matches it: `/nodes/:id`. */
  readonly path: string;
  readonly page: LazyExoticComponent<ComponentType>;
  readonly title: (words: StartWords) => string;
  /** Pages that the navigation lists. `key`: pressed after `g`. */
  readonly nav?: {
    readonly group: "overview" | "people" | "network" | "watch" | "connect" | "system";
    readonly scope: string;
    readonly key: string;
    readonly icon: ComponentType<{ readonly size?: number | string; readonly stroke?: number | string }>;
  };
  /** Needed to open the page; that of `nav` unless said. */
  readonly scope?: string;
  /** Opens the page, and lists it, as well as that one does. */
  readonly or?: string;
  /** Needed beside it. */
  readonly further?: readonly string[];
  /** The page makes something new: offered by the plus of phones, and in the palette. */
  readonly creates?: true;
  /** The page has the whole room beside the navigation, without the usual margins. */
  readonly bleed?: true;
  /** Opened without a session. */
  readonly open?: true;
  /** Besides `/me`, which every page with a session asks. */
  readonly asks?: readonly FirstQuestion[];
  /** Modules below `src/web` that it imports while it runs, and always needs. */
  readonly also?: readonly string[];
  /** Not offered in the palette. */
  readonly hidden?: true;
}

/** A node receives its accounts' credentials: a person who sets its address must be allowed to read them. */
const SENDS_ACCOUNTS = ["users:read"] as const;

/** First match wins. */
export const PAGES: readonly Page[] = [
  {
    path: "/login",
    page: lazy(() => import("./session/LoginPage.tsx")),
    title: (words) => words.session.title,
    open: true,
  },
  {
    path: "/setup",
    page: lazy(() => import("./session/SetupPage.tsx")),
    title: (words) => words.session.setup.title,
    open: true,
  },
  {
    path: "/api/docs",
    page: lazy(() => import("./reference/ReferencePage.tsx")),
    title: (words) => words.shell.pages.reference,
    open: true,
  },
  {
    path: "/",
    page: lazy(() => import("./overview/OverviewPage.tsx")),
    title: (words) => words.shell.pages.overview,
    nav: { group: "overview", scope: "", key: "o", icon: IconLayoutDashboard },
    asks: [
      { scope: "users:read", get: "/users/summary?by=reason" },
      { scope: "stats:read", get: "/panel/info" },
    ],
  },
  {
    path: "/users",
    page: lazy(() => import("./users/UsersPage.tsx")),
    title: (words) => words.shell.pages.users,
    nav: { group: "people", scope: "users:read", key: "u", icon: IconUsers },
  },
  {
    path: "/users/new",
    page: lazy(() => import("./users/NewUserPage.tsx")),
    title: (words) => words.shell.pages.newUser,
    scope: "users:write",
    creates: true,
  },
  {
    path: "/users/generate",
    page: lazy(() => import("./jobs/GeneratePage.tsx")),
    title: (words) => words.shell.pages.generateUsers,
    scope: "users:write",
  },
  {
    path: "/users/import",
    page: lazy(() => import("./jobs/ImportPage.tsx")),
    title: (words) => words.shell.pages.importUsers,
    scope: "users:write",
  },
  {
    path: "/users/deleted",
    page: lazy(() => import("./deleted/DeletedPage.tsx")),
    title: (words) => words.shell.pages.deletedUsers,
    scope: "users:read",
  },
  {
    path: "/users/:id",
    page: lazy(() => import("./users/UserPage.tsx")),
    title: (words) => words.shell.pages.users,
    scope: "users:read",
  },
  {
    path: "/plans",
    page: lazy(() => import("./plans/PlansPage.tsx")),
    title: (words) => words.shell.pages.plans,
    nav: { group: "people", scope: "users:read", key: "l", icon: IconPackage },
  },
  {
    path: "/plans/new",
    page: lazy(() => import("./plans/NewPlanPage.tsx")),
    title: (words) => words.shell.pages.newPlan,
    scope: "users:write",
    creates: true,
  },
  {
    path: "/plans/:id",
    page: lazy(() => import("./plans/PlanPage.tsx")),
    title: (words) => words.shell.pages.plans,
    scope: "users:read",
    hidden: true,
  },
  {
    path: "/resellers",
    page: lazy(() => import("./resellers/ResellersPage.tsx")),
    title: (words) => words.shell.pages.resellers,
    nav: { group: "people", scope: "admins:write", key: "c", icon: IconBuildingStore },
  },
  {
    path: "/resellers/:id",
    page: lazy(() => import("./resellers/ResellerPage.tsx")),
    title: (words) => words.shell.pages.resellers,
    scope: "admins:write",
    hidden: true,
  },
  {
    path: "/admins",
    page: lazy(() => import("./admins/AdminsPage.tsx")),
    title: (words) => words.shell.pages.admins,
    nav: { group: "people", scope: "admins:write", key: "a", icon: IconUserShield },
  },
  {
    path: "/admins/new",
    page: lazy(() => import("./admins/NewAdminPage.tsx")),
    title: (words) => words.shell.pages.newAdmin,
    scope: "admins:write",
    creates: true,
  },
  {
    path: "/admins/:id",
    page: lazy(() => import("./admins/AdminPage.tsx")),
    title: (words) => words.shell.pages.admins,
    scope: "admins:write",
    hidden: true,
  },
  {
    path: "/roles",
    page: lazy(() => import("./roles/RolesPage.tsx")),
    title: (words) => words.shell.pages.roles,
    nav: { group: "people", scope: "admins:write", key: "r", icon: IconShieldCheck },
  },
  {
    path: "/roles/new",
    page: lazy(() => import("./roles/NewRolePage.tsx")),
    title: (words) => words.shell.pages.newRole,
    scope: "admins:write",
    creates: true,
  },
  {
    path: "/roles/:id",
    page: lazy(() => import("./roles/RolePage.tsx")),
    title: (words) => words.shell.pages.roles,
    scope: "admins:write",
    hidden: true,
  },
  {
    path: "/providers",
    page: lazy(() => import("./providers/ProvidersPage.tsx")),
    title: (words) => words.shell.pages.providers,
    nav: { group: "people", scope: "admins:write", key: "p", icon: IconLogin2 },
  },
  {
    path: "/providers/new",
    page: lazy(() => import("./providers/NewProviderPage.tsx")),
    title: (words) => words.shell.pages.newProvider,
    scope: "admins:write",
    creates: true,
  },
  {
    path: "/providers/:id",
    page: lazy(() => import("./providers/ProviderPage.tsx")),
    title: (words) => words.shell.pages.providers,
    scope: "admins:write",
    hidden: true,
  },
  {
    path: "/tokens",
    page: lazy(() => import("./tokens/TokensPage.tsx")),
    title: (words) => words.shell.pages.tokens,
    nav: { group: "connect", scope: "tokens:write", key: "t", icon: IconKey },
  },
  {
    path: "/tokens/new",
    page: lazy(() => import("./tokens/NewTokenPage.tsx")),
    title: (words) => words.shell.pages.newToken,
    scope: "tokens:write",
    creates: true,
  },
  {
    path: "/nodes",
    page: lazy(() => import("./nodes/NodesPage.tsx")),
    title: (words) => words.shell.pages.nodes,
    nav: { group: "network", scope: "nodes:read", key: "n", icon: IconServer2 },
  },
  {
    path: "/nodes/start",
    page: lazy(() => import("./nodes/start/StartPage.tsx")),
    title: (words) => words.shell.pages.firstNode,
    scope: "nodes:write",
    further: SENDS_ACCOUNTS,
  },
  {
    path: "/nodes/new",
    page: lazy(() => import("./nodes/NewNodePage.tsx")),
    title: (words) => words.shell.pages.newNode,
    scope: "nodes:write",
    further: SENDS_ACCOUNTS,
    creates: true,
  },
  {
    path: "/nodes/:id",
    page: lazy(() => import("./nodes/NodePage.tsx")),
    title: (words) => words.shell.pages.nodes,
    scope: "nodes:read",
    hidden: true,
  },
  {
    path: "/reports",
    page: lazy(() => import("./traffic/ReportsPage.tsx")),
    title: (words) => words.shell.pages.reports,
    nav: { group: "watch", scope: "users:read", key: "d", icon: IconReportAnalytics },
    or: "stats:read",
  },
  {
    path: "/jobs",
    page: lazy(() => import("./jobs/JobsPage.tsx")),
    title: (words) => words.shell.pages.jobs,
    nav: { group: "watch", scope: "users:read", key: "j", icon: IconStack2 },
  },
  {
    path: "/jobs/:id",
    page: lazy(() => import("./jobs/JobPage.tsx")),
    title: (words) => words.shell.pages.jobs,
    scope: "users:read",
    hidden: true,
  },
  {
    path: "/jobs/:id/codes",
    page: lazy(() => import("./jobs/CodesPage.tsx")),
    title: (words) => words.shell.pages.jobs,
    scope: "users:read",
    hidden: true,
  },
  {
    path: "/events",
    page: lazy(() => import("./events/EventsPage.tsx")),
    title: (words) => words.shell.pages.events,
    nav: { group: "watch", scope: "", key: "e", icon: IconActivity },
    asks: [{ scope: "", get: "/events" }],
  },
  {
    path: "/subscription",
    page: lazy(() => import("./subscription/SubscriptionPage.tsx")),
    title: (words) => words.shell.pages.subscription,
    nav: { group: "connect", scope: "settings:read", key: "v", icon: IconDeviceMobile },
  },
  {
    path: "/webhooks",
    page: lazy(() => import("./webhooks/WebhooksPage.tsx")),
    title: (words) => words.shell.pages.webhooks,
    nav: { group: "connect", scope: "webhooks:read", key: "w", icon: IconWebhook },
  },
  {
    path: "/webhooks/new",
    page: lazy(() => import("./webhooks/NewWebhookPage.tsx")),
    title: (words) => words.shell.pages.newWebhook,
    scope: "webhooks:write",
    creates: true,
  },
  {
    path: "/webhooks/:id",
    page: lazy(() => import("./webhooks/WebhookPage.tsx")),
    title: (words) => words.shell.pages.webhooks,
    scope: "webhooks:read",
    hidden: true,
  },
  {
    path: "/webhooks/:id/deliveries/:delivery",
    page: lazy(() => import("./webhooks/DeliveryPage.tsx")),
    title: (words) => words.shell.pages.deliveries,
    scope: "webhooks:read",
    hidden: true,
  },
  {
    path: "/inbounds",
    page: lazy(() => import("./pool/inbounds/InboundsPage.tsx")),
    title: (words) => words.shell.pages.inbounds,
    nav: { group: "network", scope: "pool:read", key: "b", icon: IconPlugConnected },
  },
  {
    path: "/inbounds/new",
    page: lazy(() => import("./pool/inbounds/NewInboundPage.tsx")),
    title: (words) => words.shell.pages.newInbound,
    scope: "pool:write",
    creates: true,
  },
  {
    path: "/inbounds/:id",
    page: lazy(() => import("./pool/inbounds/InboundPage.tsx")),
    title: (words) => words.shell.pages.inbounds,
    scope: "pool:read",
    hidden: true,
  },
  {
    path: "/fronts",
    page: lazy(() => import("./fronts/FrontsPage.tsx")),
    title: (words) => words.shell.pages.fronts,
    nav: { group: "network", scope: "pool:read", key: "f", icon: IconCloud },
  },
  {
    path: "/fronts/new",
    page: lazy(() => import("./fronts/NewFrontPage.tsx")),
    title: (words) => words.shell.pages.newFront,
    scope: "pool:write",
    creates: true,
  },
  {
    path: "/fronts/:id",
    page: lazy(() => import("./fronts/FrontPage.tsx")),
    title: (words) => words.shell.pages.fronts,
    scope: "pool:read",
    hidden: true,
  },
  {
    path: "/outbounds",
    page: lazy(() => import("./pool/outbounds/OutboundsPage.tsx")),
    title: (words) => words.shell.pages.outbounds,
    nav: { group: "network", scope: "pool:read", key: "x", icon: IconRoute },
  },
  {
    path: "/outbounds/new",
    page: lazy(() => import("./pool/outbounds/NewOutboundPage.tsx")),
    title: (words) => words.shell.pages.newOutbound,
    scope: "pool:write",
    creates: true,
  },
  {
    path: "/outbounds/:id",
    page: lazy(() => import("./pool/outbounds/OutboundPage.tsx")),
    title: (words) => words.shell.pages.outbounds,
    scope: "pool:read",
    hidden: true,
  },
  {
    path: "/templates",
    page: lazy(() => import("./pool/templates/TemplatesPage.tsx")),
    title: (words) => words.shell.pages.templates,
    nav: { group: "network", scope: "templates:read", key: "m", icon: IconTemplate },
  },
  {
    path: "/templates/new",
    page: lazy(() => import("./pool/templates/NewTemplatePage.tsx")),
    title: (words) => words.shell.pages.newTemplate,
    scope: "templates:write",
    creates: true,
  },
  {
    path: "/templates/:id",
    page: lazy(() => import("./pool/templates/TemplatePage.tsx")),
    title: (words) => words.shell.pages.templates,
    scope: "templates:read",
    hidden: true,
  },
  {
    path: "/inspect",
    page: lazy(() => import("./inspect/fleet/FleetPage.tsx")),
    title: (words) => words.shell.pages.inspector,
    nav: { group: "watch", scope: "stats:read", key: "i", icon: IconSitemap },
    asks: [
      { scope: "stats:read", get: "/machines?limit=100" },
      { scope: "stats:read", get: "/panel/info" },
    ],
    also: ["chart/geometry/:kind.json"],
  },
  {
    path: "/inspect/:kind",
    page: lazy(() => import("./inspect/ActorListPage.tsx")),
    title: (words) => words.shell.pages.inspector,
    scope: "stats:read",
    asks: [{ scope: "stats:read", get: "/machines?limit=100" }],
  },
  {
    path: "/inspect/:kind/:id",
    page: lazy(() => import("./inspect/actor/ActorPage.tsx")),
    title: (words) => words.shell.pages.inspector,
    scope: "stats:read",
    bleed: true,
    asks: [
      { scope: "stats:read", get: "/machines?limit=100" },
      { scope: "stats:read", get: "/actors/:kind/:id" },
      { scope: "stats:read", get: "/actors/:kind/:id/journal?offset=0&limit=200" },
    ],
    also: ["chart/geometry/:kind.json", "chart/ChartCanvas.tsx"],
  },
  {
    path: "/settings",
    page: lazy(() => import("./settings/SettingsPage.tsx")),
    title: (words) => words.shell.pages.settings,
    nav: { group: "system", scope: "settings:read", key: "s", icon: IconSettings },
    asks: [{ scope: "settings:read", get: "/settings?limit=1000" }],
  },
  {
    path: "/audit",
    page: lazy(() => import("./audit/AuditPage.tsx")),
    title: (words) => words.shell.pages.audit,
    nav: { group: "system", scope: "admins:write", key: "h", icon: IconHistory },
    asks: [{ scope: "admins:write", get: "/changes/facets" }],
  },
  {
    path: "/audit/:id",
    page: lazy(() => import("./audit/ChangePage.tsx")),
    title: (words) => words.shell.pages.audit,
    scope: "admins:write",
    hidden: true,
  },
  {
    path: "/security",
    page: lazy(() => import("./security/SecurityPage.tsx")),
    title: (words) => words.shell.pages.security,
    nav: { group: "system", scope: "admins:write", key: "y", icon: IconShieldLock },
    asks: [{ scope: "admins:write", get: "/security/bans" }],
  },
  { path: "/me", page: lazy(() => import("./me/MePage.tsx")), title: (words) => words.shell.pages.profile },
  // Where the way back from linking an identity provider lands (rule access.sso.7).
  {
    path: "/dashboard",
    page: lazy(() => import("./me/LinkLanding.tsx")),
    title: (words) => words.shell.pages.profile,
    hidden: true,
  },
];
