// Whether the panel is reached at an address that was typed: tried from the panel's own machine, and said. It blocks
// nothing, since a name may be made, or a proxy set up, after setup.
import { useState } from "react";
import { call } from "../api/call.ts";
import { useWords } from "../words/words.ts";

interface Tried {
  readonly url: string;
  readonly reached: boolean;
  readonly error: string;
}

export function useAddressCheck(token: string): {
  readonly said: string;
  readonly run: (url: string) => Promise<void>;
} {
  const { setup: words } = useWords("session");
  const [said, setSaid] = useState("");
  const run = async (url: string): Promise<void> => {
    const origin = URL.parse(url)?.origin ?? "null";
    if (origin === "null") return setSaid("");
    // The page stands there itself.
    if (origin === location.origin) return setSaid(words.reachedHere);
    setSaid(words.trying(origin));
    try {
      const { tried } = await call<{ tried?: Tried }>("GET", "/setup", {
        query: { t: token, try: origin },
        hurdles: false,
      });
      setSaid(tried?.reached ? words.reached(tried.url) : words.notReached(tried?.url ?? origin, tried?.error ?? ""));
    } catch (error) {
      setSaid(words.notReached(origin, error instanceof Error ? error.message : ""));
    }
  };
  return { said, run };
}
