// All templates: what each carries, and the nodes that run it.
import { IconTemplate } from "@tabler/icons-react";
import { ListPage } from "../../parts/ListPage.tsx";
import { Dim, Name } from "../../parts/Names.tsx";
import type { Column } from "../../parts/table/columns.ts";
import { useListQuery } from "../../parts/table/list-query.ts";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import { Forbidden } from "../../fragments/Forbidden.tsx";
import type { Template } from "../../fragments/records.ts";
import classes from "../../fragments/fragments.module.css";
import { useNodes } from "../../fragments/use-pool.ts";
import { useTemplateVerbs } from "./use-template-verbs.tsx";

const DEFAULTS = { sort: "name", order: "asc", filters: [] } as const;

export default function TemplatesPage() {
  const words = useWords("pool");
  const writes = useCan()("templates:write");
  const query = useListQuery(DEFAULTS);
  return (
    <ListPage<Template>
      id="templates"
      title={words.templates.title}
      path="/templates"
      query={query}
      count={words.templates.count}
      create={writes && { href: "/templates/new", label: words.templates.add }}
      columns={useTemplateColumns()}
      rowLabel={({ name }) => name}
      href={({ id }) => `/templates/${id}`}
      verbs={useTemplateVerbs()}
      search={words.templates.search}
      empty={{ ...words.templates.empty, icon: <IconTemplate size={32} stroke={1.4} aria-hidden /> }}
    />
  );
}

function useTemplateColumns(): readonly Column<Template>[] {
  const words = useWords("pool");
  const nodes = useNodes();
  const running = (id: number) =>
    (nodes ?? [])
      .filter(({ templateId }) => templateId === id)
      .map(({ name }) => name)
      .join(", ");
  const tags = (all: readonly { readonly tag: string }[]) => all.map(({ tag }) => tag).join(", ");
  const named = (text: string) => (text === "" ? <Dim>{words.usedBy.none}</Dim> : <Name>{text}</Name>);
  return [
    {
      id: "name",
      header: words.keys.name,
      sort: "name",
      card: "title",
      text: ({ name }) => name,
      cell: ({ name, remark, forbidden }) => (
        <span className={classes["lines"]}>
          <span>
            <Name>{name}</Name> <Forbidden fields={forbidden} />
          </span>
          {remark === "" ? null : (
            <span className={classes["second"]}>
              <Name>{remark}</Name>
            </span>
          )}
        </span>
      ),
    },
    {
      id: "inbounds",
      header: words.inbounds.title,
      text: ({ inbounds }) => tags(inbounds),
      cell: ({ inbounds }) => named(tags(inbounds)),
    },
    {
      id: "outbounds",
      header: words.outbounds.title,
      above: 1000,
      text: ({ outbounds }) => tags(outbounds),
      cell: ({ outbounds }) => named(tags(outbounds)),
    },
    {
      id: "nodes",
      header: words.usedBy.nodes,
      text: ({ id }) => running(id),
      cell: ({ id }) => named(running(id)),
    },
  ];
}
