// Somebody else changed the same fields: shows both versions next to each other, and the choice.
import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { Fragment, lazy, Suspense } from "react";
import { useFormat } from "../../format/use-format.ts";
import { useWords } from "../../words/words.ts";
import { LoadingLines } from "../Answer.tsx";
import type { AnyField, FieldValue } from "./field.ts";
import classes from "./form.module.css";
import type { Conflict, RecordForm } from "./record-form.ts";

const Diff = lazy(async () => ({ default: (await import("../diff/Diff.tsx")).Diff }));

export default function ConflictNote({
  form,
  conflict,
  fields,
  labelOf,
}: {
  form: RecordForm;
  conflict: Conflict;
  fields: readonly AnyField[];
  /** What is called how that is no field of a group. */
  labelOf: (name: string) => string | undefined;
}) {
  const words = useWords("parts");
  const show = useShown();
  return (
    <Alert color="orange" variant="light" title={words.conflict} role="alert">
      <Stack gap="sm">
        <Text size="sm">{words.conflictText}</Text>
        {conflict.documents ? (
          <Suspense fallback={<LoadingLines lines={conflict.fields.length} />}>
            <Diff
              before={conflict.documents.theirs}
              after={conflict.documents.mine}
              heads={{ before: words.theirs, after: words.yours }}
              label={(path) => labelOf(path.join("."))}
            />
          </Suspense>
        ) : (
          <div className={classes["versions"]}>
            <span />
            <b>{words.theirs}</b>
            <b>{words.yours}</b>
            {fieldsOf(conflict.fields, fields, labelOf).map((field) => (
              <Fragment key={field.name}>
                <span>{field.label}</span>
                <bdi>{show(field, conflict.theirs[field.name])}</bdi>
                <bdi>{show(field, form.values[field.name])}</bdi>
              </Fragment>
            ))}
          </div>
        )}
        <Group gap="xs">
          <Button size="xs" onClick={() => form.settle("mine")} loading={form.busy}>
            {words.keepMine}
          </Button>
          <Button size="xs" variant="default" onClick={() => form.settle("theirs")}>
            {words.takeTheirs}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function fieldsOf(
  names: readonly string[],
  fields: readonly AnyField[],
  labelOf: (name: string) => string | undefined,
): readonly AnyField[] {
  return names.map(
    (name) => fields.find((field) => field.name === name) ?? { name, kind: "text", label: labelOf(name) ?? name },
  );
}

/** A value of a field as text. */
function useShown(): (field: AnyField, value: FieldValue | undefined) => string {
  const words = useWords("parts");
  const format = useFormat();
  return (field, value) => {
    if (value === undefined || value === "") return "—";
    if (typeof value === "boolean") return value ? words.yes : words.no;
    if (value === null) return field.kind === "many" ? (field.all ?? "—") : "—";
    const named = (each: string | number) =>
      ("choices" in field ? field.choices.find((choice) => choice.value === each)?.label : undefined) ?? String(each);
    if (typeof value === "object") return value.length === 0 ? "—" : [...value].map(named).join(", ");
    if (typeof value === "string") return named(value);
    if (value === 0 && "zero" in field && field.zero !== undefined) return field.zero;
    switch (field.kind) {
      case "bytes":
        return format.bytes(value);
      case "rate":
        return format.rate(value);
      case "duration":
        return format.duration(value);
      case "date":
        return format.date(value);
      default:
        return named(value);
    }
  };
}
