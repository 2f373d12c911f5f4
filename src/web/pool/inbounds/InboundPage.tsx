// One inbound: its form and its JSON over one draft, and what uses it.
import { Button } from "@mantine/core";
import { lazy, useMemo, useState } from "react";
import { Link, useParams } from "wouter";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/queries.ts";
import { useDocumentForm } from "../../parts/form/document-form.ts";
import { Code } from "../../parts/Names.tsx";
import { Panel } from "../../parts/Record.tsx";
import { RecordFrame, RecordPage, type RecordList } from "../../parts/RecordPage.tsx";
import { useSettle } from "../../parts/use-verbs.tsx";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import { ForbiddenNote, RefusedNotes } from "../../fragments/Forbidden.tsx";
import { inboundDocument, type Inbound, type Used } from "../../fragments/records.ts";
import classes from "../../fragments/fragments.module.css";
import { ReadOnly } from "../../fragments/ReadOnly.tsx";
import { useRecordSchema } from "../../fragments/use-config-schema.ts";
import { UsedBy } from "../../fragments/UsedBy.tsx";
import { useSaveQuestion } from "../../fragments/use-save-question.tsx";
import { InboundForm } from "./InboundForm.tsx";
import { INBOUNDS, useInboundVerbs } from "./use-inbound-verbs.tsx";

const InboundFronts = lazy(() => import("./InboundFronts.tsx"));

/** What is reached over a transport may be behind fronts. */
const WITH_TRANSPORT = ["vless", "vmess", "trojan"];

export default function InboundPage() {
  const { id } = useParams<{ id: string }>();
  const words = useWords("pool");
  const inbound = useApi<Inbound & Used>(`/inbounds/${id}`);
  const list = { id: "inbounds", href: "/inbounds", title: words.inbounds.title };
  return (
    <RecordPage of={inbound} list={list} missing={{ title: words.inbounds.gone }}>
      {(shown) => <InboundRecord key={shown.id} inbound={shown} list={list} />}
    </RecordPage>
  );
}

function InboundRecord({ inbound, list }: { readonly inbound: Inbound & Used; readonly list: RecordList }) {
  const words = useWords("pool");
  const { pages } = useWords("shell");
  const can = useCan();
  const writes = can("pool:write");
  const verbs = useInboundVerbs(list.href);
  const content = (
    <div className={classes["columns"]}>
      <div>
        <ForbiddenNote fields={inbound.forbidden} />
        <RefusedNotes fields={inbound.refused} />
        {writes ? (
          <Edit inbound={inbound} />
        ) : (
          <ReadOnly record={inboundDocument(inbound)} label={words.inbounds.asJson} />
        )}
      </div>
      <div className={classes["side"]}>
        <Panel title={words.usedBy.title}>
          <UsedBy users={inbound.usedBy} />
          {can("templates:write") && inbound.usedBy.templates?.length === 0 ? (
            <Button component={Link} href={`/templates/new?inbound=${inbound.id}`} mt="sm" fullWidth>
              {words.inbounds.intoTemplate}
            </Button>
          ) : null}
        </Panel>
      </div>
    </div>
  );
  return (
    <RecordFrame
      record={inbound}
      name={inbound.tag}
      list={list}
      href={`/inbounds/${inbound.id}`}
      verbs={verbs}
      under={
        <>
          <Code>{inbound.type}</Code>
          {inbound.remark === "" ? null : <bdi>{` · ${inbound.remark}`}</bdi>}
        </>
      }
      tabs={[
        { id: "record", label: words.keys.config, content },
        WITH_TRANSPORT.includes(inbound.type) && {
          id: "fronts",
          label: pages.fronts,
          content: <InboundFronts inbound={inbound} />,
        },
      ]}
    />
  );
}

function Edit({ inbound }: { readonly inbound: Inbound & Used }) {
  const words = useWords("pool");
  const settle = useSettle(INBOUNDS);
  const [type, setType] = useState(inbound.type);
  const schema = useRecordSchema("createInbound", "inbounds", type);
  const form = useDocumentForm<Inbound>({
    draft: `inbounds/${inbound.id}`,
    initial: useMemo(() => inboundDocument(inbound), [inbound]),
    schema,
    version: { read: inbound.updatedAt, documentOf: inboundDocument },
    save: (changed) => call("PUT", `/inbounds/${inbound.id}`, { body: changed }),
    onDone: (saved) => settle(inbound, { said: words.saved(saved.tag), record: { ...inbound, ...saved } }),
  });
  const stated = form.at("type");
  // Typed as JSON: the rules of its fields follow.
  if (typeof stated === "string" && stated !== type) setType(stated);
  const asked = useSaveQuestion(form, inbound.tag, inbound.usedBy);
  return (
    <>
      <InboundForm form={asked.form} schema={schema} />
      {asked.question}
    </>
  );
}
