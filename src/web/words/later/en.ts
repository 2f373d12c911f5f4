// Words that come with the page that needs them, in English: each area is loaded by itself.
import { pages } from "../pages/en.ts";

export const later = {
  ...pages,
  access: async () => (await import("../access/en.ts")).access,
  messages: async () => (await import("../messages/en.ts")).messages,
  notices: async () => (await import("../notices/en.ts")).notices,
  problems: async () => (await import("../problems/en.ts")).problems,
  actions: async () => (await import("../catalogues/en.ts")).actions,
  actors: async () => (await import("../catalogues/en.ts")).actors,
  families: async () => (await import("../catalogues/en.ts")).families,
  raised: async () => (await import("../catalogues/en.ts")).raised,
  raisedFor: async () => (await import("../catalogues/en.ts")).raisedFor,
  scopeAreas: async () => (await import("../catalogues/en.ts")).scopeAreas,
  settingLabels: async () => (await import("../catalogues/en.ts")).settingLabels,
  subjects: async () => (await import("../catalogues/en.ts")).subjects,
};
