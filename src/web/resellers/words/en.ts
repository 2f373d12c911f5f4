// Words of resellers, in English.
import { plural } from "../../words/plural.ts";

const count = (n: number, one: string, other: string) => plural("en", n, { one, other });

export const page = {
  title: "Resellers",
  count: (n: number, shown: string) => count(n, "1 reseller", `${shown} resellers`),
  search: "Name",
  add: "New reseller",
  noneTitle: "No resellers",
  noneText: "A reseller signs in here, sells its own users, and has an allowance that they share.",
  missing: "There is no such reseller",
  missingText: "Perhaps it was deleted, or it is an operator now.",
  states: {
    open: "Open",
    closing: "Closing",
    opening: "Opening",
    closed: { volume: "Closed: allowance", expiry: "Closed: date" },
  },
  filters: { all: "All", open: "Open", closing: "Closing", closed: "Closed", opening: "Opening" },
  columns: {
    name: "Name",
    state: "State",
    allowance: "Allowance",
    users: "Users",
    period: "Begins again",
    nextReset: "Next period",
    ends: "Ends",
    lastLogin: "Last sign-in",
  },
  tabs: { overview: "Overview", accounts: "Users" },
  explained: {
    open: "Its users are served.",
    closing: "No node serves its users any more. Their records are being switched off.",
    opening: "Its users are served again. Their records are being switched on.",
    volume: "The allowance is spent: no node serves its users. A larger allowance or the next period opens it.",
    expiry: "Its date is past: no node serves its users. A later date opens it.",
  },
  limits: "Limits",
  userLimit: "Users at most",
  sells: "Sells",
  sellsAll: "Whatever it likes",
  sellsPlans: (plans: string) => `Only these plans: ${plans}`,
  sellsNothing: "No plan yet: it cannot make users",
  readOnly: "It only looks at its users",
  since: "Period began",
  edit: "Edit",
  operator: "Its sign-in and rights",
  hisUsers: "Its users in the list",
  chart: "Its chart",
  noUsersTitle: "It has no users",
  noUsersText: "Users come here by being made by it, or by being moved to it.",
  moveAll: "Move all users",
  moveAllTitle: (name: string) => `Move all users of ${name}?`,
  moveAllNone: "It has no users",
  closedOwner: (name: string) => `${name} (closed)`,
};

export const titles = {
  resellers: "Resellers",
};

export const raised = {
  "admin.resale_cap_reached": "reseller reached a limit",
};

export const refusals = {
  reseller_closed: "The reseller's allowance is spent: it takes no further accounts until it opens again.",
};

export const rules = {
  reseller: "Choose a reseller",
};

export const actors = {
  reseller: {
    name: "Resellers",
    states: {
      deciding: "The limits are being looked at; left in the same step.",
      open: "The reseller's accounts may be served.",
      closing: "No node serves the reseller's accounts any more; their rows are being switched off.",
      closed: "The reseller's accounts are off.",
      "closed.volume": "The allowance is spent; a new period or a larger allowance opens it.",
      "closed.expiry": "The reseller's date is past; a later date opens it.",
      opening: "The reseller's accounts may be served again; their rows are being switched on.",
    },
    events: {
      due: "allowance, date or period came due",
      edited: "limits or role changed",
      followed: "all accounts have followed",
    },
    dues: {
      closing: "the allowance or the date ended",
      opening: "a new period began",
    },
    deadlines: {
      stall: "the accounts took long to follow",
    },
    effects: {
      follow: "the accounts following",
    },
    guards: {
      periodOver: "the period is over",
      expiresUntold: "the date is past, and nobody was told of it",
      spentUntold: "the allowance is spent, and nobody was told of it",
      ends: "another limit ended",
      mayServe: "no limit has ended",
      closesStill: "accounts are still to be switched off",
      opensStill: "accounts are still to be switched on",
      isSpent: "the allowance is spent",
      isExpired: "the date is past",
      closesBySpending: "it closes for its allowance",
    },
  },
};
