// The state of a form over one JSON document: its fields by path for inputs, its text for an editor, one draft behind
// both. Only changed fields of the document itself are sent.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { ApiError, currentOf, type Versioned } from "../../api/call.ts";
import { useWords } from "../../words/words.ts";
import { isSame } from "../diff/differences.ts";
import { readJson, type ReadJson } from "../json/read-json.ts";
import { useLeaveGuard } from "../leave-guard.ts";
import { fieldProblems, problemText } from "../refusal.ts";
import { faultsOf, type Fault } from "../schema/faults.ts";
import { isJson, type Schema } from "../schema/schema.ts";
import {
  changedFields,
  changedPaths,
  keepDocument,
  readDocument,
  valueAt,
  valuesOf,
  withValue,
  type DocumentDraft,
  type Json,
} from "./document-draft.ts";
import type { FieldValue } from "./field.ts";
import { mergeDocuments } from "./merge.ts";
import type { Conflict, RecordForm } from "./record-form.ts";

export interface DocumentFormOptions<A> {
  /** Under this name the draft is kept: `inbounds/7`. */
  readonly draft: string;
  /** The record's fields as they are written; of a new record what it starts with. */
  readonly initial: Json;
  /** Schema of the whole document. Until it is loaded, only the panel checks the document. */
  readonly schema: Schema | undefined;
  /** For a record that others can change at the same time: its `updatedAt`, and how to read an answer of its route. */
  readonly version?: {
    readonly read: number;
    readonly documentOf: (record: Versioned<A>) => Json;
  };
  /** Sends the changed fields with the version that they were made from; of a new record `whole` is sent. */
  readonly save: (changed: Json, whole: Json) => Promise<A>;
  readonly onDone?: (answer: A) => void;
}

export interface DocumentForm extends RecordForm {
  readonly document: Json;
  /** What is saved. */
  readonly saved: Json;
  /** The value at a path; undefined takes it out. */
  readonly put: (path: string, value: unknown) => void;
  readonly at: (path: string) => unknown;
  /** In place of the whole document. */
  readonly replace: (document: Json) => void;
  /** The document as it is typed. Text that is no document changes nothing else. */
  readonly text: string;
  readonly write: (text: string) => void;
  /** The text, read; the document is what it says where it is one. */
  readonly read: ReadJson;
  /** What the schema says against the document. */
  readonly faults: readonly Fault[];
}

const nothing: Readonly<Record<string, string>> = {};

