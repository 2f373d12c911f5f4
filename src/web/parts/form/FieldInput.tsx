// The input of one field, by its kind.
import { MultiSelect, NumberInput, Select, Stack, Switch, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useFormat } from "../../format/use-format.ts";
import { Password } from "./Password.tsx";
import { useWords } from "../../words/words.ts";
import { BytesInput } from "./BytesInput.tsx";
import { DateInput } from "./DateInput.tsx";
import { DurationInput } from "./DurationInput.tsx";
import type { AnyField, FieldValue } from "./field.ts";
import type { InputWrapperOrder } from "./inputs.ts";
import type { RecordForm } from "./record-form.ts";

/** The id of a field's input, to which the summary of problems leads. */
export function fieldId(form: string, name: string): string {
  return `${form}-${name}`.replaceAll(/[^\w-]/g, "-");
}

export function FieldInput({
  field,
  form,
  formId,
}: {
  readonly field: AnyField;
  readonly form: Pick<RecordForm, "values" | "set" | "problems" | "complain">;
  readonly formId: string;
}) {
  const words = useWords("parts");
  const format = useFormat();
  const { name, label, help, placeholder, required, tool } = field;
  const problem = form.problems[name];
  const frame = {
    id: fieldId(formId, name),
    label,
    // Below the input, so that inputs beside each other stand on one line.
    inputWrapperOrder: ["label", "input", "description", "error"] satisfies InputWrapperOrder,
    ...(help === undefined ? {} : { description: help }),
    ...(problem === undefined ? {} : { error: problem }),
    ...(required ? { withAsterisk: true } : {}),
  };
  const value = form.values[name];
  const set = (next: FieldValue) => form.set(name, next);
  const hint = placeholder === undefined ? {} : { placeholder };
  const beside = tool === undefined ? {} : { rightSection: tool, rightSectionWidth: 40 };
  const quantity = (zero: string | undefined) => ({
    ...frame,
    ...(zero === undefined ? {} : { zero }),
    value: typeof value === "number" ? value : 0,
    onChange: set,
    onProblem: (said: string | undefined) => form.complain(name, said),
  });
  const text = typeof value === "string" ? value : "";
  switch (field.kind) {
    case "text":
      return (
        <TextInput
          {...frame}
          {...hint}
          {...beside}
          {...(field.code ? { dir: "ltr" } : {})}
          value={text}
          onChange={(event) => set(event.currentTarget.value)}
        />
      );
    case "secret":
      return (
        <Password
          {...frame}
          {...hint}
          {...(tool === undefined ? {} : { leftSection: tool, leftSectionWidth: 40 })}
          dir="ltr"
          autoComplete="off"
          value={text}
          onChange={(event) => set(event.currentTarget.value)}
        />
      );
    case "texts":
      return (
        <TagsInput
          {...frame}
          {...hint}
          {...beside}
          {...(field.offered === undefined ? {} : { data: [...field.offered] })}
          dir="ltr"
          value={Array.isArray(value) ? value.map(String) : text === "" ? [] : [text]}
          onChange={(next) => set(next)}
          acceptValueOnBlur
        />
      );
    case "area":
      return (
        <Textarea
          {...frame}
          {...hint}
          autosize
          minRows={2}
          maxRows={10}
          value={text}
          onChange={(event) => set(event.currentTarget.value)}
        />
      );
    case "select":
      return (
        <Select
          {...frame}
          {...hint}
          data={[...field.choices]}
          value={text}
          allowDeselect={false}
          onChange={(next) => set(next ?? "")}
        />
      );
    case "number":
      return (
        <NumberInput
          {...frame}
          placeholder={field.zero ?? placeholder ?? ""}
          min={0}
          allowDecimal={field.decimals === true}
          allowNegative={false}
          hideControls={field.code === true}
          thousandSeparator={field.code ? "" : format.locale.startsWith("en") ? "," : " "}
          value={typeof value === "number" && (value !== 0 || field.zero === undefined) ? value : ""}
          onChange={(next) => set(typeof next === "number" ? next : 0)}
        />
      );
    case "bytes":
      return <BytesInput {...quantity(field.zero)} />;
    case "rate":
      return <BytesInput {...quantity(field.zero)} rate />;
    case "duration":
      return <DurationInput {...quantity(field.zero)} />;
    case "date":
      return <DateInput {...quantity(field.zero)} />;
    case "choice":
      return (
        <Select
          {...frame}
          {...hint}
          data={field.choices.map((choice) => ({ value: String(choice.value), label: choice.label }))}
          value={String(value ?? "")}
          allowDeselect={false}
          searchable={field.choices.length > 8}
          onChange={(next) => set(Number(next ?? 0))}
        />
      );
    case "switch":
      return (
        <Switch
          id={frame.id}
          label={label}
          description={help}
          error={problem}
          checked={value === true}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      );
    case "many": {
      const list = (
        <MultiSelect
          {...frame}
          {...hint}
          data={field.choices.map((choice) => ({ value: String(choice.value), label: choice.label }))}
          value={Array.isArray(value) ? value.map(String) : []}
          searchable
          clearable
          nothingFoundMessage={words.nothingFound}
          onChange={(next) => set(next.map(Number))}
        />
      );
      if (field.all === undefined) return list;
      return (
        <Stack gap="xs">
          <Switch
            id={`${frame.id}-all`}
            label={field.all}
            checked={value === null}
            onChange={(event) => set(event.currentTarget.checked ? null : [])}
          />
          {value === null ? null : list}
        </Stack>
      );
    }
  }
}
