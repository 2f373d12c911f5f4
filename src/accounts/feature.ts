// Accounts as the panel takes them: users, their quota, and who owns them.
import { sql, type Draft, type Lock, type Reader } from "../db/index.ts";
import type { AnyFeature, Core, Ground, KindPorts, Opened } from "../feature/index.ts";
import type { Origin } from "../lib/origin.ts";
import { zoneName } from "../lib/zone.ts";
import { type HttpPorts } from "../http/index.ts";
import type { Jobs } from "../jobs/index.ts";
import { departureOf } from "../pool/index.ts";
import { hasDuty, onDutyMoved } from "../runtime/index.ts";
import type { Uploads } from "../uploads/index.ts";
import { accountsEvents } from "./accounts.events.ts";
import { accountsSettings } from "./accounts.settings.ts";
import { bulkRoutes } from "./bulk/bulk.routes.ts";
import { bulkWork, undoWork } from "./bulk/works.ts";
import { CredentialEntry } from "./credentials/credential-entry.ts";
import { CredentialKeys } from "./credentials/credential-keys.ts";
import { EntryWalk } from "./entry-walk.ts";
import { forgetKept } from "./deleted/forgetting.ts";
import { restoreRoutes } from "./bulk/restore.routes.ts";
import { restoreWork } from "./bulk/restore.work.ts";
import { generateRoutes } from "./generate/generate.routes.ts";
import { generateWork } from "./generate/generate.work.ts";
import { Guesses } from "./links/guesses.ts";
import { linksEnd } from "./links/ended-links.ts";
import { forgetGrowth } from "./growth/growth.queries.ts";
import { INBOUND_LEFT, inboundLeaves } from "./departures/inbound-departures.ts";
import { MemberCounts } from "./serving/member-counts.ts";
import { UserSummaries } from "./users/user-summary.ts";
import { movesBroughtBack } from "./users/moves.queries.ts";
import { onlineCount } from "./users/online.queries.ts";
import { releaseOwnedUsers } from "./departures/owner-departures.ts";
import { OwnerCountRows } from "./records/owner.entity.ts";
import { resellerOwners } from "./resellers/owners.ts";
import { UserTextEntryRows } from "./records/text.entity.ts";
import { TextIndexing } from "./search/text-indexing.ts";
import { UserSearch } from "./search/user-search.ts";
import { enterTexts, textsFollow } from "./search/user-texts.ts";
import { Follower } from "./departures/follower.ts";
import { defineResellerActor, type ResellerActor } from "./resellers/reseller.actor.ts";
import { ResellerRows } from "./records/reseller.entity.ts";
import { Resellers } from "./resellers/resellers.ts";
import { accountsEntities, accountsRoutes } from "./routes.ts";
import { servedAccounts } from "./serving/served-accounts.ts";
import type { LinkSetting } from "./links/subscription-paths.ts";
import { ACCOUNTS_CHANGED, carryOutDepartures } from "./departures/template-departures.ts";
import { importWork } from "./transfer/import.work.ts";
import { transferRoutes } from "./transfer/transfer.routes.ts";
import { defineUserActor, type UserActor } from "./users/user.actor.ts";
import { UserRows } from "./records/user.entity.ts";
import { SESSIONS_END } from "./users/users.commands.ts";
import type { FilterDeps } from "./users/user-filters.ts";
import { USER_COLUMNS } from "./users/users.routes.ts";
import { thresholdsFrom } from "./users/warnings.ts";
import { changeZone, CYCLES_ZONE } from "./users/zone-change.ts";
import { accountsWords } from "./accounts.words.ts";

type AccountsCore = Core<
  LinkSetting | "timezone" | typeof CYCLES_ZONE | "history_retention_days" | "deleted_retention_days",
  keyof typeof accountsEvents
>;

