// Words that come with the page that needs them, in Russian: each area is loaded by itself.
import type { LaterLoaders } from "../language.ts";
import { pages } from "../pages/ru.ts";

export const later: LaterLoaders = {
  ...pages,
  access: async () => (await import("../access/ru.ts")).access,
  messages: async () => (await import("../messages/ru.ts")).messages,
  notices: async () => (await import("../notices/ru.ts")).notices,
  problems: async () => (await import("../problems/ru.ts")).problems,
  actions: async () => (await import("../catalogues/ru.ts")).actions,
  actors: async () => (await import("../catalogues/ru.ts")).actors,
  families: async () => (await import("../catalogues/ru.ts")).families,
  raised: async () => (await import("../catalogues/ru.ts")).raised,
  raisedFor: async () => (await import("../catalogues/ru.ts")).raisedFor,
  scopeAreas: async () => (await import("../catalogues/ru.ts")).scopeAreas,
  settingLabels: async () => (await import("../catalogues/ru.ts")).settingLabels,
  subjects: async () => (await import("../catalogues/ru.ts")).subjects,
};
