// What the routes of this room share: the door to the database, the live directory, and the ports to other rooms.
import type { Logger } from "pino";
import { sql, sweepRows, type Committer, type Draft, type Liveness, type Lock, type Reader } from "../db/index.ts";
import type { Fetch } from "../outgoing/index.ts";
import type { Origin } from "../lib/origin.ts";
import { sessionToken, sha256Hex } from "../lib/ids.ts";
import type { Outbox } from "../runtime/index.ts";
import type { Settings } from "../system/index.ts";
import type { accessEvents } from "./access.events.ts";
import type { accessSettings } from "./access.settings.ts";
import type { Condition } from "../http/index.ts";
import { Activity, UNWRITTEN } from "./rights/last-use.ts";
import { ensureBuiltinRoles } from "./rights/builtin-roles.ts";
import { forgetChanges } from "./audit/changes.commands.ts";
import { CodePatience, CODES_REMEMBERED } from "./login/code-patience.ts";
import { Directory } from "./rights/directory.ts";
import type { Allowance, AllowanceState } from "./rights/holdings.ts";
import { KnownAddresses } from "./login/known-addresses.ts";
import { LoginGuard } from "./login/login-guard.ts";
import { SetupState } from "./setup/setup-state.ts";
import { ATTEMPT_KEPT } from "./sso/attempts.commands.ts";

/** The events that this room raises: its own, and some of the panel's. */
export type AccessEvent =
  | keyof typeof accessEvents
  | "panel.setup_completed"
  | "panel.settings_changed"
  | "panel.ip_banned";
/** The settings that this room reads: its own, and those of others. */
export type AccessSetting =
  | keyof typeof accessSettings
  | "timezone"
  | "web_domain"
  | "web_url"
  | "webhook_allow_private";

export interface AccessDeps {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly outbox: Outbox<AccessEvent>;
  readonly settings: Settings<AccessSetting>;
  readonly secretKey: Uint8Array;
  /** Files and directories that no web site may publish. */
  readonly privatePlaces: readonly string[];
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
  /** Requests to addresses that somebody typed. */
  readonly fetch: Fetch;
  /** Names this process's run. */
  readonly boot: string;
  /** Set where several processes share the database: which of their runs are alive. */
  readonly liveness?: Liveness;
  /** The commits of other processes are announced before a request is answered; on SQLite there are none. */
  readonly followed?: boolean;
  /** Waits so many milliseconds, or until it is told to stop; a timer unless a test says otherwise. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** How identity providers are reached, where a test says otherwise; `timeout` in milliseconds for one call. */
  readonly identityProviders?: { readonly fetch?: Fetch; readonly timeout?: number };
  readonly env: {
    /** SIGNALBOX_SETUP_TOKEN. */
    readonly setupToken?: string | undefined;
    /** SIGNALBOX_LISTEN, `host:port`. */
    readonly listen?: string | undefined;
  };
  readonly ports: {
    /** Restarts the panel in its process; called after the answer was sent. */
    restart(): void | Promise<void>;
    /**
     * Makes the panel's own certificate for these names; what it resolves to writes it with the change and returns its
     * id. Absent: none is issued.
     */
    issuePanelCertificate?(names: readonly string[]): Promise<(draft: Draft) => number>;
    /** Users owned by each of these admins. */
    countUsers?(adminIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
    /**
     * Gives the users of deleted resellers to the panel; called once such a deletion is on disk, before it is answered.
     */
    releaseUsers?(): Promise<void>;
    /** What the allowances of these admins are at. */
    allowances?(adminIds: readonly number[]): Promise<ReadonlyMap<number, Allowance>>;
    /** What `allowanceChanged` made of one, in the same draft. */
    allowanceIn?(draft: Draft, adminId: number): Pick<Allowance, "state" | "closedBy"> | undefined;
    /** Selects admins by the state of their allowance; the id is the column `id`. */
    allowanceIs?(states: readonly AllowanceState[]): Condition;
    /** An admin was made or changed in this draft, after its own row was written. */
    allowanceChanged?(draft: Draft, adminId: number, origin: Origin): void;
    /** The rows that `allowanceChanged` looks at, for many. */
    allowanceLocks?(adminIds: readonly number[]): readonly Lock[];
    /** An admin is deleted in this draft. */
    allowanceGone?(draft: Draft, adminId: number, origin: Origin): void;
    /** What else goes with an account: read before its deletion, carried out in the deletion's own change. */
    departing?(adminId: number): Promise<(draft: Draft) => void>;
    /** Whether a slug is a registered addon's. */
    isAddon?(slug: string): boolean;
  };
}

/** The room at work. Made once for each run of the server. */
export interface Access extends AccessDeps {
  readonly directory: Directory;
  readonly activity: Activity;
  readonly guard: LoginGuard;
  readonly setup: SetupState;
  readonly known: KnownAddresses;
  readonly codes: CodePatience;
  /** Which runs of the panel are not over: what ends with a restart asks it. */
  readonly runs: Liveness;
  /** Writes what is in memory; for shutdown. */
  close(): Promise<void>;
  /** Hourly housekeeping. */
  prune(): Promise<void>;
}

/** Starts the room: built-in roles, the setup token while there is no admin. */
export async function openAccess(deps: AccessDeps): Promise<Access> {
  const { commits, reads, now, log, settings } = deps;
  await ensureBuiltinRoles(commits, reads);
  const directory = new Directory(commits, reads, reads.dialect === "sqlite" || deps.followed === true);
  const activity = new Activity(commits, now, (error) =>
    log.warn({ err: error }, "the time of last use was not written"),
  );
  const guard = new LoginGuard(deps);
  const setup = await SetupState.open(deps, guard);
  const known = await KnownAddresses.open(commits, reads);
  const codes = new CodePatience(deps);
  return {
    ...deps,
    directory,
    activity,
    guard,
    setup,
    known,
    codes,
    runs: deps.liveness ?? { isAlive: async (boot) => boot === deps.boot },
    close: async () => {
      codes.release();
      await activity.close();
      directory.close();
      known.close();
    },
    prune: async () => {
      await guard.prune();
      const time = Math.floor(now() / 1000);
      const days = settings.number("changes_retention_days");
      const ended = {
        sessions: sql`expires_at <= ${time - UNWRITTEN}`,
        pending_logins: sql`expires_at <= ${time}`,
        code_attempts: sql`updated_at <= ${time - CODES_REMEMBERED}`,
        oidc_attempts: sql`expires_at <= ${time - ATTEMPT_KEPT}`,
        oidc_codes: sql`expires_at <= ${time}`,
      };
      for (const [table, old] of Object.entries(ended))
        await sweepRows(deps, {
          name: "access.prune",
          table,
          ids: sql`select id from ${sql.table(table)} where ${old}`,
        });
      // 0 = without limit.
      if (days > 0) await forgetChanges(deps, time - days * 86_400);
    },
  };
}

/** A fresh cookie value and its stored form. */
export function newSessionToken(): { readonly value: string; readonly hash: string } {
  const value = sessionToken();
  return { value, hash: sha256Hex(value) };
}
