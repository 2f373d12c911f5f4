// One outbound: its form and its JSON over one draft, and what uses it.
import { useMemo, useState } from "react";
import { useParams } from "wouter";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/queries.ts";
import { useDocumentForm } from "../../parts/form/document-form.ts";
import { Code } from "../../parts/Names.tsx";
import { Panel } from "../../parts/Record.tsx";
import { RecordFrame, RecordPage, type RecordList } from "../../parts/RecordPage.tsx";
import { useSettle } from "../../parts/use-verbs.tsx";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import { ForbiddenNote } from "../../fragments/Forbidden.tsx";
import { outboundDocument, type Outbound, type Used } from "../../fragments/records.ts";
import classes from "../../fragments/fragments.module.css";
import { ReadOnly } from "../../fragments/ReadOnly.tsx";
import { useRecordSchema } from "../../fragments/use-config-schema.ts";
import { UsedBy } from "../../fragments/UsedBy.tsx";
import { OutboundForm } from "./OutboundForm.tsx";
import { OUTBOUNDS, useOutboundVerbs } from "./use-outbound-verbs.tsx";

export default function OutboundPage() {
  const { id } = useParams<{ id: string }>();
  const words = useWords("pool");
  const outbound = useApi<Outbound & Used>(`/outbounds/${id}`);
  const list = { id: "outbounds", href: "/outbounds", title: words.outbounds.title };
  return (
    <RecordPage of={outbound} list={list} missing={{ title: words.outbounds.gone }}>
      {(shown) => <OutboundRecord key={shown.id} outbound={shown} list={list} />}
    </RecordPage>
  );
}

function OutboundRecord({ outbound, list }: { readonly outbound: Outbound & Used; readonly list: RecordList }) {
  const words = useWords("pool");
  const writes = useCan()("pool:write");
  const verbs = useOutboundVerbs(list.href);
  const content = (
    <div className={classes["columns"]}>
      <div>
        <ForbiddenNote fields={outbound.forbidden} />
        {writes ? (
          <Edit outbound={outbound} />
        ) : (
          <ReadOnly record={outboundDocument(outbound)} label={words.outbounds.asJson} />
        )}
      </div>
      <div className={classes["side"]}>
        <Panel title={words.usedBy.title}>
          <UsedBy users={outbound.usedBy} />
        </Panel>
      </div>
    </div>
  );
  return (
    <RecordFrame
      record={outbound}
      name={outbound.tag}
      list={list}
      href={`/outbounds/${outbound.id}`}
      verbs={verbs}
      under={
        <>
          <Code>{outbound.type}</Code>
          {outbound.remark === "" ? null : <bdi>{` · ${outbound.remark}`}</bdi>}
        </>
      }
      tabs={[{ id: "record", label: words.outbounds.title, content }]}
    />
  );
}

function Edit({ outbound }: { readonly outbound: Outbound & Used }) {
  const words = useWords("pool");
  const settle = useSettle(OUTBOUNDS);
  const [type, setType] = useState(outbound.type);
  const schema = useRecordSchema("createOutbound", "outbounds", type);
  const form = useDocumentForm<Outbound>({
    draft: `outbounds/${outbound.id}`,
    initial: useMemo(() => outboundDocument(outbound), [outbound]),
    schema,
    version: { read: outbound.updatedAt, documentOf: outboundDocument },
    save: (changed) => call("PUT", `/outbounds/${outbound.id}`, { body: changed }),
    onDone: (saved) => settle(outbound, { said: words.saved(saved.tag), record: { ...outbound, ...saved } }),
  });
  const stated = form.at("type");
  // Typed as JSON: the rules of its fields follow.
  if (typeof stated === "string" && stated !== type) setType(stated);
  return <OutboundForm form={form} schema={schema} />;
}
