// What the panel refuses, in English: rules of fields by the code of the issue, and refusals that say no more than
// their code.

import { rules } from "./rules/en.ts";

export const refusals = {
  rules,
  codes: {
    account_expired: "This account has expired.",
    address_refused: "Signing in is not allowed from this address.",
    banned: "Too many refused attempts from this address. Wait a little.",
    confirm: "A fresh code of the second factor is needed.",
    cross_site: "The panel was opened under another name than the one it knows. Open it by its own address.",
    cursor_expired: "The place in the log is no longer known. Begin anew.",
    idempotency_reuse: "Another request was sent under the same key. Try again.",
    in_progress: "The first try is still running. Look again in a moment.",
    nothing_to_extend: "It has no end that could be later: give it one first.",
    nothing_to_renew: "There is nothing to renew: give it an end or a volume first, or choose a date.",
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
  },
};
