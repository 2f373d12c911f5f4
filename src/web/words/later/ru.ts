// Words that come with the page that needs them, in Russian: each area is loaded by itself.
import type { LaterLoaders } from "../language.ts";

export const later: LaterLoaders = {
  access: async () => (await import("../access/ru.ts")).access,
  actions: async () => (await import("../actions/ru.ts")).actions,
  audit: async () => (await import("../audit/ru.ts")).audit,
  chart: async () => (await import("../chart/ru.ts")).chart,
  events: async () => (await import("../events/ru.ts")).events,
  inspect: async () => (await import("../inspect/ru.ts")).inspect,
  jobs: async () => (await import("../jobs/ru.ts")).jobs,
  me: async () => (await import("../me/ru.ts")).me,
  meanings: async () => (await import("../meanings/ru.ts")).meanings,
  messages: async () => (await import("../messages/ru.ts")).messages,
  nodes: async () => (await import("../nodes/ru.ts")).nodes,
  notices: async () => (await import("../notices/ru.ts")).notices,
  overview: async () => (await import("../overview/ru.ts")).overview,
  plans: async () => (await import("../plans/ru.ts")).plans,
  pool: async () => (await import("../pool/ru.ts")).pool,
  problems: async () => (await import("../problems/ru.ts")).problems,
  raised: async () => (await import("../raised/ru.ts")).raised,
  reference: async () => (await import("../reference/ru.ts")).reference,
  security: async () => (await import("../security/ru.ts")).security,
  settings: async () => (await import("../settings/ru.ts")).settings,
  subscription: async () => (await import("../subscription/ru.ts")).subscription,
  traffic: async () => (await import("../traffic/ru.ts")).traffic,
  users: async () => (await import("../users/ru.ts")).users,
  webhooks: async () => (await import("../webhooks/ru.ts")).webhooks,
};
