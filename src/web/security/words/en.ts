// Words of the page about who may sign in, in English.
import { plural } from "../../words/plural.ts";

export const page = {
  title: "Security",
  text: "Who may not sign in, and for how long.",
  bans: "Banned addresses",
  none: "Nobody is banned",
  noneText: "Five refused sign-ins within ten minutes ban an address for fifteen.",
  reasons: { "refused sign-ins": "Wrong passwords or codes", "wrong setup token": "Wrong setup token" },
  attempts: (n: number, text: string) => plural("en", n, { one: `${text} attempt`, other: `${text} attempts` }),
  left: "Ends in",
  lift: "Lift",
  liftOf: (ip: string) => `Lift the ban of ${ip}`,
  liftTitle: (ip: string) => `Lift the ban of ${ip}?`,
  liftText: "The address may try to sign in again at once.",
  lifted: (ip: string) => `${ip} may sign in again`,
};

export const titles = {
  security: "Security",
};

export const settingLabels = {
  trusted_proxies: "Trusted proxies",
  login_allowlist: "Addresses that may sign in",
};

export const raised = {
  "panel.ip_banned": "an address was banned",
};

export const subjects = {
  bans: "Ban",
};
