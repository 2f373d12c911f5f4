// The form of an inbound over its document: where it listens, how it hides its traffic, what is special to its type.
// The rest is folded away. What has no input stays as it is.
import { Alert, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Json } from "../../parts/form/document-draft.ts";
import type { DocumentForm } from "../../parts/form/document-form.ts";
import type { FieldGroup } from "../../parts/form/field.ts";
import { SchemaFields } from "../../parts/form/SchemaFields.tsx";
import formClasses from "../../parts/form/form.module.css";
import { Panel } from "../../parts/Record.tsx";
import type { Schema } from "../../parts/schema/schema.ts";
import { useMayLeadClients } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import { useFieldText } from "../../fragments/field-text.ts";
import { useKeyTool, type KeyMaking } from "../KeyTool.tsx";
import { FragmentForm, useIdentityFields } from "../../fragments/FragmentForm.tsx";
import type { DocumentKind, KindFormProps } from "../../fragments/FragmentForm.tsx";
import { INBOUNDS, type Inbound } from "./inbounds.tsx";
import { SecurityFields } from "./SecurityFields.tsx";

interface InboundBody {
  readonly tag: string;
  readonly type: string;
  readonly remark: string;
  readonly config: Json;
}

/** Have inputs of their own, or are of the record. */
const PLACED = ["listen", "listen_port", "tls", "transport", "type", "tag"];
/** How sockets behave: rarely touched. */
const RARE = [
  "reuse_addr",
  "tcp_fast_open",
  "tcp_multi_path",
  "disable_tcp_keep_alive",
  "tcp_keep_alive",
  "tcp_keep_alive_interval",
  "udp_fragment",
  "udp_timeout",
  "detour",
  "multiplex",
  "fallback_for_alpn",
  "brutal_debug",
  "zero_rtt_handshake",
];
const under = (names: readonly string[]): ReadonlySet<string> => new Set(names.map((name) => `config.${name}`));

export const INBOUND_FORM: DocumentKind<Inbound> = {
  ...INBOUNDS,
  rules: {
    operation: "createInbound",
    fragments: { config: { collection: "inbounds", typed: true }, clientConfig: { collection: "clientConfig" } },
  },
  Form: InboundForm,
};

function InboundForm({ form, schema, fresh }: KindFormProps) {
  const { inbounds } = useWords("pool");
  return (
    <FragmentForm<InboundBody>
      form={form}
      fresh={fresh}
      label={inbounds.asJson}
      create={inbounds.create}
      groups={useGroups(schema, fresh)}
      show={(formId) => (
        <>
          {isOnLoopback(form.at("config.listen")) ? (
            <Alert color="orange" variant="light">
              {inbounds.onLoopback}
            </Alert>
          ) : null}
          <Sections form={form} formId={formId} schema={schema} lasting={!fresh} />
        </>
      )}
    />
  );
}

/** Nobody but the node itself reaches such an address. */
function isOnLoopback(listen: unknown): boolean {
  return typeof listen === "string" && /^(127\.|::1$|::ffff:127\.)/i.test(listen.trim());
}

function useGroups(schema: Schema | undefined, fresh: boolean): readonly FieldGroup<InboundBody>[] {
  const { inbounds, keys, help } = useWords("pool");
  const identity = useIdentityFields(schema, fresh, help.inboundTag);
  return [
    {
      title: inbounds.groups.listens,
      fields: [
        ...identity,
        {
          name: "config.listen_port",
          kind: "number",
          code: true,
          label: keys.listen_port,
          help: help.listen_port,
          required: true,
        },
        { name: "config.listen", kind: "text", code: true, label: keys.listen, help: help.listen },
      ],
    },
  ];
}

interface SectionsProps {
  readonly form: DocumentForm;
  readonly formId: string;
  readonly schema: Schema | undefined;
  readonly lasting: boolean;
}

function Sections({ form, formId, schema, lasting }: SectionsProps) {
  const words = useWords("pool");
  const text = useFieldText();
  const toolOf = useInboundTools(form);
  const config = schema?.properties?.["config"];
  if (!config?.properties) return null;
  const type = form.at("type");
  const { transport } = config.properties;
  const common = { form, formId, text, tool: toolOf };
  const own = Object.keys(config.properties).filter((name) => !PLACED.includes(name) && !RARE.includes(name));
  const rare = Object.keys(config.properties).filter((name) => RARE.includes(name));
  return (
    <>
      {config.properties["tls"] ? (
        <SecurityFields
          {...common}
          lasting={lasting}
          type={typeof type === "string" ? type : ""}
          schema={config.properties["tls"]}
        />
      ) : null}
      {transport && type !== "shadowsocks" ? (
        <Panel title={words.inbounds.groups.transport}>
          <SchemaFields {...common} path="config.transport" schema={transport} />
        </Panel>
      ) : null}
      {own.length === 0 ? null : (
        <Panel title={words.inbounds.groups.protocol}>
          <SchemaFields {...common} path="config" schema={config} without={under([...PLACED, ...rare])} />
        </Panel>
      )}
      <Folded title={words.inbounds.groups.more} open={rare.some((name) => isTouched(form, `config.${name}`))}>
        <SchemaFields {...common} path="config" schema={config} without={under([...PLACED, ...own])} />
      </Folded>
      <ClientFields {...common} />
    </>
  );
}

/** What clients are told in place of the inbound's own. */
function ClientFields({
  form,
  formId,
  text,
}: Pick<SectionsProps, "form" | "formId"> & { readonly text: ReturnType<typeof useFieldText> }) {
  const words = useWords("pool");
  const parts = useWords("parts");
  const leads = useMayLeadClients();
  return (
    <Folded title={words.inbounds.groups.clients} open={isTouched(form, "clientConfig")}>
      {leads ? null : (
        <Text size="sm" c="dimmed" mb="sm">
          {parts.leads}
        </Text>
      )}
      <SchemaFields
        form={form}
        formId={formId}
        path=""
        text={text}
        schema={{
          type: "object",
          properties: {
            frontedOnly: { type: "boolean" },
            ...(leads ? { clientConfig: { type: "object" } } : {}),
          },
        }}
      />
    </Folded>
  );
}

function Folded({
  title,
  open,
  children,
}: {
  readonly title: string;
  readonly open: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Panel>
      <details className={formClasses["fold"]} open={open || undefined}>
        <summary>{title}</summary>
        {children}
      </details>
    </Panel>
  );
}

/** Whether something under a path was changed or is wrong. */
function isTouched(form: DocumentForm, path: string): boolean {
  const within = (at: string) => at === path || at.startsWith(`${path}.`);
  return [...Object.keys(form.changed), ...Object.keys(form.problems)].some(within);
}

/** Which key a field takes. */
function useInboundTools(form: DocumentForm): (path: string) => ReactNode {
  const tool = useKeyTool(form);
  return (path) => {
    const making = makingOf(path, form);
    return making && tool(making);
  };
}

function makingOf(path: string, form: DocumentForm): KeyMaking | undefined {
  if (path === "config.tls.reality.private_key")
    return { tool: "reality-keypair", into: { privateKey: path, shortId: "config.tls.reality.short_id[]" } };
  if (path === "config.password" && form.at("type") === "shadowsocks") {
    const method = form.at("config.method");
    return { tool: "ss-key", body: { method: typeof method === "string" ? method : "" }, into: { key: path } };
  }
  return path.endsWith(".password") ? { tool: "password", into: { password: path } } : undefined;
}
