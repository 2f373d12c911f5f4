// The form of a template over its document: its name, what it carries in order, and its route as JSON.
import { call } from "../../api/call.ts";
import { useDocumentForm, type DocumentForm } from "../../parts/form/document-form.ts";
import type { FieldGroup } from "../../parts/form/field.ts";
import { FormAndJson } from "../../parts/form/FormAndJson.tsx";
import formClasses from "../../parts/form/form.module.css";
import { SchemaFields } from "../../parts/form/SchemaFields.tsx";
import { Panel } from "../../parts/Record.tsx";
import { useBodySchema } from "../../parts/schema/use-schema.ts";
import { useWords } from "../../words/words.ts";
import { useFieldText } from "../field-text.ts";
import type { Json, Template } from "../pool.ts";
import { useInbounds, useOutbounds } from "../use-pool.ts";

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
  readonly id?: number;
  readonly onDone: (saved: Template) => void;
}

export function TemplateForm({ initial, draft, id, onDone }: TemplateFormProps) {
  const words = useWords("pool");
  const text = useFieldText();
  const form = useDocumentForm<Template>({
    draft,
    initial,
    schema: useBodySchema("createTemplate"),
    save: (changed, whole) =>
      id === undefined
        ? call("POST", "/templates", { body: whole })
        : call("PUT", `/templates/${id}`, { body: changed }),
    onDone,
  });
  return (
    <FormAndJson<TemplateBody>
      form={form}
      label={words.templates.asJson}
      groups={useGroups(form)}
      {...(id === undefined ? { submit: words.templates.create, fresh: true, focus: "name" } : {})}
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
