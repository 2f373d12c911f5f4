// A new template: with the inbound that the person came from, or another template's copy.
import { useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useApi } from "../../api/queries.ts";
import { Failure, LoadingLines } from "../../parts/Answer.tsx";
import { PageHead } from "../../parts/Record.tsx";
import { useSettle } from "../../parts/use-verbs.tsx";
import { usePageTitle } from "../../shell/title.ts";
import { useWords } from "../../words/words.ts";
import { freeName, templateDocument, type Json, type Template } from "../../fragments/records.ts";
import classes from "../../fragments/fragments.module.css";
import { useTemplates } from "../../fragments/use-pool.ts";
import { TemplateForm } from "./TemplateForm.tsx";
import { TEMPLATES } from "./use-template-verbs.tsx";

export default function NewTemplatePage() {
  const words = useWords("pool").templates;
  const [search] = useSearchParams();
  const from = Number(search.get("from") ?? 0);
  const inbound = Number(search.get("inbound") ?? 0);
  usePageTitle(words.newTitle);
  const empty = {
    name: "",
    remark: "",
    inboundIds: inbound > 0 ? [inbound] : [],
    outboundIds: [],
    route: {},
    core: {},
  };
  return (
    <div className={classes["narrow"]}>
      <PageHead title={words.newTitle} back={{ href: "/templates", label: words.title }} />
      {from > 0 ? <FromOther id={from} /> : <Create initial={empty} draft={`templates/new/${inbound}`} />}
    </div>
  );
}

function FromOther({ id }: { readonly id: number }) {
  const other = useApi<Template>(`/templates/${id}`);
  const templates = useTemplates();
  if (other.error) return <Failure error={other.error} retry={() => void other.refetch()} />;
  if (!other.data || !templates) return <LoadingLines lines={6} />;
  const name = freeName(
    `${other.data.name}-copy`,
    templates.map((each) => each.name),
  );
  return <Create initial={{ ...templateDocument(other.data), name }} draft={`templates/new/from-${id}`} />;
}

function Create({ initial, draft }: { readonly initial: Json; readonly draft: string }) {
  const words = useWords("pool");
  const [, navigate] = useLocation();
  const settle = useSettle(TEMPLATES);
  const [begun] = useState(initial);
  return (
    <TemplateForm
      initial={begun}
      draft={draft}
      onDone={(saved) => {
        settle(saved, { said: words.created(saved.name) });
        navigate(`/templates/${saved.id}`);
      }}
    />
  );
}
