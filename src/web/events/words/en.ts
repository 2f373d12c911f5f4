// Words of the page of events, in English.
import { plural } from "../../words/plural.ts";

export const page = {
  title: "Events",
  search: "Search name and text",
  event: "Event",
  any: "Any event",
  anyRecord: "Events of everything",
  only: (name: string) => `Only events of ${name}`,
  onlyEvent: "Only events of this name",
  held: "Held",
  heldLong: "The list stands still while you read it.",
  liveLong: "Events appear as they happen.",
  lostLong: "What happens meanwhile appears when the connection is back.",
  pause: "Pause",
  follow: "Follow",
  fresh: (n: number) => plural("en", n, { one: `${n} new`, other: `${n} new` }),
  freshMany: (n: number) => `More than ${n} new`,
  older: "Older events",
  none: "Nothing has happened yet",
  noneText: "What the panel, its nodes and its users do appears here as it happens.",
  deaf: "Your role hears no events.",
};

export const titles = {
  events: "Events",
};

export const settingLabels = {
  event_retention_days: "Days that events are kept",
};
