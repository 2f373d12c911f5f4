// Attempts with a code of the second factor. A refused one counts like a wrong password (document 1, Authentication 4), whichever route it came by.
import { Refusal } from "../http/index.ts";
import type { LoginGuard } from "./login-guard.ts";

export interface CodeAttempt<P, T> {
  readonly ip: string;
  /** The account that is signing in; absent where the session exists already. */
  readonly signingIn?: string;
  /** What the code proves; undefined where it is wrong. */
  prove(): P | undefined;
  /** The change that the code opens. May find it used meanwhile: `wrong_code`. */
  change(proof: P): Promise<T>;
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
