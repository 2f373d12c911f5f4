// What was typed into the settings and is not saved yet, and saving it, one setting after the other: each is a change
// of its own, and one that is refused stays as it was typed.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, call, currentOf } from "../api/call.ts";
import { useFormat } from "../format/use-format.ts";
import { keepDraft, readDraft } from "../parts/form/draft.ts";
import { useLeaveGuard } from "../parts/leave-guard.ts";
import { fieldProblems, refusalText } from "../parts/refusal.ts";
import { sayDone } from "../browser/toasts.tsx";
import { useWords } from "../words/words.ts";
import { changesOf, type Edits, type Setting } from "./setting.ts";

export interface SettingsDraft {
  /** What differs from what is stored. */
  readonly changed: Edits;
  readonly problems: Readonly<Record<string, string>>;
  readonly busy: boolean;
  readonly set: (key: string, value: string) => void;
  readonly discard: () => void;
  readonly save: () => Promise<void>;
}

/** By key, `updatedAt` of the setting when something was first typed into it. */
type Versions = Readonly<Record<string, number>>;

interface Typed {
  readonly edits: Edits;
  readonly versions: Versions;
}

function keptTyping(name: string): Typed {
  const { edited = {}, base = {} } = readDraft(name) ?? {};
  return {
    edits: Object.fromEntries(
      Object.entries(edited).filter((each): each is [string, string] => typeof each[1] === "string"),
    ),
    versions: Object.fromEntries(
      Object.entries(base).filter((each): each is [string, number] => typeof each[1] === "number"),
    ),
  };
}

/** For another visit of the page; what was typed into a secret is kept nowhere. */
function keep(name: string, { edits, versions }: Typed, rows: readonly Setting[]): void {
  const secrets = new Set(rows.filter(({ secret }) => secret).map(({ key }) => key));
  const edited = Object.fromEntries(Object.entries(edits).filter(([key]) => !secrets.has(key)));
  keepDraft(name, Object.keys(edited).length === 0 ? undefined : { edited, base: versions, version: undefined });
}

/** `name`: of the page, whose typing is kept apart from that of others. */
export function useSettingsDraft(rows: readonly Setting[], name = "settings"): SettingsDraft {
  const words = useWords("settings");
  const parts = useWords("parts");
  const format = useFormat();
  const queries = useQueryClient();
  const [typed, setTyped] = useState(() => keptTyping(name));
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const changed = changesOf(rows, typed.edits);
  useLeaveGuard(Object.keys(changed).length > 0);

  const put = (edits: Edits, versions: Versions) => {
    const next = { edits, versions: Object.fromEntries(Object.entries(versions).filter(([key]) => key in edits)) };
    setTyped(next);
    keep(name, next, rows);
  };
  const problemOf = (error: ApiError): string => {
    const theirs = currentOf<Setting>(error);
    if (theirs) return words.changedMeanwhile(theirs.value);
    const { title, cause } = refusalText(error, parts);
    return fieldProblems(error, parts)["value"] ?? (cause === "" ? title : cause);
  };
  const save = async (): Promise<void> => {
    setBusy(true);
    const left: Record<string, string> = { ...changed };
    const versions: Record<string, number> = { ...typed.versions };
    const refused: Record<string, string> = {};
    for (const [key, value] of Object.entries(changed)) {
      try {
        await call("PUT", `/settings/${key}`, { body: { value, version: versions[key] } });
        delete left[key];
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refused[key] = problemOf(error);
        // Saved once more, it is a choice between both.
        const theirs = currentOf<Setting>(error);
        if (theirs) versions[key] = theirs.updatedAt;
      }
    }
    put(left, versions);
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
      const { updatedAt = 0 } = rows.find((row) => row.key === key) ?? {};
      put({ ...changed, [key]: value }, { [key]: updatedAt, ...typed.versions });
      setProblems(({ [key]: _, ...rest }) => rest);
    },
    discard() {
      put({}, {});
      setProblems({});
    },
    save,
  };
}
