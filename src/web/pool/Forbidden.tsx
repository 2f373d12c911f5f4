// A mark at a record that holds what is refused when it is written today: nodes do not run that part of it.
import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Code } from "../parts/Names.tsx";
import { useWords } from "../words/words.ts";

export function Forbidden({ fields }: { readonly fields: readonly string[] }) {
  const words = useWords("pool");
  if (fields.length === 0) return null;
  return (
    <IconAlertTriangle
      size={15}
      color="var(--tone-failed)"
      role="img"
      aria-label={`${words.forbidden}: ${fields.join(", ")}`}
    />
  );
}

/** The same in full, on the record's page. */
export function ForbiddenNote({ fields }: { readonly fields: readonly string[] }) {
  const words = useWords("pool");
  if (fields.length === 0) return null;
  return (
    <Alert
      color="red"
      variant="light"
      mb="md"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={words.forbidden}
    >
      {fields.map((field) => (
        <div key={field}>
          <Code>{field}</Code>
        </div>
      ))}
    </Alert>
  );
}
