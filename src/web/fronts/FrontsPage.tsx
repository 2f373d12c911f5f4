// All domain fronts: other ways for clients to reach inbounds.
import { IconCloud } from "@tabler/icons-react";
import { ListPage } from "../parts/ListPage.tsx";
import { Code, Dim, Name } from "../parts/Names.tsx";
import { ToneBadge } from "../parts/StateBadge.tsx";
import type { Column } from "../parts/table/columns.ts";
import type { ListFilter } from "../parts/table/Filters.tsx";
import { useListQuery } from "../parts/table/list-query.ts";
import poolClasses from "../fragments/fragments.module.css";
import { useInbounds } from "../fragments/use-pool.ts";
import { useMayLeadClients } from "../session/me.ts";
import { useWords } from "../words/words.ts";
import { givenBy, valuesOf, type Front } from "./front.ts";
import { useFrontVerbs } from "./use-front-verbs.tsx";

const DEFAULTS = { sort: "name", order: "asc", filters: ["inbound_id", "enabled"] } as const;

export default function FrontsPage() {
  const words = useWords("fronts");
  const adds = useMayLeadClients();
  return (
    <ListPage<Front>
      id="fronts"
      title={words.title}
      path="/fronts"
      query={useListQuery(DEFAULTS)}
      count={words.count}
      create={adds && { href: "/fronts/new", label: words.add }}
      columns={useColumns()}
      rowLabel={({ name }) => name}
      href={({ id }) => `/fronts/${id}`}
      verbs={useFrontVerbs()}
      dimmed={({ enabled }) => !enabled}
      search={words.search}
      filters={useFilters()}
      empty={{ ...words.none, icon: <IconCloud size={32} stroke={1.4} aria-hidden /> }}
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
    inboundIds.map((id) => inbounds?.find((inbound) => inbound.id === id)?.tag ?? `#${id}`).join(", ");
  return [
    {
      id: "name",
      header: fields.name,
      sort: "name",
      card: "title",
      text: ({ name }) => name,
      cell: ({ name, remark }) => (
        <span className={poolClasses["lines"]}>
          <Name>{name}</Name>
          {remark === "" ? null : (
            <span className={poolClasses["second"]}>
              <Name>{remark}</Name>
            </span>
          )}
        </span>
      ),
    },
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
    {
      id: "inbounds",
      header: fields.inboundIds,
      width: 200,
      text: tags,
      cell: (front) => (front.inboundIds.length === 0 ? <Dim>–</Dim> : <Name>{tags(front)}</Name>),
    },
  ];
}
