// Every chart live: the actors in each state, the transitions per minute on each wire, what needs a person, and the
// latest events.
import { Button } from "@mantine/core";
import { useLive, type StateCounts } from "../../api/live.ts";
import { useApi } from "../../api/queries.ts";
import { Answer, Empty } from "../../parts/Answer.tsx";
import { PageHead } from "../../parts/Record.tsx";
import { useActorWords } from "../../words/use-actor-words.ts";
import { useWords } from "../../words/words.ts";
import { FleetChart } from "./FleetChart.tsx";
import classes from "./fleet.module.css";
import { NeedsPerson } from "./NeedsPerson.tsx";
import { Ticker } from "./Ticker.tsx";
import { chartOf, useMachines } from "../use-machines.ts";

export default function FleetPage() {
  const words = useWords("inspect");
  const translate = useActorWords();
  const { answer } = useMachines();
  const counts = useFirstCounts();
  return (
    <>
      <PageHead title={words.title} under={words.fleet.lead} />
      <Answer
        of={answer}
        empty={({ items }) => items.length === 0}
        whenEmpty={
          <Empty
            title={words.fleet.noCharts}
            text={words.fleet.noChartsMore}
            action={
              <Button variant="default" size="sm" onClick={() => void answer.refetch()}>
                {words.fleet.again}
              </Button>
            }
          />
        }
      >
        {({ items }) => {
          // Nodes first: what serves stands above what is served.
          const charts = items
            .map((machine) => chartOf(machine, translate))
            .toSorted((a, b) => rankOf(a.machine.kind) - rankOf(b.machine.kind));
          return (
            <div className={classes["fleet"]}>
              <div className={classes["news"]}>
                <NeedsPerson charts={charts} counts={counts} />
                <Ticker charts={charts} />
              </div>
              <div className={classes["charts"]}>
                {charts.map((chart) => (
                  <FleetChart key={chart.machine.kind} chart={chart} counts={counts?.[chart.machine.kind]} />
                ))}
              </div>
            </div>
          );
        }}
      </Answer>
    </>
  );
}

const RANKS = ["node", "tunnel", "install", "certificate", "user"];

function rankOf(kind: string): number {
  const rank = RANKS.indexOf(kind);
  return rank < 0 ? RANKS.length : rank;
}

interface PanelActors {
  readonly actors: Readonly<Record<string, StateCounts>>;
}

/** Actors by kind and state: the panel's own figures at the first paint, the stream's from its first frame on. */
function useFirstCounts(): Readonly<Record<string, StateCounts>> | undefined {
  const live = useLive(({ counts }) => counts);
  const streamed = Object.keys(live).length > 0;
  const { data } = useApi<PanelActors>("/panel/info", {}, { enabled: !streamed });
  return streamed ? live : data?.actors;
}
