// A node that is on and was not dialled yet, as the chart sees it.
import type { NodeContext } from "../../machines/node-context.ts";

export const idle: NodeContext = {
  now: 1000,
  enabled: true,
  licensed: true,
  limited: false,
  periodUsed: 0,
  message: "",
  cause: null,
  warnings: [],
  notices: [],
  fingerprint: "",
  attempt: 0,
  retryIn: 0,
  troubleSince: 0,
  failures: 0,
  failed: "",
  holder: 0,
  users: 0,
  coreVersion: "",
  nodeVersion: "",
  arch: "",
  setup: "",
  engine: "",
  infoSeenAt: 0,
  unreached: false,
};
