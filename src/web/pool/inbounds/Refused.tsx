// Marks at an inbound that subscriptions miss, or miss a part of, since an older version stored what is refused today.
import { FieldsMark, FieldsNote } from "../../fragments/Forbidden.tsx";
import { useWords } from "../../words/words.ts";

interface Fields {
  readonly fields: readonly string[];
}

/** Whether a field is of what clients are told, without which they are told the rest. */
const isToldToClients = (field: string) => field.split(".")[0] === "clientConfig";

/** Why subscriptions miss an inbound. What they miss of it is no mark of its own: its record says it. */
export function Refused({ fields }: Fields) {
  return <FieldsMark fields={fields.filter((field) => !isToldToClients(field))} says={useWords("pool").unlisted} />;
}

/** Why subscriptions miss an inbound, and what they miss of it. */
export function RefusedNotes({ fields }: Fields) {
  const words = useWords("pool");
  return (
    <>
      <FieldsNote fields={fields.filter((field) => !isToldToClients(field))} says={words.unlisted} />
      <FieldsNote fields={fields.filter(isToldToClients)} says={words.untold} />
    </>
  );
}
