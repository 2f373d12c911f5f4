// The form of a fragment over its document: that of a new one, and that of one that is changed. Its kind says which
// inputs it has.
import { useMemo, useState, type ComponentType, type ReactNode } from "react";
import { call } from "../api/call.ts";
import { useDocumentForm, type DocumentForm } from "../parts/form/document-form.ts";
import type { Field, FieldGroup } from "../parts/form/field.ts";
import { FormAndJson } from "../parts/form/FormAndJson.tsx";
import type { Schema } from "../parts/schema/schema.ts";
import { useWords } from "../words/words.ts";
import { useFieldText } from "./field-text.ts";
import { ForbiddenNote } from "./Forbidden.tsx";
import type { Begun, FragmentRecord, Kind, Used } from "./kind.ts";
import { ReadOnly } from "./ReadOnly.tsx";
import { typesIn, useRecordSchema, type KindRules } from "./use-config-schema.ts";
import { useSaveQuestion } from "./use-save-question.tsx";
import { useCreated, useSaved } from "./use-written.ts";

/** A kind whose records are documents. */
export interface DocumentKind<T extends FragmentRecord> extends Kind<T> {
  readonly rules: KindRules;
  readonly Form: ComponentType<KindFormProps>;
}

export interface KindFormProps {
  readonly form: DocumentForm;
  readonly schema: Schema | undefined;
  readonly fresh: boolean;
}

/** The rules follow the type that the form states, typed as JSON too. */
function useStatedType(initial: unknown): readonly [string, (form: DocumentForm) => void] {
  const [type, setType] = useState(String(initial));
  return [
    type,
    (form) => {
      const stated = form.at("type");
      if (typeof stated === "string" && stated !== type) setType(stated);
    },
  ];
}

/** The form of a new record. */
export function Create<T extends FragmentRecord>({
  kind,
  begun: { initial, draft },
}: {
  readonly kind: DocumentKind<T>;
  readonly begun: Begun;
}) {
  // What it begins with is fixed when the page opens: another record that appears meanwhile moves nothing.
  const [begun] = useState(initial);
  const [type, follow] = useStatedType(begun["type"]);
  const schema = useRecordSchema(kind.rules, type);
  const form = useDocumentForm<T>({
    draft,
    initial: begun,
    schema,
    save: (_, whole) => call("POST", kind.list, { body: whole }),
    onDone: useCreated(kind),
  });
  follow(form);
  return <kind.Form form={form} schema={schema} fresh />;
}

type Editable = FragmentRecord & { readonly type?: string; readonly forbidden: readonly string[] };

interface EditorProps<T extends Editable> {
  readonly kind: DocumentKind<T>;
  readonly record: T & Used;
  /** What the record is called as JSON. */
  readonly label: string;
  /** What uses it, where that is named before it is saved. */
  readonly asked?: Used["usedBy"];
  readonly notes?: ReactNode;
}

/** A record that is changed, or read by whoever may not change it. */
export function Editor<T extends Editable>(editor: EditorProps<T>) {
  const { kind, record, label, notes } = editor;
  const { writes } = kind.useRights();
  return (
    <div>
      <ForbiddenNote fields={record.forbidden} />
      {notes}
      {writes ? <Edit {...editor} /> : <ReadOnly record={kind.documentOf(record)} label={label} />}
    </div>
  );
}

function Edit<T extends Editable>({ kind, record, asked }: EditorProps<T>) {
  const [type, follow] = useStatedType(record.type);
  const schema = useRecordSchema(kind.rules, type);
  const plain = useDocumentForm<T>({
    draft: `${kind.id}/${record.id}`,
    initial: useMemo(() => kind.documentOf(record), [kind, record]),
    schema,
    version: { read: record.updatedAt, documentOf: kind.documentOf },
    save: (changed) => call("PUT", `${kind.list}/${record.id}`, { body: changed }),
    onDone: useSaved<T>(kind, record),
  });
  follow(plain);
  const { form, question } = useSaveQuestion(plain, kind.name(record), asked);
  return (
    <>
      <kind.Form form={form} schema={schema} fresh={false} />
      {question}
    </>
  );
}

interface FragmentFormProps<B> extends Pick<KindFormProps, "form" | "fresh"> {
  readonly label: string;
  readonly create: string;
  readonly groups: readonly FieldGroup<B>[];
  /** What stands below the groups. */
  readonly show: (formId: string) => ReactNode;
  readonly focus?: string;
}

/** Inputs and JSON over one draft. */
export function FragmentForm<B>({ form, fresh, label, create, groups, show, focus }: FragmentFormProps<B>) {
  const text = useFieldText();
  return (
    <FormAndJson<B>
      form={form}
      label={label}
      groups={groups}
      {...(fresh && { submit: create, fresh })}
      {...(fresh && focus !== undefined && { focus })}
      rest={{ label: (path) => text(path)?.label, show }}
    />
  );
}

/** Tag, remark, and of a new record its type. */
export function useIdentityFields(
  schema: Schema | undefined,
  fresh: boolean,
  help: string,
): readonly Field<{ readonly tag: string; readonly remark: string; readonly type: string }>[] {
  const { keys } = useWords("pool");
  const choices = typesIn(schema).map((value) => ({ value, label: value }));
  return [
    { name: "tag", kind: "text", code: true, label: keys.tag, help, required: true },
    { name: "remark", kind: "text", label: keys.remark },
    ...(fresh ? [{ name: "type", kind: "select", label: keys.type, choices } as const] : []),
  ];
}
