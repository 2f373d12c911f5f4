// All inbounds: what each speaks, where it listens, and what carries it.
import { IconPlugConnected } from "@tabler/icons-react";
import { useMemo } from "react";
import { useFormat } from "../../format/use-format.ts";
import { nameColumn, typeColumn } from "../../fragments/columns.tsx";
import { Forbidden } from "../../fragments/Forbidden.tsx";
import { FragmentsPage } from "../../fragments/FragmentsPage.tsx";
import { useAll } from "../../fragments/use-all.ts";
import { Code, Dim, Name } from "../../parts/Names.tsx";
import { isJson } from "../../parts/schema/schema.ts";
import type { Column } from "../../parts/table/columns.ts";
import { useWords } from "../../words/words.ts";
import { useTemplateFilter } from "../use-template-filter.ts";
import { TEMPLATES } from "../templates/templates.tsx";
import { INBOUNDS, useInboundVerbs, type Inbound } from "./inbounds.tsx";
import { Refused } from "./Refused.tsx";
import { securityOf } from "./security.ts";

const DEFAULTS = { sort: "tag", order: "asc", filters: ["template_id"] } as const;

export default function InboundsPage() {
  return (
    <FragmentsPage<Inbound>
      kind={INBOUNDS}
      verbs={useInboundVerbs()}
      defaults={DEFAULTS}
      filters={useTemplateFilter()}
      icon={IconPlugConnected}
      columns={useInboundColumns()}
    />
  );
}

function useInboundColumns(): readonly Column<Inbound>[] {
  const words = useWords("pool");
  const format = useFormat();
  const templates = useAll(TEMPLATES);
  return useMemo(() => {
    const carried = (id: number) => templates?.filter(({ inboundIds }) => inboundIds.includes(id)) ?? [];
    return [
      nameColumn("tag", words.keys.tag, INBOUNDS.name, ({ forbidden, refused }) => (
        <>
          <Forbidden fields={forbidden} /> <Refused fields={refused} />
        </>
      )),
      typeColumn(words.keys.type),
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
