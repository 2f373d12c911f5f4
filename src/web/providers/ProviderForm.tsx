// The fields of a sign-in provider, and the address that the provider must know.
import { Alert, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { FieldGroup, Values } from "../parts/form/field.ts";
import type { RecordForm } from "../parts/form/record-form.ts";
import { SchemaForm } from "../parts/form/SchemaForm.tsx";
import { Code } from "../parts/Names.tsx";
import { Panel } from "../parts/Record.tsx";
import { useWords } from "../words/words.ts";
import { callbackAddress, KINDS, type Provider, type ProviderBody } from "./provider.ts";

export const NEW_PROVIDER: Values = {
  name: "",
  kind: "oidc",
  issuer: "",
  clientId: "",
  clientSecret: "",
  scopes: "",
  authorizationUrl: "",
  tokenUrl: "",
  userUrl: "",
  subjectField: "",
  enabled: true,
  sortOrder: 0,
  icon: "",
};

export function valuesOf(provider: Provider): Values {
  const { id: _id, clientSecretSet: _set, createdAt: _created, updatedAt: _updated, ...fields } = provider;
  return { ...fields, clientSecret: "" };
}

/** Fields whose change gives the provider its own callback address, instead of the shared one. */
const MOVES = ["issuer", "clientId", "authorizationUrl", "tokenUrl", "userUrl"];
/** Fields whose change removes the links of all operators. */
const RELINKS = [
  "kind",
  "issuer",
  "clientId",
  "clientSecret",
  "authorizationUrl",
  "tokenUrl",
  "userUrl",
  "subjectField",
];

interface ProviderFormProps {
  readonly form: RecordForm;
  /** Absent: it is a new one. */
  readonly provider?: Provider;
  readonly more?: ReactNode;
}

export function ProviderForm({ form, provider, more }: ProviderFormProps) {
  const fresh = provider === undefined;
  const shares = provider?.sharedCallback === true;
  const words = useWords("access");
  const { providers } = words;
  const { fields, groups: titles } = providers;
  const openId = (values: Values) => values["kind"] === "oidc";
  const plain = (values: Values) => values["kind"] === "oauth2";
  const groups: readonly FieldGroup<ProviderBody>[] = [
    {
      title: titles.provider,
      fields: [
        { name: "name", kind: "text", label: words.name, required: true },
        {
          name: "kind",
          kind: "select",
          label: providers.kind,
          choices: Object.entries(KINDS).map(([value, label]) => ({ value, label })),
        },
        {
          name: "issuer",
          kind: "text",
          code: true,
          wide: true,
          label: fields.issuer,
          help: fields.issuerHelp,
          placeholder: "https://login.example.com",
          required: true,
          when: openId,
        },
        {
          name: "authorizationUrl",
          kind: "text",
          code: true,
          wide: true,
          label: fields.authorizationUrl,
          required: true,
          when: plain,
        },
        { name: "tokenUrl", kind: "text", code: true, label: fields.tokenUrl, required: true, when: plain },
        { name: "userUrl", kind: "text", code: true, label: fields.userUrl, required: true, when: plain },
        {
          name: "subjectField",
          kind: "text",
          code: true,
          label: fields.subjectField,
          help: fields.subjectHelp,
          when: plain,
        },
      ],
    },
    {
      title: titles.client,
      fields: [
        { name: "clientId", kind: "text", code: true, label: fields.clientId, required: true },
        {
          name: "clientSecret",
          kind: "secret",
          label: fields.clientSecret,
          help: provider?.clientSecretSet ? fields.clientSecretKept : fields.clientSecretHelp,
        },
        { name: "scopes", kind: "text", code: true, wide: true, label: fields.scopes, help: fields.scopesHelp },
        {
          name: "sharedCallback",
          kind: "switch",
          wide: true,
          label: fields.sharedCallback,
          help: fields.sharedCallbackHelp,
          when: () => shares,
        },
      ],
    },
    {
      title: titles.looks,
      fields: [
        { name: "enabled", kind: "switch", label: providers.enabled, wide: true },
        { name: "sortOrder", kind: "number", label: fields.sortOrder },
        { name: "icon", kind: "text", code: true, label: fields.icon, help: fields.iconHelp },
      ],
    },
  ];
  return (
    <Stack>
      <Panel title={providers.callback}>
        {provider ? <Callbacks provider={provider} /> : <Text size="sm">{providers.callbackAfter}</Text>}
      </Panel>
      <SchemaForm
        form={form}
        groups={groups}
        {...(fresh ? { fresh, submit: providers.submit, focus: "name", more } : {})}
        rest={{
          show: () =>
            !fresh && RELINKS.some((name) => name in form.changed) ? (
              <Alert color="yellow" variant="light" p="xs">
                {providers.relinks}
                {shares && MOVES.some((name) => name in form.changed) ? ` ${providers.callbackMoves}` : null}
              </Alert>
            ) : null,
        }}
      />
    </Stack>
  );
}

/** The address to register at the provider; where that is still the shared one, the one that should take its place. */
function Callbacks({ provider }: { readonly provider: Provider }) {
  const { providers } = useWords("access");
  const { id, sharedCallback } = provider;
  return (
    <Stack gap="xs">
      <Code copy>{callbackAddress(document.baseURI, { id, sharedCallback: false })}</Code>
      <Text size="sm" c="dimmed">
        {providers.callbackText}
      </Text>
      {sharedCallback ? (
        <Alert color="yellow" variant="light" p="xs">
          <Stack gap="xs">
            {providers.callbackShared}
            <Code copy>{callbackAddress(document.baseURI, provider)}</Code>
            {providers.callbackLeave}
          </Stack>
        </Alert>
      ) : null}
    </Stack>
  );
}
