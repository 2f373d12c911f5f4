// How often the actor came into the state that it is in, within a day: whether this is new, or goes on all the time.
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import type { Listing } from "../../api/queries.ts";
import { useFormat } from "../../format/use-format.ts";
import { panelNow } from "../../parts/now.ts";
import { useWords } from "../../words/words.ts";
import classes from "./facts.module.css";
import type { JournalEntry } from "../wire.ts";

const DAY = 86_400;
/** An actor that moves on sooner is not asked about: counting walks through its journal. */
const STANDS_MS = 1500;

interface ReturnsProps {
  readonly kind: string;
  readonly id: string;
  readonly state: string;
  /** When it came this time: until it comes again the answer holds. */
  readonly sinceMs: number;
}

export function Returns({ kind, id, state, sinceMs }: ReturnsProps) {
  const words = useWords("inspect").actor;
  const format = useFormat();
  const [stood] = useDebouncedValue(sinceMs, STANDS_MS);
  const { data } = useQuery({
    queryKey: ["returns", kind, id, state, sinceMs],
    queryFn: ({ signal }) => {
      const query = { entered: state, since: panelNow() - DAY, limit: 1 };
      return call<Listing<JournalEntry>>("GET", `/actors/${kind}/${id}/journal`, { query, signal });
    },
    enabled: stood === sinceMs,
    staleTime: Infinity,
  });
  const total = data?.total ?? 0;
  return total < 2 ? null : <p className={classes["quiet"]}>{words.returns(total, format.number(total))}</p>;
}
