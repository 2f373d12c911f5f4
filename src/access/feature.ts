// Access as the panel takes it: who gets in, with which rights, and what is written of what they change.
import type { AnyFeature, Core, Ground, Opened } from "../feature/index.ts";
import type { Draft, Lock } from "../db/index.ts";
import { CREDENTIALS_ENDED, type Caller, type HttpPorts } from "../http/index.ts";
import type { Settings } from "../system/index.ts";
import { accessEvents } from "./access.events.ts";
import { accessSettings } from "./access.settings.ts";
import { hasAdmin } from "./setup/setup-state.ts";
import { openAccess, type Access, type AccessDeps, type AccessEvent, type AccessSetting } from "./access.ts";
import { AdminRows, RoleRows } from "./records/admin.entity.ts";
import { auditLog } from "./audit/audit-log.ts";
import { ApiTokenRows, SessionRows } from "./records/credential.entity.ts";
import { Listeners } from "./rights/listeners.ts";
import { accessEntities, accessPorts, accessRoutes } from "./routes.ts";
import { accessWords } from "./access.words.ts";
import { isMainAdmin, ownersWhoSignIn, standingLocks, standingOf, type Starter } from "./rights/standing-caller.ts";

type AccessCore = Core<AccessSetting, AccessEvent> & { readonly settings: Settings<AccessSetting> };

/** What access asks of other features. */
export type AccessNeeds = Required<Omit<AccessDeps["ports"], "restart" | "isAddon">>;

/** What access does for the panel. */
interface AccessServes extends Omit<HttpPorts, "crashed"> {
  readonly setup: Access["setup"];
  readonly releaseCodes: () => void;
}

/** What access answers others. */
interface AccessProvide {
  readonly listenerOf: Listeners["of"];
  /** Rows to hold, and who a starter of long work is now. */
  readonly standingLocks: (starter: Starter) => Promise<Lock[]>;
  readonly standingOf: (draft: Draft, starter: Starter) => Caller | undefined;
  readonly isMainAdmin: (adminId: number) => Promise<boolean>;
  /** Whether setup was finished. */
  readonly isSetUp: () => Promise<boolean>;
  /** Writes an audit record with a change that no request carries. */
  readonly audit: HttpPorts["audit"];
}

async function provide({ commits, reads, settings, undo }: Ground<"changes_logging">): Promise<AccessProvide> {
  const listeners = await Listeners.open(commits, reads);
  undo.push(() => listeners.close());
  return {
    listenerOf: (adminId) => listeners.of(adminId),
    standingLocks: (starter) => standingLocks(reads, starter),
    standingOf,
    isMainAdmin: (adminId) => isMainAdmin(reads, adminId),
    isSetUp: () => hasAdmin(reads),
    audit: auditLog(settings),
  };
}

async function open(core: AccessCore, needs: AccessNeeds): Promise<Opened<AccessServes>> {
  const {
    clock,
    commits,
    database,
    environment,
    follower,
    log,
    outbox,
    outgoing,
    pause,
    processes,
    reads,
    restart,
    secretKey,
    settings,
    undo,
  } = core;
  const access = await openAccess({
    commits,
    reads,
    outbox,
    settings,
    secretKey,
    privatePlaces: environment.privatePlaces,
    now: () => clock.now(),
    log,
    fetch: outgoing.fetch,
    followed: follower !== undefined,
    boot: database.boot,
    ...(processes && { liveness: processes }),
    ...(pause && { pause }),
    env: { setupToken: environment.setupToken, listen: environment.listen?.text },
    ports: { restart, ...needs },
  });
  undo.push(() => access.close());
  if (await access.setup.isPending()) {
    // Setup that another process finished changes how this one listens.
    const stop = commits.onCommit(({ remote, changes }) => {
      if (remote && changes.some(({ table }) => table === AdminRows.name)) restart();
    });
    undo.push(stop);
  }
  return {
    routes: accessRoutes(access),
    hourly: () => access.prune(),
    serves: { ...accessPorts(access), setup: access.setup, releaseCodes: () => access.codes.release() },
  };
}

export const feature = {
  name: "access",
  entities: accessEntities,
  echo: { tables: [AdminRows, RoleRows, SessionRows, ApiTokenRows], facts: [CREDENTIALS_ENDED] },
  settings: accessSettings,
  events: accessEvents,
  words: accessWords,
  admits: ownersWhoSignIn,
  provide,
  open,
} as const satisfies AnyFeature;
