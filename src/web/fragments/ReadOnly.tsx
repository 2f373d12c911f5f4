// A record for whoever may not change it: every field that says something. Keys and passwords are not sent to them.
import { Text } from "@mantine/core";
import { lazy, Suspense } from "react";
import { LoadingLines } from "../parts/Answer.tsx";
import { Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import type { Json } from "../parts/form/document-draft.ts";
import { useFieldText } from "./field-text.ts";

const Diff = lazy(async () => ({ default: (await import("../parts/diff/Diff.tsx")).Diff }));

export function ReadOnly({ record, label }: { readonly record: Json; readonly label: string }) {
  const words = useWords("pool");
  const text = useFieldText();
  return (
    <Panel title={label}>
      <Text size="sm" c="dimmed" mb="sm">
        {words.readOnly}
      </Text>
      <Suspense fallback={<LoadingLines lines={Object.keys(record).length} />}>
        <Diff
          after={record}
          heads={{ before: "", after: words.value }}
          label={(path) => (path.length === 1 ? text(path.join("."))?.label : undefined)}
        />
      </Suspense>
    </Panel>
  );
}
