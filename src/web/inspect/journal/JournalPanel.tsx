// The journal under the chart: the track, the buttons to step with, and the rows.
import { ActionIcon, Button } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconPlayerTrackNext } from "@tabler/icons-react";
import { useFormat } from "../../format/use-format.ts";
import { Keys } from "../../parts/Names.tsx";
import { useWords } from "../../words/words.ts";
import classes from "../actor/actor.module.css";
import facts from "../facts/facts.module.css";
import { JournalHandle } from "./JournalHandle.tsx";
import { JournalRows } from "./JournalRows.tsx";
import type { JournalState } from "./journal-store.ts";
import { JournalTrack } from "./JournalTrack.tsx";
import { JumpToTime } from "./JumpToTime.tsx";
import type { Chart } from "../use-machines.ts";
import type { JournalEntry } from "../wire.ts";

interface PanelProps {
  readonly kind: string;
  readonly id: string;
  readonly chart: Chart | undefined;
  readonly journal: JournalState;
  readonly around: readonly JournalEntry[];
  readonly cursor: number | undefined;
  readonly gone: boolean;
  /** Pixels; undefined: as high as the page makes it. */
  readonly height: number | undefined;
  readonly onHeight: (height: number) => void;
  readonly onCursor: (seq: number | undefined) => void;
  readonly onStep: (by: number) => void;
  readonly onSight: (first: number, last: number) => void;
}

export function JournalPanel({
  kind,
  id,
  chart,
  journal,
  around,
  cursor,
  gone,
  height,
  onHeight,
  onCursor,
  onStep,
  onSight,
}: PanelProps) {
  const words = useWords("inspect").journal;
  const format = useFormat();
  const head = journal.head ?? 0;
  return (
    <section className={classes["journal"]} aria-label={words.title}>
      <JournalHandle height={height} onHeight={onHeight} />
      <div className={classes["journalHead"]}>
        <h2>{words.title}</h2>
        <span className={facts["quiet"]}>
          {cursor === undefined
            ? words.steps(head, format.number(head))
            : words.position(format.number(cursor), format.number(head))}
        </span>
        <span className={classes["steppers"]}>
          {cursor !== undefined && !gone && (
            <Button
              className={classes["toLive"] ?? ""}
              size="compact-sm"
              variant="light"
              leftSection={<IconPlayerTrackNext size={14} aria-hidden />}
              rightSection={<Keys>L</Keys>}
              onClick={() => onCursor(undefined)}
            >
              {words.toLive}
            </Button>
          )}
          {head > 0 && <JumpToTime kind={kind} id={id} onCursor={onCursor} />}
          <ActionIcon
            variant="default"
            className={classes["stepper"] ?? ""}
            aria-label={words.back}
            disabled={head === 0 || cursor === 1}
            onClick={() => onStep(-1)}
          >
            <IconChevronLeft size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="default"
            className={classes["stepper"] ?? ""}
            aria-label={words.forth}
            disabled={cursor === undefined || (gone && cursor === head)}
            onClick={() => onStep(1)}
          >
            <IconChevronRight size={16} aria-hidden />
          </ActionIcon>
          <span className={classes["hints"]}>
            <Keys>← →</Keys>
          </span>
        </span>
      </div>
      {journal.head === 0 ? (
        <p className={facts["quiet"]}>{words.empty}</p>
      ) : (
        <>
          <div className={classes["trackPlace"]}>
            <JournalTrack kind={kind} chart={chart} entries={around} head={head} cursor={cursor} onCursor={onCursor} />
          </div>
          <JournalRows
            chart={chart}
            entries={journal.entries}
            head={head}
            cursor={cursor}
            onCursor={onCursor}
            onSight={onSight}
          />
        </>
      )}
    </section>
  );
}
