// Words of deleted users, in English.
import { plural } from "../../words/plural.ts";

const count = (n: number, one: string, other: string) => plural("en", n, { one, other });

export const page = {
  title: "Deleted users",
  total: (n: number, shown: string) => count(n, "1 deleted user", `${shown} deleted users`),
  search: "Name, group, link",
  none: "Nobody was deleted lately",
  noneText: "Users that are deleted appear here, and can be brought back until the panel forgets them.",
  columns: {
    name: "Name",
    deleted: "Deleted",
    by: "By",
    until: "Kept until",
    usage: "Usage",
    ends: "Ends",
    owner: "Owner",
  },
  panel: "the panel",
  restore: "Bring back",
  restoreTitle: (name: string) => `Bring ${name} back?`,
  restoreText:
    "It has its link, credentials, counters and devices again. Servers serve it at once, unless its limits keep it off.",
  ended: (date: string) => `Its date has passed: it ended on ${date}. It comes back switched off.`,
  usedUp: "Its volume is used up. It comes back switched off.",
  wasOff: "It was switched off, and stays so.",
  taken: "Somebody else has some of its values by now. Choose others:",
  name: "Name",
  subId: "Name of the link",
  subIdText: "Its old link belongs to somebody else now.",
  externalId: "Reference of the shop",
  credentials: "It gets new credentials: apps must fetch its link again.",
  restored: (name: string) => `${name} is back`,
  restoredMany: (done: number, total: number) => `${done} of ${total} are back`,
  restoreManyTitle: (n: number) => count(n, "Bring 1 user back?", `Bring ${n} users back?`),
  restoreManyText: "Those whose name or link somebody else has by now stay here and stay selected.",
  refused: (n: number, reason: string) => `${count(n, "1 stays", `${n} stay`)}: ${reason}`,
  forget: "Delete for good",
  forgetTitle: (name: string) => `Delete ${name} for good?`,
  forgetText: "Nothing can bring it back then.",
  forgotten: (name: string) => `${name} is deleted for good`,
  back: "Users",
};

export const titles = {
  deletedUsers: "Deleted users",
};

export const settingLabels = {
  deleted_retention_days: "Days that deleted users are kept",
};

export const actions = {
  restore: "brought back",
  forget: "forgotten for good",
};
