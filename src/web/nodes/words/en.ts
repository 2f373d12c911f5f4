// Words of nodes, in English.

export { page } from "./page/en.ts";

export const titles = {
  nodes: "Nodes",
  firstNode: "First steps",
  newNode: "Add node",
};

export const settingLabels = {
  node_health_retention_days: "Days that the health of nodes is kept",
  ip_limit_newest: "When an account is at its address limit, the newest address wins",
  alert_disk_percent: "Disk full above, percent",
  alert_memory_percent: "Memory full above, percent",
  alert_rejected_per_hour: "Refused connections in an hour",
};

export const families = { node: "Nodes" };

export const raised = {
  "node.connected": "connected",
  "node.disconnected": "connection lost",
  "node.limit_reached": "usage limit reached, switched off",
  "node.usage_refused": "usage was refused: the node told of what it cannot have carried",
  "node.disk_high": "disk nearly full",
  "node.disk_recovered": "disk has room again",
  "node.memory_high": "memory nearly full",
  "node.memory_recovered": "memory has room again",
  "node.rejections_high": "many connections refused",
};

export const subjects = {
  nodes: "Node",
};

export const actions = {
  sync: "configuration compared and sent",
  reconnect: "new connection requested",
  repin: "new key trusted",
  move: "moved to another machine",
};

export const refusals = {
  node_off: "The node is off: a person, its usage limit or the licence keeps it off.",
  node_on: "The address of a node that is switched on changes only when the node is moved.",
  agent_taken: "Another node that is switched on has this address and port.",
};

export const actors = {
  node: {
    name: "Nodes",
    states: {
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
    events: {
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
    dues: { "disabled.limit": "the usage limit was reached", "disabled.licence": "the licence does not cover it" },
    deadlines: {
      dialDeadline: "the agent did not answer in time",
      syncDeadline: "the agent did not take the configuration in time",
      backoff: "time for the next attempt",
    },
    effects: { link: "the link to the agent", turn: "the wait for the agent" },
    guards: {
      off: "a person switched it off",
      limited: "the usage limit is reached",
      unlicensed: "the licence does not cover it",
      mayRun: "nothing keeps it off",
    },
  },
};
