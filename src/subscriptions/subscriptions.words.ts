// What the description of the API says of subscriptions.
import type { Words } from "../http/index.ts";

export const subscriptionsWords: Words = {
  formats: "Each format with its own address.",
  format: "The name of the format.",
  UserAppConfig: "A configuration for a program that speaks one protocol only.",
  "UserAppConfig.protocol": "The protocol, and so the program.",
  "UserAppConfig.name": "The name of the server in subscriptions.",
  "UserAppConfig.config": "The program's configuration file.",
  UserVerdict: "What stands between an account and a connection.",
  "UserVerdict.ok": "Whether no check failed.",
  "UserVerdict.headline": "What failed, in a sentence.",
  "UserVerdict.checks": "What was looked at, in order.",
  VerdictCheck: "One thing that was looked at.",
  "VerdictCheck.check": "What was looked at.",
  "VerdictCheck.state": "What was found; `unknown`: the panel does not see it, or it has not happened yet.",
  "VerdictCheck.text": "The same in a sentence; empty where nothing is wrong.",
  "VerdictCheck.code": "The same for programs.",
  "VerdictCheck.values": "The figures of the sentence, in its order.",
  "VerdictCheck.since": "Unix seconds since when; 0: not known.",
  "VerdictCheck.action": "The request that would mend it; null: there is no single one.",
  VerdictAction: "A request below the API's prefix.",
  "VerdictAction.method": "Its method.",
  "VerdictAction.path": "Its path, without the prefix.",
  "formats.url": "The address of the subscription in this format.",
};
