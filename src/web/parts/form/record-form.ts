// The state of a form over a record: a person's changes are kept separately from the panel's current values, so that
// updates never overwrite typing, and only changes are sent.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError, currentOf, type Versioned } from "../../api/call.ts";
import { useWords } from "../../words/words.ts";
import { useLeaveGuard } from "../leave-guard.ts";
import { fieldProblems } from "../refusal.ts";
import type { Json } from "./document-draft.ts";
import { keepDraft, readDraft, type Draft } from "./draft.ts";
import { nested, sameValue, type FieldValue, type Values } from "./field.ts";

export interface RecordFormOptions<B, A> {
  /**
   * Under this name the draft is kept: `users/7`. Absent: nothing that is typed is kept, and the page is left without a
   * question.
   */
  readonly draft?: string;
  /** The record's fields now; of a new record their defaults. */
  readonly initial: Values;
  /** Fields that are never kept in the browser. */
  readonly secrets?: readonly string[];
  /** What is wrong before it is sent, by field: rules that compare fields. */
  readonly check?: (values: Values) => Readonly<Record<string, string>>;
  /** For a record that others can change at the same time: its `updatedAt`, and how to read an answer of its route. */
  readonly version?: { readonly read: number; readonly valuesOf: (record: Versioned<A>) => Values };
  /** The form's own words for a refusal, by field. */
  readonly explain?: (refusal: ApiError) => Readonly<Record<string, string>>;
  /**
   * Sends the changed fields, with the version that they were made from. `now`: the record's fields below them, for
   * routes that take all of them.
   */
  readonly save: (changed: Partial<B> & { readonly version?: number }, now: Values) => Promise<A>;
  readonly onDone?: (answer: A) => void;
}

/** Somebody else changed fields that were changed here too. */
export interface Conflict {
  readonly fields: readonly string[];
  readonly theirs: Values;
  /** The `updatedAt` of the record with their changes. */
  readonly version: number;
  /** For a document: their document, and the same document with the changes that were made here. */
  readonly documents?: { readonly theirs: Json; readonly mine: Json };
}

export interface RecordForm {
  readonly values: Values;
  /** Fields that differ from the record. */
  readonly changed: Values;
  readonly set: (name: string, value: FieldValue) => void;
  /** What is wrong, by field; those of no field of the form are in `error`. */
  readonly problems: Readonly<Record<string, string>>;
  /** An input says whether what is typed in it means something. */
  readonly complain: (name: string, problem: string | undefined) => void;
  readonly error: ApiError | undefined;
  readonly conflict: Conflict | undefined;
  readonly busy: boolean;
  /** The draft of an earlier visit was taken up. */
  readonly restored: boolean;
  readonly dirty: boolean;
  /** Resolves to whether it is saved. */
  readonly save: () => Promise<boolean>;
  readonly discard: () => void;
  /** After a conflict: save over what the other wrote, or take it. */
  readonly settle: (keep: "mine" | "theirs") => void;
}

const none: Values = {};

export function useRecordForm<B, A>(options: RecordFormOptions<B, A>): RecordForm {
  const words = useWords("parts");
  const queries = useQueryClient();
  const { draft: name, initial } = options;
  const [draft, setDraft] = useState<Draft | undefined>(() => (name === undefined ? undefined : readDraft(name)));
  const [restored, setRestored] = useState(draft !== undefined);
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [error, setError] = useState<ApiError>();
  const [conflict, setConflict] = useState<Conflict>();
  const [busy, setBusy] = useState(false);

  const edited = draft?.edited ?? none;
  const changed = Object.fromEntries(
    Object.entries(edited).filter(([field, value]) => !sameValue(initial[field], value)),
  );
  const dirty = Object.keys(changed).length > 0;
  const secrets = options.secrets?.join() ?? "";
  useEffect(() => {
    if (name !== undefined) keepDraft(name, draft && withoutSecrets(draft, secrets.split(",")));
  }, [name, draft, secrets]);
  useLeaveGuard(dirty && name !== undefined);

  const forget = () => {
    setDraft(undefined);
    setRestored(false);
    setRefused({});
    setTyped({});
    setError(undefined);
    setConflict(undefined);
  };

  const refuse = (cause: ApiError) => {
    const problems = { ...fieldProblems(cause, words), ...options.explain?.(cause) };
    const at = Object.keys(problems);
    setRefused(problems);
    setError(at.length > 0 && at.every((field) => field in { ...initial, ...edited }) ? undefined : cause);
  };

  const send = async (version: number | undefined, now: Values): Promise<boolean> => {
    setBusy(true);
    setError(undefined);
    setRefused({});
    try {
      const sent = { ...nested(changed), ...(version === undefined ? {} : { version }) };
      const answer = await options.save(sent as Partial<B>, now);
      if (name !== undefined) keepDraft(name, undefined);
      forget();
      options.onDone?.(answer);
      return true;
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      const current = currentOf<A>(cause);
      const theirs = current && options.version?.valuesOf(current);
      if (!theirs) {
        refuse(cause);
        return false;
      }
      const both = Object.keys(changed).filter((field) => !sameValue(draft?.base[field], theirs[field]));
      // What the other changed is not what was changed here: both hold.
      if (both.length === 0 && current.updatedAt !== version) return await send(current.updatedAt, theirs);
      setConflict({ fields: both, theirs, version: current.updatedAt });
      return false;
    } finally {
      setBusy(false);
    }
  };

  const values = { ...initial, ...edited };
  return {
    values,
    changed,
    set(field, value) {
      setDraft((now) => ({
        edited: { ...now?.edited, [field]: value },
        base: now?.base ?? initial,
        version: now ? now.version : options.version?.read,
      }));
      setRefused(({ [field]: _, ...rest }) => rest);
    },
    problems: { ...refused, ...typed },
    complain: (field, problem) =>
      setTyped(({ [field]: before, ...rest }) => (problem === undefined ? rest : { ...rest, [field]: problem })),
    error,
    conflict,
    busy,
    restored: restored && dirty,
    dirty,
    async save() {
      if (busy || Object.keys(typed).length > 0) return false;
      const wrong = options.check?.(values) ?? {};
      if (Object.keys(wrong).length === 0) return await send(draft?.version ?? options.version?.read, initial);
      setRefused(wrong);
      setError(undefined);
      return false;
    },
    discard: forget,
    settle(keep) {
      if (keep === "theirs") {
        forget();
        // What the page shows is older than theirs.
        void queries.invalidateQueries();
      } else {
        setConflict(undefined);
        void send(conflict?.version, conflict?.theirs ?? initial);
      }
    },
  };
}

function withoutSecrets(draft: Draft, secrets: readonly string[]): Draft | undefined {
  const kept = Object.entries(draft.edited).filter(([field]) => !secrets.includes(field));
  return kept.length === 0 ? undefined : { ...draft, edited: Object.fromEntries(kept) };
}