/** What accounts answer others. */
interface AccountsProvide {
  readonly servedAccounts: typeof servedAccounts;
  readonly onlineAt: (now: number) => Promise<number>;
  readonly countUsers: (adminIds: readonly number[]) => Promise<ReadonlyMap<number, number>>;
  readonly releaseUsers: () => Promise<void>;
  /** What the allowances of operators are at: read, in a draft, and as a condition. */
  readonly allowances: Resellers["allowances"];
  readonly allowanceIn: Resellers["standing"];
  readonly allowanceIs: Resellers["inStates"];
  /** An operator was made or changed in this draft, after its own row was written. */
  readonly allowanceChanged: (draft: Draft, adminId: number, origin: Origin) => void;
  /** The rows that it looks at, for many. */
  readonly allowanceLocks: (adminIds: readonly number[]) => readonly Lock[];
  /** An operator is deleted in this draft. */
  readonly allowanceGone: (draft: Draft, adminId: number, origin: Origin) => void;
  readonly resellers: Resellers;
  readonly carryOutDepartures: () => Promise<void>;
  /** An inbound is deleted in this draft. */
  readonly inboundLeaves: (draft: Draft, inboundId: number) => void;
  /** How many accounts one of the templates serves. */
  readonly membersOf: (templateIds: readonly number[]) => Promise<number>;
}

function provide({ clock, commits, reads, settings }: Ground<"timezone">): AccountsProvide {
  const seconds = () => Math.floor(clock.now() / 1000);
  const resellers = new Resellers(commits, reads);
  const members = new MemberCounts(reads, () => clock.now());
  return {
    servedAccounts,
    onlineAt: (now) => onlineCount(reads, now),
    countUsers: (adminIds) => countUsers(reads, adminIds),
    releaseUsers: () =>
      releaseOwnedUsers({ commits, reads, now: seconds, zone: () => settings.textAtStart("timezone") }),
    allowances: resellers.allowances,
    allowanceIn: resellers.standing,
    allowanceIs: resellers.inStates,
    allowanceChanged: resellers.changed,
    allowanceLocks: resellers.locks,
    allowanceGone: resellers.gone,
    resellers,
    carryOutDepartures: () => carryOutDepartures(commits, reads, seconds),
    inboundLeaves: (draft, inboundId) => inboundLeaves(draft, reads, inboundId),
    membersOf: (templateIds) => members.of(templateIds),
  };
}

async function countUsers(reads: Reader, adminIds: readonly number[]): Promise<Map<number, number>> {
  if (adminIds.length === 0) return new Map();
  const rows = await reads.rows(
    OwnerCountRows,
    sql`select * from owner_counts where id in (${sql.join([...adminIds])})`,
  );
  return new Map(rows.map((row) => [row.id, row.users]));
}

interface AccountsKinds {
  readonly user: UserActor;
  readonly reseller: ResellerActor;
}

function kinds({ resident, setting, timeZone }: KindPorts) {
  return {
    user: defineUserActor(timeZone, thresholdsFrom(setting)),
    reseller: defineResellerActor({ timeZone, follow: resident("follow") }),
  } satisfies AccountsKinds;
}

type AccountsNeeds = Pick<FilterDeps, "nodeTemplate"> &
  Pick<AccountsProvide, "carryOutDepartures" | "releaseUsers" | "resellers"> & {
    readonly jobs: Jobs;
    readonly uploads: Uploads;
    /** Writes the audit record of a job. */
    readonly audit: HttpPorts["audit"];
  };

