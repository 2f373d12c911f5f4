// Before a change of what nodes run is written, the person is asked with the number of these nodes, and of the accounts
// that they serve it to.
import { Stack, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useFormat } from "../format/use-format.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import type { DocumentForm } from "../parts/form/document-form.ts";
import { useWords } from "../words/words.ts";
import type { Used } from "./kind.ts";

/** `name`: of the record. The form that is returned asks when it is saved; `question` is the dialog. */
export function useSaveQuestion(
  form: DocumentForm,
  name: string,
  usedBy: Used["usedBy"] | undefined,
): { readonly form: DocumentForm; readonly question: ReactNode } {
  const words = useWords("pool").saving;
  const { save } = useWords("parts");
  const format = useFormat();
  const [asking, setAsking] = useState(false);
  const nodes = usedBy?.nodes?.length ?? 0;
  const users = usedBy?.users ?? 0;
  if (nodes === 0) return { form, question: null };
  const asks = {
    ...form,
    async save() {
      // What cannot be sent is told at its field, and nobody is asked.
      if (form.faults.length > 0 || !form.read.ok) return form.save();
      setAsking(true);
      return false;
    },
  };
  const question = (
    <ConfirmDialog
      opened={asking}
      onClose={() => setAsking(false)}
      title={words.title(name)}
      consequence={
        <Stack gap="xs">
          <Text size="sm">{words.nodes(nodes, format.number(nodes))}</Text>
          {users === 0 ? null : <Text size="sm">{words.users(users, format.number(users))}</Text>}
          <Text size="sm" c="dimmed">
            {words.cuts}
          </Text>
        </Stack>
      }
      confirm={save}
      run={async () => {
        await form.save();
        // What was refused is told in the form.
        setAsking(false);
      }}
    />
  );
  return { form: asks, question };
}
