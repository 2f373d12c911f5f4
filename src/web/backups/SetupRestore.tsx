// Setup from an archive: a panel that was elsewhere before goes on here.
import { Anchor, Button, Checkbox, FileInput, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useState } from "react";
import { ApiError, call } from "../api/call.ts";
import { usePageTitle } from "../browser/title.ts";
import { useWords } from "../words/words.ts";
import { ArchiveFailure } from "./ArchiveFailure.tsx";
import { AskedPassphrase } from "./AskedPassphrase.tsx";
import { CONFIRMATION, passphraseHeader, wantsPassphrase } from "./backup.ts";
import { ARCHIVE_FILES } from "./archive-files.ts";

interface SetupRestoreProps {
  readonly token: string;
  /** `moved`: the panel may come back at another address. */
  readonly onDone: (moved: boolean) => void;
  readonly onBack: () => void;
}

export default function SetupRestore({ token, onDone, onBack }: SetupRestoreProps) {
  const words = useWords("backups");
  const { setup, restore } = words;
  const [file, setFile] = useState<File | null>(null);
  const [keepWeb, setKeepWeb] = useState(true);
  const [passphrase, setPassphrase] = useState("");
  const [wants, setWants] = useState<"encrypted" | "passphrase">();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  usePageTitle(setup.title);
  const run = async (chosen: File): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await call("POST", "/setup/restore", {
        query: { t: token, confirm: CONFIRMATION, keep_web_settings: keepWeb },
        headers: passphraseHeader(passphrase),
        file: chosen,
        hurdles: false,
      });
      onDone(!keepWeb);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      if (wantsPassphrase(cause)) setWants(cause.code === "passphrase" ? "passphrase" : "encrypted");
      else setError(cause);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (file) void run(file);
      }}
    >
      <Stack gap="lg">
        <div>
          <Title order={1}>{setup.title}</Title>
          <Text c="dimmed" mt={4}>
            {setup.intro}
          </Text>
        </div>
        <FileInput
          label={words.upload.file}
          description={words.upload.help}
          inputWrapperOrder={["label", "input", "description", "error"]}
          placeholder={words.upload.choose}
          leftSection={<IconFileUpload size={17} aria-hidden />}
          accept={ARCHIVE_FILES}
          value={file}
          onChange={(chosen) => {
            setFile(chosen);
            setWants(undefined);
            setPassphrase("");
            setError(undefined);
          }}
        />
        {wants ? <AskedPassphrase value={passphrase} onType={setPassphrase} wrong={wants === "passphrase"} /> : null}
        <Checkbox
          label={setup.keepWeb}
          description={setup.keepWebText}
          checked={keepWeb}
          onChange={({ currentTarget }) => setKeepWeb(currentTarget.checked)}
        />
        {error ? <ArchiveFailure error={error} /> : null}
        {busy ? (
          <Group gap="sm" role="status" wrap="nowrap">
            <Loader size="sm" />
            <Text size="sm">
              {restore.running} {restore.runningText}
            </Text>
          </Group>
        ) : null}
        <Group justify="space-between">
          <Button
            type="submit"
            size="md"
            loading={busy}
            disabled={file === null || (wants !== undefined && passphrase === "")}
          >
            {setup.button}
          </Button>
          <Anchor component="button" type="button" size="sm" onClick={onBack} disabled={busy}>
            {setup.back}
          </Anchor>
        </Group>
      </Stack>
    </form>
  );
}
