// What was typed into the settings and is not saved yet, and saving it, one setting after the other: each is a change
// of its own, and one that is refused stays as it was typed.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, call } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { keepDraft, readDraft } from "../parts/form/draft.ts";
import { useLeaveGuard } from "../parts/leave-guard.ts";
import { fieldProblems, refusalText } from "../parts/refusal.ts";
import { sayDone } from "../shell/toasts.tsx";
import { useWords } from "../words/words.ts";
import { changesOf, type Edits, type Setting } from "./setting.ts";

const DRAFT = "settings";

export interface SettingsDraft {
  /** What differs from what is stored. */
  readonly changed: Edits;
  readonly problems: Readonly<Record<string, string>>;
  readonly busy: boolean;
  readonly set: (key: string, value: string) => void;
  readonly discard: () => void;
  readonly save: () => Promise<void>;
}

function keptEdits(): Edits {
  const edited = readDraft(DRAFT)?.edited ?? {};
  return Object.fromEntries(
    Object.entries(edited).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** For another visit of the page; what was typed into a secret is kept nowhere. */
function keep(edits: Edits, rows: readonly Setting[]): void {
  const secrets = new Set(rows.filter(({ secret }) => secret).map(({ key }) => key));
  const edited = Object.fromEntries(Object.entries(edits).filter(([key]) => !secrets.has(key)));
  keepDraft(DRAFT, Object.keys(edited).length === 0 ? undefined : { edited, base: {}, version: undefined });
}

export function useSettingsDraft(rows: readonly Setting[]): SettingsDraft {
  const words = useWords("settings");
  const parts = useWords("parts");
  const format = useFormat();
  const queries = useQueryClient();
  const [edits, setEdits] = useState(keptEdits);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const changed = changesOf(rows, edits);
  useLeaveGuard(Object.keys(changed).length > 0);

  const put = (next: Edits) => {
    setEdits(next);
    keep(next, rows);
  };
  const problemOf = (error: ApiError): string => {
    const { title, cause } = refusalText(error, parts);
    return fieldProblems(error, parts)["value"] ?? (cause === "" ? title : cause);
  };
  const save = async (): Promise<void> => {
    setBusy(true);
    const left: Record<string, string> = { ...changed };
    const refused: Record<string, string> = {};
    for (const [key, value] of Object.entries(changed)) {
      try {
        await call("PUT", `/settings/${key}`, { body: { value } });
        delete left[key];
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refused[key] = problemOf(error);
      }
    }
    put(left);
    setProblems(refused);
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["/settings"] }),
      queries.invalidateQueries({ queryKey: ["/me"] }),
    ]);
    setBusy(false);
    const saved = Object.keys(changed).length - Object.keys(left).length;
    if (saved > 0) sayDone(words.saved(saved, format.number(saved)));
  };
  return {
    changed,
    problems,
    busy,
    set(key, value) {
      put({ ...changed, [key]: value });
      setProblems(({ [key]: _, ...rest }) => rest);
    },
    discard() {
      put({});
      setProblems({});
    },
    save,
  };
}
