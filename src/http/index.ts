// What features and the composition root use of the HTTP surface.
import { TokenBudgetRows } from "./limits/budget.entity.ts";
import { ClaimRows } from "./idempotency/claims.entity.ts";
export { changedFields, type AuditRecord } from "./audit.ts";
export { AUDIT_ACTIONS, type AuditAction } from "./audit.schema.ts";
export { callerKey, TIERS, type Caller, type Tier } from "./caller.ts";
export { Door, type FurtherListener, type FurtherPlace } from "./door.ts";
export type { ClosedPlace } from "./listeners/port-set.ts";
export type { Proofs } from "./listeners/proofs.ts";
export { refuseUnreached } from "./gate.ts";
export { invalid, notFound, Refusal, refuse, refusedField } from "./refusals/errors.ts";
export { requireRoomOnDisk, roomToGrow, withRoomOnDisk } from "./refusals/full-disk.ts";
export type { ProxiedOrigin } from "./request/proxied-origin.ts";
export { UntrustedProxies, type UntrustedProxy } from "./request/untrusted-proxies.ts";
export { SESSION_COOKIE, type Credential } from "./request/facts.ts";
export { unstorable } from "./request/body.ts";
export { checkedLater } from "./request/strict.ts";
export { mountInterface, type InterfaceSource } from "./interface/interface.ts";
export { encodedAs, encodingFor, LEAST as LEAST_COMPRESSED, pack } from "./answers/compression.ts";
export type { Encoding } from "./answers/encoding.ts";
export { type InterfaceBuild } from "./interface/files.ts";
export type { Notice } from "./interface/notice.ts";
export { ASSETS, PAGE_SEGMENTS } from "./interface/page-paths.ts";
export { AddressLimit } from "./limits/limits.ts";
export * from "./list-query.ts";
export * from "./listing.ts";
export { ownsOnly, visibleSql, visibleTo, type Owning } from "./ownership.ts";
export {
  each,
  links,
  linksIn,
  nowhere,
  partsOf,
  pointsAnew,
  toPoint,
  traffic,
  whole,
  type Pointing,
  type Points,
} from "./pointing.ts";
export { readRoute } from "./own-reads.ts";
export { writeRoute } from "./writing.ts";
export { MOST_ISSUES } from "./refusals/bounds.ts";
export { check } from "./refusals/checking.ts";
export { CREDENTIALS_ENDED, type HttpPorts, type Plugin, type TlsOptions, type WebsiteFolder } from "./ports.ts";
export * from "./context.ts";
export * from "./route.ts";
export { matching, orEmpty, rule, ruleOfIssue, ruleSaying, type Rule } from "./refusals/rules.ts";
export { coversScopes, isScope, scopeClosure, SCOPES, type Scope } from "./scopes.ts";
export { createApi, type Api } from "./server.ts";
export { headOf, sendShort, type ShortAnswer, type Shortcut } from "./shortcuts.ts";
export type { Words } from "./openapi/common-words.ts";
export { targetRule } from "./refusals/target-rule.ts";
export { refuseOutdated, version } from "./version.ts";
export { rangeOf, rangeParameters, type TimeRange } from "./time-range.ts";
export * from "./wire.ts";
export { queryTime, writtenSpan, writtenTime } from "./written-time.ts";
export { brokenLineRule, line, paragraphs } from "./request/written-text.ts";

/** Tables of the HTTP surface. */
export const httpEntities = [ClaimRows, TokenBudgetRows] as const;