export function useDocumentForm<A>({
  draft: name,
  initial,
  schema,
  version,
  save,
  onDone,
}: DocumentFormOptions<A>): DocumentForm {
  const words = useWords("parts");
  const queries = useQueryClient();
  const [draft, setDraft] = useState<DocumentDraft | undefined>(() => readDocument(name, initial));
  const [typed, setTyped] = useState<string>();
  const [restored, setRestored] = useState(draft !== undefined);
  const [refused, setRefused] = useState(nothing);
  const [complaints, setComplaints] = useState(nothing);
  const [asked, setAsked] = useState(false);
  const [error, setError] = useState<ApiError>();
  const [conflict, setConflict] = useState<Conflict>();
  const [busy, setBusy] = useState(false);

  const document = draft?.document ?? initial;
  const text = typed ?? JSON.stringify(document, undefined, 2);
  const read = useMemo(() => readJson(text), [text]);
  const faults = useMemo(() => (schema ? faultsOf(schema, document) : []), [schema, document]);
  const changed = useMemo(
    () => Object.fromEntries(changedPaths(initial, document).map((path): [string, FieldValue] => [path, true])),
    [initial, document],
  );
  const broken = typed !== undefined && !(read.ok && isJson(read.value));
  const dirty = broken || Object.keys(changed).length > 0;
  useEffect(() => keepDocument(name, draft), [name, draft]);
  useLeaveGuard(dirty);

  const begun: DocumentDraft = { document: initial, base: initial, version: version?.read };
  const taken = (next: Json) => (now: DocumentDraft | undefined) =>
    isSame(next, initial) ? undefined : { ...(now ?? begun), document: next };
  const replace = (next: Json) => {
    setDraft(taken(next));
    setTyped(undefined);
    setRefused(nothing);
  };
  const put = (path: string, value: unknown) => {
    setDraft((now = begun) => ({ ...now, document: withValue(now.document, path, value) }));
    setTyped(undefined);
    // What was refused below a field, or around it, was said of another value.
    setRefused((now) =>
      Object.fromEntries(Object.entries(now).filter(([at]) => !isWithin(at, path) && !isWithin(path, at))),
    );
  };
  const forget = () => {
    setDraft(undefined);
    setTyped(undefined);
    setRestored(false);
    setRefused(nothing);
    setComplaints(nothing);
    setAsked(false);
    setError(undefined);
    setConflict(undefined);
  };

  /** `from`: what the changes are told against; the document may hold what the panel has of others meanwhile. */
  const send = async (next: Json, from: Json, madeFrom: number | undefined): Promise<boolean> => {
    setBusy(true);
    setError(undefined);
    setRefused(nothing);
    try {
      const answer = await save(
        { ...changedFields(from, next), ...(madeFrom === undefined ? {} : { version: madeFrom }) },
        next,
      );
      keepDocument(name, undefined);
      forget();
      onDone?.(answer);
      return true;
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      const current = currentOf<A>(cause);
      if (current && version) {
        const theirs = version.documentOf(current);
        const merged = mergeDocuments(draft?.base ?? initial, next, theirs);
        if (merged.both.length === 0 && current.updatedAt !== madeFrom)
          return await send(merged.document, theirs, current.updatedAt);
        const documents = { theirs, mine: merged.document };
        setConflict({ fields: merged.both, theirs: valuesOf(theirs), version: current.updatedAt, documents });
        return false;
      }
      const problems = fieldProblems(cause, words);
      setRefused(problems);
      setError(Object.keys(problems).length > 0 ? undefined : cause);
      return false;
    } finally {
      setBusy(false);
    }
  };

  const told = asked
    ? Object.fromEntries(faults.map((each) => [each.path, problemText({ ...each, message: each.code }, words)]))
    : nothing;

  return {
    document,
    saved: initial,
    at: (path) => valueAt(document, path),
    put,
    replace,
    text,
    write(next) {
      setTyped(next);
      const now = readJson(next);
      if (now.ok && isJson(now.value)) setDraft(taken(now.value));
      setRefused(nothing);
    },
    read,
    faults,
    values: useMemo(() => valuesOf(document), [document]),
    changed,
    set: (field, value) => put(field, isBlank(value) && field.includes(".") ? undefined : value),
    problems: { ...told, ...refused, ...complaints },
    complain: (field, problem) =>
      setComplaints(({ [field]: _, ...rest }) => (problem === undefined ? rest : { ...rest, [field]: problem })),
    error,
    conflict,
    busy,
    restored: restored && dirty,
    dirty,
    async save() {
      setAsked(true);
      if (busy || broken || faults.length > 0 || Object.keys(complaints).length > 0) return false;
      return await send(document, draft?.base ?? initial, draft?.version ?? version?.read);
    },
    discard: forget,
    settle(keep) {
      if (keep === "theirs") {
        forget();
        // What the page shows is older than theirs.
        void queries.invalidateQueries();
        return;
      }
      setConflict(undefined);
      if (conflict?.documents) void send(conflict.documents.mine, conflict.documents.theirs, conflict.version);
    },
  };
}

/** What engines read as nothing: blocks of configuration leave it out. Fields of a record are always there. */
function isBlank(value: FieldValue): boolean {
  return value === "" || value === 0 || value === false || (Array.isArray(value) && value.length === 0);
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`);
}
