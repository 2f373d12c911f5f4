// Says after a restore what the panel is now, and where that is which it was before.
import { Alert, Text } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useState } from "react";
import { useFormat } from "../format/use-format.ts";
import { Code } from "../parts/Names.tsx";
import { useWords } from "../words/words.ts";
import { forgetRestored, restoredHere } from "./restored.ts";

export function RestoredNote() {
  const words = useWords("backups");
  const format = useFormat();
  const [restored, setRestored] = useState(restoredHere);
  if (!restored) return null;
  const { name, createdAt, snapshot, tables, rows } = restored;
  return (
    <Alert
      color="green"
      variant="light"
      role="status"
      icon={<IconCircleCheck size={18} aria-hidden />}
      title={words.restore.doneTitle}
      withCloseButton
      closeButtonLabel={words.restore.close}
      onClose={() => {
        forgetRestored();
        setRestored(undefined);
      }}
    >
      <Text size="sm">
        {words.restore.doneText(name, format.date(createdAt, "dateTime"))}{" "}
        {`${words.tables(tables, format.number(tables))} · ${words.rows(rows, format.number(rows))}`}
      </Text>
      {snapshot === "" ? null : (
        <Text size="sm">
          {words.restore.before}: <Code>{snapshot}</Code>
        </Text>
      )}
    </Alert>
  );
}
