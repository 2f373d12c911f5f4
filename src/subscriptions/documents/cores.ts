// Which version of a core reads a document, as far as its `User-Agent` says it. There are few values, whatever the text
// says: bodies are kept by them.
import type { Format } from "../../accounts/index.ts";

/** The version of the program that reads a document; undefined when it does not say, or needs nothing of its own. */
export type CoreVersion = readonly [major: number, minor: number, patch?: number] | undefined;

/** Whether the program is known to be older than a version. */
export function olderThan(
  core: CoreVersion,
  ...than: readonly [major: number, minor: number, patch?: number]
): boolean {
  if (core === undefined) return false;
  const [major, minor, patch = 0] = core;
  const [least, below, last = 0] = than;
  if (major !== least) return major < least;
  return minor === below ? patch < last : minor < below;
}

const NAMED_CORE = /\bsing-?box[ /]v?(\d{1,4})\.(\d{1,4})/i;
/** sing-box's own apps carry the core's version as theirs. */
const OWN_APP = /^SF[AIMT]\/v?(\d{1,4})\.(\d{1,4})/i;

/** What is no older is written the same way for all; what is older than the oldest is written as for that one. */
const NEWEST = [1, 13] as const;
const OLDEST = [1, 8] as const;

/** The version of sing-box that a `User-Agent` names; undefined for any other program and for current versions. */
export function coreVersion(userAgent: string): CoreVersion {
  const text = userAgent.slice(0, 512);
  const found = NAMED_CORE.exec(text) ?? OWN_APP.exec(text);
  if (!found) return undefined;
  const core = [Number(found[1]), Number(found[2])] as const;
  if (!olderThan(core, ...NEWEST)) return undefined;
  return olderThan(core, ...OLDEST) ? OLDEST : core;
}

/** mihomo names itself by two names; apps that embed it have versions of their own, which say nothing of it. */
const NAMED_MIHOMO = /(?:^|[\s(;])(?:mihomo|clash\.?meta)\/v?(\d{1,4})\.(\d{1,4})\.(\d{1,4})/i;

/**
 * From there on mihomo has xhttp as servers speak it. The first versions with it, from 1.19.22 on, do it over TLS
 * alone, and read its options otherwise.
 */
export const MIHOMO_WITH_XHTTP = [1, 19, 29] as const;
/** Any version before. */
const OLD_MIHOMO = [1, 0, 0] as const;

function mihomoVersion(userAgent: string): CoreVersion {
  const found = NAMED_MIHOMO.exec(userAgent.slice(0, 512));
  if (!found) return undefined;
  const core = [Number(found[1]), Number(found[2]), Number(found[3])] as const;
  return olderThan(core, ...MIHOMO_WITH_XHTTP) ? OLD_MIHOMO : MIHOMO_WITH_XHTTP;
}

/** The version of the core that will read a document of a format. */
export function coreOf(format: Format, userAgent: string): CoreVersion {
  if (format === "singbox") return coreVersion(userAgent);
  return format === "clash" ? mihomoVersion(userAgent) : undefined;
}
