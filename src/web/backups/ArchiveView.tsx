// What the panel says of an archive that it has read; before that, the passphrase that the archive wants. From here it
// is restored.
import { Alert, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { IconRestore } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useSearchParams } from "wouter";
import { LoadingLines } from "../parts/Answer.tsx";
import { Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import { ArchiveFailure } from "./ArchiveFailure.tsx";
import { AskedPassphrase } from "./AskedPassphrase.tsx";
import { wantsPassphrase, type Source } from "./backup.ts";
import { PreviewPanels } from "./PreviewPanels.tsx";
import { useHere } from "./use-here.ts";
import { useMayRestore } from "./use-may-restore.ts";
import { usePreview } from "./use-preview.ts";
import classes from "./backups.module.css";

const RestoreSteps = lazy(() => import("./RestoreSteps.tsx"));

export function ArchiveView({ source }: { readonly source: Source }) {
  const words = useWords("backups");
  const { answer, passphrase, tryWith } = usePreview(source);
  const here = useHere();
  const restores = useMayRestore();
  const [search, setSearch] = useSearchParams();
  const { data: preview, error } = answer;
  if (!preview) {
    if (error && wantsPassphrase(error))
      return <Locked wrong={error.code === "passphrase"} onGive={tryWith} key={passphrase ?? ""} />;
    if (error) return <ArchiveFailure error={error} retry={() => void answer.refetch()} />;
    return (
      <Panel>
        <Group gap="sm" wrap="nowrap" align="flex-start" role="status">
          <Loader size="sm" />
          <div>
            <Text size="sm">{"file" in source ? words.archive.uploading : words.archive.reading}</Text>
            <Text size="sm" c="dimmed">
              {words.archive.readingText}
            </Text>
          </div>
        </Group>
      </Panel>
    );
  }
  const begun = restores && preview.compatible && search.get("restore") === "1";
  const begin = () =>
    setSearch((now) => {
      const next = new URLSearchParams(now);
      next.set("restore", "1");
      return next;
    });
  return (
    <div className={classes["page"]}>
      <PreviewPanels preview={preview} here={here} name={"stored" in source ? source.stored : undefined} />
      {begun ? (
        <Suspense fallback={<LoadingLines lines={6} />}>
          <RestoreSteps {...{ source, passphrase, preview, here }} />
        </Suspense>
      ) : !restores ? (
        <Alert color="gray" variant="light">
          {words.restore.not}
        </Alert>
      ) : preview.compatible ? (
        <Group>
          <Button color="red" variant="light" leftSection={<IconRestore size={16} aria-hidden />} onClick={begin}>
            {words.restore.begin}…
          </Button>
        </Group>
      ) : null}
    </div>
  );
}

interface LockedProps {
  readonly wrong: boolean;
  readonly onGive: (passphrase: string) => void;
}

function Locked({ wrong, onGive }: LockedProps) {
  const { passphrase: words } = useWords("backups");
  const [typed, setTyped] = useState("");
  return (
    <Panel title={words.asked}>
      <form
        className={classes["locked"]}
        onSubmit={(event) => {
          event.preventDefault();
          if (typed !== "") onGive(typed);
        }}
      >
        <Stack align="stretch">
          <AskedPassphrase value={typed} onType={setTyped} wrong={wrong && typed === ""} />
          <Group>
            <Button type="submit" disabled={typed === ""}>
              {words.open}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
