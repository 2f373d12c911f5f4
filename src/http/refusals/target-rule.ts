// Which rule an address broke that an operator typed and the guarded client refused.
import type { GuardedFailure, GuardedFetchError } from "../../lib/guarded-fetch.ts";
import { ruleSaying, type Rule } from "./rules.ts";

const RULE_OF = {
  url: "http_url",
  https: "https_url",
  credentials: "url_credentials",
  private: "private_target",
} as const satisfies Partial<Record<GuardedFailure, string>>;

export function targetRule({ reason, host, message }: GuardedFetchError): Rule {
  if (reason === "resolve") return ruleSaying(message, "unresolved", host);
  return ruleSaying(message, reason in RULE_OF ? RULE_OF[reason as keyof typeof RULE_OF] : "unfit");
}
