// Marks at a record that holds what is refused when it is written today: nodes do not run that part of it. Kinds say by
// the same marks what else follows from a field.
import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Code } from "../parts/Names.tsx";
import { useWords } from "../words/words.ts";

interface Fields {
  readonly fields: readonly string[];
  /** What follows from them. */
  readonly says: string;
}

export function FieldsMark({ fields, says }: Fields) {
  if (fields.length === 0) return null;
  return (
    <IconAlertTriangle size={15} color="var(--tone-failed)" role="img" aria-label={`${says}: ${fields.join(", ")}`} />
  );
}

/** The same in full, on the record's page. */
export function FieldsNote({ fields, says }: Fields) {
  if (fields.length === 0) return null;
  return (
    <Alert color="red" variant="light" mb="md" icon={<IconAlertTriangle size={18} aria-hidden />} title={says}>
      {fields.map((field) => (
        <div key={field}>
          <Code>{field}</Code>
        </div>
      ))}
    </Alert>
  );
}

export function Forbidden({ fields }: { readonly fields: readonly string[] }) {
  return <FieldsMark fields={fields} says={useWords("pool").forbidden} />;
}

export function ForbiddenNote({ fields }: { readonly fields: readonly string[] }) {
  return <FieldsNote fields={fields} says={useWords("pool").forbidden} />;
}
