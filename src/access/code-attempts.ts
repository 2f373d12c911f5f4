// Attempts with a code of the second factor. A refused one counts like a wrong password (document 1, Authentication 4), whichever route it came by.
import { Refusal, type Caller } from "../http/index.ts";
import type { Access } from "./access.ts";
import type { LoginGuard } from "./login-guard.ts";
import { ownAccount } from "./own-account.ts";
import { proofOf, type CodeProof, type TypedCode } from "./two-factor.commands.ts";

export interface CodeAttempt<P, T> {
  readonly ip: string;
  /** The account that is signing in; absent where the session exists already. */
  readonly signingIn?: string;
  /** What the code proves; undefined where it is wrong. */
  readonly prove: () => P | undefined;
  /** The change that the code opens. May find it used meanwhile: `wrong_code`. */
  readonly change: (proof: P) => Promise<T>;
}

/** Runs the change that a code opens; within `guard.attempt`, so that a flood of parallel guesses is counted. */
export async function openedByCode<P, T>(guard: LoginGuard, { ip, signingIn, prove, change }: CodeAttempt<P, T>): Promise<T> {
  try {
    const proof = prove();
    if (proof === undefined) throw new Refusal("wrong_code");
    return await change(proof);
  } catch (error) {
    if (error instanceof Refusal && error.kind === "wrong_code") {
      const login = signingIn === undefined ? {} : { login: { username: signingIn, stage: "mfa" } as const };
      await guard.refused({ ip, reason: "refused sign-ins", ...login });
    }
    throw error;
  }
}

/** Runs the change that a code of the caller's own second factor opens. Throws 400 while two-factor is off, 401 for a wrong code, 429 for a banned address. */
export function openedByOwnCode<T>(
  access: Pick<Access, "reads" | "guard" | "secretKey" | "now">,
  caller: Caller,
  ip: string,
  typed: Omit<TypedCode, "time">,
  change: (proof: CodeProof) => Promise<T>,
): Promise<T> {
  const { guard, secretKey, now } = access;
  return guard.attempt(ip, async () => {
    const account = await ownAccount(access, caller);
    if (account.twoFactorAt === 0) throw new Refusal("bad_request", { message: "two-factor is off" });
    return openedByCode(guard, { ip, prove: () => proofOf(account, secretKey, { ...typed, time: Math.floor(now() / 1000) }), change });
  });
}
