// One template: its form and its JSON over one draft, the nodes that run it, and giving it to one.
import { Stack } from "@mantine/core";
import { useMemo } from "react";
import { Link, useParams } from "wouter";
import { useApi } from "../../api/queries.ts";
import { Name } from "../../parts/Names.tsx";
import { Panel } from "../../parts/Record.tsx";
import { RecordFrame, RecordPage, type RecordList } from "../../parts/RecordPage.tsx";
import { useSettle } from "../../parts/use-verbs.tsx";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import { ForbiddenNote } from "../../fragments/Forbidden.tsx";
import { templateDocument, type Template, type Used } from "../../fragments/records.ts";
import classes from "../../fragments/fragments.module.css";
import { ReadOnly } from "../../fragments/ReadOnly.tsx";
import { UsedBy } from "../../fragments/UsedBy.tsx";
import { GiveToNode } from "./GiveToNode.tsx";
import { TemplateForm } from "./TemplateForm.tsx";
import { TEMPLATES, useTemplateVerbs } from "./use-template-verbs.tsx";

export default function TemplatePage() {
  const { id } = useParams<{ id: string }>();
  const words = useWords("pool");
  const template = useApi<Template & Used>(`/templates/${id}`);
  const list = { id: "templates", href: "/templates", title: words.templates.title };
  return (
    <RecordPage of={template} list={list} missing={{ title: words.templates.gone }}>
      {(shown) => <TemplateRecord key={shown.id} template={shown} list={list} />}
    </RecordPage>
  );
}

function TemplateRecord({ template, list }: { readonly template: Template & Used; readonly list: RecordList }) {
  const words = useWords("pool");
  const can = useCan();
  const verbs = useTemplateVerbs(list.href);
  const settle = useSettle(TEMPLATES);
  const initial = useMemo(() => templateDocument(template), [template]);
  const content = (
    <div className={classes["columns"]}>
      <div>
        <ForbiddenNote fields={template.forbidden} />
        {can("templates:write") ? (
          <TemplateForm
            initial={initial}
            draft={`templates/${template.id}`}
            of={template}
            usedBy={template.usedBy}
            onDone={(saved) => settle(template, { said: words.saved(saved.name), record: { ...template, ...saved } })}
          />
        ) : (
          <ReadOnly record={initial} label={words.templates.asJson} />
        )}
      </div>
      <div className={classes["side"]}>
        <Panel title={words.templates.carries}>
          <div className={classes["names"]}>
            {template.inbounds.map(({ id, tag }) =>
              can("pool:read") ? (
                <Link key={id} href={`/inbounds/${id}`}>
                  <Name>{tag}</Name>
                </Link>
              ) : (
                <Name key={id}>{tag}</Name>
              ),
            )}
            {template.inbounds.length === 0 ? <span className={classes["none"]}>{words.usedBy.none}</span> : null}
          </div>
        </Panel>
        {can("nodes:read") ? (
          <Panel title={words.usedBy.title}>
            <Stack gap="md">
              <UsedBy users={template.usedBy} own="template" />
              <GiveToNode template={template} />
            </Stack>
          </Panel>
        ) : null}
      </div>
    </div>
  );
  return (
    <RecordFrame
      record={template}
      name={template.name}
      list={list}
      href={`/templates/${template.id}`}
      verbs={verbs}
      under={template.remark === "" ? undefined : <bdi>{template.remark}</bdi>}
      tabs={[{ id: "record", label: words.templates.title, content }]}
    />
  );
}
