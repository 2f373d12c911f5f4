// The form of a template over its document: its name, what it carries in order, and its route as JSON.
import { call } from "../../api/call.ts";
import { useDocumentForm, type DocumentForm } from "../../parts/form/document-form.ts";
import type { FieldGroup } from "../../parts/form/field.ts";
import { FormAndJson } from "../../parts/form/FormAndJson.tsx";
import formClasses from "../../parts/form/form.module.css";
import { SchemaFields } from "../../parts/form/SchemaFields.tsx";
import { Panel } from "../../parts/Record.tsx";
import { useWords } from "../../words/words.ts";
import { useFieldText } from "../../fragments/field-text.ts";
import { templateDocument, type Json, type Template, type Used } from "../../fragments/records.ts";
import { useTemplateSchema } from "../../fragments/use-config-schema.ts";
import { useInbounds, useOutbounds } from "../../fragments/use-pool.ts";
import { useSaveQuestion } from "../../fragments/use-save-question.tsx";

interface TemplateBody {
  readonly name: string;
  readonly remark: string;
  readonly inboundIds: readonly number[];
  readonly outboundIds: readonly number[];
}

export interface TemplateFormProps {
  readonly initial: Json;
  readonly draft: string;
  /** The template that is changed; absent: a new one. */
  readonly of?: Pick<Template, "id" | "name" | "updatedAt">;
  /** What uses it; absent: nothing yet. */
  readonly usedBy?: Used["usedBy"];
  readonly onDone: (saved: Template) => void;
}

export function TemplateForm({ initial, draft, of, usedBy, onDone }: TemplateFormProps) {
  const words = useWords("pool");
  const text = useFieldText();
  const plain = useDocumentForm<Template>({
    draft,
    initial,
    schema: useTemplateSchema(),
    ...(of && { version: { read: of.updatedAt, documentOf: templateDocument } }),
    save: (changed, whole) =>
      of ? call("PUT", `/templates/${of.id}`, { body: changed }) : call("POST", "/templates", { body: whole }),
    onDone,
  });
  const { form, question } = useSaveQuestion(plain, of?.name ?? "", usedBy);
  const fields = (
    <FormAndJson<TemplateBody>
      form={form}
      label={words.templates.asJson}
      groups={useGroups(form)}
      {...(of === undefined ? { submit: words.templates.create, fresh: true, focus: "name" } : {})}
      rest={{
        label: (path) => text(path)?.label,
        show: (formId) => (
          <Panel>
            <details className={formClasses["fold"]}>
              <summary>{words.templates.groups.routing}</summary>
              <SchemaFields
                form={form}
                formId={formId}
                path=""
                text={text}
                schema={{ type: "object", properties: { route: { type: "object" }, core: { type: "object" } } }}
              />
            </details>
          </Panel>
        ),
      }}
    />
  );
  return (
    <>
      {fields}
      {question}
    </>
  );
}

function useGroups(form: DocumentForm): readonly FieldGroup<TemplateBody>[] {
  const words = useWords("pool");
  const { keys, help } = words;
  const choices = (all: readonly { id: number; tag: string; remark: string }[] | undefined, path: string) => {
    const known = (all ?? []).map(({ id, tag, remark }) => ({
      value: id,
      label: remark === "" ? tag : `${tag} · ${remark}`,
    }));
    const carried = form.at(path);
    const unknown = (Array.isArray(carried) ? carried : []).filter(
      (id): id is number => typeof id === "number" && !known.some(({ value }) => value === id),
    );
    return [...known, ...unknown.map((id) => ({ value: id, label: `#${id}` }))];
  };
  const inbounds = choices(useInbounds(), "inboundIds");
  const outbounds = choices(useOutbounds(), "outboundIds");
  return [
    {
      title: words.templates.groups.identity,
      fields: [
        { name: "name", kind: "text", label: keys.name, required: true },
        { name: "remark", kind: "text", label: keys.remark },
        {
          name: "inboundIds",
          kind: "many",
          label: keys.inboundIds,
          help: help.inboundIds,
          choices: inbounds,
          wide: true,
        },
        {
          name: "outboundIds",
          kind: "many",
          label: keys.outboundIds,
          help: help.outboundIds,
          choices: outbounds,
          wide: true,
        },
      ],
    },
  ];
}
