// All outbounds: the ways out of a node.
import { IconRoute } from "@tabler/icons-react";
import { ListPage } from "../../parts/ListPage.tsx";
import { Code, Dim, Name } from "../../parts/Names.tsx";
import type { Column } from "../../parts/table/columns.ts";
import { useListQuery } from "../../parts/table/list-query.ts";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import { Forbidden } from "../../fragments/Forbidden.tsx";
import type { Outbound } from "../../fragments/records.ts";
import classes from "../../fragments/fragments.module.css";
import { useTemplateFilter } from "../use-template-filter.ts";
import { useTemplates } from "../../fragments/use-pool.ts";
import { useOutboundVerbs } from "./use-outbound-verbs.tsx";

const DEFAULTS = { sort: "tag", order: "asc", filters: ["template_id"] } as const;

export default function OutboundsPage() {
  const words = useWords("pool");
  const writes = useCan()("pool:write");
  const query = useListQuery(DEFAULTS);
  return (
    <ListPage<Outbound>
      id="outbounds"
      title={words.outbounds.title}
      path="/outbounds"
      query={query}
      count={words.outbounds.count}
      create={writes && { href: "/outbounds/new", label: words.outbounds.add }}
      columns={useOutboundColumns()}
      rowLabel={({ tag }) => tag}
      href={({ id }) => `/outbounds/${id}`}
      verbs={useOutboundVerbs()}
      search={words.search}
      filters={useTemplateFilter()}
      empty={{ ...words.outbounds.empty, icon: <IconRoute size={32} stroke={1.4} aria-hidden /> }}
    />
  );
}

function useOutboundColumns(): readonly Column<Outbound>[] {
  const words = useWords("pool");
  const templates = useTemplates();
  const carried = (id: number) =>
    (templates ?? [])
      .filter(({ outboundIds }) => outboundIds.includes(id))
      .map(({ name }) => name)
      .join(", ");
  return [
    {
      id: "tag",
      header: words.keys.tag,
      sort: "tag",
      card: "title",
      text: ({ tag }) => tag,
      cell: ({ tag, remark, forbidden }) => (
        <span className={classes["lines"]}>
          <span>
            <Name>{tag}</Name> <Forbidden fields={forbidden} />
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
      id: "type",
      header: words.keys.type,
      sort: "type",
      width: 130,
      text: ({ type }) => type,
      cell: ({ type }) => <Code>{type}</Code>,
    },
    {
      id: "server",
      header: words.keys.server,
      width: 240,
      text: ({ config }) => serverOf(config),
      cell: ({ config }) => <Code cut>{serverOf(config)}</Code>,
    },
    {
      id: "templates",
      header: words.usedBy.templates,
      width: 200,
      text: ({ id }) => carried(id),
      cell: ({ id }) => (carried(id) === "" ? <Dim>{words.usedBy.none}</Dim> : <Name>{carried(id)}</Name>),
    },
  ];
}

function serverOf({ server, server_port: port }: Outbound["config"]): string {
  if (typeof server !== "string") return "–";
  return typeof port === "number" ? `${server}:${port}` : server;
}
