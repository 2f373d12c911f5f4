// Attempts with a code of the second factor. A refused one counts like a wrong password (rule access.login.3),
// whichever route it came by, and slows down the next of its account.
import { Refusal, type Caller } from "../../http/index.ts";
import type { Access } from "../access.ts";
import type { AdminRow } from "../records/admin.entity.ts";
import { ownAccount } from "../rights/own-account.ts";
import { proofOf, type CodeProof, type TypedCode } from "./two-factor.commands.ts";

export interface CodeAttempt<P, T> {
  readonly ip: string;
  readonly account: AdminRow;
  /** Id of the sign-in that waits for the code; absent where the session exists already. */
  readonly pending?: string;
  /**
   * What the code proves; undefined where it is wrong. `time`: when it came, Unix seconds; it may be looked at later.
   */
  readonly prove: (time: number) => P | undefined;
  /** The change that the code opens. May find it used meanwhile: `wrong_code`. */
  readonly change: (proof: P) => Promise<T>;
}

type Doors = Pick<Access, "guard" | "codes" | "now">;

/**
 * Runs the change that a code opens, in the turn of its account and of its address. Throws 401 for a wrong code, 429
 * for a banned address, 503 where too many wait.
 */
export async function openedByCode<P, T>(
  { guard, codes, now }: Doors,
  { ip, account, pending, prove, change }: CodeAttempt<P, T>,
): Promise<T> {
  const came = Math.floor(now() / 1000);
  await guard.refuseBanned(ip);
  const look = () =>
    guard.attempt(ip, async () => {
      try {
        const proof = prove(came);
        if (proof === undefined) throw new Refusal("wrong_code");
        return await change(proof);
      } catch (error) {
        if (error instanceof Refusal && error.kind === "wrong_code") {
          const login = pending === undefined ? {} : { login: { username: account.username, stage: "mfa" } as const };
          await guard.refused({ ip, reason: "refused sign-ins", ...login });
        }
        throw error;
      }
    });
  return codes.attempt({ account, ip, look, ...(pending === undefined ? {} : { pending }) });
}

/** Runs the change that a code of the caller's own second factor opens. Throws 400 while two-factor is off. */
export async function openedByOwnCode<T>(
  access: Pick<Access, "reads" | "secretKey"> & Doors,
  caller: Caller,
  ip: string,
  typed: Omit<TypedCode, "time">,
  change: (proof: CodeProof) => Promise<T>,
): Promise<T> {
  const account = await ownAccount(access, caller);
  if (account.twoFactorAt === 0) throw new Refusal("bad_request", { message: "two-factor is off" });
  return openedByCode(access, {
    ip,
    account,
    prove: (time) => proofOf(account, access.secretKey, { ...typed, time }),
    change,
  });
}
