// What the panel refuses, in English: rules of fields by the code of the issue, and refusals that say no more than
// their code.

import type { CloserWords } from "../../../../http/refusals/code.schema.ts";
import { rules } from "./rules/en.ts";

export const refusals = {
  rules,
  /** `cross_site` where the browser says both. */
  crossSite: (origin: string, expected: string) =>
    `This page is of ${origin}, but the panel was asked as ${expected}. Open it as ${expected}, or let the proxy in front pass the host on with its port.`,
  codes: {
    account_expired: "This account has expired.",
    address_refused: "Signing in is not allowed from this address.",
    banned: "Too many refused attempts from this address. Wait a little.",
    confirm: "A fresh code of the second factor is needed.",
    cross_site: "The panel was opened under another name than the one it knows. Open it by its own address.",
    cursor_expired: "The place in the log is no longer known. Start from the beginning.",
    answer_gone: "The request was carried out, but its answer is no longer kept. Look at what is there now.",
    idempotency_reuse: "Another request was sent under the same key. Try again.",
    in_progress: "The first try is still running. Look again in a moment.",
    reseller_closed: "The reseller's allowance is spent: it takes no further accounts until it opens again.",
    nothing_to_extend: "It has no end that could be later: give it one first.",
    cannot_undo: "It cannot be taken back: it changed nothing, ended over an hour ago, or is taken back already.",
    nothing_to_renew: "There is nothing to renew: give it an end or a volume first, or renew it by days or by a plan.",
    plan_needed: "Choose a plan: this account sells plans only.",
    no_term: "How long it was sold for is not known. Renew it by days or by a plan: that is its term from then on.",
    internal: "It is noted in the panel's log.",
    own_password: "A token does not set the password of its own account.",
    provider_reach:
      "Whoever set this provider up reaches less than this account. A main admin who reaches further must save it again.",
    rate_limited: "More was asked than is allowed in a minute. Wait a little.",
    request_timeout: "The request did not arrive in time. Is the connection slow?",
    scope: "The role of this account does not reach this.",
    too_large: "That is more than the panel takes at once.",
    too_busy: "Too many sign-ins or codes are being checked. Try again in a moment.",
    unauthenticated: "Sign in again.",
    unavailable: "It cannot answer now: it is starting or stopping, or its database is away. Try again in a moment.",
    wrong_code: "That code is wrong or was used already.",
    changed_meanwhile: "Somebody changed it at the same time. Look at it again, then repeat.",
    held_by_addon: "An add-on holds this token.",
    provider_off: "This identity provider is switched off.",
    webhook_off: "The webhook is switched off.",
    node_off: "The node is off: a person, its usage limit or the licence keeps it off.",
    node_on: "The address of a node that is switched on changes only when the node is moved.",
    agent_taken: "Another node that is switched on has this address and port.",
    event_not_safe: "People cannot send this event.",
    event_not_taken: "In its present state this does nothing with the event.",
    event_failed: "The event failed. The panel's log says why.",
    quarantined: "It is in quarantine. Resume it first.",
    not_quarantined: "It is not in quarantine.",
    login_ended: "This sign-in has ended. Begin again.",
    wrong_password: "Wrong password.",
    too_many_fronts: "An inbound has at most 20 fronts.",
  } satisfies CloserWords & Readonly<Record<string, string>>,
};
