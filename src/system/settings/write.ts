// Writing a setting: the one way for the route, the setup and the command line.
import { realpathSync, statSync } from "node:fs";
import type { z } from "zod";
import type { PanelCertificates } from "../../certificates/index.ts";
import { lock, sealPlace, type Draft, type Lock } from "../../db/index.ts";
import { ASSETS, invalid, PAGE_SEGMENTS, rule, ruleOfIssue } from "../../http/index.ts";
import { sealSecret } from "../../lib/seal.ts";
import type { Origin } from "../../lib/origin.ts";
import type { Outbox } from "../../runtime/index.ts";
import type { SettingEntry, SubListen } from "../../feature/index.ts";
import { coverNames, NAME_KEYS, panelNames, withCertificate, type Reissued } from "./panel-names.ts";
import { SettingRows, type SettingRow } from "./setting.entity.ts";
import type { Settings } from "./settings.ts";
import { refusePublishedSecrets, SITE_KEYS } from "./website-folder.ts";
import { refuseTlsContradiction, refuseUnusableFiles, TLS_KEYS } from "./tls-keys.ts";

/** What is asked of the settings where the keys themselves are data. */
type Catalogue = Pick<Settings, "entry">;

/**
 * The value in its stored form. Throws a 400 that names `value` (or the field given), and for an unknown key one that
 * names `key`.
 */
export function checkSetting(settings: Catalogue, key: string, value: string, field = "value"): string {
  const entry = settings.entry(key) ?? invalid("key", rule("absent", "setting", key));
  const checked = entry.check.safeParse(value);
  if (!checked.success) return refuseValue(field, checked.error, value);
  refuseUnusableFolder(key, checked.data, field);
  return checked.data;
}

/** All errors of the value in one sentence; the rule is that of the first error. */
function refuseValue(field: string, { issues }: z.ZodError, value: string): never {
  const [first] = issues;
  if (first === undefined) throw new Error("a check that fails without an issue");
  const message = issues.map((issue) => issue.message).join("; ");
  return invalid(field, { message, params: { rule: ruleOfIssue(first, value) } });
}

/** `web_masquerade_dir` must be a directory that exists, and not the root (rule settings.site.1). */
function refuseUnusableFolder(key: string, value: string, field: string): void {
  if (key !== "web_masquerade_dir" || value === "") return;
  let real: string | undefined;
  try {
    real = statSync(value).isDirectory() ? realpathSync(value) : undefined;
  } catch {
    // Whatever keeps it from being looked at keeps it from being served.
  }
  if (real === undefined) invalid(field, rule("directory"));
  if (real === "/") invalid(field, rule("root_directory"));
}

const PATH_KEYS: readonly string[] = ["sub_basepath", "web_basepath"];
/** Keys that are decided on together. */
const GROUPS: readonly (readonly string[])[] = [TLS_KEYS, SITE_KEYS, PATH_KEYS, [...NAME_KEYS, "web_cert_id"]];

/** Rows that a write decides on. */
export function settingLocks(key: string): Lock[] {
  const together = GROUPS.filter((keys) => keys.includes(key)).flat();
  return [...new Set([key, ...together])].map((each) => lock(SettingRows, each));
}

/**
 * Subscriptions are answered before any route is looked for: under a path that the panel itself needs they would shut
 * it off.
 */
export function refuseSharedPath(subPath: string, webPath: string, field: string): void {
  const subscriptions = `${subPath || "/sub"}/`;
  const panels = ["api", ASSETS, ...PAGE_SEGMENTS].map((segment) => `${webPath}/${segment}/`);
  for (const own of [...panels, "/healthz/", "/metrics/"]) {
    if (own.startsWith(subscriptions) || subscriptions.startsWith(own)) {
      invalid(field, rule("shared_path", subscriptions, own.slice(0, -1)));
    }
  }
}

export interface WriteDeps {
  readonly settings: Catalogue;
  readonly outbox: Pick<Outbox<"panel.settings_changed">, "raise">;
  readonly secretKey: Uint8Array;
  /** Files and directories that no web site may publish, besides those that settings name. */
  readonly privatePlaces: readonly string[];
  /** Absent: every id names one, and none is issued again. */
  readonly certificates?: PanelCertificates;
  /** Absent: no panel runs here, and nothing is listened on. */
  readonly subListen?: Pick<SubListen, "obstacle" | "settled">;
}

/** A change that writes a setting; `value` comes from `checkSetting`. */
export interface SettingWrite {
  readonly key: string;
  readonly value: string;
  readonly origin: Origin;
}

