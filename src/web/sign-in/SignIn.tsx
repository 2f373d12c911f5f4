// Signing in, in its steps: username and password, then a code where the account has two-factor. On the sign-in page
// and in the sheet over a page.
import { lazy, Suspense, useState } from "react";
import type { Me } from "../session/me.ts";
import { PasswordStep } from "./PasswordStep.tsx";

/** Most accounts are let in by the password. */
const CodeStep = lazy(() => import("./CodeStep.tsx"));

/** A sign-in that waits for its code. */
export interface Pending {
  readonly pending: string;
  /** Unix seconds by the panel's clock. */
  readonly expiresAt: number;
}

export interface SignInProps {
  /** The one who signs in again; the name cannot be changed then. */
  readonly username?: string;
  /** A sign-in at a provider that waits for its code. */
  readonly begun?: string | undefined;
  readonly onSignedIn: (me: Me) => void;
}

export function SignIn({ username, begun, onSignedIn }: SignInProps) {
  const [pending, setPending] = useState<string | undefined>(begun);
  if (pending !== undefined)
    return (
      <Suspense>
        <CodeStep pending={pending} onSignedIn={onSignedIn} onBack={() => setPending(undefined)} />
      </Suspense>
    );
  return (
    <PasswordStep
      {...(username === undefined ? {} : { username })}
      onAnswer={(answer) => ("pending" in answer ? setPending(answer.pending) : onSignedIn(answer))}
    />
  );
}
