// Writes the same into the selected users, as one job: the person chooses which fields, the others stay as they are.
import { Button, MultiSelect, Stack } from "@mantine/core";
import { useId, useState } from "react";
import { JobProgress } from "../jobs/JobState.tsx";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { FieldInput } from "../parts/form/FieldInput.tsx";
import type { FieldValue, Values } from "../parts/form/field.ts";
import { useWords } from "../words/words.ts";
import { BulkTrial } from "./BulkTrial.tsx";
import { RESETS } from "../plans/limit-fields.ts";
import { useBulkJob } from "./use-bulk-job.ts";
import { refusedOf, type SelectedUsers } from "./selected.ts";
import { NEW_USER, useUserGroups, valuesOf } from "./user-fields.ts";
import type { User } from "./user.ts";

interface BulkEditProps {
  readonly users: SelectedUsers;
  readonly onDone: (left: readonly User[]) => void;
}

/** Fields that many may have in common, in the order of the form. */
const COMMON: readonly string[] = [
  "group",
  "volume",
  "expiry",
  "duration",
  "deviceLimit",
  "speedLimit",
  "ipLimit",
  "allTemplates",
  "inboundIds",
  "autoReset",
  "remark",
  "desc",
];
/** Fields that go with another. */
const WITH: Readonly<Record<string, readonly string[]>> = { allTemplates: ["templateIds"], autoReset: RESETS };

export default function BulkEdit(props: BulkEditProps) {
  const words = useWords("users");
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        {words.edit}
      </Button>
      {opened ? <Question {...props} onClose={() => setOpened(false)} /> : null}
    </>
  );
}

function Question({ users, onDone, onClose }: BulkEditProps & { readonly onClose: () => void }) {
  const words = useWords("users");
  const { follow } = useWords("jobs");
  const formId = useId();
  const { job, start, tell } = useBulkJob();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [values, setValues] = useState<Values>(() => sharedBy(users.rows));
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const all = useUserGroups(false).flatMap(({ fields }) => fields);
  const named = COMMON.flatMap((name) => all.filter((field) => field.name === name));
  const written = (name: string) => chosen.some((each) => each === name || WITH[each]?.includes(name));
  const shown = all.filter(({ name, when }) => written(name) && (when?.(values) ?? true));
  const form = {
    values,
    problems,
    set: (name: string, value: FieldValue) => setValues((now) => ({ ...now, [name]: value })),
    complain: (name: string, problem: string | undefined) =>
      setProblems(({ [name]: _, ...others }) => (problem === undefined ? others : { ...others, [name]: problem })),
  };
  const set = Object.fromEntries(shown.flatMap(({ name }) => (name in values ? [[name, values[name]]] : [])));
  const ready = shown.length > 0 && shown.every(({ name }) => problems[name] === undefined);
  const asked = { op: "edit", query: users.query, body: { ...users.ids, set } };
  const run = async () => {
    const ended = await start(asked);
    const { total, blocked, failed } = ended;
    tell(ended, total, words.bulkDone(total - blocked - failed, total));
    onDone(refusedOf(users, ended));
  };
  return (
    <ConfirmDialog
      opened
      title={words.bulkTitle(words.edit, users.total)}
      consequence={
        <Stack gap="sm">
          <MultiSelect
            label={words.bulkFields}
            description={words.bulkFieldsHelp}
            data={named.map(({ name, label }) => ({ value: name, label }))}
            value={[...chosen]}
            onChange={setChosen}
            disabled={job !== undefined}
            searchable
            data-autofocus
          />
          {shown.map((field) => (
            <FieldInput key={`${field.name} ${field.label}`} field={field} form={form} formId={formId} />
          ))}
          {job ? (
            <>
              <JobProgress job={job} />
              <div>{follow}</div>
            </>
          ) : ready ? (
            <BulkTrial {...asked} />
          ) : null}
        </Stack>
      }
      confirm={words.edit}
      disabled={!ready}
      onClose={onClose}
      run={run}
    />
  );
}

/** What all of them have in a field, else what a new user has. */
function sharedBy(users: readonly User[]): Values {
  const [first, ...others] = users.map(valuesOf);
  if (!first) return NEW_USER;
  const same = Object.entries(first).filter(([name, value]) =>
    others.every((other) => JSON.stringify(other[name]) === JSON.stringify(value)),
  );
  return { ...NEW_USER, ...Object.fromEntries(same) };
}
