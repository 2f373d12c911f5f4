// The lifecycle of accounts as the contract tells it, in memory and in plain steps: what the real panel is compared
// with. It shares no code with the chart. Time is in Unix seconds, in UTC.

const DAY = 86_400;

export interface Cycle {
  readonly autoReset: boolean;
  readonly resetPeriod: "" | "monthly";
  readonly resetDays: number;
  readonly resetStartDay: number;
}

export const NO_CYCLE: Cycle = { autoReset: false, resetPeriod: "", resetDays: 0, resetStartDay: 0 };

/** What a body says; absent parts as the route has it. */
export interface Terms {
  readonly volume?: number;
  readonly expiry?: number;
  readonly duration?: number;
  readonly cycle?: Cycle;
  /** Only for a create. */
  readonly termDays?: number;
  readonly adminId?: number;
  readonly enable?: boolean;
}

export interface Plan extends Required<Pick<Terms, "volume" | "cycle">> {
  readonly id: number;
  readonly days: number;
  readonly onFirstUse: boolean;
}

export type Reason = "" | "manual" | "volume" | "expiry";

/** What the panel must answer of an account, and what it does not show. */
export interface Account {
  volume: number;
  expiry: number;
  duration: number;
  term: number;
  activatedAt: number;
  used: number;
  total: number;
  nextReset: number;
  adminId: number;
  reason: Reason;
  cycle: Cycle;
  /** Bytes in all when the plan was armed, and when traffic was last seen. */
  armed: number;
  seenAt: number;
  /** Events that the lifecycle raised, in order. */
  readonly events: string[];
}

/** A new end, days, or neither: by the term that was sold. */
export interface Renewal {
  readonly until?: number;
  readonly days?: number;
}

export type Answer = 200 | 400 | 409;

/** The account of a create. */
export function created(terms: Terms, plan: Plan | undefined, now: number): Account {
  const account: Account = {
    volume: 0,
    expiry: 0,
    duration: 0,
    term: 0,
    activatedAt: 0,
    used: 0,
    total: 0,
    nextReset: 0,
    adminId: 0,
    reason: terms.enable === false ? "manual" : "",
    cycle: NO_CYCLE,
    armed: 0,
    seenAt: 0,
    events: [],
  };
  write(account, plan ? { ...terms, ...byPlan(plan, now) } : terms, now);
  if (account.reason === "") limits(account, now);
  due(account, now);
  return account;
}

function byPlan({ volume, cycle, days, onFirstUse }: Plan, now: number): Terms {
  const term = days * DAY;
  const expiry = onFirstUse || term === 0 ? 0 : now + term;
  return { volume, cycle, duration: onFirstUse ? term : 0, expiry, termDays: days };
}

/** A PATCH: the fields sent. A PUT is one whose fields are all there. */
export function edited(account: Account, terms: Terms, now: number): void {
  const before = JSON.stringify([account.volume, account.expiry, account.duration, account.cycle, account.adminId]);
  write(account, terms, now);
  const after = JSON.stringify([account.volume, account.expiry, account.duration, account.cycle, account.adminId]);
  const on = account.reason === "";
  if (terms.enable === true && !on) switchOn(account, now);
  else if (terms.enable === false && on) account.reason = "manual";
  else if (before !== after) look(account, now);
  due(account, now);
}

export function renewed(account: Account, { until, days }: Renewal, now: number): Answer {
  const started = isStarted(account);
  if (until !== undefined) {
    if (!started || until <= now) return 400;
    account.expiry = until;
  } else if (days !== undefined || hasEnd(account)) {
    const term = days === undefined ? account.term : days * DAY;
    if (term === 0) return 409;
    account.term = term;
    if (started) account.expiry = Math.max(now, account.expiry) + term;
    else account.duration += term;
  } else if (account.volume === 0) return 409;
  account.used = 0;
  restart(account, now, now);
  look(account, now);
  due(account, now);
  return 200;
}

export function renewedByPlan(account: Account, plan: Plan, now: number): void {
  const term = plan.days * DAY;
  const started = isStarted(account);
  const { activatedAt, armed } = account;
  write(account, { volume: plan.volume, cycle: plan.cycle }, now);
  if (started) {
    account.expiry = term === 0 ? 0 : Math.max(now, account.expiry) + term;
    if (term === 0) account.duration = 0;
  } else account.duration = term === 0 ? 0 : account.duration + term;
  Object.assign(account, { term, activatedAt, armed, used: 0 });
  restart(account, now, now);
  look(account, now);
  due(account, now);
}

export function extended(account: Account, seconds: number, bytes: number, now: number): Answer {
  if (seconds > 0) {
    if (!isStarted(account)) account.duration += seconds;
    else if (account.expiry === 0) return 409;
    else account.expiry = Math.max(now, account.expiry) + seconds;
  }
  // Nothing added is no change.
  if (seconds === 0 && (bytes === 0 || account.volume === 0)) return 200;
  if (account.volume > 0) account.volume += bytes;
  look(account, now);
  due(account, now);
  return 200;
}

