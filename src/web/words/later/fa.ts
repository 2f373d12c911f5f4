// Words that come with the page that needs them, in Persian: each area is loaded by itself.
import type { LaterLoaders } from "../language.ts";

export const later: LaterLoaders = {
  access: async () => (await import("../access/fa.ts")).access,
  actions: async () => (await import("../actions/fa.ts")).actions,
  audit: async () => (await import("../audit/fa.ts")).audit,
  chart: async () => (await import("../chart/fa.ts")).chart,
  events: async () => (await import("../events/fa.ts")).events,
  inspect: async () => (await import("../inspect/fa.ts")).inspect,
  jobs: async () => (await import("../jobs/fa.ts")).jobs,
  me: async () => (await import("../me/fa.ts")).me,
  meanings: async () => (await import("../meanings/fa.ts")).meanings,
  messages: async () => (await import("../messages/fa.ts")).messages,
  nodes: async () => (await import("../nodes/fa.ts")).nodes,
  notices: async () => (await import("../notices/fa.ts")).notices,
  overview: async () => (await import("../overview/fa.ts")).overview,
  plans: async () => (await import("../plans/fa.ts")).plans,
  pool: async () => (await import("../pool/fa.ts")).pool,
  problems: async () => (await import("../problems/fa.ts")).problems,
  raised: async () => (await import("../raised/fa.ts")).raised,
  reference: async () => (await import("../reference/fa.ts")).reference,
  security: async () => (await import("../security/fa.ts")).security,
  settings: async () => (await import("../settings/fa.ts")).settings,
  subscription: async () => (await import("../subscription/fa.ts")).subscription,
  traffic: async () => (await import("../traffic/fa.ts")).traffic,
  users: async () => (await import("../users/fa.ts")).users,
  webhooks: async () => (await import("../webhooks/fa.ts")).webhooks,
};
