// Words of operators, roles, sign-in providers and tokens, for their pages.
import { areaWords } from "../area.ts";
import type { Typed } from "../language.ts";
import type { access as english } from "./en.ts";

export const useAccessWords = areaWords<Typed<typeof english>>({
  en: async () => (await import("./en.ts")).access,
  fa: async () => (await import("./fa.ts")).access,
  ru: async () => (await import("./ru.ts")).access,
  zh: async () => (await import("./zh.ts")).access,
});
