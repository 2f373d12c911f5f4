// /api/me/2fa and /api/me/confirm (rules access.totp, access.confirm): switching the own two-factor on and off, new
// recovery codes, a fresh second factor.
import { z } from "zod";
import { lock, type Draft } from "../../db/index.ts";
import { okAnswer, Refusal, route, type Caller, type Route } from "../../http/index.ts";
import { sealSecret } from "../../lib/seal.ts";
import type { Access } from "../access.ts";
import { AdminRows, type AdminRow } from "../records/admin.entity.ts";
import { openedByCode, openedByOwnCode } from "./code-attempts.ts";
import { SessionRows, type SessionRow } from "../records/credential.entity.ts";
import { openEnrolment, sealEnrolment } from "./enrolment.ts";
import { ownAccount } from "../rights/own-account.ts";
import { SECOND_FACTOR_FRESH } from "../rights/reach.ts";
import { matchingStep, newRecoveryCodes, newSeed, otpauthUri, recoveryHash } from "./second-factor.ts";
import { seedPlace, spendProof, switchTwoFactor } from "./two-factor.commands.ts";

const CodeBody = z.object({ code: z.string().max(64) });
const RecoveryCodes = z.array(z.string());

/** Declares routes of the caller's own account; no token reaches them. */
const own = { scope: "-", tokenStatus: 400, statuses: [400] } as const;
const byCode = { ...own, statuses: [400, 401], codes: ["too_busy"] } as const;

/** Ten new codes and their stored form. */
function recoverySet(): { codes: string[]; hashes: string[] } {
  const codes = newRecoveryCodes();
  return { codes, hashes: codes.flatMap((code) => recoveryHash(code) ?? []) };
}

