// The operations that change an engine's present users into its desired users. Pure.
import { engineUserName, parseEngineUserName, type PlanUser } from "../../../../protocol/plan.ts";
import type { CompiledInbound, LiveAccount, PopulatedInbound } from "../dialect.ts";
import type { OpenInbound } from "../state/driver-state.ts";
import { UNKNOWN } from "../state/user-journal.ts";

export interface Operation {
  /** The inbound's id. */
  readonly inbound: number;
  readonly email: string;
  /** The user to add; absent: only remove. */
  readonly add?: LiveAccount;
  readonly remove: boolean;
  /** What the user has open was opened with a secret that is void now. */
  readonly cut: boolean;
}

export interface Carrying {
  /** Digest of the account by engine user name. */
  readonly carried: ReadonlyMap<string, string>;
  readonly inbounds: readonly OpenInbound[];
}

function adding(inbound: number, account: LiveAccount, carried: string | undefined): Operation {
  return {
    inbound,
    email: account.email,
    add: account,
    remove: carried !== undefined,
    cut: carried !== undefined && carried !== UNKNOWN,
  };
}

/** All operations on inbounds that are open. */
export function plannedOperations({ carried, inbounds }: Carrying, wanted: readonly PopulatedInbound[]): Operation[] {
  const open = new Set(inbounds.map(({ id }) => id));
  const operations: Operation[] = [];
  const accounts = new Map<string, { inbound: number; account: LiveAccount }>();
  for (const { inbound, accounts: users } of wanted)
    if (open.has(inbound.id))
      for (const [email, account] of users) accounts.set(email, { inbound: inbound.id, account });
  for (const email of carried.keys()) {
    const inbound = parseEngineUserName(email)?.inboundId;
    if (!accounts.has(email) && inbound !== undefined && open.has(inbound))
      operations.push({ inbound, email, remove: true, cut: true });
  }
  for (const [email, { inbound, account }] of accounts) {
    const before = carried.get(email);
    if (before !== account.digest) operations.push(adding(inbound, account, before));
  }
  return operations;
}

/** The operations that take these engine users off an engine, as far as it carries them. */
export function removals({ carried, inbounds }: Carrying, emails: Iterable<string>): Operation[] {
  const open = new Set(inbounds.map(({ id }) => id));
  const operations: Operation[] = [];
  for (const email of emails) {
    const inbound = carried.has(email) ? parseEngineUserName(email)?.inboundId : undefined;
    if (inbound !== undefined && open.has(inbound)) operations.push({ inbound, email, remove: true, cut: true });
  }
  return operations;
}

/** Whether an engine carries exactly these users, with these secrets. */
export function carriesExactly(carried: Carrying["carried"], wanted: readonly PopulatedInbound[]): boolean {
  let count = 0;
  for (const { accounts } of wanted) {
    count += accounts.size;
    for (const [email, { digest }] of accounts) if (carried.get(email) !== digest) return false;
  }
  return count === carried.size;
}

/** The operations for some users alone, on inbounds whose users change live. */
export function operationsFor(
  { carried, inbounds }: Carrying,
  compiled: readonly CompiledInbound[],
  put: readonly PlanUser[],
  drop: readonly number[],
  accountOf: (inbound: CompiledInbound, user: PlanUser) => LiveAccount | undefined,
): Operation[] {
  const open = new Set(inbounds.map(({ id }) => id));
  const operations: Operation[] = [];
  for (const inbound of compiled) {
    if (inbound.users !== "live" || !open.has(inbound.id)) continue;
    for (const id of drop) {
      const email = engineUserName(id, inbound.id);
      if (carried.has(email)) operations.push({ inbound: inbound.id, email, remove: true, cut: true });
    }
    for (const user of put) {
      const account = accountOf(inbound, user);
      const email = account?.email ?? engineUserName(user.id, inbound.id);
      const before = carried.get(email);
      if (account && before !== account.digest) operations.push(adding(inbound.id, account, before));
      else if (!account && before !== undefined)
        operations.push({ inbound: inbound.id, email, remove: true, cut: true });
    }
  }
  return operations;
}

/** Whether an inbound has more changes of users than it takes live. */
export function tooMany(operations: readonly Operation[], compiled: readonly CompiledInbound[]): boolean {
  const counts = new Map<number, number>();
  for (const { inbound } of operations) counts.set(inbound, (counts.get(inbound) ?? 0) + 1);
  return compiled.some(({ id, mostLiveOperations }) => (counts.get(id) ?? 0) > mostLiveOperations);
}
