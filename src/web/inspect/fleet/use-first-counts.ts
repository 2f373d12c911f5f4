// Actors by kind and state: the panel's own figures at the first paint, the stream's from its first frame on.
import { useLive, type StateCounts } from "../../api/live.ts";
import { useApi } from "../../api/queries.ts";

interface PanelActors {
  readonly actors: Readonly<Record<string, StateCounts>>;
}

export function useFirstCounts(): Readonly<Record<string, StateCounts>> | undefined {
  const live = useLive(({ counts }) => counts);
  const streamed = Object.keys(live).length > 0;
  const { data } = useApi<PanelActors>("/panel/info", {}, { enabled: !streamed });
  return streamed ? live : data?.actors;
}
