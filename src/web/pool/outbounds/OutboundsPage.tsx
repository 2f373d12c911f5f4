// All outbounds: the ways out of a node.
import { IconRoute } from "@tabler/icons-react";
import { nameColumn, namesColumn, typeColumn } from "../../fragments/columns.tsx";
import { Forbidden } from "../../fragments/Forbidden.tsx";
import { FragmentsPage } from "../../fragments/FragmentsPage.tsx";
import { useAll } from "../../fragments/use-all.ts";
import { Code } from "../../parts/Names.tsx";
import { useWords } from "../../words/words.ts";
import { useTemplateFilter } from "../use-template-filter.ts";
import { TEMPLATES } from "../templates/templates.tsx";
import { OUTBOUNDS, useOutboundVerbs, type Outbound } from "./outbounds.tsx";

const DEFAULTS = { sort: "tag", order: "asc", filters: ["template_id"] } as const;

export default function OutboundsPage() {
  const { keys, usedBy } = useWords("pool");
  const templates = useAll(TEMPLATES);
  const carriers = ({ id }: Outbound) =>
    (templates ?? []).filter(({ outboundIds }) => outboundIds.includes(id)).map(({ name }) => name);
  return (
    <FragmentsPage<Outbound>
      kind={OUTBOUNDS}
      verbs={useOutboundVerbs()}
      defaults={DEFAULTS}
      filters={useTemplateFilter()}
      icon={IconRoute}
      columns={[
        nameColumn("tag", keys.tag, OUTBOUNDS.name, ({ forbidden }) => <Forbidden fields={forbidden} />),
        typeColumn(keys.type),
        {
          id: "server",
          header: keys.server,
          width: 240,
          text: ({ config }) => serverOf(config),
          cell: ({ config }) => <Code cut>{serverOf(config)}</Code>,
        },
        namesColumn({ id: "templates", header: usedBy.templates, width: 200 }, carriers, usedBy.none),
      ]}
    />
  );
}

function serverOf({ server, server_port: port }: Outbound["config"]): string {
  if (typeof server !== "string") return "–";
  return typeof port === "number" ? `${server}:${port}` : server;
}
