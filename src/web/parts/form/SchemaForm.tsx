// A form from fields as data: groups, problems at their fields with a summary that jumps, and a bar that says what is
// not saved.
import { Alert, Button, Group, Text } from "@mantine/core";
import { lazy, Suspense, useEffect, useId, type ReactNode } from "react";
import { useKeys } from "../../browser/keys.ts";
import { useWords } from "../../words/words.ts";
import { Failure } from "../Answer.tsx";
import { Panel } from "../Record.tsx";
import type { AnyField, FieldGroup } from "./field.ts";
import { fieldId, FieldInput } from "./FieldInput.tsx";
import classes from "./form.module.css";
import { ProblemList } from "./ProblemList.tsx";
import type { RecordForm } from "./record-form.ts";

const ConflictNote = lazy(() => import("./ConflictNote.tsx"));

export interface SchemaFormProps<B> {
  readonly form: RecordForm;
  readonly groups: readonly FieldGroup<B>[];
  /** "Create user"; of a record that exists "Save". */
  readonly submit?: string;
  /** The bar is always there, not only with changes: a new record. */
  readonly fresh?: boolean;
  /** The field that has the focus when the form appears. */
  readonly focus?: string;
  /** Beside the submit button. */
  readonly more?: ReactNode;
  /** Below the groups: what is no field of a group, and what its fields are called. */
  readonly rest?: FormRest;
  /** Problems are listed in `rest`. */
  readonly unlisted?: boolean;
}

export interface FormRest {
  readonly show: (formId: string) => ReactNode;
  readonly label?: (name: string) => string | undefined;
}

export function SchemaForm<B>({ form, groups, submit, fresh, focus, more, rest, unlisted }: SchemaFormProps<B>) {
  const words = useWords("parts");
  const id = useId();
  const { problems, busy, dirty } = form;
  const fields: readonly AnyField[] = groups.flatMap(({ fields: some }): readonly AnyField[] => some);
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  const known = fields.flatMap(({ name, label }) =>
    problems[name] === undefined ? [] : [{ name, label, text: problems[name] }],
  );
  const others = Object.entries(problems).flatMap(([name, text]) =>
    labels.has(name) ? [] : [{ name, label: rest?.label?.(name), text }],
  );
  const wrong = [...known, ...others];
  useKeys({ "mod+s": { label: words.save, run: () => void form.save(), enabled: dirty || fresh === true } });
  useEffect(() => {
    if (focus !== undefined) document.querySelector<HTMLElement>(`#${CSS.escape(fieldId(id, focus))}`)?.focus();
  }, [id, focus]);
  return (
    <form
      className={classes["form"]}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.save();
      }}
    >
      {form.restored ? (
        <Alert variant="light" p="xs">
          <Group justify="space-between" gap="xs">
            <Text size="sm">{words.draftRestored}</Text>
            <Button size="compact-sm" variant="subtle" onClick={form.discard}>
              {words.discard}
            </Button>
          </Group>
        </Alert>
      ) : null}
      {wrong.length > 0 && !unlisted ? <ProblemList formId={id} problems={wrong} /> : null}
      {form.error ? <Failure error={form.error} /> : null}
      {form.conflict ? (
        <Suspense>
          <ConflictNote
            form={form}
            conflict={form.conflict}
            fields={fields}
            labelOf={(name) => labels.get(name) ?? rest?.label?.(name)}
          />
        </Suspense>
      ) : null}
      {groups.map((group) => (
        <Fields key={group.title} group={group} form={form} formId={id} />
      ))}
      {rest?.show(id)}
      {dirty || fresh ? (
        <div className={classes["bar"]} role="status">
          <Text size="sm" c="dimmed">
            {fresh ? "" : words.unsaved(Object.keys(form.changed).length)}
          </Text>
          <Group gap="xs">
            {fresh ? null : (
              <Button variant="default" onClick={form.discard} disabled={busy}>
                {words.discard}
              </Button>
            )}
            {more}
            <Button type="submit" loading={busy} title="Ctrl+S">
              {submit ?? words.save}
            </Button>
          </Group>
        </div>
      ) : null}
    </form>
  );
}

function Fields<B>({ group, form, formId }: { group: FieldGroup<B>; form: RecordForm; formId: string }) {
  const fields: readonly AnyField[] = group.fields;
  if (group.when?.(form.values) === false) return null;
  const shown = fields.filter(({ when }) => when?.(form.values) ?? true);
  const grid = (
    <div className={classes["fields"]}>
      {shown.map((field) => (
        <div
          key={field.name}
          className={`${field.wide || field.kind === "area" ? classes["wide"] : ""} ${field.name in form.changed ? classes["changed"] : ""}`}
        >
          <FieldInput field={field} form={form} formId={formId} />
        </div>
      ))}
    </div>
  );
  if (!group.folded) {
    return (
      <Panel title={group.title}>
        {group.text === undefined ? null : (
          <Text component="div" size="sm" c="dimmed" mb="sm">
            {group.text}
          </Text>
        )}
        {grid}
      </Panel>
    );
  }
  const open = fields.some(({ name }) => name in form.changed || form.problems[name] !== undefined);
  return (
    <Panel>
      <details className={classes["fold"]} open={open || undefined}>
        <summary>{group.title}</summary>
        {grid}
      </details>
    </Panel>
  );
}
