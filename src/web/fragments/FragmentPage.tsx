// The page of one fragment: its head with its verbs, and its content in two columns.
import type { ReactNode } from "react";
import { useParams } from "wouter";
import { useApi } from "../api/queries.ts";
import { Code } from "../parts/Names.tsx";
import { RecordFrame, RecordPage, type RecordFrameProps } from "../parts/RecordPage.tsx";
import type { UrlTab } from "../parts/UrlTabs.tsx";
import type { Verbs } from "../parts/use-verbs.tsx";
import classes from "./fragments.module.css";
import type { FragmentRecord, Kind, Used } from "./kind.ts";

export interface FragmentPageProps<T extends FragmentRecord> {
  readonly kind: Kind<T>;
  readonly useKindVerbs: (leave: string) => Verbs<T>;
  /** What the tab of the record is called, where there are more. */
  readonly tab: string;
  readonly content: (record: T & Used) => ReactNode;
  readonly more?: (record: T & Used) => readonly (UrlTab | false)[];
  readonly beside?: (record: T) => ReactNode;
  readonly under: (record: T) => ReactNode;
}

export function FragmentPage<T extends FragmentRecord>(page: FragmentPageProps<T>) {
  const { id } = useParams<{ id: string }>();
  const { list: href, id: table, useKindWords } = page.kind;
  const { title, gone } = useKindWords();
  const record = useApi<T & Used>(`${href}/${id}`);
  const list = { id: table, href, title };
  return (
    <RecordPage of={record} list={list} missing={{ title: gone }}>
      {(shown) => <Shown key={shown.id} {...page} record={shown} list={list} />}
    </RecordPage>
  );
}

interface ShownProps<T extends FragmentRecord> extends FragmentPageProps<T> {
  readonly record: T & Used;
  readonly list: RecordFrameProps<T>["list"];
}

function Shown<T extends FragmentRecord>(shown: ShownProps<T>) {
  const { kind, record, list, useKindVerbs, tab, content, more, beside, under } = shown;
  return (
    <RecordFrame<T>
      record={record}
      name={kind.name(record)}
      list={list}
      href={`${list.href}/${record.id}`}
      verbs={useKindVerbs(list.href)}
      beside={beside?.(record)}
      under={under(record)}
      tabs={[{ id: "record", label: tab, content: content(record) }, ...(more?.(record) ?? [])]}
    />
  );
}

/** The record, and beside it what belongs to it. */
export function Columns({ children, side }: { readonly children: ReactNode; readonly side: ReactNode }) {
  return (
    <div className={classes["columns"]}>
      {children}
      <div className={classes["side"]}>{side}</div>
    </div>
  );
}

export function TypeAndRemark({ type, remark }: { readonly type: string; readonly remark: string }) {
  return (
    <>
      <Code>{type}</Code>
      {remark === "" ? null : <bdi>{` · ${remark}`}</bdi>}
    </>
  );
}
