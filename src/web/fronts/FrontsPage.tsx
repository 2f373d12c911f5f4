// All domain fronts: other ways for clients to reach inbounds.
import { IconCloud } from "@tabler/icons-react";
import { nameColumn, namesColumn } from "../fragments/columns.tsx";
import { FragmentsPage } from "../fragments/FragmentsPage.tsx";
import { Code } from "../parts/Names.tsx";
import { ToneBadge } from "../parts/StateBadge.tsx";
import type { Column } from "../parts/table/columns.ts";
import type { ListFilter } from "../parts/table/Filters.tsx";
import { useWords } from "../words/words.ts";
import { FRONTS, givenBy, useInbounds, valuesOf, type Front } from "./front.ts";
import { useFrontVerbs } from "./use-front-verbs.tsx";

const DEFAULTS = { sort: "name", order: "asc", filters: ["inbound_id", "enabled"] } as const;

export default function FrontsPage() {
  return (
    <FragmentsPage<Front>
      kind={FRONTS}
      verbs={useFrontVerbs()}
      defaults={DEFAULTS}
      filters={useFilters()}
      icon={IconCloud}
      columns={useColumns()}
      dimmed={({ enabled }) => !enabled}
    />
  );
}

function useFilters(): readonly ListFilter[] {
  const words = useWords("fronts");
  const options = (useInbounds() ?? []).map(({ id, tag }) => ({ value: String(id), label: tag }));
  return [
    ...(options.length === 0
      ? []
      : [{ kind: "select", name: "inbound_id", label: words.fields.inboundIds, options } as const]),
    {
      kind: "select",
      name: "enabled",
      label: words.state,
      options: [
        { value: "true", label: words.states.on },
        { value: "false", label: words.states.off },
      ],
    },
  ];
}

function useColumns(): readonly Column<Front>[] {
  const words = useWords("fronts");
  const inbounds = useInbounds();
  const { fields, states } = words;
  const tags = ({ inboundIds }: Front) =>
    inboundIds.map((id) => inbounds?.find((inbound) => inbound.id === id)?.tag ?? `#${id}`);
  return [
    nameColumn("name", fields.name, FRONTS.name),
    {
      id: "state",
      header: words.state,
      card: "corner",
      width: 110,
      text: ({ enabled }) => (enabled ? states.on : states.off),
      cell: ({ enabled }) => <ToneBadge tone={enabled ? "ok" : "off"}>{enabled ? states.on : states.off}</ToneBadge>,
    },
    {
      id: "domain",
      header: fields.domain,
      sort: "domain",
      width: 220,
      text: ({ domain }) => domain,
      cell: ({ domain }) => <Code cut>{domain}</Code>,
    },
    {
      id: "server",
      header: words.gives.server,
      width: 220,
      above: 900,
      text: (front) => givenBy(valuesOf(front)).server,
      cell: (front) => <Code cut>{givenBy(valuesOf(front)).server}</Code>,
    },
    namesColumn({ id: "inbounds", header: fields.inboundIds, width: 200 }, tags, "–"),
  ];
}
