// Words of the pages of plans, in English.
import { plural } from "../../words/plural.ts";

export const page = {
  title: "Plans",
  add: "New plan",
  create: "Create plan",
  count: (n: number, shown: string) => plural("en", n, { one: "1 plan", other: `${shown} plans` }),
  search: "Name, note or group",
  noneTitle: "No plans yet",
  noneText: "A plan holds what you sell: volume, days, limits and servers. Users are created and renewed by it.",
  noneGranted: "No plan was granted to you.",
  missing: "There is no such plan",
  untouched: "Users that were created by it stay as they are.",
  groups: { plan: "Plan", account: "New users" },
  fields: {
    name: "Name",
    desc: "Note",
    days: "Days",
    onFirstUse: "Starts on first use",
    onFirstUseHelp: "The clock starts with the first traffic.",
    group: "Group",
    groupHelp: "Written onto each user.",
    namePrefix: "Before the name",
    nameSuffix: "After the name",
  },
  dayCount: (n: number, shown: string) => plural("en", n, { one: "1 day", other: `${shown} days` }),
  fromFirstUse: (n: number, shown: string) =>
    plural("en", n, { one: "1 day from first use", other: `${shown} days from first use` }),
  allTemplates: "all",
  newUser: "New user",
  copy: "Copy",
  copyOf: (name: string) => `${name} 2`,
  order: "Change order",
  saveOrder: "Save order",
  ordered: "The order is saved",
  moveUp: (name: string) => `Move ${name} up`,
  moveDown: (name: string) => `Move ${name} down`,
  made: (name: string) => `The plan ${name} is created`,
  saved: (name: string) => `The plan ${name} is saved`,
  remove: "Delete",
  removeTitle: (name: string) => `Delete ${name}?`,
  removeText: "Users that were created by it stay as they are.",
  removed: (name: string) => `The plan ${name} is deleted`,
};

export const titles = {
  plans: "Plans",
  newPlan: "New plan",
};

export const subjects = {
  plans: "Plan",
};

export const refusals = {
  plan_needed: "Choose a plan: this account sells plans only.",
};
