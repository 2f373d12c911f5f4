// The verbs of a record, declared once: the list's menu, the record's buttons and their keys all come from here. What
// cannot be taken back asks first; nothing is shown as done before the panel has answered.
import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import { ApiError } from "../api/call.ts";
import type { ReadPath } from "../api/read-path.ts";
import { sayDone, sayFailed, sayPartly } from "../browser/toasts.tsx";
import { useWords } from "../words/words.ts";
import { ConfirmDialog } from "./ConfirmDialog.tsx";
import { useFocusBack } from "./focus-back.ts";
import { refusalText } from "./refusal.ts";
import type { RowAction } from "./table/columns.ts";

/** Where records of a kind are read. */
export interface RecordKind<T> {
  /** The list's path; a record is below it: `/users`, `/users/7`. */
  readonly list: ReadPath;
  readonly name: (record: T) => string;
  /** Other answers that a change of a record makes old. */
  readonly touches?: (id: Id) => readonly ReadPath[];
}

type Id = string | number;
/** A record of any kind. */
export interface Identified {
  readonly id: Id;
}

/** What has happened. */
export interface Outcome<T> {
  /** In words. Absent: there is nothing to say. */
  readonly said?: string;
  /** The part that did not happen, and why. */
  readonly partly?: string;
  /** The record as the panel answered it. */
  readonly record?: T;
  /** The record does not exist any more: its page is left. */
  readonly gone?: true;
  /** Takes it back, where the API can. */
  readonly undo?: () => Promise<Outcome<T>>;
  /** The verb that asks next. */
  readonly next?: string;
}

/** A question that is open. */
export interface Asked<T> {
  readonly close: () => void;
  readonly settle: (outcome: Outcome<T>) => void;
}

/** One of `to`, `act` and `dialog`. */
export interface Verb<T> extends Omit<RowAction, "run"> {
  /** Not offered in menus: another control runs it. */
  readonly hidden?: boolean;
  /** Leads to another page. */
  readonly to?: string;
  /** Does it. A refusal is said in words. */
  readonly act?: () => Promise<Outcome<T> | undefined>;
  /** Asks before `act`: the title repeats the deed, the text says what follows from it. */
  readonly confirm?: { readonly title: string; readonly text: ReactNode; readonly button?: string } | undefined;
  /** A question of its own. */
  readonly dialog?: (asked: Asked<T>) => ReactNode;
}

export interface Verbs<T> {
  /** What is offered for a record. */
  readonly of: (record: T) => readonly RowAction[];
  readonly run: (record: T, verb: string) => void;
  readonly busy: (record: T) => boolean;
  /** The question that is open: drawn once on the page. */
  readonly dialogs: ReactNode;
}

interface VerbsOptions<T> {
  /** In the order of the menu; `false`: not for this person. */
  readonly verbs: (record: T) => readonly (Verb<T> | false)[];
  /** Where the page of a record leads when the record is gone. */
  readonly leave?: string | undefined;
}

export function useVerbs<T extends Identified>(kind: RecordKind<T>, { verbs, leave }: VerbsOptions<T>): Verbs<T> {
  const parts = useWords("parts");
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<{ readonly record: T; readonly verb: string }>();
  const [busy, setBusy] = useState<ReadonlySet<Id>>(new Set());
  const settleRecord = useSettle(kind);

  const settle = (record: T, outcome: Outcome<T> | undefined) => {
    if (outcome?.gone && leave !== undefined) navigate(leave);
    settleRecord(record, outcome);
    if (outcome?.next !== undefined) setAsked({ record: outcome.record ?? record, verb: outcome.next });
  };
  const actOn = async (record: T, label: string, act: NonNullable<Verb<T>["act"]>) => {
    setBusy((now) => new Set(now).add(record.id));
    try {
      settle(record, await act());
    } catch (error) {
      sayRefused(`${kind.name(record)}: ${label}`, error, parts);
    } finally {
      setBusy((now) => new Set([...now].filter((id) => id !== record.id)));
    }
  };
  const start = (record: T, { id, label, to, act, confirm, dialog }: Verb<T>) => {
    if (to !== undefined) navigate(to);
    else if (confirm || dialog) setAsked({ record, verb: id });
    else if (act) void actOn(record, label, act);
  };
  const all = (record: T) => verbs(record).filter((verb) => verb !== false);
  const find = (record: T, id: string) => all(record).find((verb) => verb.id === id);
  const open = asked && find(asked.record, asked.verb);
  // Not the question that came after it.
  const close = () => setAsked((now) => (now === asked ? undefined : now));
  return {
    of: (record) =>
      all(record)
        .filter(({ hidden }) => !hidden)
        .map((verb) => ({ ...verb, run: () => start(record, verb) })),
    run(record, id) {
      const verb = find(record, id);
      if (verb && verb.disabled === undefined) start(record, verb);
    },
    busy: ({ id }) => busy.has(id),
    dialogs:
      asked && open ? (
        <Suspense>
          <Question
            key={`${asked.record.id} ${open.id}`}
            {...{ open, close }}
            settle={(outcome) => settle(asked.record, outcome)}
          />
        </Suspense>
      ) : null,
  };
}

interface QuestionProps<T> {
  readonly open: Verb<T>;
  readonly close: () => void;
  readonly settle: (outcome: Outcome<T> | undefined) => void;
}

function Question<T>({ open, close, settle }: QuestionProps<T>) {
  const { label, danger, confirm, act, dialog } = open;
  useFocusBack();
  if (dialog) return dialog({ close, settle });
  if (!confirm || !act) return null;
  return (
    <ConfirmDialog
      opened
      onClose={close}
      title={confirm.title}
      consequence={confirm.text}
      confirm={confirm.button ?? label}
      danger={danger ?? false}
      run={async () => settle(await act())}
    />
  );
}

/** Has whatever shows a record asked again. Of a record that is `gone` nothing of its own is. */
export function useRecordTouched<T>({ list, touches }: RecordKind<T>): (id: Id, gone?: boolean) => void {
  const queries = useQueryClient();
  return (id, gone = false) => {
    for (const path of [list, `${list}/${id}`, ...(touches?.(id) ?? [])]) {
      const queryKey = [path];
      if (gone && path.split("/").includes(String(id))) queries.removeQueries({ queryKey });
      else void queries.invalidateQueries({ queryKey });
    }
  };
}

/** Says what has happened to a record; all pages show it as the panel has it now. */
export function useSettle<T extends Identified>(
  kind: RecordKind<T>,
): (record: Identified, outcome: Outcome<T> | undefined) => void {
  const queries = useQueryClient();
  const touched = useRecordTouched(kind);
  const parts = useWords("parts");
  const settle = (record: Identified, outcome: Outcome<T> | undefined): void => {
    const { said, partly, record: now, gone, undo } = outcome ?? {};
    if (now) queries.setQueryData([`${kind.list}/${record.id}`, {}], now);
    touched(record.id, gone);
    if (said === undefined) return;
    if (partly !== undefined) sayPartly(said, partly);
    else if (undo) sayDone(said, { label: parts.undo, run: () => void takeBack(record, undo) });
    else sayDone(said);
  };
  const takeBack = async (record: Identified, undo: NonNullable<Outcome<T>["undo"]>): Promise<void> => {
    try {
      settle(record, await undo());
    } catch (error) {
      sayRefused(parts.undo, error, parts);
    }
  };
  return settle;
}

function sayRefused(what: string, error: unknown, parts: Parameters<typeof refusalText>[1]): void {
  if (!(error instanceof ApiError)) throw error;
  const { title, cause } = refusalText(error, parts);
  sayFailed(what, cause === "" ? title : cause);
}
