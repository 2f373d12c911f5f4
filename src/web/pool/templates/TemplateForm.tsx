// The form of a template over its document: its name, what it carries in order, and its route as JSON.
import type { DocumentForm } from "../../parts/form/document-form.ts";
import type { FieldGroup } from "../../parts/form/field.ts";
import formClasses from "../../parts/form/form.module.css";
import { SchemaFields } from "../../parts/form/SchemaFields.tsx";
import { Panel } from "../../parts/Record.tsx";
import { useWords } from "../../words/words.ts";
import { useFieldText } from "../../fragments/field-text.ts";
import { FragmentForm, type DocumentKind, type KindFormProps } from "../../fragments/FragmentForm.tsx";
import type { Template } from "../../fragments/records.ts";
import { useTemplateSchema } from "../../fragments/use-config-schema.ts";
import { useInbounds, useOutbounds } from "../../fragments/use-pool.ts";
import { TEMPLATES } from "./templates.tsx";

interface TemplateBody {
  readonly name: string;
  readonly remark: string;
  readonly inboundIds: readonly number[];
  readonly outboundIds: readonly number[];
}

export const TEMPLATE_FORM: DocumentKind<Template> = { ...TEMPLATES, useSchema: useTemplateSchema, Form: TemplateForm };

function TemplateForm({ form, fresh }: KindFormProps) {
  const { templates } = useWords("pool");
  const text = useFieldText();
  return (
    <FragmentForm<TemplateBody>
      form={form}
      fresh={fresh}
      focus="name"
      label={templates.asJson}
      create={templates.create}
      groups={useGroups(form)}
      show={(formId) => (
        <Panel>
          <details className={formClasses["fold"]}>
            <summary>{templates.groups.routing}</summary>
            <SchemaFields
              form={form}
              formId={formId}
              path=""
              text={text}
              schema={{ type: "object", properties: { route: { type: "object" }, core: { type: "object" } } }}
            />
          </details>
        </Panel>
      )}
    />
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
