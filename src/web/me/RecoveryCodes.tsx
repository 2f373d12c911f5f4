// The recovery codes, this once: to copy or to save as a file.
import { Alert, Button, Group, Stack } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useEffect } from "react";
import { CopyButton } from "../parts/CopyButton.tsx";
import { useWords } from "../words/words.ts";
import classes from "./me.module.css";

export function RecoveryCodes({ codes, onSaved }: { readonly codes: readonly string[]; readonly onSaved: () => void }) {
  const { factor: words } = useWords("me");
  const text = `${codes.join("\n")}\n`;
  useEffect(() => {
    // Shown this once: a page that is left takes them along.
    const guard = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", guard);
    return () => window.removeEventListener("beforeunload", guard);
  }, []);
  return (
    <Stack gap="sm">
      <Alert color="yellow" variant="light" title={words.codesTitle}>
        {words.codesText}
      </Alert>
      <ul className={classes["codes"]} dir="ltr">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs">
        <CopyButton value={text} label={words.copyAll} wide />
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveText("signalbox-recovery-codes.txt", text)}
        >
          {words.download}
        </Button>
        <Button onClick={onSaved}>{words.saved}</Button>
      </Group>
    </Stack>
  );
}

/** Hands a text to the browser as a file. */
function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(url);
}
