// Writing a setting: the one way for the route, the setup and the command line.
import { existsSync, statSync } from "node:fs";
import { lock, type Draft, type Lock } from "../../db/index.ts";
import { invalid } from "../../http/index.ts";
import { sealSecret } from "../../lib/seal.ts";
import type { Origin } from "../../lib/origin.ts";
import type { Outbox } from "../../runtime/index.ts";
import { settingEntry, type SettingEntry } from "./catalogue.ts";
import { SettingRows, type SettingRow } from "./setting.entity.ts";

/** The value in its stored form. Throws a 400 that names `value` (or the field given), and for an unknown key one that names `key`. */
export function checkSetting(key: string, value: string, field = "value"): string {
  const entry = settingEntry(key) ?? invalid("key", `there is no setting ${key}`);
  const checked = entry.check.safeParse(value);
  if (!checked.success) return invalid(field, checked.error.issues.map((issue) => issue.message).join("; "));
  refuseUnusableFolder(key, checked.data, field);
  return checked.data;
}

/** `web_masquerade_dir` must be a folder that exists, and not the root (rule 7). */
function refuseUnusableFolder(key: string, value: string, field: string): void {
  if (key !== "web_masquerade_dir" || value === "") return;
  if (/^\/+$/.test(value)) invalid(field, "must not be the root");
  if (!existsSync(value) || !statSync(value).isDirectory()) invalid(field, "must be an existing directory");
}

const TLS_KEYS: readonly string[] = ["web_cert_file", "web_cert_id", "web_key_file", "web_tls_mode"];
const PATH_KEYS: readonly string[] = ["sub_basepath", "web_basepath"];

/** Rows that a write decides on: the TLS keys are checked against each other, and so are the two base paths. */
export function settingLocks(key: string): Lock[] {
  const together = [TLS_KEYS, PATH_KEYS].find((keys) => keys.includes(key)) ?? [key];
  return together.map((each) => lock(SettingRows, each));
}

/** Subscriptions are answered before any route is looked for: under a path that the panel itself needs they would shut it off. */
export function refuseSharedPath(subPath: string, webPath: string, field: string): void {
  const subscriptions = `${subPath || "/sub"}/`;
  for (const own of [`${webPath}/api/`, "/healthz/", "/metrics/"]) {
    if (own.startsWith(subscriptions) || subscriptions.startsWith(own)) {
      invalid(field, `subscriptions under ${subscriptions} would take the panel's own ${own.slice(0, -1)}`);
    }
  }
}

export interface WriteDeps {
  readonly outbox: Pick<Outbox, "raise">;
  readonly secretKey: Uint8Array;
  /** Whether a certificate can serve the panel; decides on locked rows. Absent: every id can. */
  readonly isPanelCertificate?: (draft: Draft, id: number) => boolean;
}

export interface WriteOptions {
  /** Setup writes all keys at once and issues the certificate itself. */
  readonly unchecked?: boolean;
}

/**
 * Writes a setting with the change. `value` comes from `checkSetting`. Raises `panel.settings_changed` for a panel-wide key whose value changed.
 * Throws a 400 where the TLS keys would contradict each other (rule 6). Returns the row as stored and the value before.
 */
export function writeSetting(
  draft: Draft,
  { key, value, origin }: { readonly key: string; readonly value: string; readonly origin: Origin },
  deps: WriteDeps,
  { unchecked = false }: WriteOptions = {},
): { readonly row: SettingRow; readonly before: string | undefined } {
  const entry = settingEntry(key) ?? invalid("key", `there is no setting ${key}`);
  if (!unchecked) {
    refuseTlsContradiction(draft, key, value, deps);
    refusePathContradiction(draft, key, value);
  }
  const old = draft.find(SettingRows, key);
  const stored =
    entry.secret && value !== "" ? sealSecret(deps.secretKey, value, { table: SettingRows.name, column: "value", id: key }) : value;
  const updatedAt = Math.max(draft.time, (old?.updatedAt ?? -1) + 1);
  const row = { id: key, value: stored, createdAt: old?.createdAt ?? draft.time, updatedAt };
  draft.upsert(SettingRows, row);
  if (changesPanel(entry, old, value)) {
    deps.outbox.raise(draft, { event: "panel.settings_changed", data: { setting: key, actor: origin.actor }, subject: `setting:${key}` });
  }
  return { row, before: old?.value };
}

/** Sealed values are never equal to each other: a secret counts as changed whenever it is written. */
function changesPanel(entry: SettingEntry, old: Readonly<SettingRow> | undefined, value: string): boolean {
  return entry.panelWide === true && entry.internal !== true && (old?.value ?? entry.default) !== value;
}

function refusePathContradiction(draft: Draft, key: string, value: string): void {
  if (!PATH_KEYS.includes(key)) return;
  const stored = (name: string): string =>
    name === key ? value : (draft.find(SettingRows, name)?.value ?? settingEntry(name)?.default ?? "");
  refuseSharedPath(stored("sub_basepath"), stored("web_basepath"), "value");
}

/** A write is refused for what it would break, not for what was incomplete before it. */
function refuseTlsContradiction(draft: Draft, key: string, value: string, deps: WriteDeps): void {
  if (!TLS_KEYS.includes(key)) return;
  const stored = (name: string): string =>
    name === key ? value : (draft.find(SettingRows, name)?.value ?? settingEntry(name)?.default ?? "");
  const mode = stored("web_tls_mode");
  if (mode === "files" && key !== "web_cert_id") {
    for (const file of ["web_cert_file", "web_key_file"]) if (stored(file) === "") invalid("value", `web_tls_mode files needs ${file}`);
  }
  if (mode === "self_signed" && (key === "web_cert_id" || key === "web_tls_mode")) {
    const id = stored("web_cert_id");
    if (id === "") invalid("value", "web_tls_mode self_signed needs web_cert_id");
    if (deps.isPanelCertificate && !deps.isPanelCertificate(draft, Number(id))) invalid("value", "web_cert_id names no panel certificate");
  }
}
