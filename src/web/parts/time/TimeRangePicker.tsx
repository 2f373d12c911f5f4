// Chooses a span of time: a usual one, or two ends in either calendar. The zone that they are meant in is named.
import { Button, Group, Popover, Stack, Text } from "@mantine/core";
import { IconCalendarTime } from "@tabler/icons-react";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { useFormat } from "../../format/use-format.ts";
import { useWords } from "../../words/words.ts";
import { DateInput } from "../form/DateInput.tsx";
import { panelNow } from "../now.ts";
import { PRESET_RANGES, rangeIn, withRange, type PresetRange, type TimeRange } from "./range.ts";

/** The span in the address, and what changes it. `now` moves on when the page asks again. */
export function useTimeRange(usual: PresetRange, now = panelNow()): TimeRange {
  const [search] = useSearchParams();
  return rangeIn(search, now, usual);
}

export function TimeRangePicker({ usual, now = panelNow() }: { readonly usual: PresetRange; readonly now?: number }) {
  const words = useWords("parts").timeRange;
  const format = useFormat();
  const [search, setSearch] = useSearchParams();
  const range = rangeIn(search, now, usual);
  const [opened, open] = useState(false);
  const choose = (next: PresetRange | { from: number; to: number }) => {
    setSearch((at) => withRange(at, next, usual));
    open(false);
  };
  const zone = format.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Popover opened={opened} onChange={open} position="bottom-end" shadow="md" trapFocus withRoles={false}>
      <Popover.Target>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconCalendarTime size={16} aria-hidden />}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => open(!opened)}
        >
          {range.preset ? words.presets[range.preset] : `${format.date(range.from)} – ${format.date(range.to)}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={words.title}>
        <Stack gap="sm" maw={300}>
          <Group gap={6}>
            {PRESET_RANGES.map((preset) => (
              <Button
                key={preset}
                size="compact-sm"
                variant={range.preset === preset ? "light" : "default"}
                aria-pressed={range.preset === preset}
                onClick={() => choose(preset)}
              >
                {words.presets[preset]}
              </Button>
            ))}
          </Group>
          <Ends key={`${range.from} ${range.to}`} range={range} choose={choose} />
          <Text size="xs" c="dimmed">
            {words.zone} <bdi dir="ltr">{zone}</bdi>
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Ends({ range, choose }: { range: TimeRange; choose: (ends: { from: number; to: number }) => void }) {
  const words = useWords("parts").timeRange;
  const [ends, setEnds] = useState({ from: range.from, to: range.to });
  const [problems, setProblems] = useState<Readonly<Record<string, string | undefined>>>({});
  const input = (end: "from" | "to") => (
    <DateInput
      id={`range-${end}`}
      label={words[end]}
      value={ends[end]}
      error={problems[end]}
      onChange={(at) => setEnds((now) => ({ ...now, [end]: at }))}
      onProblem={(problem) => setProblems((now) => ({ ...now, [end]: problem }))}
    />
  );
  const wrong = ends.from >= ends.to;
  return (
    <>
      {input("from")}
      {input("to")}
      {wrong ? (
        <Text size="xs" c="var(--tone-failed)" role="alert">
          {words.order}
        </Text>
      ) : null}
      <Button
        size="xs"
        disabled={wrong || Object.values(problems).some((problem) => problem !== undefined)}
        onClick={() => choose(ends)}
      >
        {words.show}
      </Button>
    </>
  );
}
