// What the page says of the account: its state as a person understands it, whatever the panel calls it.
import type { UserStatus } from "../../accounts/index.ts";
import type { PageWords } from "./words/index.ts";

export type Tone = "ok" | "wait" | "bad";

export interface ShownState {
  readonly status: UserStatus;
  readonly explained: keyof PageWords["explained"];
  readonly tone: Tone;
  /** The account is served: there is something to connect to. */
  readonly served: boolean;
}

/** An account that was switched off for its date or its volume reads as what it is, not as switched off. */
export function shownState(status: UserStatus, reason: string): ShownState {
  if (status === "active") return { status, explained: status, tone: "ok", served: true };
  if (status === "pending") return { status, explained: status, tone: "wait", served: true };
  if (status === "expired" || status === "limited") return { status, explained: status, tone: "bad", served: false };
  if (reason === "expiry") return { status: "expired", explained: "expired", tone: "bad", served: false };
  if (reason === "volume") return { status: "limited", explained: "limited", tone: "bad", served: false };
  const explained = reason === "resale-volume" || reason === "resale-expiry" ? "provider" : "disabled";
  return { status: "disabled", explained, tone: "bad", served: false };
}

/** From how much of the volume on the bar warns. */
const NEARLY = 0.85;

export function usageTone(share: number): Tone {
  if (share >= 1) return "bad";
  return share >= NEARLY ? "wait" : "ok";
}
