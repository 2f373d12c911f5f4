// Whether what was typed would shut the reader out of the panel: said beside the setting, and asked about before it is
// saved.
import { useApi } from "../api/queries.ts";
import { useWords } from "../words/words.ts";
import { holdsAddress } from "./address-list.ts";
import type { Edits, Setting } from "./setting.ts";

interface OwnSession {
  readonly current: boolean;
  readonly ip: string;
}

/** Warnings by key. */
export function useLockOut(rows: readonly Setting[], changed: Edits): Readonly<Record<string, string>> {
  const words = useWords("settings");
  const allowed = changed["login_allowlist"] ?? "";
  const sessions = useApi<readonly OwnSession[]>("/me/sessions", {}, { enabled: allowed.trim() !== "" });
  const ip = sessions.data?.find(({ current }) => current)?.ip;
  const warnings: Record<string, string> = {};
  if (allowed.trim() !== "" && ip !== undefined && !holdsAddress(allowed, ip))
    warnings["login_allowlist"] = words.lockOut(ip);

  const after = (key: string) => changed[key] ?? rows.find((row) => row.key === key)?.value ?? "";
  const domains = after("sub_domain")
    .split(",")
    .map((name) => name.trim().toLowerCase());
  const touched = changed["sub_domain"] !== undefined || changed["web_basepath"] !== undefined;
  if (touched && after("web_basepath") === "" && domains.includes(location.hostname))
    warnings[changed["sub_domain"] === undefined ? "web_basepath" : "sub_domain"] = words.domainOut(location.hostname);
  return warnings;
}