export interface Written {
  /** As stored. */
  readonly row: SettingRow;
  readonly before: string | undefined;
  /** What the audit log says; of a secret only that it was written. */
  readonly obj: Readonly<Record<string, unknown>>;
}

/**
 * Writes a setting on its own: looks at the files that it names, then has `commit` carry out the change (with the locks
 * given), again with a certificate where it moves the panel's names.
 */
export async function carryOutWrite<T>(
  { key, value, origin }: SettingWrite,
  deps: WriteDeps & { readonly settings: Pick<Settings, "text" | "entry"> },
  commit: (locks: Lock[], write: (draft: Draft) => Written) => Promise<T>,
): Promise<T> {
  if (TLS_KEYS.includes(key))
    await refuseUnusableFiles(key, (name) => (name === key ? value : deps.settings.text(name)));
  if (key === "sub_listen") await refuseClosedPlaces(deps.subListen, value);
  const done = await withCertificate(deps.certificates, (reissued) =>
    commit(settingLocks(key), (draft) => {
      refuseContradictions(draft, deps, key, value);
      const written = writeSetting(draft, deps, { key, value, origin });
      if (deps.certificates && NAME_KEYS.includes(key)) keepCovered(draft, deps.settings, deps.certificates, reissued);
      return written;
    }),
  );
  // The answer comes when the ports are open.
  if (key === "sub_listen") await deps.subListen?.settled();
  return done;
}

/** Refuses places that this process cannot listen on (rule settings.listen.2). */
async function refuseClosedPlaces(subListen: WriteDeps["subListen"], value: string): Promise<void> {
  const closed = await subListen?.obstacle(value);
  if (closed) invalid("value", rule("cannot_listen", closed.place, closed.fault));
}

/**
 * Writes a setting with a change that checks the values together itself. Raises `panel.settings_changed` for a
 * panel-wide key whose value changed.
 */
export function writeSetting(draft: Draft, deps: WriteDeps, { key, value, origin }: SettingWrite): Written {
  const entry = deps.settings.entry(key) ?? invalid("key", rule("absent", "setting", key));
  const old = draft.find(SettingRows, key);
  const stored =
    entry.secret && value !== "" ? sealSecret(deps.secretKey, value, sealPlace(SettingRows, "value", key)) : value;
  const updatedAt = Math.max(draft.time, (old?.updatedAt ?? -1) + 1);
  const row = { id: key, value: stored, createdAt: old?.createdAt ?? draft.time, updatedAt };
  draft.upsert(SettingRows, row);
  if (changesPanel(entry, old, value)) {
    deps.outbox.raise(draft, {
      event: "panel.settings_changed",
      data: { setting: key, actor: origin.actor },
      subject: `setting:${key}`,
    });
  }
  const before = old?.value;
  return {
    row,
    before,
    obj: { value: entry.secret ? ["[redacted]", "[redacted]"] : [before ?? entry.default, value] },
  };
}

/** Takes an internal setting away, such as a token that was used. */
export function removeSetting(draft: Draft, key: string): void {
  draft.delete(SettingRows, key);
}

/** Sealed values are never equal to each other: a secret counts as changed whenever it is written. */
function changesPanel(entry: SettingEntry, old: Readonly<SettingRow> | undefined, value: string): boolean {
  return entry.panelWide === true && entry.internal !== true && (old?.value ?? entry.default) !== value;
}

/** A setting's stored value on its locked row, else its default. */
function storedValue(draft: Draft, settings: Catalogue, key: string): string {
  return draft.find(SettingRows, key)?.value ?? settings.entry(key)?.default ?? "";
}

function refuseContradictions(draft: Draft, deps: WriteDeps, key: string, value: string): void {
  const after = (name: string): string => (name === key ? value : storedValue(draft, deps.settings, name));
  refuseTlsContradiction(draft, deps.certificates, key, after);
  refusePublishedSecrets(key, after, deps.privatePlaces);
  if (PATH_KEYS.includes(key)) refuseSharedPath(after("sub_basepath"), after("web_basepath"), "value");
}

function keepCovered(
  draft: Draft,
  settings: Catalogue,
  certificates: PanelCertificates,
  reissued: Reissued | undefined,
): void {
  const id = Number(storedValue(draft, settings, "web_cert_id"));
  if (id === 0) return;
  coverNames(draft, certificates, {
    id,
    names: panelNames(storedValue(draft, settings, "web_domain"), storedValue(draft, settings, "sub_domain")),
    reissued,
  });
}
