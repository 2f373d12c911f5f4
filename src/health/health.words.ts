// What the description of the API says of the health of nodes.
import type { Words } from "../http/index.ts";

export const healthWords: Words = {
  NodeHealth: "A node's readings over a range.",
  "NodeHealth.step": "Seconds of one point.",
  uptimePercent: "The share of the known time in which the node served; null: nothing is known.",
  "NodeHealth.points": "The steps of which something is known, the oldest first.",
  NodeHealthPoint: "The means of one step.",
  "NodeHealthPoint.at": "Unix seconds at which the step begins.",
  "NodeHealthPoint.up": "The share of the known time of the step in which the node served, 0 to 1.",
  "NodeHealthPoint.online": "Accounts that were online.",
  bar: "The range in parts of one state.",
  "NodeHealthBar.start": "Unix seconds at which the part begins.",
  "NodeHealthBar.end": "Unix seconds at which the part ends.",
  "NodeHealthBar.state": {
    says: "How the node stood; `partial`: up and down by turns.",
    choices: ["up", "down", "partial", "unknown"],
  },
};