function open(core: AccountsCore, needs: AccountsNeeds, { user, reseller }: AccountsKinds): Opened {
  const { clock, commits, log, outbox, publicAddress, reads, secretKey, settings, shards, supervisor, undo } = core;
  const credentialKeys = new CredentialKeys(secretKey);
  const credentialEntry = new CredentialEntry({
    commits,
    reads,
    keys: credentialKeys,
    onError: (error) => log.warn({ err: error }, "credentials of accounts were not entered; it is tried again"),
  });
  const textEntry = new EntryWalk({
    commits,
    reads,
    name: "texts.enter",
    mark: UserTextEntryRows,
    enter: enterTexts,
    onError: (error) => log.warn({ err: error }, "texts of accounts were not entered; it is tried again"),
  });
  const textIndexing = new TextIndexing({
    commits,
    reads,
    clock,
    holds: () => hasDuty(shards, "accounts.texts"),
    onError: (error) => log.warn({ err: error }, "texts of accounts were not indexed; it is tried again"),
  });
  const summaries = new UserSummaries(reads, () => clock.now(), commits);
  undo.push(() => summaries.stop());
  const deps = {
    supervisor,
    reads,
    actor: user,
    owners: resellerOwners,
    credentialKeys,
    credentialEntry,
    search: new UserSearch({
      reads,
      keys: credentialKeys,
      entry: textEntry,
      credentialEntry,
      columns: USER_COLUMNS,
    }),
    summaries,
    timeZone: () => settings.textAtStart("timezone"),
    keptDays: () => settings.number("deleted_retention_days"),
    settings: { get: (key: LinkSetting) => settings.text(key) },
    publicAddress,
    now: () => Math.floor(clock.now() / 1000),
    nodeTemplate: needs.nodeTemplate,
  };
  needs.resellers.open(supervisor, reseller, outbox);
  const onError = (error: unknown) =>
    log.warn({ err: error }, "a reseller's accounts did not follow; it is tried again");
  const follower = new Follower({ commits, reads, supervisor, user, reseller, onError });
  undo.push(() => follower.stopped());
  const bulk = { ...deps, outbox, audit: needs.audit, guesses: new Guesses(deps.now) };
  const { lines } = needs.jobs;
  const works = [bulkWork(bulk), undoWork(bulk), importWork({ ...bulk, lines }), generateWork(bulk), restoreWork(bulk)];
  for (const work of works) needs.jobs.register(work);
  const mass = { ...bulk, jobs: needs.jobs };
  return {
    routes: [
      ...bulkRoutes(mass),
      ...transferRoutes({ ...mass, uploads: needs.uploads }),
      ...generateRoutes(mass),
      ...restoreRoutes(mass),
      ...accountsRoutes(deps),
    ],
    residents: { follow: follower.follow },
    async hourly() {
      const now = Math.floor(clock.now() / 1000);
      await forgetGrowth({ commits, reads }, now, settings.number("history_retention_days"));
      await forgetKept({ commits, reads }, now, deps.keptDays());
      // One that the command line made beside a running panel.
      await needs.resellers.enter();
    },
    async prepare() {
      await needs.carryOutDepartures();
      await needs.releaseUsers();
      await needs.resellers.enter();
      const ending = new AbortController();
      const zones = { from: settings.text(CYCLES_ZONE), to: zoneName(settings.textAtStart("timezone")) };
      const moving = changeZone({ commits, reads, settings, now: deps.now }, zones, ending.signal).catch(
        (error: unknown) =>
          log.warn({ err: error }, "reset dates did not move to the panel's zone; the next start tries again"),
      );
      undo.push(async () => {
        ending.abort();
        await moving;
      });
      for (const walk of [credentialEntry, textEntry]) {
        const entering = walk.run();
        undo.push(async () => {
          walk.stop();
          await entering;
        });
      }
    },
    start() {
      undo.push(onDutyMoved(shards, "accounts.texts", () => textIndexing.wake()));
      undo.push(() => textIndexing.stop());
      textIndexing.start();
    },
  };
}

export const feature = {
  name: "accounts",
  entities: accountsEntities,
  echo: { tables: [UserRows, ResellerRows], facts: [ACCOUNTS_CHANGED, INBOUND_LEFT, SESSIONS_END] },
  settings: accountsSettings,
  events: accountsEvents,
  commands: ["GET /users", "GET /users/{id}", "PATCH /users/{id}", "POST /users/{id}/renew"],
  words: accountsWords,
  kinds,
  consequences: [
    departureOf(UserRows, "account", ({ enable, allTemplates, templateIds, inboundIds }) => {
      if (!enable || inboundIds?.length === 0) return { was: [] };
      return { was: allTemplates ? null : templateIds, inbounds: inboundIds };
    }),
    textsFollow,
    linksEnd,
  ],
  clockSetBack: (reads, _before, after) => movesBroughtBack(reads, after),
  provide,
  open,
} as const satisfies AnyFeature;
