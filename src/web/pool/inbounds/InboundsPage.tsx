// All inbounds: what each speaks, where it listens, and what carries it.
import { IconPlugConnected } from "@tabler/icons-react";
import { useMemo } from "react";
import { useFormat } from "../../format/use-format.ts";
import { ListPage } from "../../parts/ListPage.tsx";
import { Code, Dim, Name } from "../../parts/Names.tsx";
import type { Column } from "../../parts/table/columns.ts";
import { useListQuery } from "../../parts/table/list-query.ts";
import { isJson } from "../../parts/schema/schema.ts";
import { useCan } from "../../session/me.ts";
import { useWords } from "../../words/words.ts";
import { Forbidden, Refused } from "../../fragments/Forbidden.tsx";
import type { Inbound } from "../../fragments/records.ts";
import classes from "../../fragments/fragments.module.css";
import { useTemplateFilter } from "../use-template-filter.ts";
import { useTemplates } from "../../fragments/use-pool.ts";
import { securityOf } from "./security.ts";
import { useInboundVerbs } from "./use-inbound-verbs.tsx";

const DEFAULTS = { sort: "tag", order: "asc", filters: ["template_id"] } as const;

export default function InboundsPage() {
  const words = useWords("pool");
  const writes = useCan()("pool:write");
  const query = useListQuery(DEFAULTS);
  return (
    <ListPage<Inbound>
      id="inbounds"
      title={words.inbounds.title}
      path="/inbounds"
      query={query}
      count={words.inbounds.count}
      create={writes && { href: "/inbounds/new", label: words.inbounds.add }}
      columns={useInboundColumns()}
      rowLabel={({ tag }) => tag}
      href={({ id }) => `/inbounds/${id}`}
      verbs={useInboundVerbs()}
      search={words.search}
      filters={useTemplateFilter()}
      empty={{ ...words.inbounds.empty, icon: <IconPlugConnected size={32} stroke={1.4} aria-hidden /> }}
    />
  );
}

function useInboundColumns(): readonly Column<Inbound>[] {
  const words = useWords("pool");
  const format = useFormat();
  const templates = useTemplates();
  return useMemo(() => {
    const carried = (id: number) => templates?.filter(({ inboundIds }) => inboundIds.includes(id)) ?? [];
    return [
      {
        id: "tag",
        header: words.keys.tag,
        sort: "tag",
        card: "title",
        text: ({ tag }) => tag,
        cell: ({ tag, remark, forbidden, refused }) => (
          <span className={classes["lines"]}>
            <span>
              <Name>{tag}</Name> <Forbidden fields={forbidden} /> <Refused fields={refused} />
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
        id: "port",
        header: words.keys.listen_port,
        align: "end",
        width: 90,
        text: ({ config }) => portOf(config),
        cell: ({ config }) => <Code>{portOf(config)}</Code>,
      },
      {
        id: "security",
        header: words.inbounds.groups.security,
        width: 140,
        text: ({ config }) => securityOf(config),
        cell: ({ config }) => words.inbounds.security[securityOf(config)],
      },
      {
        id: "transport",
        header: words.inbounds.groups.transport,
        width: 120,
        above: 1000,
        text: ({ config }) => transportOf(config),
        cell: ({ config }) => <Code>{transportOf(config)}</Code>,
      },
      {
        id: "templates",
        header: words.usedBy.templates,
        width: 180,
        text: ({ id }) =>
          carried(id)
            .map(({ name }) => name)
            .join(", "),
        cell: ({ id }) => {
          const by = carried(id);
          if (by.length === 0) return <Dim>{words.usedBy.none}</Dim>;
          const [first] = by;
          return (
            <span title={by.map(({ name }) => name).join(", ")}>
              <Name>{first?.name ?? ""}</Name>
              {by.length > 1 ? ` +${format.number(by.length - 1)}` : ""}
            </span>
          );
        },
      },
    ];
  }, [words, format, templates]);
}

function portOf(config: Inbound["config"]): string {
  const port = config["listen_port"];
  return typeof port === "number" ? String(port) : "–";
}

function transportOf({ transport }: Inbound["config"]): string {
  const type = isJson(transport) ? transport["type"] : undefined;
  return typeof type === "string" && type !== "" ? type : "tcp";
}
