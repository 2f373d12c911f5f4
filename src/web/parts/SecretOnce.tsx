// A secret that is shown once: copy it, or say that it is kept; before that, neither a key nor a closed tab takes it
// away unasked.
import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { IconDownload, IconEyeOff } from "@tabler/icons-react";
import { useState } from "react";
import { useWords } from "../words/words.ts";
import { CopyButton } from "./CopyButton.tsx";
import { useLeaveGuard } from "./leave-guard.ts";
import { useShownSecret, type Secret } from "./secrets.ts";
import classes from "./record.module.css";
import { saveText } from "./table/export.ts";

export interface SecretOnceProps extends Omit<Secret, "title"> {
  readonly onDone: () => void;
  /** The person has it now: it may be closed like anything else. */
  readonly onKept?: () => void;
}

/** In a page; over it: `showOnce`. */
export function SecretOnce({ text, values, file, onDone, onKept }: SecretOnceProps) {
  const words = useWords("parts");
  const whole = values.join("\n");
  useLeaveGuard(true);
  return (
    <Stack gap="sm">
      {text === undefined ? null : <Text size="sm">{text}</Text>}
      <Alert color="yellow" variant="light" p="xs" icon={<IconEyeOff size={18} aria-hidden />}>
        {words.once.text}
      </Alert>
      <div className={classes["secret"]} dir="ltr">
        {values.map((value) => (
          <code key={value}>{value}</code>
        ))}
      </div>
      <Group gap="xs">
        <CopyButton value={whole} label={words.copy} wide autoFocus onCopied={() => onKept?.()} />
        {file === undefined ? null : (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => {
              saveText(file, `${whole}\n`);
              onKept?.();
            }}
          >
            {words.once.file}
          </Button>
        )}
        <Button ms="auto" onClick={onDone}>
          {words.once.kept}
        </Button>
      </Group>
    </Stack>
  );
}

/** The place of `showOnce`. */
export default function SecretDialog() {
  const shown = useShownSecret();
  return shown ? <OneSecret key={shown.secret.values.join()} {...shown} /> : null;
}

function OneSecret({ secret, done }: NonNullable<ReturnType<typeof useShownSecret>>) {
  const words = useWords("parts");
  const [kept, setKept] = useState(false);
  const [asked, setAsked] = useState(false);
  return (
    <Modal
      opened
      onClose={() => (kept ? done() : setAsked(true))}
      title={<Text fw={600}>{secret.title}</Text>}
      centered
      size="lg"
      closeButtonProps={{ "aria-label": words.close }}
    >
      <Stack gap="sm">
        <SecretOnce {...secret} onDone={done} onKept={() => setKept(true)} />
        {asked && !kept ? (
          <Text size="sm" c="var(--tone-failed)" role="alert">
            {words.once.first}
          </Text>
        ) : null}
      </Stack>
    </Modal>
  );
}
