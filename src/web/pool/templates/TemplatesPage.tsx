// All templates: what each carries, and the nodes that run it.
import { IconTemplate } from "@tabler/icons-react";
import { nameColumn, namesColumn } from "../../fragments/columns.tsx";
import { Forbidden } from "../../fragments/Forbidden.tsx";
import { FragmentsPage } from "../../fragments/FragmentsPage.tsx";
import { useWords } from "../../words/words.ts";
import { TEMPLATES, useRunning, useTemplateVerbs, type Template } from "./templates.tsx";

const DEFAULTS = { sort: "name", order: "asc", filters: [] } as const;

const tags = (all: readonly { readonly tag: string }[]) => all.map(({ tag }) => tag);

export default function TemplatesPage() {
  const { keys, inbounds, outbounds, usedBy } = useWords("pool");
  const running = useRunning();
  return (
    <FragmentsPage<Template>
      kind={TEMPLATES}
      verbs={useTemplateVerbs()}
      defaults={DEFAULTS}
      icon={IconTemplate}
      columns={[
        nameColumn("name", keys.name, TEMPLATES.name, ({ forbidden }) => <Forbidden fields={forbidden} />),
        namesColumn({ id: "inbounds", header: inbounds.title }, (template) => tags(template.inbounds), usedBy.none),
        namesColumn(
          { id: "outbounds", header: outbounds.title, above: 1000 },
          (template) => tags(template.outbounds),
          usedBy.none,
        ),
        namesColumn({ id: "nodes", header: usedBy.nodes }, running, usedBy.none),
      ]}
    />
  );
}
