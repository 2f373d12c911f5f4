// A day and time: typed in either calendar, or chosen from a calendar that is loaded when it is first opened.
import { ActionIcon, Button, CloseButton, Group, Popover, TextInput } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { latinDigits } from "../../../lib/digits.ts";
import { civilDate, momentOf, parseDate, typedDate } from "../../format/dates.ts";
import { useFormat } from "../../format/use-format.ts";
import { useWords } from "../../words/words.ts";
import { LoadingLines } from "../Answer.tsx";
import { panelNow } from "../now.ts";
import type { InputProps } from "./inputs.ts";

const GregorianDays = lazy(() => import("./Days.tsx"));
const JalaliDays = lazy(() => import("./JalaliDays.tsx"));

const AHEAD = [7, 30, 90, 365];
const DAY = 86_400;

/** Unix seconds, 0 = none. A day without a time is meant to its end. */
export function DateInput({ value, onChange, onProblem, zero, ...frame }: InputProps<number>) {
  const words = useWords("parts");
  const format = useFormat();
  const { calendar, timeZone } = format;
  const Days = calendar === "persian" ? JalaliDays : GregorianDays;
  const written = (at: number) => (at === 0 ? "" : typedDate(at, calendar, timeZone));
  const [opened, setOpened] = useState(false);
  const [text, setText] = useState(() => written(value));
  const [meant, setMeant] = useState({ value, calendar, timeZone });
  if (meant.value !== value || meant.calendar !== calendar || meant.timeZone !== timeZone) {
    setMeant({ value, calendar, timeZone });
    setText(written(value));
  }
  const put = (at: number) => {
    onProblem(undefined);
    setMeant({ value: at, calendar, timeZone });
    setText(written(at));
    onChange(at);
  };
  const endOfDay = (at: number) => momentOf(civilDate(at, "gregory", timeZone), 23, 59, timeZone);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus withRoles={false}>
      <Popover.Target>
        <TextInput
          {...frame}
          value={text}
          {...(text === "" ? {} : { dir: "ltr" })}
          placeholder={zero ?? ""}
          rightSectionWidth={text === "" ? 36 : 64}
          rightSection={
            <Group gap={0} wrap="nowrap">
              {text === "" ? null : <CloseButton size="sm" aria-label={words.clear} onClick={() => put(0)} />}
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={words.pickDate}
                aria-haspopup="dialog"
                aria-expanded={opened}
                onClick={() => setOpened(!opened)}
              >
                <IconCalendar size={17} aria-hidden />
              </ActionIcon>
            </Group>
          }
          onChange={(event) => {
            const typed = event.currentTarget.value;
            setText(typed);
            const at = typed.trim() === "" ? 0 : parseDate(latinDigits(typed), timeZone);
            onProblem(at === undefined ? words.notDate : undefined);
            if (at === undefined) return;
            setMeant({ value: at, calendar, timeZone });
            onChange(at);
          }}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <Group gap={6} mb="xs" justify="center">
          {AHEAD.map((days) => (
            <Button
              key={days}
              size="compact-xs"
              variant="default"
              onClick={() => put(endOfDay(Math.max(panelNow(), value) + days * DAY))}
            >
              +{format.duration(days * DAY)}
            </Button>
          ))}
        </Group>
        <Suspense fallback={<LoadingLines lines={6} />}>
          <Days
            value={value === 0 ? undefined : civilDate(value, "gregory", timeZone)}
            onChoose={(day) => {
              put(momentOf(day, 23, 59, timeZone));
              setOpened(false);
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
