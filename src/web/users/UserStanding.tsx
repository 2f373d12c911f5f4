// An account's standing: a pill for rows, a sentence for its page.
import { isoTime } from "../../lib/moments.ts";
import { useFormat } from "../format/use-format.ts";
import { useNow } from "../parts/now.ts";
import { ToneBadge } from "../parts/StateBadge.tsx";
import { useWords } from "../words/words.ts";
import classes from "./users.module.css";
import { isOnline, standingOf, type User } from "./user.ts";

export function StandingBadge({ user, large }: { readonly user: User; readonly large?: boolean }) {
  const words = useWords("users");
  const now = useNow(15);
  const { kind, tone } = standingOf(user, now);
  const online = kind === "active" && isOnline(user, now);
  return (
    <ToneBadge tone={tone} {...(large ? { large } : {})}>
      {online ? words.standing.online : words.standing[kind]}
    </ToneBadge>
  );
}

/** The pill and below it since when it is so, who did it, and when it changes automatically. */
export function StandingCell({ user }: { readonly user: User }) {
  const words = useWords("users");
  const format = useFormat();
  const now = useNow(60);
  const { kind } = standingOf(user, now);
  const when = (at: number) => format.date(at, Math.abs(now - at) < NEAR_SECONDS ? "minute" : "dayMonth");
  const off = !user.enable;
  return (
    <span className={classes["standing"]}>
      <StandingBadge user={user} />
      {off ? (
        <span className={classes["said"]}>
          <time dateTime={isoTime(user.since)} title={format.date(user.since, "precise")}>
            {words.sinceWhen(when(user.since))}
          </time>
          {user.offBy === "" ? null : (
            <>
              {" · "}
              <bdi>{words.by(user.offBy)}</bdi>
            </>
          )}
          {kind === "volume" && user.nextReset > now ? <> · {words.resetsWhen(when(user.nextReset))}</> : null}
        </span>
      ) : null}
    </span>
  );
}

/** Within half a day the hour says it, later the date. */
const NEAR_SECONDS = 43_200;

/** Why it is so, with the numbers: "Used up its volume: 50 of 50 GiB." */
export function useStandingText(): (user: User) => string {
  const words = useWords("users").standingText;
  const format = useFormat();
  const now = useNow(15);
  return (user) => {
    const { kind } = standingOf(user, now);
    switch (kind) {
      case "pending":
        return words.pending(format.duration(user.duration));
      case "volume":
        return words.volume(format.bytes(user.up + user.down), format.bytes(user.volume));
      case "expiry":
        return words.expiry(format.date(user.expiry));
      default:
        return words[kind];
    }
  };
}
