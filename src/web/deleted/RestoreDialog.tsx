// The question before a deleted user comes back: in which state it will be, and other values where somebody else has
// them by now.
import { Alert, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { ApiError, call } from "../api/call.ts";
import { useApi } from "../api/queries.ts";
import { useFormat } from "../format/use-format.ts";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { panelNow } from "../parts/now.ts";
import type { Asked } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import type { DeletedRecord, DeletedUser } from "./deleted.ts";

const CHOSEN = ["name", "subId", "externalId"] as const;
type Chosen = (typeof CHOSEN)[number];

interface RestoreDialogProps {
  readonly user: DeletedUser;
  readonly asked: Asked<DeletedUser>;
}

export default function RestoreDialog({ user, asked }: RestoreDialogProps) {
  const words = useWords("deleted");
  const { data: record } = useApi<DeletedRecord>(`/users/deleted/${user.id}`);
  const [values, setValues] = useState<Readonly<Partial<Record<Chosen, string>>>>({});
  // A reseller is told of links and credentials that others have by a refusal alone.
  const [refused, setRefused] = useState<readonly string[]>([]);
  const taken = [...(record?.taken ?? []), ...refused];
  const fields = CHOSEN.filter((field) => taken.includes(field));
  const credentials = taken.some((field) => field.startsWith("config."));
  // A reference may be left empty.
  const missing = fields.some((field) => field !== "externalId" && (values[field] ?? "").trim() === "");
  const run = async () => {
    const body = { ...Object.fromEntries(fields.map((field) => [field, values[field] ?? ""])), credentials };
    try {
      const { name } = await call<{ readonly name: string }>("POST", `/users/${user.id}/restore`, { body });
      asked.settle({ gone: true, said: words.restored(name) });
    } catch (error) {
      const field = error instanceof ApiError && error.code === "duplicate" ? error.field : undefined;
      if (field !== undefined) setRefused((now) => [...now, field]);
      throw error;
    }
  };
  return (
    <ConfirmDialog
      opened
      onClose={asked.close}
      title={words.restoreTitle(user.name)}
      consequence={
        <Stack gap="sm">
          <div>{words.restoreText}</div>
          {record ? <State record={record} /> : null}
          {fields.length > 0 ? <div>{words.taken}</div> : null}
          {fields.map((field) => (
            <TextInput
              key={field}
              label={words[field]}
              description={field === "subId" ? words.subIdText : undefined}
              value={values[field] ?? ""}
              onChange={({ currentTarget: { value } }) => setValues((now) => ({ ...now, [field]: value }))}
            />
          ))}
          {credentials ? (
            <Alert color="yellow" variant="light">
              {words.credentials}
            </Alert>
          ) : null}
        </Stack>
      }
      confirm={words.restore}
      disabled={record === undefined || missing}
      run={run}
    />
  );
}

/** What keeps it off when it is back. */
function State({ record }: { readonly record: DeletedRecord }) {
  const words = useWords("deleted");
  const format = useFormat();
  const [now] = useState(panelNow);
  const { enable, disabledReason, duration, activatedAt, expiry, volume, used } = record;
  const begun = duration === 0 || activatedAt > 0;
  if (!enable && disabledReason === "manual") return <div>{words.wasOff}</div>;
  if (begun && expiry > 0 && expiry <= now) return <div>{words.ended(format.date(expiry, "date"))}</div>;
  if (volume > 0 && used >= volume) return <div>{words.usedUp}</div>;
  return null;
}
