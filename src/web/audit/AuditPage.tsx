// The page of the audit log: every change that was answered, who made it and when, newest first.
import { Pill } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { apiUrl } from "../../client/exchange.ts";
import { useApi } from "../api/queries.ts";
import { Moment } from "../parts/Ago.tsx";
import { ListPage } from "../parts/ListPage.tsx";
import { Code, Dim, Name } from "../parts/Names.tsx";
import { useNow } from "../parts/now.ts";
import type { Column } from "../parts/table/columns.ts";
import { isoOf } from "../parts/table/export.ts";
import { useListQuery } from "../parts/table/list-query.ts";
import { useWords } from "../words/words.ts";
import { actionText, changeParameters, keyText, nameIn, SPANS, type Change, type Facets, type Span } from "./change.ts";
import { ViaMark } from "./ViaMark.tsx";
import classes from "./audit.module.css";

const DEFAULTS = { filters: ["actor", "key", "action", "since", "entityId"] } as const;

export default function AuditPage() {
  const words = useWords("audit");
  const query = useListQuery(DEFAULTS);
  const minute = useNow(60);
  const facets = useApi<Facets>("/changes/facets").data;
  const actions = useWords("actions");
  const subjects = useWords("subjects");
  const parameters = changeParameters(query.api, minute - (minute % 60));
  const { limit: _limit, offset: _offset, ...filters } = parameters;
  const { entityId } = query.filters;
  return (
    <ListPage<Change>
      id="audit"
      title={words.title}
      path="/changes"
      query={query}
      parameters={parameters}
      count={words.count}
      columns={useColumns()}
      rowLabel={(change) => `${actionText(change.action, actions)} ${keyText(change.key, subjects)} ${change.entityId}`}
      href={(change) => `/audit/${change.id}`}
      search={words.search}
      file={apiUrl(document.baseURI, "/changes/export", { ...filters, format: "csv" }).href}
      above={
        entityId === undefined ? undefined : (
          <div className={classes["about"]}>
            <Pill
              size="lg"
              withRemoveButton
              removeButtonProps={{ "aria-label": words.anyRecord, "aria-hidden": false, tabIndex: 0 }}
              onRemove={() => query.set({ filters: { entityId: undefined } })}
            >
              {words.onlyRecord} <Code>{entityId}</Code>
            </Pill>
          </div>
        )
      }
      filters={[
        { kind: "select", name: "actor", label: words.who, options: optionsOf(facets?.actors, (actor) => actor) },
        {
          kind: "select",
          name: "key",
          label: words.what,
          options: optionsOf(facets?.keys, (key) => keyText(key, subjects)),
        },
        {
          kind: "select",
          name: "action",
          label: words.deed,
          options: optionsOf(facets?.actions, (action) => actionText(action, actions)),
        },
        {
          kind: "select",
          name: "since",
          label: words.when,
          options: Object.keys(SPANS).map((span) => ({ value: span, label: words.spans[span as Span] })),
        },
      ]}
      empty={{
        title: words.none,
        text: words.noneText,
        icon: <IconHistory size={32} stroke={1.4} aria-hidden />,
      }}
    />
  );
}

function optionsOf(values: readonly string[] | undefined, label: (value: string) => string) {
  return (values ?? []).filter((value) => value !== "").map((value) => ({ value, label: label(value) }));
}

function useColumns(): readonly Column<Change>[] {
  const words = useWords("audit");
  const actions = useWords("actions");
  return [
    {
      id: "what",
      header: words.what,
      card: "title",
      text: ({ key }) => key,
      cell: (change) => <Subject change={change} />,
    },
    {
      id: "action",
      header: words.deed,
      card: "bare",
      text: ({ action }) => action,
      cell: ({ action }) => actionText(action, actions),
    },
    {
      id: "time",
      header: words.when,
      card: "under",
      width: 170,
      text: ({ time }) => isoOf(time),
      cell: ({ time }) => <Moment at={time} />,
    },
    {
      id: "actor",
      header: words.who,
      card: "under",
      text: ({ actor }) => actor,
      cell: (change) => (
        <span className={classes["who"]}>
          <ViaMark via={change.via} />
          {change.actor === "" ? <Dim>{words.via.system}</Dim> : <Name>{change.actor}</Name>}
        </span>
      ),
    },
    {
      id: "ip",
      header: words.address,
      card: "none",
      above: 1000,
      text: ({ ip }) => ip,
      cell: ({ ip }) => (ip === "" ? <Dim>—</Dim> : <Code>{ip}</Code>),
    },
  ];
}

/** The collection, and which record of it. */
function Subject({ change }: { readonly change: Change }) {
  const subjects = useWords("subjects");
  const name = nameIn(change);
  return (
    <span className={classes["subject"]}>
      <span>{keyText(change.key, subjects)}</span>
      {name === undefined ? (
        change.entityId === "" ? null : (
          <span className={classes["id"]}>
            <Code>{change.entityId}</Code>
          </span>
        )
      ) : (
        <span className={classes["name"]}>
          <Name>{name}</Name>
        </span>
      )}
    </span>
  );
}
