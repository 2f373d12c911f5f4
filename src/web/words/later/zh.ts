// Words that come with the page that needs them, in Chinese: each area is loaded by itself.
import type { LaterLoaders } from "../language.ts";

export const later: LaterLoaders = {
  access: async () => (await import("../access/zh.ts")).access,
  actions: async () => (await import("../actions/zh.ts")).actions,
  audit: async () => (await import("../audit/zh.ts")).audit,
  chart: async () => (await import("../chart/zh.ts")).chart,
  events: async () => (await import("../events/zh.ts")).events,
  inspect: async () => (await import("../inspect/zh.ts")).inspect,
  jobs: async () => (await import("../jobs/zh.ts")).jobs,
  me: async () => (await import("../me/zh.ts")).me,
  meanings: async () => (await import("../meanings/zh.ts")).meanings,
  messages: async () => (await import("../messages/zh.ts")).messages,
  nodes: async () => (await import("../nodes/zh.ts")).nodes,
  notices: async () => (await import("../notices/zh.ts")).notices,
  overview: async () => (await import("../overview/zh.ts")).overview,
  plans: async () => (await import("../plans/zh.ts")).plans,
  pool: async () => (await import("../pool/zh.ts")).pool,
  problems: async () => (await import("../problems/zh.ts")).problems,
  raised: async () => (await import("../raised/zh.ts")).raised,
  reference: async () => (await import("../reference/zh.ts")).reference,
  security: async () => (await import("../security/zh.ts")).security,
  settings: async () => (await import("../settings/zh.ts")).settings,
  subscription: async () => (await import("../subscription/zh.ts")).subscription,
  traffic: async () => (await import("../traffic/zh.ts")).traffic,
  users: async () => (await import("../users/zh.ts")).users,
  webhooks: async () => (await import("../webhooks/zh.ts")).webhooks,
};
