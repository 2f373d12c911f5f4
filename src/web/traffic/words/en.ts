// Words of traffic over time and of reports, in English.
import { plural } from "../../words/plural.ts";

export const page = {
  title: "Reports",
  lead: "Who and what moved how much, the heaviest first.",
  groupBy: "Group by",
  groups: { user: "Users", node: "Nodes", admin: "Operators" },
  kinds: { user: "User", node: "Node", admin: "Operator" },
  plots: { user: "Traffic by user", node: "Traffic by node", admin: "Traffic by operator" },
  download: "All rows as a file",
  down: "Download",
  up: "Upload",
  sum: "Total",
  share: "Share",
  deleted: (id: string) => `deleted, no. ${id}`,
  others: (n: number, shown: string) => plural("en", n, { one: "1 other", other: `${shown} others` }),
  drawn: (n: number, shown: string) =>
    plural("en", n, { one: "The heaviest is drawn.", other: `The ${shown} heaviest are drawn.` }),
  days: "Days begin in the zone",
  hours: "Hours in the zone",
  raw: "Bytes as they moved, without multipliers.",
  none: "Nothing is known of this time",
  noneText: "Choose another time range, or wait until something moves.",
};

export const titles = {
  reports: "Reports",
};

export const settingLabels = {
  history_retention_days: "Days that usage is kept",
};