export function twoFactorRoutes(access: Access): Route[] {
  const { outbox, secretKey, boot } = access;

  function refuseOn({ twoFactorAt }: AdminRow): void {
    if (twoFactorAt > 0) throw new Refusal("bad_request", { message: "two-factor is on" });
  }

  /** The caller's account and session, locked. */
  function holding(
    draft: Draft,
    { adminId, sessionId }: Caller,
  ): { admin: Readonly<AdminRow>; session: Readonly<SessionRow> } {
    const admin = draft.find(AdminRows, adminId);
    const session = draft.find(SessionRows, sessionId);
    if (!admin || !session) throw new Refusal("unauthenticated");
    return { admin, session };
  }

  const locks = ({ adminId, sessionId }: Caller) => [lock(AdminRows, adminId), lock(SessionRows, sessionId)];

  return [
    route({
      ...own,
      method: "GET",
      path: "/me/2fa",
      summary: "Whether two-factor is on",
      answer: z.object({ enabled: z.boolean(), enabledAt: z.int(), recoveryCodesLeft: z.int() }),
      handle: async ({ caller }) => {
        const { twoFactorAt, recoveryHashes } = await ownAccount(access, caller);
        return { enabled: twoFactorAt > 0, enabledAt: twoFactorAt, recoveryCodesLeft: recoveryHashes.length };
      },
    }),
    route({
      ...own,
      method: "POST",
      path: "/me/2fa/totp",
      summary:
        "Begin to switch two-factor on: a secret for the authenticator, kept with this session until it is confirmed",
      answer: z.object({ secret: z.string(), uri: z.string() }),
      audit: { key: "admins", action: "2fa.enrol" },
      secretAnswer: true,
      handle: ({ caller, commit }) => {
        const secret = newSeed();
        const sealed = sealEnrolment(access, caller, secret);
        const answer = { secret, uri: otpauthUri(secret, caller.username) };
        return commit({
          locks: locks(caller),
          decide(draft) {
            const { admin, session } = holding(draft, caller);
            refuseOn(admin);
            draft.update(SessionRows, session.id, { enrolment: sealed, enrolmentBoot: boot });
            return { answer, audit: { entityId: admin.id } };
          },
        });
      },
    }),
    route({
      ...byCode,
      method: "POST",
      path: "/me/2fa/totp/confirm",
      summary: "Switch two-factor on with a code of the new secret; the recovery codes are shown this once",
      body: CodeBody,
      answer: z.object({ enabled: z.boolean(), recoveryCodes: RecoveryCodes }),
      audit: { key: "admins", action: "2fa.enable" },
      secretAnswer: true,
      handle: async ({ caller, body, request: { ip }, commit }) => {
        const account = await ownAccount(access, caller);
        refuseOn(account);
        const { sealed, seed } = await openEnrolment(access, caller);
        const totpSeed = sealSecret(secretKey, seed, seedPlace(caller.adminId));
        const { codes, hashes } = recoverySet();
        return openedByCode(access, {
          ip,
          account,
          prove: (time) => matchingStep(seed, body.code, time),
          change: (step) =>
            commit({
              locks: locks(caller),
              decide(draft) {
                const { admin, session } = holding(draft, caller);
                refuseOn(admin);
                // Started again meanwhile: the code was of the secret before.
                if (session.enrolment !== sealed) throw new Refusal("wrong_code");
                draft.update(SessionRows, session.id, { enrolment: "", enrolmentBoot: "" });
                switchTwoFactor(draft, outbox, admin, { totpSeed, totpUsed: [step], recoveryHashes: hashes });
                return { answer: { enabled: true, recoveryCodes: codes }, audit: { entityId: admin.id } };
              },
            }),
        });
      },
    }),
    route({
      ...byCode,
      method: "DELETE",
      path: "/me/2fa",
      summary: "Switch two-factor off with a code or a recovery code",
      body: CodeBody,
      answer: okAnswer,
      audit: { key: "admins", action: "2fa.disable" },
      handle: ({ caller, body: { code }, request: { ip }, commit }) =>
        openedByOwnCode(access, caller, ip, { code, accepts: "either" }, (proof) =>
          commit({
            locks: [lock(AdminRows, caller.adminId)],
            decide(draft) {
              const admin = spendProof(draft, caller.adminId, proof);
              switchTwoFactor(draft, outbox, admin, undefined);
              return { answer: { ok: true }, audit: { entityId: admin.id } };
            },
          }),
        ),
    }),
    route({
      ...byCode,
      method: "POST",
      path: "/me/2fa/recovery",
      summary: "Ten new recovery codes in place of the old ones",
      body: CodeBody,
      answer: z.object({ recoveryCodes: RecoveryCodes }),
      audit: { key: "admins", action: "2fa.recovery" },
      secretAnswer: true,
      handle: ({ caller, body: { code }, request: { ip }, commit }) => {
        const { codes, hashes } = recoverySet();
        return openedByOwnCode(access, caller, ip, { code, accepts: "totp" }, (proof) =>
          commit({
            locks: [lock(AdminRows, caller.adminId)],
            decide(draft) {
              const admin = spendProof(draft, caller.adminId, proof);
              draft.update(AdminRows, admin.id, { recoveryHashes: hashes });
              return { answer: { recoveryCodes: codes }, audit: { entityId: admin.id } };
            },
          }),
        );
      },
    }),
    route({
      ...byCode,
      method: "POST",
      path: "/me/confirm",
      summary: "Present the second factor again: sensitive routes are open to this session for ten minutes",
      body: CodeBody,
      answer: z.object({ confirmedAt: z.int(), until: z.int() }),
      audit: { key: "sessions", action: "confirm" },
      handle: ({ caller, body: { code }, request: { ip }, commit }) =>
        openedByOwnCode(access, caller, ip, { code, accepts: "totp" }, (proof) =>
          commit({
            locks: locks(caller),
            decide(draft) {
              const { session } = holding(draft, caller);
              spendProof(draft, caller.adminId, proof);
              const until = draft.time + SECOND_FACTOR_FRESH;
              draft.update(SessionRows, session.id, { confirmedUntil: until });
              return { answer: { confirmedAt: draft.time, until }, audit: { entityId: session.id } };
            },
          }),
        ),
    }),
  ];
}
