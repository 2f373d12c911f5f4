// A page that lists records, from one description: head, search and filters in the address, rows with their verbs, what
// is offered for many, and what to say when there is nothing.
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { MOST_AT_ONCE, readAll } from "../api/all-rows.ts";
import type { QueryValue } from "../api/call.ts";
import { useRefreshed } from "../api/live.ts";
import { useApi, type Listing } from "../api/queries.ts";
import type { ReadPath } from "../api/read-path.ts";
import { useFormat } from "../format/use-format.ts";
import { useKeys } from "../browser/keys.ts";
import { usePageTitle } from "../browser/title.ts";
import { Empty } from "./Answer.tsx";
import { PageHead, type PageHeadProps } from "./Record.tsx";
import { DataTable, type DataTableProps } from "./table/DataTable.tsx";
import { ListFilters, type ListFilter } from "./table/Filters.tsx";
import type { RowKey } from "./table/selection.ts";
import type { Verbs } from "./use-verbs.tsx";

type TableProps<T> = Pick<
  DataTableProps<T>,
  | "id"
  | "columns"
  | "query"
  | "rowLabel"
  | "href"
  | "dimmed"
  | "search"
  | "readSearch"
  | "views"
  | "bulk"
  | "takesAll"
  | "file"
>;

export interface ListPageProps<T> extends TableProps<T> {
  readonly title: string;
  /** The list's route. */
  readonly path: ReadPath;
  /** What the route is asked, where that is not `query.api` itself. */
  readonly parameters?: Readonly<Record<string, QueryValue>>;
  /** How many there are: "12 users". Of all pages, unless `total` says it. */
  readonly count?: (total: number, text: string) => string;
  readonly total?: number | undefined;
  readonly back?: PageHeadProps["back"];
  /** The way to a new record, for whoever may make one; `n` leads there too. */
  readonly create?: { readonly href: string; readonly label: string } | false;
  /** More buttons beside it. */
  readonly head?: ReactNode;
  /** Between head and list. */
  readonly above?: ReactNode;
  readonly filters?: readonly ListFilter[];
  readonly verbs?: Verbs<T>;
  /** What the list is for, said while it is empty. */
  readonly empty: {
    readonly title: string;
    readonly text?: ReactNode;
    readonly icon?: ReactNode;
    /** Where its records come from, for a list in which nothing is created. */
    readonly from?: { readonly href: string; readonly label: string } | false;
  };
  /** Asked again every so many milliseconds. */
  readonly every?: number;
  /** Asked again when actors of this kind move, together with other answers of the page. */
  readonly moves?: { readonly kind: string; readonly also?: readonly ReadPath[] };
}

export function ListPage<T extends { readonly id: RowKey }>(page: ListPageProps<T>) {
  const { title, path, query, parameters = query.api, create = false, verbs, empty, moves, filters, ...rest } = page;
  const { count, total, back, head, above, every, ...table } = rest;
  const format = useFormat();
  const [, navigate] = useLocation();
  const answer = useApi<Listing<T>>(path, parameters, every === undefined ? {} : { refetchInterval: every });
  useRefreshed(moves?.kind, [path, ...(moves?.also ?? [])]);
  usePageTitle(title);
  const make = create === false ? undefined : create;
  useKeys({ n: { label: make?.label ?? "", run: () => make && navigate(make.href), enabled: make !== undefined } });

  const { from = false, ...nothing } = empty;
  const all = total ?? (query.filtered ? undefined : answer.data?.total);
  const button = make ? (
    <Button component={Link} href={make.href} leftSection={<IconPlus size={16} aria-hidden />}>
      {make.label}
    </Button>
  ) : undefined;
  return (
    <>
      <PageHead
        title={title}
        under={count && (all === undefined ? "\u00a0" : count(all, format.number(all)))}
        actions={
          button || head ? (
            <>
              {head}
              {button}
            </>
          ) : undefined
        }
        {...(back && { back })}
      />
      {above}
      <DataTable<T>
        {...table}
        query={query}
        answer={answer}
        rowKey={({ id }) => id}
        {...(verbs && { actions: verbs.of })}
        {...(filters && { filters: <ListFilters query={query} filters={filters} /> })}
        all={(most = MOST_AT_ONCE) => readAll<T>(path, parameters, most)}
        empty={
          <Empty
            {...nothing}
            action={
              button ??
              (from ? (
                <Button component={Link} href={from.href} variant="default">
                  {from.label}
                </Button>
              ) : undefined)
            }
          />
        }
      />
      {verbs?.dialogs}
    </>
  );
}
