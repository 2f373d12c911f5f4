// The table of every list: pages, order, search and filters are the server's and stand in the address; on a phone rows are cards.
import { Button, Group, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import type { Listing } from "../../api/queries.ts";
import { useWords } from "../../words/words.ts";
import { Answer, Empty, type AnswerOf } from "../Answer.tsx";
import { Cards, CardSkeletons } from "./Cards.tsx";
import { useColumnChoice, useDensity, type Column, type RowAction } from "./columns.ts";
import { useHeldRows } from "./held-rows.ts";
import type { ListQuery } from "./list-query.ts";
import { Pages } from "./Pages.tsx";
import { Rows, RowSkeletons } from "./Rows.tsx";
import { useTableKeys } from "./table-keys.ts";
import classes from "./table.module.css";
import { Toolbar } from "./Toolbar.tsx";

export type RowKey = string | number;

export interface DataTableProps<T> {
  /** The table's name: under it columns are kept. */
  readonly id: string;
  readonly columns: readonly Column<T>[];
  readonly query: ListQuery;
  /** The answer of the list's route to `query.api`. */
  readonly answer: AnswerOf<Listing<T>>;
  readonly rowKey: (row: T) => RowKey;
  /** The row's name, for screen readers. */
  readonly rowLabel: (row: T) => string;
  /** Where a row leads. */
  readonly href?: (row: T) => string;
  readonly actions?: (row: T) => readonly RowAction[];
  /** Rows that rest (switched off) are dimmed. */
  readonly dimmed?: (row: T) => boolean;
  /** Chips and selects beside the search. */
  readonly filters?: ReactNode;
  /** Placeholder of the search; absent: the list has none. */
  readonly search?: string;
  /** What to say when the list itself is empty: the next step. When filters leave nothing, the table says so itself. */
  readonly empty: ReactNode;
  /** With it rows can be selected: what is offered for them. */
  readonly bulk?: (rows: readonly T[], clear: () => void) => ReactNode;
}

export const PHONE = "(max-width: 47.99em)";

export function DataTable<T>(props: DataTableProps<T>) {
  const { id, columns, query, answer, rowKey, rowLabel, href, actions, dimmed, filters, search, empty, bulk } = props;
  const words = useWords("parts");
  const [, navigate] = useLocation();
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const choice = useColumnChoice(id, columns);
  const [density, setDensity] = useDensity();
  const [menu, setMenu] = useState<RowKey>();
  const [selected, setSelected] = useState<ReadonlySet<RowKey>>(new Set());
  const { listing, changed, release } = useHeldRows(answer.data, menu !== undefined || selected.size > 0, rowKey);
  const rows = listing?.items ?? [];

  const clear = () => setSelected(new Set());
  const toggle = (keys: readonly RowKey[], on: boolean) =>
    setSelected((now) => new Set(on ? [...now, ...keys] : [...now].filter((key) => !keys.includes(key))));
  const cursor = useTableKeys({
    rows,
    open: href && ((row) => navigate(href(row))),
    menu: actions && ((row) => setMenu(rowKey(row))),
    select: bulk && ((row) => toggle([rowKey(row)], !selected.has(rowKey(row)))),
    actions,
    page: (by) => query.set({ page: pageWithin(query.page + by, listing?.total ?? 0, query.limit) }),
    place: `${query.page} ${query.q} ${JSON.stringify(query.filters)}`,
    searchable: search !== undefined,
  });
  const chosen = rows.filter((row) => selected.has(rowKey(row)));
  const shared = { rows, rowKey, rowLabel, href, actions, dimmed, menu, setMenu, selected, toggle: bulk ? toggle : undefined, cursor };

  return (
    <div className={classes["root"]} data-density={density}>
      <Toolbar
        query={query}
        search={search}
        filters={filters}
        columns={columns}
        choice={choice}
        density={[density, setDensity]}
        phone={phone}
      />
      <Answer
        of={answer}
        loading={phone ? <CardSkeletons /> : <RowSkeletons columns={choice.shown} />}
        empty={(data) => data.items.length === 0}
        whenEmpty={query.filtered || query.page > 1 ? <NothingFound query={query} /> : empty}
      >
        {() => (phone ? <Cards {...shared} columns={choice.shown} /> : <Rows {...shared} columns={choice.shown} query={query} />)}
      </Answer>
      {changed > 0 ? (
        <Button className={classes["news"] ?? ""} size="compact-sm" radius="xl" onClick={release}>
          {words.changed(changed)}
        </Button>
      ) : null}
      {bulk && chosen.length > 0 ? (
        <Group className={classes["bulk"]} role="toolbar" aria-label={words.selection} gap="sm">
          <Text size="sm" fw={600}>
            {words.selected(chosen.length)}
          </Text>
          {bulk(chosen, clear)}
          <Button variant="subtle" size="xs" color="gray" onClick={clear}>
            {words.clearSelection}
          </Button>
        </Group>
      ) : null}
      {listing && listing.total > 0 ? <Pages query={query} total={listing.total} /> : null}
    </div>
  );
}

function NothingFound({ query }: { readonly query: ListQuery }) {
  const words = useWords("parts");
  const first = () => query.set({ page: 1 });
  return (
    <Empty
      title={words.nothingFound}
      action={
        <Button variant="default" size="sm" onClick={query.filtered ? query.reset : first}>
          {query.filtered ? words.clearFilters : words.firstPage}
        </Button>
      }
    />
  );
}

function pageWithin(page: number, total: number, limit: number): number {
  return Math.max(1, Math.min(Math.ceil(total / limit), page));
}
