// What the panel found in an archive that somebody should know before it is restored, in the panel's own sentences.
import { Alert, List } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useWords } from "../words/words.ts";

export function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  const { archive: words } = useWords("backups");
  if (warnings.length === 0) return null;
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={words.warnings}
      role="status"
    >
      <List size="sm" spacing={4}>
        {warnings.map((warning) => (
          <List.Item key={warning}>
            <bdi lang="en">{warning}</bdi>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
