// A rehearsal: the question, the passphrase where the archive wants one, and how it came out.
import { Alert, Button, Group, Loader, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { ApiError } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { useFocusBack } from "../parts/focus-back.ts";
import { Facts } from "../parts/Record.tsx";
import type { Asked } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import { ArchiveFailure } from "./ArchiveFailure.tsx";
import { AskedPassphrase } from "./AskedPassphrase.tsx";
import { askOf, wantsPassphrase, type Backup, type Rehearsal } from "./backup.ts";
import { Warnings } from "./Warnings.tsx";

export default function RehearseDialog({ backup, asked }: { readonly backup: Backup; readonly asked: Asked<Backup> }) {
  const { rehearse: words } = useWords("backups");
  const parts = useWords("parts");
  useFocusBack();
  const [passphrase, setPassphrase] = useState("");
  const [wants, setWants] = useState<"encrypted" | "passphrase">();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const [outcome, setOutcome] = useState<Rehearsal>();
  const run = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      setOutcome(await askOf<Rehearsal>({ stored: backup.name }, "rehearse", { passphrase }));
      asked.settle({});
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      if (wantsPassphrase(cause)) setWants(cause.code === "passphrase" ? "passphrase" : "encrypted");
      else setError(cause);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      opened
      onClose={asked.close}
      title={<Text fw={600}>{words.title(backup.name)}</Text>}
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
          {outcome ? <Came outcome={outcome} /> : <Text size="sm">{words.text}</Text>}
          {wants && !outcome ? (
            <AskedPassphrase value={passphrase} onType={setPassphrase} wrong={wants === "passphrase"} />
          ) : null}
          {error ? <ArchiveFailure error={error} /> : null}
          {busy ? (
            <Group gap="sm" role="status">
              <Loader size="xs" />
              <Text size="sm">{words.running}</Text>
            </Group>
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={asked.close}>
              {outcome || busy ? parts.close : parts.cancel}
            </Button>
            {outcome ? null : (
              <Button type="submit" loading={busy} disabled={wants !== undefined && passphrase === ""} data-autofocus>
                {words.button}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Came({ outcome }: { readonly outcome: Rehearsal }) {
  const words = useWords("backups");
  const format = useFormat();
  const { ok, seconds, tables, rows, admins, users, nodes, warnings } = outcome;
  return (
    <>
      <Alert
        color={ok ? "green" : "red"}
        variant="light"
        role="status"
        title={ok ? words.rehearse.ok : words.rehearse.failed}
      >
        {`${words.tables(tables, format.number(tables))} · ${words.rows(rows, format.number(rows))}`}
      </Alert>
      <Warnings warnings={warnings} />
      <Facts
        items={[
          { label: words.archive.admins, value: format.number(admins) },
          { label: words.archive.users, value: format.number(users) },
          { label: words.archive.nodes, value: format.number(nodes) },
          { label: words.rehearse.seconds, value: format.duration(Math.max(1, Math.round(seconds))) },
        ]}
      />
    </>
  );
}
