// How a change came: by a person's session, an API token, the command line, or the panel itself.
import { IconKey, IconRobot, IconTerminal2, IconUser } from "@tabler/icons-react";
import { useWords } from "../words/words.ts";
import type { Change } from "./change.ts";
import classes from "./audit.module.css";

const ICONS = { session: IconUser, token: IconKey, cli: IconTerminal2, system: IconRobot } as const;

export function ViaMark({ via }: { readonly via: Change["via"] }) {
  const words = useWords("audit");
  const Icon = ICONS[via];
  return (
    <span className={classes["via"]} role="img" aria-label={words.via[via]} title={words.via[via]}>
      <Icon size={15} stroke={1.6} aria-hidden />
    </span>
  );
}
