// The panel's settings by group: what each is, its default, what is not saved, and what waits for a restart.
import { Alert, Button, TextInput, UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { useApi, type Listing } from "../api/queries.ts";
import { Answer, Empty, LoadingLines } from "../parts/Answer.tsx";
import { ConfirmDialog } from "../parts/ConfirmDialog.tsx";
import { PageHead, Panel } from "../parts/Record.tsx";
import { useCan, useMe } from "../session/me.ts";
import { useKeys } from "../browser/keys.ts";
import { usePageTitle } from "../browser/title.ts";
import { useWords } from "../words/words.ts";
import { RestartNote } from "./RestartNote.tsx";
import { groupedSettings, shownSettings, type Setting } from "./setting.ts";
import { SettingRow } from "./SettingRow.tsx";
import { useLabels } from "./use-labels.ts";
import { useLockOut } from "./use-lock-out.ts";
import { SaveBar } from "./SaveBar.tsx";
import { useSettingsDraft } from "./use-settings.ts";
import classes from "./settings.module.css";

const ALL = { limit: 1000 };

export default function SettingsPage() {
  const words = useWords("settings");
  const settings = useApi<Listing<Setting>>("/settings", ALL);
  usePageTitle(words.title);
  return (
    <>
      <PageHead title={words.title} />
      <Answer of={settings} loading={<LoadingLines lines={10} />}>
        {({ items }) => <Settings rows={items} />}
      </Answer>
    </>
  );
}

function Settings({ rows }: { readonly rows: readonly Setting[] }) {
  const words = useWords("settings");
  const { base } = useMe();
  const parts = useWords("parts");
  const can = useCan();
  const mayWrite = can("settings:write");
  /** What keeps the reader from writing a row. */
  const lockOf = (row: Setting): string | undefined => {
    if (row.panelWide && base !== "sudo") return words.mainAdmins;
    return row.points === "always" && !can("users:read") ? parts.leads : undefined;
  };
  const [search, setSearch] = useSearchParams();
  const [asking, setAsking] = useState(false);
  const q = search.get("q") ?? "";
  const group = search.get("group") ?? "";
  const labelOf = useLabels();
  const draft = useSettingsDraft(rows);
  const warnings = useLockOut(rows, draft.changed);
  const select = (name: "q" | "group", value: string) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: name === "q" },
    );
  const count = Object.keys(draft.changed).length;
  const save = () => {
    if (draft.busy || count === 0) return;
    if (Object.keys(warnings).length > 0) setAsking(true);
    else void draft.save();
  };
  const groups = groupedSettings(shownSettings(rows, { q, group }, labelOf), words);
  const used = new Set(rows.map((row) => row.group));
  useKeys({
    "/": { label: words.search, run: () => document.querySelector<HTMLElement>("#settings-search")?.focus() },
  });
  return (
    <form
      className={classes["page"]}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <RestartNote rows={rows} />
      {mayWrite ? null : (
        <Alert color="gray" variant="light" className={classes["note"] ?? ""}>
          {words.readOnly}
        </Alert>
      )}
      <div className={classes["tools"]}>
        <TextInput
          id="settings-search"
          type="search"
          className={classes["search"] ?? ""}
          aria-label={words.search}
          placeholder={words.search}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={q}
          onChange={(event) => select("q", event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.preventDefault();
          }}
        />
        <div className={classes["groups"]} role="group">
          {["", ...Object.keys(words.groups).filter((each) => used.has(each as Setting["group"]))].map((each) => (
            <UnstyledButton
              key={each}
              className={classes["group"] ?? ""}
              aria-pressed={group === each}
              onClick={() => select("group", each)}
            >
              {each === "" ? words.allGroups : words.groups[each as Setting["group"]]}
            </UnstyledButton>
          ))}
        </div>
      </div>
      {groups.length === 0 ? (
        <Empty
          title={words.none}
          action={
            <Button variant="default" size="sm" onClick={() => setSearch(new URLSearchParams())}>
              {words.clear}
            </Button>
          }
        />
      ) : null}
      {groups.map(({ group: each, rows: members }) => (
        <Panel key={each} title={words.groups[each]}>
          <div className={classes["rows"]}>
            {members.map((row) => (
              <SettingRow
                key={row.key}
                row={row}
                typed={draft.changed[row.key]}
                problem={draft.problems[row.key]}
                warning={warnings[row.key]}
                writes={mayWrite && lockOf(row) === undefined}
                lock={mayWrite || row.panelWide ? lockOf(row) : undefined}
                note={mayWrite && row.points === "links" && !can("users:read") ? parts.leadsByLinks : undefined}
                onChange={(value) => draft.set(row.key, value)}
              />
            ))}
          </div>
        </Panel>
      ))}
      {count === 0 ? null : <SaveBar count={count} busy={draft.busy} discard={draft.discard} />}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={words.lockTitle}
        consequence={Object.values(warnings).join(" ")}
        confirm={words.lockAnyway}
        danger
        run={draft.save}
      />
    </form>
  );
}
