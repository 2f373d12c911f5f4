// The form of a template over its document: its name, what it carries in order, and its route as JSON.
import type { DocumentForm } from "../../parts/form/document-form.ts";
import type { FieldGroup } from "../../parts/form/field.ts";
import formClasses from "../../parts/form/form.module.css";
import { SchemaFields } from "../../parts/form/SchemaFields.tsx";
import { Panel } from "../../parts/Record.tsx";
import { useWords } from "../../words/words.ts";
import { useFieldText } from "../../fragments/field-text.ts";
import { FragmentForm, type DocumentKind, type KindFormProps } from "../../fragments/FragmentForm.tsx";
import { useAll } from "../../fragments/use-all.ts";
import { TEMPLATES, type Template } from "./templates.tsx";

interface TemplateBody {
  readonly name: string;
  readonly remark: string;
  readonly inboundIds: readonly number[];
  readonly outboundIds: readonly number[];
}

/** The fields of an inbound or outbound by which it is chosen. */
interface Carried {
  readonly id: number;
  readonly tag: string;
  readonly remark: string;
}

export const TEMPLATE_FORM: DocumentKind<Template> = {
  ...TEMPLATES,
  rules: {
    operation: "createTemplate",
    fragments: { route: { collection: "route" }, core: { collection: "core" } },
  },
  Form: TemplateForm,
};

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
  const choices = (all: readonly Carried[] | undefined, path: string) => {
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
  const inbounds = choices(useAll<Carried>({ list: "/inbounds", reads: "pool:read" }), "inboundIds");
  const outbounds = choices(useAll<Carried>({ list: "/outbounds", reads: "pool:read" }), "outboundIds");
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
