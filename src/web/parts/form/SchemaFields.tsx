// Inputs for all fields of a schema below a path of a document: blocks inside blocks, lists of blocks, and choices of
// blocks that one field tells apart. Keys that the schema does not know are kept, and listed.
import { ActionIcon, Button, Group, Select } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useWords } from "../../words/words.ts";
import { Code } from "../Names.tsx";
import { isJson, unionOf, wayOf, type Schema, type Union } from "../schema/schema.ts";
import type { DocumentForm } from "./document-form.ts";
import { fieldOfSchema, type FieldText } from "./field-of-schema.ts";
import { fieldId, FieldInput } from "./FieldInput.tsx";
import classes from "./form.module.css";
import { JsonInput } from "./JsonInput.tsx";

export interface SchemaFieldsProps {
  readonly form: DocumentForm;
  readonly formId: string;
  /** Path of the block; empty: the document itself. */
  readonly path: string;
  readonly schema: Schema;
  /** What people call the field at a path; else it is shown by its name on the wire. */
  readonly text: (path: string) => FieldText | undefined;
  /** Keys that come first, in this order. */
  readonly first?: readonly string[];
  /** Paths that have their inputs elsewhere. */
  readonly without?: ReadonlySet<string>;
  /** A button at the field that fills it in. */
  readonly tool?: (path: string) => ReactNode;
}

export function SchemaFields(props: SchemaFieldsProps) {
  const { schema, path, form, without, first = [] } = props;
  const union = unionOf(schema);
  const way = union ? wayOf(union, form.at(path)) : schema;
  const fields = Object.entries(way?.properties ?? {})
    .filter(([key]) => key !== union?.by && !without?.has(below(path, key)))
    .toSorted(([a], [b]) => rank(first, a) - rank(first, b));
  return (
    <>
      <div className={classes["fields"]}>
        {union ? <UnionSelect {...props} union={union} /> : null}
        {fields.map(([key, each]) => (
          <SchemaField
            key={key}
            {...props}
            path={below(path, key)}
            schema={each}
            required={way?.required?.includes(key) ?? false}
          />
        ))}
      </div>
      <UnknownKeys {...props} way={way} />
    </>
  );
}

function SchemaField(props: SchemaFieldsProps & { readonly required: boolean }) {
  const { form, formId, path, schema, required, text, tool } = props;
  const called = text(path) ?? { label: path.slice(path.lastIndexOf(".") + 1) };
  const field = fieldOfSchema(path, schema, required, called);
  if (field) {
    const button = tool?.(path);
    return (
      <div className={path in form.changed ? classes["changed"] : ""}>
        <FieldInput field={button === undefined ? field : { ...field, tool: button }} form={form} formId={formId} />
      </div>
    );
  }
  if (schema.type === "array" && typeof schema.items === "object" && (schema.items.properties || unionOf(schema.items)))
    return <ItemFields {...props} label={called.label} items={schema.items} />;
  if (schema.properties || unionOf(schema)) {
    return (
      <fieldset className={classes["block"]} id={fieldId(formId, path)} tabIndex={-1}>
        <legend>{called.label}</legend>
        <SchemaFields {...props} />
      </fieldset>
    );
  }
  return (
    <div className={classes["wide"]}>
      <JsonInput form={form} formId={formId} path={path} label={called.label} help={called.help} />
    </div>
  );
}

/** Which of the ways is meant; another one takes the fields of the one before with it. */
function UnionSelect({ form, formId, path, union, text }: SchemaFieldsProps & { readonly union: Union }) {
  const words = useWords("parts").fields;
  const at = below(path, union.by);
  const stated = form.at(at);
  const names = [...union.ways.keys()].filter((name) => name !== "");
  const none = union.ways.has("");
  const called: FieldText = text(at) ?? { label: union.by };
  return (
    <Select
      id={fieldId(formId, at)}
      label={called.label}
      description={called.help}
      inputWrapperOrder={["label", "input", "description", "error"]}
      error={form.problems[at]}
      data={[
        ...(none ? [{ value: "", label: called.none ?? words.noneOfThem }] : []),
        ...names.map((name) => ({ value: name, label: name })),
      ]}
      value={typeof stated === "string" ? stated : (union.absent ?? "")}
      allowDeselect={false}
      onChange={(name) => form.put(path, name === null || name === "" ? undefined : { [union.by]: name })}
    />
  );
}

function ItemFields(props: SchemaFieldsProps & { readonly label: string; readonly items: Schema }) {
  const { form, formId, path, label, items } = props;
  const words = useWords("parts").fields;
  const list = form.at(path);
  const count = Array.isArray(list) ? list.length : 0;
  return (
    <fieldset className={classes["block"]} id={fieldId(formId, path)} tabIndex={-1}>
      <legend>{label}</legend>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={classes["item"]}>
          <Group justify="space-between">
            <b>{index + 1}</b>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={words.removeItem(label, String(index + 1))}
              onClick={() => form.put(`${path}.${index}`, undefined)}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
          <SchemaFields {...props} path={`${path}.${index}`} schema={items} />
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => form.put(path, [...(Array.isArray(list) ? (list as readonly unknown[]) : []), {}])}
      >
        {words.addItem(label)}
      </Button>
    </fieldset>
  );
}

/** Keys without inputs: they stay as they are unless they are changed as JSON. */
function UnknownKeys({ form, path, way }: SchemaFieldsProps & { readonly way: Schema | undefined }) {
  const words = useWords("parts").fields;
  const value = form.at(path);
  if (!isJson(value) || !way || way.additionalProperties === undefined || typeof way.additionalProperties === "object")
    return null;
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(way.properties ?? {}, key));
  if (unknown.length === 0) return null;
  return (
    <p className={classes["unknown"]}>
      {words.unknown}{" "}
      {unknown.map((key) => (
        <Code key={key}>{below(path, key)}</Code>
      ))}
    </p>
  );
}

function rank(first: readonly string[], key: string): number {
  const place = first.indexOf(key);
  return place === -1 ? first.length : place;
}

function below(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
