// One template: its form and its JSON over one draft, the nodes that run it, and giving it to one.
import { Stack } from "@mantine/core";
import { Link } from "wouter";
import { Editor } from "../../fragments/FragmentForm.tsx";
import { Columns, FragmentPage } from "../../fragments/FragmentPage.tsx";
import classes from "../../fragments/fragments.module.css";
import type { Used } from "../../fragments/kind.ts";
import { UsedBy } from "../../fragments/UsedBy.tsx";
import { Name } from "../../parts/Names.tsx";
import { Panel } from "../../parts/Record.tsx";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import { GiveToNode } from "./GiveToNode.tsx";
import { TEMPLATE_FORM } from "./TemplateForm.tsx";
import { TEMPLATES, useTemplateVerbs, type Template } from "./templates.tsx";

export default function TemplatePage() {
  const { templates } = useWords("pool");
  return (
    <FragmentPage
      kind={TEMPLATE_FORM}
      useKindVerbs={useTemplateVerbs}
      tab={templates.title}
      under={({ remark }) => (remark === "" ? undefined : <bdi>{remark}</bdi>)}
      content={(template) => (
        <Columns side={<Side template={template} />}>
          <Editor kind={TEMPLATE_FORM} record={template} label={templates.asJson} asked={template.usedBy} />
        </Columns>
      )}
    />
  );
}

function Side({ template }: { readonly template: Template & Used }) {
  const { templates, usedBy } = useWords("pool");
  const can = useCan();
  return (
    <>
      <Panel title={templates.carries}>
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
          {template.inbounds.length === 0 ? <span className={classes["none"]}>{usedBy.none}</span> : null}
        </div>
      </Panel>
      {can("nodes:read") ? (
        <Panel title={usedBy.title}>
          <Stack gap="md">
            <UsedBy kind={TEMPLATES} users={template.usedBy} />
            <GiveToNode template={template} />
          </Stack>
        </Panel>
      ) : null}
    </>
  );
}
