// Which rule an address broke that an operator typed and the way out refused.
import type { OutgoingFailure, OutgoingError } from "../../outgoing/index.ts";
import { ruleSaying, type Rule } from "./rules.ts";

const RULE_OF = {
  url: "http_url",
  https: "https_url",
  credentials: "url_credentials",
  private: "private_target",
} as const satisfies Partial<Record<OutgoingFailure, string>>;

export function targetRule({ reason, host, message }: OutgoingError): Rule {
  if (reason === "resolve") return ruleSaying(message, "unresolved", host);
  return ruleSaying(message, reason in RULE_OF ? RULE_OF[reason as keyof typeof RULE_OF] : "unfit");
}
