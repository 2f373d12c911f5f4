// The table of every list: the server does paging, order, search and filters, and the URL contains them; on a phone
// rows are cards.
import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useEffect, useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import type { Listing } from "../../api/queries.ts";
import { useWords } from "../../words/words.ts";
import { Answer, Empty, type AnswerOf } from "../Answer.tsx";
import { Cards, CardSkeletons } from "./Cards.tsx";
import { useColumnChoice, useDensity, type Column, type RowAction } from "./columns.ts";
import { csvOf, fetchFile, saveText } from "./export.ts";
import { useHeldRows } from "./held-rows.ts";
import type { ListQuery } from "./list-query.ts";
import { leaveTrail } from "./neighbours.ts";
import { Pages } from "./Pages.tsx";
import { Rows, RowSkeletons } from "./Rows.tsx";
import { useSelection, type RowKey } from "./selection.ts";
import { SelectionBar } from "./SelectionBar.tsx";
import { useTableKeys } from "./table-keys.ts";
import classes from "./table.module.css";
import { Toolbar } from "./Toolbar.tsx";
import { ViewMenu, type ReadyView } from "./ViewMenu.tsx";

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
  /**
   * With it rows can be selected: what is offered for them. The action says which rows stay selected. `matching`: how
   * many match, where all of them are meant; `rows` are then some of them.
   */
  readonly bulk?: (rows: readonly T[], keep: (rows: readonly T[]) => void, matching: number | undefined) => ReactNode;
  /** What is offered for many can be done to all that match, however many they are. */
  readonly takesAll?: boolean;
  /** The panel's own file of what matches, in place of one that the page writes: its address. */
  readonly file?: string;
  /** Reads what matches, on all pages, up to `most`. */
  readonly all?: (most?: number) => Promise<readonly T[]>;
  /** What is looked for when that is typed: a pasted link is its id. */
  readonly readSearch?: (typed: string) => string;
  /** With it the list has named views: those that it offers itself. */
  readonly views?: readonly ReadyView[];
}

export const PHONE = "(max-width: 47.99em)";

export function DataTable<T>(props: DataTableProps<T>) {
  const {
    id,
    columns,
    query,
    answer,
    rowKey,
    rowLabel,
    href,
    actions,
    dimmed,
    filters,
    search,
    empty,
    bulk,
    takesAll = false,
    all,
    file,
    readSearch,
    views,
  } = props;
  const words = useWords("parts");
  const [path, navigate] = useLocation();
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const choice = useColumnChoice(id, columns);
  const [density, setDensity] = useDensity();
  const [menu, setMenu] = useState<RowKey>();
  const [selecting, setSelecting] = useState(false);
  const place = `${query.page} ${query.limit} ${query.address}`;
  const news = useHeldRows(answer, { held: menu !== undefined || selecting, place, keyOf: rowKey });
  const { listing, changed } = news;
  const rows = listing?.items ?? [];
  const { sort: _sort, order: _order, limit: _limit, offset: _offset, ...filtered } = query.api;
  const selection = useSelection(rows, rowKey, JSON.stringify(filtered));
  const some = selection.rows.length > 0;
  if (selecting !== some) setSelecting(some);
  const trail = href === undefined ? "" : rows.map(href).join("\n");
  const address = `${path}${query.page > 1 ? `?page=${query.page}&` : "?"}${query.address}`.replace(/[?&]$/, "");
  useEffect(() => leaveTrail(id, { address, hrefs: trail.split("\n") }), [id, address, trail]);

  const cursor = useTableKeys({
    rows,
    open: href && ((row) => navigate(href(row))),
    menu: actions && ((row) => setMenu(rowKey(row))),
    rowKey,
    select: bulk && selection.toggle,
    clear: some ? () => selection.keep([]) : undefined,
    actions,
    page: (by) => query.set({ page: pageWithin(query.page + by, listing?.total ?? 0, query.limit) }),
    place,
    searchable: search !== undefined,
  });
  const shared = {
    rows,
    rowKey,
    rowLabel,
    href,
    open: navigate,
    actions,
    dimmed,
    menu,
    setMenu,
    selection: bulk ? selection : undefined,
    cursor,
  };
  const keep = (left: readonly T[]) => {
    selection.keep(left);
    news.expect();
  };

  return (
    <div className={classes["root"]} data-density={density} data-selecting={some}>
      <Toolbar
        query={query}
        search={search}
        filters={filters}
        columns={columns}
        choice={choice}
        density={[density, setDensity]}
        phone={phone}
        readSearch={readSearch}
        views={views === undefined ? null : <ViewMenu table={id} query={query} choice={choice} ready={views} />}
        save={file === undefined ? all && (() => saveRows(id, choice.shown, all)) : async () => fetchFile(file)}
      />
      <div className={classes["body"]}>
        <Answer
          of={answer}
          loading={phone ? <CardSkeletons /> : <RowSkeletons columns={choice.shown} />}
          empty={(data) => data.items.length === 0}
          whenEmpty={query.filtered || query.page > 1 ? <NothingFound query={query} /> : empty}
        >
          {() =>
            phone ? (
              <Cards {...shared} columns={choice.shown} />
            ) : (
              <Rows {...shared} columns={choice.shown} query={query} />
            )
          }
        </Answer>
        {changed > 0 ? (
          <Button className={classes["news"] ?? ""} size="compact-sm" radius="xl" onClick={news.release}>
            {words.changed(changed)}
          </Button>
        ) : null}
      </div>
      {bulk && some ? (
        <SelectionBar selection={selection} shown={rows} total={listing?.total ?? 0} all={all} takesAll={takesAll}>
          {bulk(selection.rows, keep, selection.matching ? (listing?.total ?? 0) : undefined)}
        </SelectionBar>
      ) : null}
      {listing && listing.total > 0 ? <Pages query={query} total={listing.total} /> : null}
    </div>
  );
}

/** All that match, as a file: the columns that are shown. */
async function saveRows<T>(
  name: string,
  columns: readonly Column<T>[],
  all: (most: number) => Promise<readonly T[]>,
): Promise<void> {
  const rows = await all(Number.POSITIVE_INFINITY);
  saveText(`${name}.csv`, csvOf(columns, rows), "text/csv");
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
