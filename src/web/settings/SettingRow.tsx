// One setting: what it is called, its key, its value, the default, and what holds of it.
import { ActionIcon, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { IconLock, IconRestore } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Code } from "../parts/Names.tsx";
import { ToneBadge } from "../parts/StateBadge.tsx";
import type { LaterWords } from "../words/language.ts";
import { useWords } from "../words/words.ts";
import type { Setting } from "./setting.ts";
import { useLabels } from "./use-labels.ts";
import classes from "./settings.module.css";

export interface SettingRowProps {
  readonly row: Setting;
  /** What was typed; undefined: nothing. */
  readonly typed: string | undefined;
  readonly problem: string | undefined;
  readonly warning: string | undefined;
  readonly writes: boolean;
  /** Why the reader may not write it, while they may write others. */
  readonly lock: string | undefined;
  /** What the reader may not write into it. */
  readonly note: string | undefined;
  readonly onChange: (value: string) => void;
}

export function SettingRow({ row, typed, problem, warning, writes, lock, note, onChange }: SettingRowProps) {
  const words = useWords("settings");
  const label = useLabels()(row.key);
  const { default: usual, secret } = row;
  const value = typed ?? (secret ? "" : row.value);
  // An empty value means the default where a key has one.
  const stands = value === "" ? usual : value;
  const said = secret ? (row.secretSet ? words.secretKept : words.secretNone) : defaultText(row, words);
  return (
    <div className={classes["row"]} data-changed={typed !== undefined} id={`setting-${row.key}`}>
      <div className={classes["about"]}>
        <span className={classes["label"]}>
          {label}
          {lock === undefined ? null : (
            <span role="img" aria-label={lock} title={lock} className={classes["lock"]}>
              <IconLock size={14} aria-hidden />
            </span>
          )}
        </span>
        <span className={classes["key"]}>
          <Code>{row.key}</Code>
        </span>
        <span className={classes["marks"]}>
          {typed === undefined ? null : <ToneBadge tone="waiting">{words.unsaved}</ToneBadge>}
          {row.restartPending ? <ToneBadge tone="failed">{words.pending}</ToneBadge> : null}
          {row.unused ? (
            <ToneBadge tone="off" tip={words.unusedText}>
              {words.unused}
            </ToneBadge>
          ) : null}
        </span>
      </div>
      <div className={classes["value"]}>
        <div className={classes["input"]}>
          <ValueInput row={row} label={label} value={value} problem={problem} writes={writes} onChange={onChange} />
          {writes && !secret && stands !== usual ? (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={32}
              aria-label={`${label}: ${words.reset}`}
              title={words.reset}
              onClick={() => onChange(usual)}
            >
              <IconRestore size={16} aria-hidden />
            </ActionIcon>
          ) : null}
        </div>
        <span className={classes["default"]}>
          {said}
          {row.restart ? ` · ${words.atRestart}` : ""}
          {note === undefined ? "" : ` · ${note}`}
        </span>
        {warning === undefined ? null : (
          <span className={classes["warning"]} role="alert">
            {warning}
          </span>
        )}
      </div>
    </div>
  );
}

function defaultText(row: Setting, words: LaterWords["settings"]): string {
  if (row.type === "flag") return words.default(row.default === "true" ? words.on : words.off);
  if (row.default === "") return words.default(words.empty);
  return words.default(choiceText(row, row.default, words));
}

function choiceText({ key }: Setting, value: string, words: LaterWords["settings"]): string {
  if (key !== "web_tls_mode") return value;
  return Object.entries(words.tlsModes).find(([mode]) => mode === value)?.[1] ?? value;
}

interface ValueInputProps extends Pick<SettingRowProps, "row" | "problem" | "writes" | "onChange"> {
  readonly label: string;
  readonly value: string;
}

/** Values are codes of the panel: left to right, but for texts that people read. */
function ValueInput({ row, label, value, problem, writes, onChange }: ValueInputProps): ReactNode {
  const words = useWords("settings");
  const parts = useWords("parts");
  const shared = { "aria-label": label, disabled: !writes, error: problem && <bdi>{problem}</bdi> };
  if (row.type === "flag") {
    return (
      <Switch
        {...shared}
        className={classes["switch"] ?? ""}
        label={value === "true" ? words.on : words.off}
        checked={value === "true"}
        onChange={(event) => onChange(String(event.currentTarget.checked))}
      />
    );
  }
  if (row.type === "choice") {
    return (
      <Select
        {...shared}
        className={classes["field"] ?? ""}
        value={value}
        data={row.values.map((each) => ({ value: each, label: choiceText(row, each, words) }))}
        allowDeselect={false}
        onChange={(next) => next !== null && onChange(next)}
      />
    );
  }
  if (row.type === "zone") {
    return (
      <Select
        {...shared}
        className={classes["field"] ?? ""}
        value={value === "" ? null : value}
        data={[...new Set([...(value === "" ? [] : [value]), "UTC", ...Intl.supportedValuesOf("timeZone")])]}
        searchable
        clearable
        limit={60}
        placeholder={words.empty}
        nothingFoundMessage={parts.nothingFound}
        onChange={(next) => onChange(next ?? "")}
      />
    );
  }
  const people = row.key === "sub_title" || row.key === "sub_announce";
  const text = {
    ...shared,
    className: classes["field"] ?? "",
    dir: people ? ("auto" as const) : ("ltr" as const),
    value,
    placeholder: row.secret && row.secretSet ? "••••••••" : row.default,
    autoComplete: "off",
    spellCheck: people,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => onChange(event.currentTarget.value),
  };
  if (row.type === "lines") return <Textarea {...text} autosize minRows={2} maxRows={8} />;
  return (
    <TextInput
      {...text}
      type={row.secret ? "password" : "text"}
      {...(row.type === "number" ? { inputMode: "numeric" } : {})}
    />
  );
}
