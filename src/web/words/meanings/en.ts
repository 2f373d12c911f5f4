// What the names of the charts mean, in English. The sentences of states are the charts' own (a test compares them);
// the names themselves are not translated.

export const meanings = {
  /** By kind and state. A panel whose chart has another state says its own sentence. */
  states: {
    node: {
      deciding: "Whether the node should run is being looked at; left in the same step.",
      disabled: "The node does not run: a person, the usage limit or the licence keeps it off.",
      "disabled.manual": "A person switched the node off.",
      "disabled.limit":
        "The usage limit of the period is reached; a new period or a higher limit brings the node back.",
      "disabled.licence": "The node is outside the licence's cap; a larger licence brings it back.",
      linked: "The node should run: a link to its agent is kept, or being made.",
      "linked.connecting": "The link is being made: the agent is reached first, then given what it should run.",
      "linked.connecting.dialing": "The agent is being reached: TLS, its key, greeting.",
      "linked.connecting.syncing": "The agent is taking over the configuration.",
      "linked.connected": "The agent answers and runs what is wanted, except for its warnings.",
      "linked.refused":
        "The agent answers, but its engine refuses the configuration; what ran before goes on running there.",
      "linked.refused.waiting":
        "The engine refused the configuration; it is asked again later, and as soon as the configuration changes.",
      "linked.refused.trying": "The engine is asked once more whether it takes the configuration.",
      restarting: "The link is given up for a new one; left in the same step.",
      error: "The node has no link to an agent; what an agent was told last goes on running there.",
      "error.waiting": "The agent could not be reached; the next attempt is set.",
      "error.duplicate":
        "The agent that answers serves another node, which keeps it; the next look is set, and taken at once when that node lets go.",
      "error.mismatched":
        "The agent that answers has another key than the saved one; the panel waits until the new key is trusted or the node is moved.",
    },
    user: {
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
    job: {
      queued: "The job waits until a panel has room for it.",
      running: "The job is being carried out.",
      "running.stepping": "The job goes through its records, some in each commit.",
      cancelling: "The job was asked to stop: what is under way ends, then nothing more is done.",
      succeeded: "The job went through all of its records.",
      failed: "The job stopped before its end; what was done stays done.",
      cancelled: "A person stopped the job; what was done stays done.",
    },
    reseller: {
      deciding: "The limits are being looked at; left in the same step.",
      open: "The reseller's accounts may be served.",
      closing: "No node serves the reseller's accounts any more; their rows are being switched off.",
      closed: "The reseller's accounts are off.",
      "closed.volume": "The allowance is spent; a new period or a larger allowance opens it.",
      "closed.expiry": "The reseller's date is past; a later date opens it.",
      opening: "The reseller's accounts may be served again; their rows are being switched on.",
    },
  },
  /** What happened, in place of an event's name. */
  events: {
    node: {
      due: "a limit or period came due",
      edited: "settings changed",
      "link.lost": "the agent was not reached",
      "link.mismatched": "another key answered",
      "link.refused": "the engine refused the configuration",
      "link.duplicate": "the agent serves another node",
      "link.freed": "the agent became free",
      "link.opened": "the agent answered",
      "link.synced": "the agent took the configuration",
      "link.warned": "the warnings changed",
      moved: "moved to another machine",
      reconnect: "a new connection was asked for",
      repinned: "the new key was trusted",
      switchOff: "switched off",
      switchOn: "switched on",
    },
    user: {
      due: "a limit or date was reached",
      edited: "limits changed",
      extended: "volume or time added",
      renewed: "renewed",
      switchOff: "switched off",
      switchOn: "switched on",
      usageReset: "usage set to zero",
    },
    job: {
      begin: "its turn came",
      cancel: "a person asked to stop it",
      done: "all records are done",
      refused: "it may not go on",
      rested: "the last step ended",
      stepped: "records were done",
    },
    reseller: {
      due: "allowance, date or period came due",
      edited: "limits or role changed",
      followed: "all accounts have followed",
    },
  },
  /** What `due` is called by the state that it led to. */
  dues: {
    node: { "disabled.limit": "the usage limit was reached", "disabled.licence": "the licence does not cover it" },
    user: {
      "disabled.volume": "volume limit reached",
      "disabled.expiry": "end date reached",
      "disabled.resaleVolume": "the reseller's allowance is used up",
      "disabled.resaleExpiry": "the reseller's account has ended",
    },
    job: {},
    reseller: {
      closing: "the allowance or the date ended",
      opening: "a new period began",
    },
  },
  /** What happened when a deadline passed. */
  deadlines: {
    node: {
      dialDeadline: "the agent did not answer in time",
      syncDeadline: "the agent did not take the configuration in time",
      backoff: "time for the next attempt",
    },
    user: {},
    job: {
      turnDeadline: "no panel had room for it in time",
      stall: "no step ended in time",
      restDeadline: "the last step did not end in time",
    },
    reseller: {
      stall: "the accounts took long to follow",
    },
  },
  effects: {
    node: { link: "the link to the agent", turn: "the wait for the agent" },
    user: {},
    job: {
      turn: "the wait for its turn",
      work: "the work on its records",
      rest: "the wait for the last step",
    },
    reseller: {
      follow: "the accounts following",
    },
  },
  /** Conditions of the charts. */
  guards: {
    node: {
      off: "a person switched it off",
      limited: "the usage limit is reached",
      unlicensed: "the licence does not cover it",
      mayRun: "nothing keeps it off",
    },
    user: {
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
    job: {
      stalledTooOften: "too many steps were late",
    },
    reseller: {
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
