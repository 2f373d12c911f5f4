// Why a sign-in, a code or a password was refused, in the reader's words. A ban counts down.
import { useEffect, useState } from "react";
import type { ApiError } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { refusalText } from "../parts/refusal.ts";
import { useWords } from "../words/words.ts";

/** The sentence for `error`, or undefined without one. */
export function useSignInRefusal(error: ApiError | undefined): string | undefined {
  const words = useWords("session");
  const parts = useWords("parts");
  const format = useFormat();
  const left = useSecondsLeft(error);
  if (!error) return undefined;
  if (error.status === 429) return left > 0 ? words.banned(format.clock(left)) : undefined;
  switch (error.code) {
    case "bad_credentials":
      return words.wrongPassword;
    case "wrong_code":
      return words.code.wrong;
    case "address_refused":
      return words.addressRefused;
    case "account_expired":
      return words.accountExpired;
    case "unauthenticated":
    case "login_ended":
      return words.code.late;
    case "upstream":
      return words.providerFailed;
    default: {
      const { title, cause } = refusalText(error, parts);
      return cause === "" ? title : `${title}: ${cause}`;
    }
  }
}

/** Whole seconds until asking again makes sense, ticking; 0 when there is nothing to wait for. */
export function useSecondsLeft(error: ApiError | undefined): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (error?.status !== 429) return setLeft(0);
    const until = Date.now() + (error.retryAfter ?? 1) * 1000;
    const tick = (): void => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [error]);
  return left;
}
