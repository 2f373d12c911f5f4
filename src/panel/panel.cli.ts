// What the command line can do to a panel's data: the same functions are used with a running panel (control socket) and
// offline.
import { z } from "zod";
import { auditLog, createAdmin, disableTwoFactor, resetPassword } from "../access/index.ts";
import type { PanelCertificates } from "../certificates/index.ts";
import type { Committer, Draft, Reader } from "../db/index.ts";
import { readRoute, writeRoute, type AuditRecord, type Route } from "../http/index.ts";
import type { SubListen } from "../feature/index.ts";
import type { Origin } from "../lib/origin.ts";
import type { EventName, SettingKey } from "./features.ts";
import type { Outbox } from "../runtime/index.ts";
import { getSetting, listSettings, setSetting, type Settings } from "../system/index.ts";

export interface CommandDeps {
  readonly settings: Settings<SettingKey>;
  readonly commits: Committer;
  readonly reads: Reader;
  readonly outbox: Pick<Outbox<EventName>, "raise">;
  readonly secretKey: Uint8Array;
  readonly privatePlaces: readonly string[];
  readonly certificates: PanelCertificates;
  readonly subListen?: SubListen;
  /** Routes by which the command line reads and changes records. */
  readonly routes: readonly Route[];
}

const origin: Origin = { via: "cli", actor: "command line", adminId: 0, tokenId: 0, ip: "" };

/** What every command gets: its changes are recorded in the audit log like a route's, as the command line's. */
interface Recorded extends CommandDeps {
  readonly audit: (draft: Draft, record: AuditRecord) => void;
  readonly origin: Origin;
}

/** A change, its body as JSON. */
const Write = z.object({
  method: z.enum(["POST", "PUT", "PATCH", "DELETE"]),
  target: z.string(),
  body: z
    .string()
    .optional()
    .transform((text): unknown => (text === undefined ? undefined : JSON.parse(text))),
});

const COMMANDS: Readonly<Record<string, (deps: Recorded, values: unknown) => unknown>> = {
  "settings list": (deps) => listSettings(deps),
  "settings get": (deps, values) => getSetting(deps, z.object({ key: z.string() }).parse(values).key),
  "settings set": (deps, values) => setSetting(deps, z.object({ key: z.string(), value: z.string() }).parse(values)),
  read: ({ routes }, values) => readRoute(routes, z.object({ target: z.string() }).parse(values).target),
  write: (deps, values) => writeRoute(deps.routes, deps, Write.parse(values)),
  "admin create": (deps, values) =>
    createAdmin(
      deps,
      z.object({ username: z.string(), password: z.string(), role: z.string().default("sudo") }).parse(values),
    ),
  "admin reset-password": (deps, values) => {
    const { username, password } = z.object({ username: z.string(), password: z.string() }).parse(values);
    return resetPassword(deps, username, password);
  },
  "admin disable-2fa": (deps, values) =>
    disableTwoFactor(deps, z.object({ username: z.string() }).parse(values).username),
};

/** Runs a command by its name. Rejects with a sentence that names what is wrong. */
export async function runCommand(
  deps: CommandDeps,
  command: string,
  values: Readonly<Record<string, string>>,
): Promise<unknown> {
  const run = COMMANDS[command];
  if (!run) throw new Error(`there is no command ${command}`);
  return run({ ...deps, audit: auditLog(deps.settings), origin }, values);
}
