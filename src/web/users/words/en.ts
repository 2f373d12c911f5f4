// Words of users, in English.

export { page } from "./page/en.ts";

export const titles = {
  users: "Users",
  newUser: "New user",
};

export const settingLabels = {
  alert_user_volume_percent: "Volume used above, percent",
  alert_user_expiry_days: "Days before a user expires",
};

export const families = { user: "Users" };

export const raised = {
  "user.created": "account created",
  "user.updated": "changed",
  "user.deleted": "account deleted",
  "user.restored": "deleted account put back",
  "user.enabled": "switched back on by the panel",
  "user.disabled": "switched off by the panel",
  "user.suspended": "switched off by a person",
  "user.resumed": "switched on by a person",
  "user.quota_reached": "traffic used up: its own volume, or its reseller's allowance",
  "user.expired": "date passed: its own, or its reseller's",
  "user.quota_warning": "volume nearly used up",
  "user.expiring": "expires soon",
  "user.renewed": "renewed",
  "user.activated": "plan started",
  "user.first_fetch": "link fetched for the first time",
  "user.device_limit_reached": "a device was refused: limit reached",
};

export const raisedFor = {
  "user.disabled": {
    volume: "switched off by the panel: its volume is used up",
    expiry: "switched off by the panel: its date has passed",
    "resale-volume": "switched off by the panel: its reseller's allowance is spent",
    "resale-expiry": "switched off by the panel: its reseller's account has ended",
  },
  "user.quota_reached": { volume: "its volume is used up", "resale-volume": "its reseller's allowance is spent" },
  "user.expired": { expiry: "its date has passed", "resale-expiry": "its reseller's account has ended" },
};

export const subjects = {
  users: "User",
};

export const actions = {
  renew: "renewed",
  extend: "extended",
  "reset-usage": "usage set to zero",
  "sub.rotate": "subscription link replaced",
  "device.delete": "device forgotten",
  batch: "changed together with others",
  "connections.close": "connections closed",
};

export const refusals = {
  nothing_to_extend: "It has no end that could be later: give it one first.",
  nothing_to_renew: "There is nothing to renew: give it an end or a volume first, or renew it by days or by a plan.",
  no_term: "How long it was sold for is not known. Renew it by days or by a plan: that is its term from then on.",
};

export const actors = {
  user: {
    name: "Users",
    states: {
      enabled: "The account may be used.",
      "enabled.deciding": "The limits are being looked at; left in the same step.",
      "enabled.waiting": "The plan's clock has not begun: it begins with the first traffic.",
      "enabled.started": "The account is in use within its limits.",
      disabled: "The account may not be used: a person, its own limits or its reseller's keep it off.",
      "disabled.manual": "A person switched the account off; the panel never reverts that.",
      "disabled.deciding": "What keeps the account off is being looked at; left in the same step.",
      "disabled.volume": "The account used up its volume; it comes back with a reset, a renewal or a larger volume.",
      "disabled.expiry": "The account is past its date; it comes back with a renewal or a later date.",
      "disabled.resaleVolume": "The owning reseller spent its allowance.",
      "disabled.resaleExpiry": "The owning reseller's account has ended.",
    },
    events: {
      due: "a limit or date was reached",
      edited: "limits changed",
      extended: "volume or time added",
      renewed: "renewed",
      switchOff: "switched off",
      switchOn: "switched on",
      usageReset: "usage set to zero",
    },
    dues: {
      "disabled.volume": "volume limit reached",
      "disabled.expiry": "end date reached",
      "disabled.resaleVolume": "the reseller's allowance is used up",
      "disabled.resaleExpiry": "the reseller's account has ended",
    },
    deadlines: {},
    effects: {},
    guards: {
      startsOff: "it was created switched off",
      resetDue: "the usage reset is due",
      hasTraffic: "there was traffic",
      notStarted: "the plan has not started",
      expired: "the end date has passed",
      limited: "the volume is used up",
      limitedUnwarned: "the volume was used up before anybody was warned",
      quotaFar: "the volume is far enough again",
      quotaNear: "the share of the volume to warn at is reached",
      dateNear: "a window before the date has begun",
      resaleVolume: "the reseller's allowance is used up",
      resaleExpiry: "the reseller's account has ended",
      resetDueWhileOpen: "the usage reset is due, its date is not past, and its reseller allows it",
      withinLimits: "no limit is reached",
    },
  },
};
