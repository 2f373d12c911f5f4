// One sign-in provider: its fields, and a test of it.
import { useParams } from "wouter";
import { call } from "../api/call.ts";
import { useApi } from "../api/queries.ts";
import classes from "../parts/record-page.module.css";
import { useRecordForm } from "../parts/form/record-form.ts";
import { RecordFrame, RecordPage, type RecordList } from "../parts/RecordPage.tsx";
import { ToneBadge } from "../parts/StateBadge.tsx";
import { useSettle } from "../parts/use-verbs.tsx";
import { useWords } from "../words/words.ts";
import { KINDS, PROVIDERS, type Provider, type ProviderBody } from "./provider.ts";
import { ProviderForm, valuesOf } from "./ProviderForm.tsx";
import { useProviderVerbs } from "./use-provider-verbs.tsx";

export default function ProviderPage() {
  const { id } = useParams<{ id: string }>();
  const { providers: words } = useWords("access");
  const provider = useApi<Provider>(`/oidc-providers/${id}`);
  const list = { id: "providers", href: "/providers", title: words.title };
  return (
    <RecordPage of={provider} list={list} missing={{ title: words.missing }}>
      {(record) => <ProviderRecord key={record.id} provider={record} list={list} />}
    </RecordPage>
  );
}

function ProviderRecord({ provider, list }: { readonly provider: Provider; readonly list: RecordList }) {
  const { providers: words, admins } = useWords("access");
  const settle = useSettle(PROVIDERS);
  const form = useRecordForm<ProviderBody, Provider>({
    draft: `providers/${provider.id}`,
    initial: valuesOf(provider),
    secrets: ["clientSecret"],
    version: { read: provider.updatedAt, valuesOf },
    save: (changed) => call("PUT", `/oidc-providers/${provider.id}`, { body: changed }),
    onDone: (saved) => settle(provider, { record: saved, said: words.saved(saved.name) }),
  });
  const content = (
    <div className={classes["narrow"]}>
      <ProviderForm form={form} provider={provider} />
    </div>
  );
  return (
    <RecordFrame
      record={provider}
      name={provider.name}
      list={list}
      href={`/providers/${provider.id}`}
      verbs={useProviderVerbs(list.href)}
      beside={<ToneBadge tone={provider.enabled ? "ok" : "off"}>{provider.enabled ? admins.on : admins.off}</ToneBadge>}
      under={KINDS[provider.kind]}
      tabs={[{ id: "provider", label: list.title, content }]}
    />
  );
}
