// What is offered for the selected rows, over the list: how many they are, how many of them are on other pages, and the
// way to all that match.
import { Button, Group, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { MOST_AT_ONCE } from "../../api/all-rows.ts";
import { ApiError } from "../../api/call.ts";
import { sayFailed } from "../../browser/toasts.tsx";
import { useWords } from "../../words/words.ts";
import { refusalText } from "../refusal.ts";
import type { Selection } from "./selection.ts";
import classes from "./table.module.css";

export interface SelectionBarProps<T> {
  readonly selection: Selection<T>;
  /** Rows of the page. */
  readonly shown: readonly T[];
  /** Rows that match, on all pages. */
  readonly total: number;
  /** Reads all that match, up to `MOST_AT_ONCE`. */
  readonly all: ((most: number) => Promise<readonly T[]>) | undefined;
  /** More than that can be meant without being read. */
  readonly takesAll: boolean;
  readonly children: ReactNode;
}

export function SelectionBar<T>({ selection, shown, total, all, takesAll, children }: SelectionBarProps<T>) {
  const words = useWords("parts");
  const [busy, setBusy] = useState(false);
  const count = selection.rows.length;
  const elsewhere = count - shown.filter(selection.has).length;
  const reachable = takesAll ? total : Math.min(total, MOST_AT_ONCE);
  const takeAll = async () => {
    if (takesAll && total > MOST_AT_ONCE) return selection.match();
    if (!all) return;
    setBusy(true);
    try {
      selection.put(await all(reachable), true);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { title, cause } = refusalText(error, words);
      sayFailed(title, cause);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={classes["bulk"]} role="toolbar" aria-label={words.selection}>
      <Group gap="xs" wrap="nowrap" className={classes["bulkCount"] ?? ""}>
        <Text size="sm" fw={600} role="status">
          {words.selected(selection.matching ? total : count)}
          {elsewhere > 0 && !selection.matching ? (
            <span className={classes["elsewhere"]}> {words.elsewhere(elsewhere)}</span>
          ) : null}
        </Text>
        {all && !selection.matching && count < reachable && shown.every(selection.has) ? (
          <Button variant="subtle" size="compact-sm" loading={busy} onClick={() => void takeAll()}>
            {words.selectMatching(reachable)}
          </Button>
        ) : null}
        <Button variant="subtle" size="compact-sm" color="gray" onClick={() => selection.keep([])}>
          {words.clearSelection}
        </Button>
      </Group>
      <div className={classes["bulkVerbs"]}>{children}</div>
    </div>
  );
}
