// Where a moment is typed: the panel says which step was the last one then, and the page looks back at it.
import { Button, Popover, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiError, call } from "../../api/call.ts";
import type { Listing } from "../../api/queries.ts";
import { latinDigits } from "../../../lib/digits.ts";
import { parseDate, typedDate } from "../../format/dates.ts";
import { useFormat } from "../../format/use-format.ts";
import { useTakesOver, type ButtonOf } from "../../parts/LateMenu.tsx";
import { panelNow } from "../../parts/now.ts";
import { useWords } from "../../words/words.ts";
import classes from "../actor/actor.module.css";
import type { JournalEntry } from "../wire.ts";
import type { JumpProps } from "./JumpToTime.tsx";

interface JumpFormProps extends JumpProps {
  readonly button: ButtonOf;
}

export default function JumpForm({ kind, id, onCursor, button }: JumpFormProps) {
  const words = useWords("inspect").journal;
  const parts = useWords("parts");
  const { calendar, timeZone } = useFormat();
  const { ready, ref } = useTakesOver();
  const [opened, setOpened] = useState(true);
  const [text, setText] = useState(() => typedDate(panelNow(), calendar, timeZone));
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
    <Popover opened={opened && ready} onChange={setOpened} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>{button({ ref, onClick: open })}</Popover.Target>
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
