// The dialog that asks before a deed, from when it is first opened.
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useCallback, useState } from "react";
import { ApiError } from "../api/call.ts";
import { useWords } from "../words/words.ts";
import { Failure } from "./Answer.tsx";
import type { ConfirmDialogProps } from "./ConfirmDialog.tsx";
import { useFocusBack } from "./focus-back.ts";

export default function ConfirmQuestion({
  opened,
  onClose,
  title,
  consequence,
  confirm,
  danger,
  disabled,
  run,
}: ConfirmDialogProps) {
  const words = useWords("parts");
  useFocusBack(opened);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const [waits] = useState(disabled ?? false);
  // What must be chosen first has the focus first: the dialog looks for this mark when all of it is there.
  const mark = useCallback(
    (asked: HTMLDivElement | null) => {
      if (waits) asked?.querySelector("input, textarea")?.setAttribute("data-autofocus", "true");
    },
    [waits],
  );
  const close = () => {
    if (busy) return;
    setError(undefined);
    onClose();
  };
  const go = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await run();
      onClose();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={<Text fw={600}>{title}</Text>}
      centered
      closeButtonProps={{ "aria-label": words.close }}
    >
      <Stack>
        <Text size="sm" component="div" ref={mark}>
          {consequence}
        </Text>
        {error ? <Failure error={error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={busy}>
            {words.cancel}
          </Button>
          <Button
            color={danger ? "red" : ""}
            onClick={() => void go()}
            loading={busy}
            disabled={disabled ?? false}
            {...(!waits && { "data-autofocus": true })}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
