// The page of a new fragment: what it begins with, or another one's copy.
import type { ReactNode } from "react";
import { useSearchParams } from "wouter";
import { useApi } from "../api/queries.ts";
import { Failure, LoadingLines } from "../parts/Answer.tsx";
import { PageHead } from "../parts/Record.tsx";
import { usePageTitle } from "../browser/title.ts";
import type { Begun, FragmentRecord, Kind } from "./kind.ts";

export interface NewFragmentPageProps<T extends FragmentRecord> {
  readonly kind: Kind<T>;
  /** Its form. */
  readonly create: (begun: Begun) => ReactNode;
  /** What stands there without another one to copy. */
  readonly begin: Begun | ReactNode;
  readonly className?: string | undefined;
}

export function NewFragmentPage<T extends FragmentRecord>({ kind, create, begin, className }: NewFragmentPageProps<T>) {
  const words = kind.useKindWords();
  const [search] = useSearchParams();
  const from = Number(search.get("from") ?? 0);
  usePageTitle(words.newTitle);
  const content = (
    <>
      <PageHead title={words.newTitle} back={{ href: kind.list, label: words.title }} />
      {from > 0 ? <Copy kind={kind} create={create} id={from} /> : isBegun(begin) ? create(begin) : begin}
    </>
  );
  return className === undefined ? content : <div className={className}>{content}</div>;
}

function isBegun(begin: Begun | ReactNode): begin is Begun {
  return typeof begin === "object" && begin !== null && "draft" in begin;
}

interface CopyProps<T extends FragmentRecord> extends Pick<NewFragmentPageProps<T>, "kind" | "create"> {
  readonly id: number;
}

function Copy<T extends FragmentRecord>({ kind, create, id }: CopyProps<T>) {
  const other = useApi<T>(`${kind.list}/${id}`);
  const copy = kind.useCopy();
  if (other.error) return <Failure error={other.error} retry={() => void other.refetch()} />;
  if (!other.data || !copy) return <LoadingLines lines={8} />;
  return create({ initial: copy(other.data), draft: `${kind.id}/new/from-${id}` });
}
