// Words that come with the page that needs them, in Chinese: each area is loaded by itself.
import type { LaterLoaders } from "../language.ts";
import { pages } from "../pages/zh.ts";

export const later: LaterLoaders = {
  ...pages,
  access: async () => (await import("../access/zh.ts")).access,
  messages: async () => (await import("../messages/zh.ts")).messages,
  notices: async () => (await import("../notices/zh.ts")).notices,
  problems: async () => (await import("../problems/zh.ts")).problems,
  actions: async () => (await import("../catalogues/zh.ts")).actions,
  actors: async () => (await import("../catalogues/zh.ts")).actors,
  families: async () => (await import("../catalogues/zh.ts")).families,
  raised: async () => (await import("../catalogues/zh.ts")).raised,
  raisedFor: async () => (await import("../catalogues/zh.ts")).raisedFor,
  scopeAreas: async () => (await import("../catalogues/zh.ts")).scopeAreas,
  settingLabels: async () => (await import("../catalogues/zh.ts")).settingLabels,
  subjects: async () => (await import("../catalogues/zh.ts")).subjects,
};
