// Marks at a record that holds what is refused when it is written today: nodes do not run that part of it, and
// subscriptions miss it.
import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Code } from "../parts/Names.tsx";
import { useWords } from "../words/words.ts";

interface Fields {
  readonly fields: readonly string[];
  /** What follows from them. */
  readonly says: string;
}

function Mark({ fields, says }: Fields) {
  if (fields.length === 0) return null;
  return (
    <IconAlertTriangle size={15} color="var(--tone-failed)" role="img" aria-label={`${says}: ${fields.join(", ")}`} />
  );
}

function Note({ fields, says }: Fields) {
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
  return <Mark fields={fields} says={useWords("pool").forbidden} />;
}

/** The same in full, on the record's page. */
export function ForbiddenNote({ fields }: { readonly fields: readonly string[] }) {
  return <Note fields={fields} says={useWords("pool").forbidden} />;
}

/** Whether a field is of what clients are told, without which they are told the rest. */
const isToldToClients = (field: string) => field.split(".")[0] === "clientConfig";

/** Why subscriptions miss an inbound. What they miss of it is no mark of its own: its record says it. */
export function Refused({ fields }: { readonly fields: readonly string[] }) {
  return <Mark fields={fields.filter((field) => !isToldToClients(field))} says={useWords("pool").unlisted} />;
}

/** Why subscriptions miss an inbound, and what they miss of it. */
export function RefusedNotes({ fields }: { readonly fields: readonly string[] }) {
  const words = useWords("pool");
  return (
    <>
      <Note fields={fields.filter((field) => !isToldToClients(field))} says={words.unlisted} />
      <Note fields={fields.filter(isToldToClients)} says={words.untold} />
    </>
  );
}
