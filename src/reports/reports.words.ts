// What the description of the API says of traffic and reports.
import type { Words } from "../http/index.ts";

const by = {
  says: "What the traffic is told apart by; `total`: not at all.",
  choices: ["total", "node", "user", "admin", "inbound"],
};
const step = { says: "Hours or days of the panel's zone.", choices: ["hour", "day"] };
const ofRange = "The hours until now; ignored where `start` and `end` are given. 720 where nothing is given.";

export const reportsWords: Words = {
  "getTraffic.by": by,
  step,
  top: "How many series of their own, 1 to 100; 10 where it is left out. The others are added up in `rest`.",
  "getTraffic.nodeId": "Traffic on this node alone.",
  "getTraffic.userId": "Traffic of this account alone, whoever had it.",
  "getTraffic.adminId": "Traffic of this owner's accounts alone, counted while they were its own.",
  "getTraffic.step": "Hours or days; where it is left out, hours for ranges of up to three days.",
  "getUserTraffic.step": "Hours or days; where it is left out, hours for ranges of up to three days.",
  "getUserNodeUsage.limit":
    "Rows at most; 100 where it is left out, 1000 where it is more. `more` says whether it cut.",
  "getNodeStats.limit": "Rows at most; 100 where it is left out, 1000 where it is more. `more` says whether it cut.",
  "getUserReport.hours": ofRange,
  "getNodeReport.hours": ofRange,
  "getAdminReport.hours": ofRange,
  Traffic: "Traffic over time, in raw bytes.",
  "Traffic.start": "Unix seconds at which the first step begins.",
  "Traffic.end": "Unix seconds at which the last step ends.",
  zone: "The time zone in which days begin.",
  series: "The heaviest first.",
  "getUserSparklines.ids": "Ids separated by commas, at most 200.",
  "getNodeSparklines.ids": "Ids separated by commas, at most 200.",
  Sparklines: "The traffic of several records in the same steps, in raw bytes.",
  "Sparklines.at": "Unix seconds at which the steps begin.",
  "Sparklines.rows": "In the order of `ids`.",
  "Sparkline.up": "Bytes of each step; null where nothing is known.",
  "Sparkline.down": "Bytes of each step; null where nothing is known.",
  rest: "What is not among the series.",
  share: "The share of all that moved, 0 to 1.",
  points: "The steps of which something is known, the oldest first.",
  "AdminReportRow.users": "The accounts that it has.",
  "NodeReportRow.status": "How the node stands.",
  "UserReportRow.status": "How the account stands.",
};
