// What the panel refuses, in English: rules of fields by the code of the issue, and refusals that say no more than
// their code.

import type { CloserWords } from "../../../../http/refusals/code.schema.ts";
import { refusals as ofFeatures } from "../../catalogues/en.ts";
import { rules } from "./rules/en.ts";

export const refusals = {
  rules,
  /** `cross_site` where the browser says both. */
  crossSite: (origin: string, expected: string) =>
    `This page is of ${origin}, but the panel was asked as ${expected}. Open it as ${expected}, or let the proxy in front pass the host on with its port.`,
  codes: {
    ...ofFeatures,
    account_expired: "This account has expired.",
    address_refused: "Signing in is not allowed from this address.",
    banned: "Too many refused attempts from this address. Wait a little.",
    confirm: "A fresh code of the second factor is needed.",
    cross_site: "The panel was opened under another name than the one it knows. Open it by its own address.",
    cursor_expired: "The place in the log is no longer known. Start from the beginning.",
    answer_gone: "The request was carried out, but its answer is no longer kept. Look at what is there now.",
    idempotency_reuse: "Another request was sent under the same key. Try again.",
    in_progress: "The first try is still running. Look again in a moment.",
    internal: "It is noted in the panel's log.",
    rate_limited: "More was asked than is allowed in a minute. Wait a little.",
    request_timeout: "The request did not arrive in time. Is the connection slow?",
    scope: "The role of this account does not reach this.",
    too_large: "That is more than the panel takes at once.",
    too_busy: "Too many sign-ins or codes are being checked. Try again in a moment.",
    disk_full: "The disk of the data directory is full. Make room and send the file again.",
    unauthenticated: "Sign in again.",
    unavailable: "It cannot answer now: it is starting or stopping, or its database is away. Try again in a moment.",
    wrong_code: "That code is wrong or was used already.",
    changed_meanwhile: "Somebody changed it at the same time. Look at it again, then repeat.",
    login_ended: "This sign-in has ended. Begin again.",
    wrong_password: "Wrong password.",
  } satisfies CloserWords & Readonly<Record<string, string>>,
};
