// How an inbound hides its traffic: REALITY, TLS or not at all, and what each needs.
import { Alert, SegmentedControl, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { DocumentForm } from "../../parts/form/document-form.ts";
import type { AnyField } from "../../parts/form/field.ts";
import type { FieldText } from "../../parts/form/field-of-schema.ts";
import { FieldInput } from "../../parts/form/FieldInput.tsx";
import { SchemaFields } from "../../parts/form/SchemaFields.tsx";
import formClasses from "../../parts/form/form.module.css";
import { Panel } from "../../parts/Record.tsx";
import type { Schema } from "../../parts/schema/schema.ts";
import { useWords } from "../../words/words.ts";
import classes from "../../fragments/fragments.module.css";
import { securitiesOf, securityOf, tlsFor, type Security } from "./security.ts";

export interface SecurityFieldsProps {
  readonly form: DocumentForm;
  readonly formId: string;
  readonly type: string;
  /** Schema of the `tls` block. */
  readonly schema: Schema;
  readonly text: (path: string) => FieldText | undefined;
  readonly tool: (path: string) => ReactNode;
  /** The inbound is there already: clients have its keys. */
  readonly lasting: boolean;
}

const SITE = "config.tls.reality.handshake.server";
const KEY = "config.tls.reality.private_key";
const NAME = "config.tls.server_name";

export function SecurityFields({ form, formId, type, schema, text, tool, lasting }: SecurityFieldsProps) {
  const words = useWords("pool");
  const security = securityOf(form.at("config"));
  const choices = securitiesOf(type);
  const { keys, help } = words;
  const field = (given: AnyField, wide = false) => (
    <div className={wide ? classes["wide"] : ""}>
      <FieldInput field={given} form={form} formId={formId} />
    </div>
  );
  /** REALITY's site is what clients ask for: both names go together unless somebody set them apart. */
  const site: DocumentForm = {
    ...form,
    set(name, value) {
      const together = form.at(NAME) === undefined || form.at(NAME) === form.at(SITE);
      form.set(name, value);
      if (together) form.set(NAME, value);
    },
  };
  const placed = ["enabled", "server_name", "alpn", "reality"].map((name) => `config.tls.${name}`);
  const choose = (next: string) => {
    const chosen: Security = next === "reality" || next === "tls" ? next : "none";
    form.put("config.tls", tlsFor(chosen, form.at("config.tls")));
  };
  const shown = choices.includes(security) ? choices : [...choices, security];
  return (
    <Panel title={words.inbounds.groups.security}>
      <Stack gap="sm">
        {shown.length > 1 ? (
          <SegmentedControl
            aria-label={words.inbounds.groups.security}
            value={security}
            onChange={choose}
            data={shown.map((value) => ({ value, label: words.inbounds.security[value] }))}
          />
        ) : null}
        <Text size="sm" c="dimmed">
          {words.inbounds.securityText[security]}
        </Text>
        {security === "reality" ? (
          <div className={classes["grid"]}>
            <div>
              <FieldInput
                field={{ name: SITE, kind: "text", code: true, label: keys.site, help: help.site, required: true }}
                form={site}
                formId={formId}
              />
            </div>
            {field({ name: NAME, kind: "text", code: true, label: keys.server_name, help: help.server_name })}
            {field({
              name: KEY,
              kind: "secret",
              label: keys.private_key,
              help: help.private_key,
              required: true,
              tool: tool(KEY),
            })}
            {field({ name: "config.tls.reality.short_id", kind: "texts", label: keys.short_id, help: help.short_id })}
            {KEY in form.changed && lasting ? (
              <Alert className={classes["wide"] ?? ""} variant="light" color="orange" p="xs">
                {words.inbounds.newKeys}
              </Alert>
            ) : null}
          </div>
        ) : null}
        {security === "tls" ? (
          <div className={classes["grid"]}>
            {field({ name: NAME, kind: "text", code: true, label: keys.server_name, help: help.server_name })}
            {field({
              name: "config.tls.alpn",
              kind: "texts",
              label: keys.alpn,
              offered: ["h3", "h2", "http/1.1"],
            })}
            {field({ name: "useNodeCert", kind: "switch", label: keys.useNodeCert, help: help.useNodeCert }, true)}
          </div>
        ) : null}
        {security === "none" ? null : (
          <details className={formClasses["fold"]}>
            <summary>{words.inbounds.groups.tlsMore}</summary>
            <SchemaFields
              form={form}
              formId={formId}
              path="config.tls"
              schema={schema}
              text={text}
              tool={tool}
              without={new Set(placed)}
            />
          </details>
        )}
      </Stack>
    </Panel>
  );
}
