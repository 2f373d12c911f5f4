// Why an archive was refused, in the reader's language. The panel's own sentence stands below: it says where in the
// archive.
import { Alert, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ApiError } from "../api/call.ts";
import { Failure } from "../parts/Answer.tsx";
import { useWords } from "../words/words.ts";

const ARCHIVE_CODES: ReadonlySet<string> = new Set([
  "encrypted",
  "passphrase",
  "format",
  "no_admins",
  "busy",
  "too_large",
  "confirm",
  "unsupported",
]);

interface ArchiveFailureProps {
  readonly error: ApiError;
  readonly retry?: () => void;
}

export function ArchiveFailure({ error, retry }: ArchiveFailureProps) {
  const { refusals: own } = useWords("backups");
  const { refusals } = useWords("parts");
  // 428 of the second factor has the code of a missing confirmation.
  const told = Object.entries({ ...refusals.codes, ...own }).find(([code]) => code === error.code)?.[1];
  const known = error.status !== 428 && ARCHIVE_CODES.has(error.code ?? "") ? told : undefined;
  if (known === undefined) return <Failure error={error} {...(retry && { retry })} />;
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} title={known} role="alert">
      <Stack gap={4}>
        <Text size="sm" c="dimmed" lang="en">
          <bdi>{error.message}</bdi>
        </Text>
        {error.requestId === undefined ? null : (
          <Text size="xs" c="dimmed" ff="monospace" dir="ltr">
            {`${String(error.status)} · ${error.code ?? ""} · request=${error.requestId}`}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
