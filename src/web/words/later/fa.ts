// Words that come with the page that needs them, in Persian: each area is loaded by itself.
import type { LaterLoaders } from "../language.ts";
import { pages } from "../pages/fa.ts";

export const later: LaterLoaders = {
  ...pages,
  access: async () => (await import("../access/fa.ts")).access,
  messages: async () => (await import("../messages/fa.ts")).messages,
  notices: async () => (await import("../notices/fa.ts")).notices,
  problems: async () => (await import("../problems/fa.ts")).problems,
  actions: async () => (await import("../catalogues/fa.ts")).actions,
  actors: async () => (await import("../catalogues/fa.ts")).actors,
  families: async () => (await import("../catalogues/fa.ts")).families,
  raised: async () => (await import("../catalogues/fa.ts")).raised,
  raisedFor: async () => (await import("../catalogues/fa.ts")).raisedFor,
  scopeAreas: async () => (await import("../catalogues/fa.ts")).scopeAreas,
  settingLabels: async () => (await import("../catalogues/fa.ts")).settingLabels,
  subjects: async () => (await import("../catalogues/fa.ts")).subjects,
};
