// The form of an outbound over its document: where it leads and how it signs in there, and the rest folded away.
import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { DocumentForm } from "../../parts/form/document-form.ts";
import formClasses from "../../parts/form/form.module.css";
import { SchemaFields } from "../../parts/form/SchemaFields.tsx";
import { Panel } from "../../parts/Record.tsx";
import type { Schema } from "../../parts/schema/schema.ts";
import { useWords } from "../../words/words.ts";
import { useFieldText } from "../../fragments/field-text.ts";
import { FragmentForm, useIdentityFields } from "../../fragments/FragmentForm.tsx";
import type { DocumentKind, KindFormProps } from "../../fragments/FragmentForm.tsx";
import { useKeyTool } from "../KeyTool.tsx";
import { OUTBOUNDS, type Outbound } from "./outbounds.tsx";

/** What a person says first of a way out; the rest is rarely touched. */
const FIRST = [
  "server",
  "server_port",
  "uuid",
  "username",
  "user",
  "password",
  "method",
  "flow",
  "tls",
  "transport",
  "outbounds",
  "default",
  "url",
  "version",
  "private_key",
  "obfs",
  "auth_str",
];

export const OUTBOUND_FORM: DocumentKind<Outbound> = {
  ...OUTBOUNDS,
  rules: { operation: "createOutbound", fragments: { config: { collection: "outbounds", typed: true } } },
  Form: OutboundForm,
};

function OutboundForm({ form, schema, fresh }: KindFormProps) {
  const { outbounds, help } = useWords("pool");
  const fields = useIdentityFields(schema, fresh, help.outboundTag);
  return (
    <FragmentForm
      form={form}
      fresh={fresh}
      label={outbounds.asJson}
      create={outbounds.create}
      groups={[{ title: outbounds.groups.identity, fields }]}
      show={(formId) => <Sections form={form} formId={formId} schema={schema} />}
    />
  );
}

function Sections({
  form,
  formId,
  schema,
}: {
  form: DocumentForm;
  formId: string;
  schema: Schema | undefined;
}): ReactNode {
  const words = useWords("pool");
  const text = useFieldText();
  const tool = useKeyTool(form);
  const config = schema?.properties?.["config"];
  if (!config?.properties) return null;
  const names = Object.keys(config.properties);
  const first = names.filter((name) => FIRST.includes(name));
  const rest = names.filter((name) => !FIRST.includes(name));
  const under = (some: readonly string[]) => new Set(some.map((name) => `config.${name}`));
  const common = { form, formId, text, path: "config", schema: config };
  const tools = (path: string) => {
    if (path.endsWith(".uuid")) return tool({ tool: "uuid", into: { uuid: path } });
    return path.endsWith(".password") ? tool({ tool: "password", into: { password: path } }) : undefined;
  };
  return (
    <>
      {first.length === 0 ? (
        <Text size="sm" c="dimmed">
          {words.outbounds.nothingMore}
        </Text>
      ) : (
        <Panel title={words.outbounds.groups.leads}>
          <SchemaFields {...common} tool={tools} first={FIRST} without={under(rest)} />
        </Panel>
      )}
      {rest.length === 0 ? null : (
        <Panel>
          <details className={formClasses["fold"]}>
            <summary>{words.inbounds.groups.more}</summary>
            <SchemaFields {...common} without={under(first)} />
          </details>
        </Panel>
      )}
    </>
  );
}
