// Asks for a fresh second factor (428) and lets the waiting call go on.
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { ApiError, call } from "../api/call.ts";
import { useWords } from "../words/words.ts";
import { CodeInput } from "./CodeInput.tsx";
import { useSignInRefusal } from "../session/refusals.ts";

export default function FactorDialog({
  onDone,
  onCancel,
}: {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}) {
  const words = useWords("session");
  const parts = useWords("shell");
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ApiError>();
  const text = useSignInRefusal(refusal);

  const confirm = async (code: string): Promise<void> => {
    setBusy(true);
    setRefusal(undefined);
    try {
      await call("POST", "/me/confirm", { body: { code }, hurdles: false });
      onDone();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal
      opened
      onClose={onCancel}
      title={<Text fw={600}>{words.factor.title}</Text>}
      zIndex={400}
      closeButtonProps={{ "aria-label": parts.close }}
    >
      <Stack>
        <Text size="sm">{words.factor.text}</Text>
        <CodeInput label={words.code.label} busy={busy} error={text} onCode={(code) => void confirm(code)} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {words.factor.cancel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
