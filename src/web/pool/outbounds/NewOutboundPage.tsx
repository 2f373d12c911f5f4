// A new outbound, empty or another one's copy.
import { useMemo, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/queries.ts";
import { Failure, LoadingLines } from "../../parts/Answer.tsx";
import { useDocumentForm } from "../../parts/form/document-form.ts";
import { PageHead } from "../../parts/Record.tsx";
import { useSettle } from "../../parts/use-verbs.tsx";
import { usePageTitle } from "../../shell/title.ts";
import { useWords } from "../../words/words.ts";
import { freeName, outboundDocument, type Json, type Outbound } from "../../fragments/records.ts";
import classes from "../../fragments/fragments.module.css";
import { typesIn, useRecordSchema } from "../../fragments/use-config-schema.ts";
import { useOutbounds } from "../../fragments/use-pool.ts";
import { OutboundForm } from "./OutboundForm.tsx";
import { OUTBOUNDS } from "./use-outbound-verbs.tsx";

export default function NewOutboundPage() {
  const words = useWords("pool").outbounds;
  const [search] = useSearchParams();
  const from = Number(search.get("from") ?? 0);
  usePageTitle(words.newTitle);
  return (
    <div className={classes["narrow"]}>
      <PageHead title={words.newTitle} back={{ href: "/outbounds", label: words.title }} />
      {from > 0 ? (
        <FromOther id={from} />
      ) : (
        <Create initial={{ tag: "", type: "direct", remark: "", config: {} }} draft="outbounds/new" />
      )}
    </div>
  );
}

function FromOther({ id }: { readonly id: number }) {
  const other = useApi<Outbound>(`/outbounds/${id}`);
  const outbounds = useOutbounds();
  if (other.error) return <Failure error={other.error} retry={() => void other.refetch()} />;
  if (!other.data || !outbounds) return <LoadingLines lines={8} />;
  const tag = freeName(
    `${other.data.tag}-copy`,
    outbounds.map((each) => each.tag),
  );
  return <Create initial={{ ...outboundDocument(other.data), tag }} draft={`outbounds/new/from-${id}`} />;
}

function Create({ initial, draft }: { readonly initial: Json; readonly draft: string }) {
  const words = useWords("pool");
  const [, navigate] = useLocation();
  const settle = useSettle(OUTBOUNDS);
  const [begun] = useState(initial);
  const [type, setType] = useState(String(begun["type"]));
  const schema = useRecordSchema("createOutbound", "outbounds", type);
  const types = useMemo(() => typesIn(schema), [schema]);
  const form = useDocumentForm<Outbound>({
    draft,
    initial: begun,
    schema,
    save: (_, whole) => call("POST", "/outbounds", { body: whole }),
    onDone: (saved) => {
      settle(saved, { said: words.created(saved.tag) });
      navigate(`/outbounds/${saved.id}`);
    },
  });
  const stated = form.at("type");
  if (typeof stated === "string" && stated !== type) setType(stated);
  return <OutboundForm form={form} schema={schema} types={types} submit={words.outbounds.create} fresh />;
}
