// How the list goes on: live, held while somebody reads, or without the panel and since when.
import type { LinkState } from "../api/socket-owner.ts";
import { useFormat } from "../format/use-format.ts";
import { useNow } from "../parts/now.ts";
import { ToneBadge } from "../parts/StateBadge.tsx";
import { useWords } from "../words/words.ts";

export function FeedSign({ link, held }: { readonly link: LinkState; readonly held: boolean }) {
  const words = useWords("events");
  const { link: said } = useWords("shell");
  if (link.status === "lost") return <Lost since={link.since} />;
  if (link.status !== "live") {
    const status = link.status === "paused" ? "paused" : "connecting";
    return (
      <ToneBadge tone={status === "paused" ? "off" : "waiting"} tip={said[`${status}Long`]}>
        {said[status]}
      </ToneBadge>
    );
  }
  return held ? (
    <ToneBadge tone="waiting" tip={words.heldLong}>
      {words.held}
    </ToneBadge>
  ) : (
    <ToneBadge tone="ok" tip={words.liveLong}>
      {said.live}
    </ToneBadge>
  );
}

function Lost({ since }: { readonly since: number }) {
  const words = useWords("events");
  const { link } = useWords("shell");
  const format = useFormat();
  const away = Math.max(1, useNow() - Math.floor(since / 1000));
  return (
    <span role="status">
      <ToneBadge tone="failed" tip={words.lostLong}>
        {link.lostFor(format.duration(away, { parts: 1 }))}
      </ToneBadge>
    </span>
  );
}
