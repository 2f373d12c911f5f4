// A kind of fragment, described once for its list, its pages and its verbs.
import type { z } from "zod";
import type { UsedBy } from "../../pool/used-by.schema.ts";
import type { Json } from "../parts/form/document-draft.ts";
import type { RecordKind } from "../parts/use-verbs.tsx";

/** What pages say of a kind. */
export interface KindWords {
  readonly title: string;
  readonly count: (count: number, shown: string) => string;
  readonly search: string;
  readonly add: string;
  readonly newTitle: string;
  readonly create: string;
  readonly empty: { readonly title: string; readonly text: string };
  /** Title of the page when the record does not exist. */
  readonly gone: string;
  readonly saved: (name: string) => string;
  readonly created: (name: string) => string;
  readonly deleted: (name: string) => string;
  readonly deleteTitle: (name: string) => string;
}

export interface FragmentRecord {
  readonly id: number;
  readonly updatedAt: number;
}

/** What `GET /{id}` adds to a record. */
export interface Used {
  readonly usedBy: z.output<typeof UsedBy>;
}

/** A collection of records that may use another, as answers name it. */
export type UsingCollection = Exclude<keyof Used["usedBy"], "users">;

/** `list`: its route, and its address in the interface too. */
export interface Kind<T extends FragmentRecord> extends RecordKind<T> {
  /** Names its table, and its drafts: `inbounds`. */
  readonly id: string;
  /** The scope that reads its records. */
  readonly reads: string;
  /** What usually uses such a record: said also when none does. */
  readonly usedIn: readonly UsingCollection[];
  readonly useKindWords: () => KindWords;
  readonly useRights: () => { readonly writes: boolean; readonly adds: boolean };
  /** The fields that a person writes. */
  readonly documentOf: (record: T) => Json;
  /** What another one's copy begins with; undefined while it is not known. */
  readonly useCopy: () => ((record: T) => Json) | undefined;
}

/** What a new record begins with, and under which name its draft is kept. */
export interface Begun {
  readonly initial: Json;
  readonly draft: string;
}

/** A name that no record has: `in`, `in-2`, `in-3`. */
export function freeName(wanted: string, taken: readonly string[]): string {
  const names = new Set(taken);
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!names.has(name)) return name;
  }
}
