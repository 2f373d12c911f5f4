// The question before an archive is made: what is in it, and by which passphrase it is encrypted.
import { Alert, Button, Checkbox, Group, Loader, Modal, Radio, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiError, call } from "../api/call.ts";
import { sayDone } from "../browser/toasts.tsx";
import { useFormat } from "../format/use-format.ts";
import { followed } from "../jobs/job.ts";
import { useFocusBack } from "../parts/focus-back.ts";
import { useWords } from "../words/words.ts";
import { ArchiveFailure } from "./ArchiveFailure.tsx";
import { BACKUPS, passphraseHeader, type BackupSchedule } from "./backup.ts";
import type { BackupFile } from "../../backups/backup.schema.ts";
import { isTwice, NewPassphrase, type TypedTwice } from "./NewPassphrase.tsx";

interface MakeDialogProps {
  /** Undefined until it is known. */
  readonly schedule: BackupSchedule | undefined;
  readonly onClose: () => void;
}

/** A large archive is made by a job. */
type Made = BackupFile | { readonly job: number };

export default function MakeDialog({ schedule, onClose }: MakeDialogProps) {
  const { makeDialog: words, passphrase } = useWords("backups");
  const parts = useWords("parts");
  const format = useFormat();
  const queries = useQueryClient();
  useFocusBack();
  const [history, setHistory] = useState(schedule?.includeHistory ?? true);
  const [audit, setAudit] = useState(schedule?.includeAudit ?? true);
  const [own, setOwn] = useState(false);
  const [typed, setTyped] = useState<TypedTwice>({ passphrase: "", again: "" });
  const [step, setStep] = useState<"asking" | "sent" | "job">("asking");
  const [error, setError] = useState<ApiError>();
  const [failed, setFailed] = useState<string>();
  const closed = useRef(new AbortController());
  useEffect(() => {
    const closing = new AbortController();
    closed.current = closing;
    return () => closing.abort();
  }, []);
  const make = async (): Promise<void> => {
    setStep("sent");
    setError(undefined);
    setFailed(undefined);
    const headers = own ? passphraseHeader(typed.passphrase) : {};
    const made = await call<Made>("POST", "/backups", { query: { history, audit }, headers });
    if ("job" in made) {
      setStep("job");
      const job = await followed(made.job, () => undefined, closed.current.signal);
      if (job.state !== "succeeded") return setFailed(job.error);
    } else sayDone(words.done(made.name, format.bytes(made.size)));
    onClose();
  };
  const run = async (): Promise<void> => {
    try {
      await make();
    } catch (cause) {
      if (closed.current.signal.aborted) return;
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause);
    } finally {
      setStep("asking");
      void queries.invalidateQueries({ queryKey: [BACKUPS.list] });
      void queries.invalidateQueries({ queryKey: ["/backups/schedule"] });
    }
  };
  const busy = step !== "asking";
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>{words.title}</Text>}
      centered
      closeButtonProps={{ "aria-label": parts.close }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Stack>
          <Text size="sm">{words.text}</Text>
          <Checkbox
            label={words.history}
            checked={history}
            disabled={busy}
            onChange={({ currentTarget }) => setHistory(currentTarget.checked)}
          />
          <Checkbox
            label={words.audit}
            checked={audit}
            disabled={busy}
            onChange={({ currentTarget }) => setAudit(currentTarget.checked)}
          />
          <Radio.Group
            label={words.passphrase}
            value={own ? "own" : "schedule"}
            onChange={(value) => setOwn(value === "own")}
          >
            <Stack gap={6} mt={6}>
              <Radio
                value="schedule"
                disabled={busy}
                label={schedule?.passphraseSet ? words.schedule : words.scheduleNone}
              />
              <Radio value="own" disabled={busy} label={words.own} />
            </Stack>
          </Radio.Group>
          {own ? <NewPassphrase typed={typed} onType={setTyped} /> : null}
          {error ? <ArchiveFailure error={error} /> : null}
          {failed === undefined ? null : (
            <Alert color="red" variant="light" role="alert" title={words.failed}>
              <bdi lang="en">{failed}</bdi>
            </Alert>
          )}
          {busy ? (
            <Group gap="sm" role="status" wrap="nowrap">
              <Loader size="xs" />
              <Text size="sm">
                {words.running} {step === "job" ? words.runningText : ""}
              </Text>
            </Group>
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {busy ? parts.close : parts.cancel}
            </Button>
            <Button type="submit" loading={busy} disabled={own && !isTwice(typed)} title={own ? passphrase.lost : ""}>
              {words.button}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
