// Where the actor stood at a moment: a time is typed, the panel says which step was the last one then, and the page
// looks back at it.
import { ActionIcon, Button, Popover, TextInput } from "@mantine/core";
import { IconClockSearch } from "@tabler/icons-react";
import { useState, type FormEvent } from "react";
import { ApiError, call } from "../../api/call.ts";
import type { Listing } from "../../api/queries.ts";
import { latinDigits } from "../../format/bytes.ts";
import { parseDate, typedDate } from "../../format/dates.ts";
import { useFormat } from "../../format/use-format.ts";
import { panelNow } from "../../parts/now.ts";
import { useWords } from "../../words/words.ts";
import classes from "../actor/actor.module.css";
import type { JournalEntry } from "../wire.ts";

interface JumpProps {
  readonly kind: string;
  readonly id: string;
  readonly onCursor: (seq: number) => void;
}

export function JumpToTime({ kind, id, onCursor }: JumpProps) {
  const words = useWords("inspect").journal;
  const parts = useWords("parts");
  const { calendar, timeZone } = useFormat();
  const [opened, setOpened] = useState(false);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const open = () => {
    setText(typedDate(panelNow(), calendar, timeZone));
    setProblem("");
    setOpened(!opened);
  };
  const go = async (event: FormEvent) => {
    event.preventDefault();
    const typed = latinDigits(text.trim());
    // A time alone is meant of today.
    const day = /^\d{1,2}:\d{2}$/.test(typed) ? `${typedDate(panelNow(), calendar, timeZone).slice(0, 10)} ` : "";
    const at = parseDate(day + typed, timeZone);
    if (at === undefined) return setProblem(parts.notDate);
    try {
      // A minute is meant to its end.
      const query = { until: at + 59, limit: 1 };
      const { items } = await call<Listing<JournalEntry>>("GET", `/actors/${kind}/${id}/journal`, { query });
      const [entry] = items;
      if (!entry) return setProblem(words.jumpNothing);
      setOpened(false);
      onCursor(entry.seq);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="default"
          className={classes["stepper"] ?? ""}
          aria-label={words.jump}
          title={words.jump}
          onClick={open}
        >
          <IconClockSearch size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={(event) => void go(event)} className={classes["jump"]}>
          <TextInput
            label={words.jump}
            value={text}
            dir="ltr"
            error={problem === "" ? null : problem}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setProblem("");
            }}
            data-autofocus
          />
          <Button type="submit" size="sm">
            {words.jumpGo}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