export function usageReset(account: Account, now: number): void {
  account.used = 0;
  restart(account, now, now);
  look(account, now);
  due(account, now);
}

export function traffic(account: Account, bytes: number, now: number): void {
  account.used += bytes;
  account.total += bytes;
  account.seenAt = now;
  due(account, now);
}

/** What time alone does. */
export function due(account: Account, now: number): void {
  const resets = account.nextReset > 0 && account.nextReset <= now;
  if (account.reason === "") {
    if (resets) reset(account, now);
    limits(account, now);
  } else if (account.reason === "volume" && resets) {
    reset(account, now);
    look(account, now);
  }
}

/** The one status, by precedence. */
export function statusOf(account: Account, now: number): string {
  if (account.reason !== "") return "disabled";
  if (!isStarted(account)) return "pending";
  if (isExpired(account, now)) return "expired";
  return isSpent(account) ? "limited" : "active";
}

function write(account: Account, terms: Terms, now: number): void {
  const { volume = account.volume, expiry = account.expiry, duration = account.duration } = terms;
  // A term was sold by its name or by a duration; a date says nothing about one.
  const { termDays = 0 } = terms;
  if (termDays > 0) account.term = termDays * DAY;
  else if (duration > 0 && duration !== account.duration) account.term = duration;
  else if (hasEnd(account) && !hasEnd({ expiry, duration })) account.term = 0;
  if (duration !== account.duration) Object.assign(account, { activatedAt: 0, armed: account.total });
  Object.assign(account, { volume, expiry, duration, adminId: terms.adminId ?? account.adminId });
  const { cycle = account.cycle } = terms;
  if (JSON.stringify(cycle) === JSON.stringify(account.cycle)) return;
  account.cycle = cycle;
  account.nextReset = cycle.autoReset ? firstReset(cycle, now) : 0;
}

function firstReset(cycle: Cycle, now: number): number {
  if (cycle.resetPeriod === "") return cycle.resetDays > 0 ? now + cycle.resetDays * DAY : 0;
  return nextOfMonth(cycle.resetStartDay, now);
}

/** The next first moment of that day of a month, or of a shorter month's last. */
function nextOfMonth(day: number, now: number): number {
  const date = new Date(now * 1000);
  for (let ahead = 0; ; ahead++) {
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead + 1, 0)).getUTCDate();
    const at = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead, Math.min(day, last)) / 1000;
    if (at > now) return at;
  }
}

function reset(account: Account, now: number): void {
  account.used = 0;
  if (account.cycle.resetPeriod === "") {
    while (account.nextReset <= now) account.nextReset += account.cycle.resetDays * DAY;
  } else account.nextReset = nextOfMonth(account.cycle.resetStartDay, now);
}

/** A rolling cycle starts again; a calendar one stays. */
function restart(account: Account, from: number, now: number): void {
  const { autoReset, resetPeriod, resetDays } = account.cycle;
  if (!autoReset || resetPeriod !== "" || resetDays === 0) return;
  account.nextReset = from;
  while (account.nextReset <= now) account.nextReset += resetDays * DAY;
}

const hasEnd = ({ duration, expiry }: Pick<Account, "duration" | "expiry">) => duration > 0 || expiry > 0;
const isStarted = ({ duration, activatedAt }: Account) => duration === 0 || activatedAt > 0;
const isExpired = (account: Account, now: number) => isStarted(account) && account.expiry > 0 && account.expiry <= now;
const isSpent = ({ volume, used }: Account) => volume > 0 && used >= volume;

function switchOn(account: Account, now: number): void {
  account.reason = "";
  limits(account, now);
}

/** The enforcer looks at an account that somebody wrote. A person's off it never undoes. */
function look(account: Account, now: number): void {
  if (account.reason === "") return limits(account, now);
  if (account.reason === "manual") return;
  const expired = isExpired(account, now);
  if (!expired && account.nextReset > 0 && account.nextReset <= now) reset(account, now);
  if (expired || isSpent(account)) {
    account.reason = expired ? "expiry" : "volume";
    return;
  }
  account.events.push("user.enabled");
  switchOn(account, now);
}

/** Switches an account off that is past its date or volume; starts a plan with its first traffic. */
function limits(account: Account, now: number): void {
  if (!isStarted(account) && account.total > account.armed) {
    account.activatedAt = Math.min(now, account.seenAt);
    account.expiry = account.activatedAt + account.duration;
    restart(account, account.activatedAt, now);
    account.events.push("user.activated");
  }
  if (isExpired(account, now)) {
    account.reason = "expiry";
    account.events.push("user.disabled", "user.expired");
  } else if (isSpent(account)) {
    account.reason = "volume";
    account.events.push("user.disabled", "user.quota_reached");
  }
}
