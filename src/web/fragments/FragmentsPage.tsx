// The list of a kind of fragment.
import type { Icon } from "@tabler/icons-react";
import { ListPage, type ListPageProps } from "../parts/ListPage.tsx";
import { useListQuery } from "../parts/table/list-query.ts";
import type { FragmentRecord, Kind } from "./kind.ts";

export interface FragmentsPageProps<T> extends Pick<ListPageProps<T>, "columns" | "dimmed"> {
  readonly kind: Kind<T & FragmentRecord>;
  readonly verbs: NonNullable<ListPageProps<T>["verbs"]>;
  /** What is sorted by, and filtered. A constant. */
  readonly defaults: Parameters<typeof useListQuery>[0];
  readonly filters?: NonNullable<ListPageProps<T>["filters"]>;
  readonly icon: Icon;
}

export function FragmentsPage<T extends FragmentRecord>(page: FragmentsPageProps<T>) {
  const { kind, defaults, icon: Sign, ...table } = page;
  const words = kind.useKindWords();
  const { adds } = kind.useRights();
  return (
    <ListPage<T>
      {...table}
      id={kind.id}
      title={words.title}
      path={kind.list}
      query={useListQuery(defaults)}
      count={words.count}
      create={adds && { href: `${kind.list}/new`, label: words.add }}
      rowLabel={kind.name}
      href={({ id }) => `${kind.list}/${id}`}
      search={words.search}
      empty={{ ...words.empty, icon: <Sign size={32} stroke={1.4} aria-hidden /> }}
    />
  );
}
