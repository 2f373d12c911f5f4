// Words of the overview, in English.
import { plural } from "../../words/plural.ts";

export const page = {
  nodeStatus: { connected: "connected", connecting: "connecting", error: "error", disabled: "off" },
  title: "Overview",
  tiles: {
    users: "Users",
    online: "Online now",
    nodes: "Nodes",
    panel: "Panel",
    ending: "End within 7 days",
    spent: "Used up",
  },
  proxy: {
    title: "A proxy is not trusted",
    text: (address: string) =>
      `Requests come through ${address}, which says for whom it asks and is not believed. If that is your proxy, add it to the trusted proxies: until then all visitors count as one address, with one limit for all of them.`,
    open: "Trusted proxies",
  },
  closed: {
    title: "A place is not listened on",
    text: (places: string) =>
      `Subscriptions should be answered at ${places}, and this panel cannot listen there. It tries again by itself: look which program has the port, or change the setting.`,
    open: "Further addresses",
  },
  chooseTiles: "Choose the tiles",
  tileUp: (name: string) => `Move ${name} up`,
  tileDown: (name: string) => `Move ${name} down`,
  uptime: "up",
  ofUsers: (share: string) => `${share} of all users`,
  connectedOf: (connected: string, all: string) => `${connected} of ${all}`,
  memory: (used: string) => `${used} of memory`,
  userStatus: {
    active: "active",
    pending: "not started",
    limited: "used up",
    expired: "expired",
    disabled: "off",
    reseller: "off by reseller",
  },
  needs: "Needs attention",
  oldestFirst: "oldest first",
  nothingWaits: "Nothing waits for you.",
  allInError: "All nodes in error",
  quarantine: "in quarantine",
  quarantineWhy: "Its chart failed three times in a row; it is left alone.",
  quarantineNext: "look at it, then resume",
  lately: "Latest events",
  allEvents: "All events",
  nothingYet: "Nothing has happened yet.",
  allowance: {
    title: "Your allowance",
    left: "Left",
    nextReset: "Begins again",
    ends: "Your account ends",
    users: "Users",
    spent: "Your allowance is spent: no node serves your users. Ask for a larger one.",
    spentUntil: (date: string) =>
      `Your allowance is spent: no node serves your users until it begins again on ${date}.`,
    ended: (date: string) => `Your account ended on ${date}: no node serves your users.`,
  },
  figures: {
    traffic: "Traffic by node",
    topUsers: "Heaviest users",
    growth: "Users come and go",
    ends: "Ending ahead",
    range: "Range",
    ranges: { "24h": "24 h", "7d": "7 d", "30d": "30 d", "90d": "90 d" },
    before: (share: string) => `${share} against the range before`,
    comparison: "Compared with the range before",
    more: "more",
    less: "less",
    rest: (n: number, text: string, bytes: string) =>
      plural("en", n, { one: `1 more: ${bytes}`, other: `${text} more: ${bytes}` }),
    noTraffic: "No traffic is known in this range.",
    same: "as before",
    perHour: "By hour",
    perDay: "By day",
    deeds: { created: "created", renewed: "renewed", expired: "expired", limited: "used up", deleted: "deleted" },
    notCounted: "Counting has just begun.",
    endsWeek: "within 7 days",
    endsMonth: "within 30 days",
    noEnds: "Nobody ends within 30 days.",
  },
  steps: {
    title: "First steps",
    away: "Hide",
    done: "done",
    begun: (name: string) => `${name} is not connected yet.`,
    seeBegun: "See why",
    serve: { name: "Choose what to serve", text: "An inbound and the template that carries it.", action: "Begin" },
    node: { name: "Connect a node", text: "This machine, or another with one command.", action: "Add node" },
    user: { name: "Create a user", text: "A name is enough.", action: "Create user" },
    link: {
      name: "Hand over the link",
      text: "Done when a client fetches the subscription for the first time.",
      action: "Copy a link",
    },
  },
};

export const titles = {
  overview: "Overview",
};

export const actions = {
  dashboard: "overview arranged",
};

export const rules = {
  tiles: "Use at most 64 names of a-z, 0-9 and -",
};
