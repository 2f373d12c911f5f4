// What switches an account's two-factor on and off and spends its codes (rules access.totp): parts of a change of a
// locked account.
import { sealPlace, type Draft } from "../../db/index.ts";
import { Refusal } from "../../http/index.ts";
import { openSecret, type SealContext } from "../../lib/seal.ts";
import type { Outbox } from "../../runtime/index.ts";
import { AdminRows, type AdminRow } from "../records/admin.entity.ts";
import { matchingStep, recoveryHash } from "./second-factor.ts";

type Factor = Pick<AdminRow, "totpSeed" | "totpUsed" | "recoveryHashes">;

/** An account's columns while two-factor is off. */
export const NO_SECOND_FACTOR: Factor & Pick<AdminRow, "twoFactorAt"> = {
  twoFactorAt: 0,
  totpSeed: "",
  totpUsed: [],
  recoveryHashes: [],
};

/** Codes are accepted at most one step off the clock; a few more are remembered, for a clock that is set back. */
const REMEMBERED_STEPS = 8;

/** A code that was good when it was looked at, before the change. `seed`: as it is stored. */
export type CodeProof =
  | { readonly kind: "totp"; readonly seed: string; readonly step: number }
  | { readonly kind: "recovery"; readonly hash: string };

export interface TypedCode {
  readonly code: string;
  /** `totp`: recovery codes are refused. */
  readonly accepts: "totp" | "either";
  /** Unix seconds. */
  readonly time: number;
}

/** Where an account's seed is sealed. */
export function seedPlace(adminId: number): SealContext {
  return sealPlace(AdminRows, "totpSeed", adminId);
}

/**
 * What a typed code proves for an account; undefined where it is wrong. Whether it was used before is decided by
 * `spendProof`.
 */
export function proofOf(
  account: AdminRow,
  secretKey: Uint8Array,
  { code, accepts, time }: TypedCode,
): CodeProof | undefined {
  if (account.twoFactorAt === 0) return undefined;
  const hash = accepts === "either" ? recoveryHash(code) : undefined;
  if (hash !== undefined) return account.recoveryHashes.includes(hash) ? { kind: "recovery", hash } : undefined;
  const step = matchingStep(openSecret(secretKey, account.totpSeed, seedPlace(account.id)), code, time);
  return step === undefined ? undefined : { kind: "totp", seed: account.totpSeed, step };
}

function spent(admin: AdminRow, proof: CodeProof): Partial<AdminRow> | undefined {
  if (proof.kind === "recovery") {
    if (!admin.recoveryHashes.includes(proof.hash)) return undefined;
    return { recoveryHashes: admin.recoveryHashes.filter((hash) => hash !== proof.hash) };
  }
  if (admin.totpSeed !== proof.seed || admin.totpUsed.includes(proof.step)) return undefined;
  return { totpUsed: [...admin.totpUsed, proof.step].slice(-REMEMBERED_STEPS) };
}

/** Uses a code up. Throws 401 where it was used before, or two-factor was switched off or renewed meanwhile. */
export function spendProof(draft: Draft, adminId: number, proof: CodeProof): Readonly<AdminRow> {
  const admin = draft.find(AdminRows, adminId);
  const patch = admin && spent(admin, proof);
  if (!patch) throw new Refusal("wrong_code");
  return draft.update(AdminRows, adminId, patch);
}

/** Switches two-factor on with a seed, or off (`undefined`), and tells of it. */
export function switchTwoFactor(
  draft: Draft,
  outbox: Pick<Outbox<"admin.2fa_changed">, "raise">,
  admin: Readonly<AdminRow>,
  factor: Factor | undefined,
): void {
  const columns = factor ? { ...factor, twoFactorAt: draft.time } : NO_SECOND_FACTOR;
  draft.touch(AdminRows, admin.id, columns);
  const data = { adminId: admin.id, username: admin.username, enabled: factor !== undefined };
  outbox.raise(draft, { event: "admin.2fa_changed", data, subject: `admin:${admin.id}` });
}
