// What the audit log says of an account (rule users.change.7): its fields and counters. Of credentials and links it
// says which there are and which changed, never what they are.
import { isDeepStrictEqual } from "node:util";
import { changedFields } from "../../http/index.ts";
import type { UserAnswer } from "./users.schema.ts";

const REDACTED = "[redacted]";
const LINKS = ["subToken", "subId"] as const;

type Config = UserAnswer["config"];

/** A new account, or one that is gone. */
export function audited(answer: UserAnswer): object {
  const { config } = answer;
  return { ...shownFields(answer), config: named(config, Object.keys(config)), subToken: REDACTED, subId: REDACTED };
}

/** The fields of an account that differ, each before and after. */
export function auditedEdit(before: UserAnswer, after: UserAnswer): Record<string, [unknown, unknown]> {
  const links = LINKS.filter((link) => before[link] !== after[link]);
  const parts = [...new Set([...Object.keys(before.config), ...Object.keys(after.config)])].filter(
    (part) => !isDeepStrictEqual(before.config[part], after.config[part]),
  );
  return {
    ...changedFields(shownFields(before), shownFields(after)),
    ...(parts.length > 0 ? { config: [named(before.config, parts), named(after.config, parts)] } : {}),
    ...Object.fromEntries(links.map((link) => [link, [REDACTED, REDACTED]])),
  };
}

/** What the log may hold, without what a record of the log need not repeat. */
function shownFields(answer: UserAnswer): object {
  const { config, subToken, subId, subUrl, totalUp, totalDown, onlineAt, lastInbound, since, offBy, ...shown } = answer;
  return shown;
}

/** These parts of the credentials, as far as they are there. The flow is none. */
function named(config: Config, parts: readonly string[]): object {
  const there = parts.filter((part) => config[part] !== undefined);
  return Object.fromEntries(there.map((part) => [part, part === "flow" ? config.flow : REDACTED]));
}
