// How live the page is: a dot and a word, the whole sentence on hover.
import { useLink, type LinkState } from "../api/live.ts";
import { PATIENCE, useAwaySince } from "../api/away.ts";
import { useFormat } from "../format/use-format.ts";
import { useNow } from "../parts/now.ts";
import { useWords } from "../words/words.ts";
import classes from "./link-sign.module.css";

export function LinkSign({ small }: { readonly small?: boolean }) {
  const { link: words } = useWords("shell");
  const format = useFormat();
  const link = useLink();
  const since = useAwaySince();
  const now = useNow();
  const away = since === undefined ? 0 : Math.max(0, now - since / 1000);
  // A person who may not listen sees no connection state, unless the panel itself is unreachable.
  if (link.status === "off" && since === undefined) return null;
  const status: LinkState["status"] = since === undefined ? link.status : away < PATIENCE ? "connecting" : "lost";
  const sentence = status === "lost" ? words.lostLong(format.duration(away, { parts: 1 })) : words[`${status}Long`];
  return (
    <div className={classes["sign"]} data-status={status} data-small={small} role="status" title={sentence}>
      <span className={classes["dot"]} aria-hidden />
      <span className={classes["text"]}>
        {status === "lost" ? words.lostFor(format.duration(away, { parts: 1 })) : words[status]}
      </span>
    </div>
  );
}
