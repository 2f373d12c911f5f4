// What happens to nodes: the events of this room, as data (docs/events.md).
import { defineEvents, type EventFields } from "../feature/index.ts";

const node: EventFields = { nodeId: "integer", name: "string" };
const host: EventFields = {
  ...node,
  resource: "string",
  usedPercent: "integer",
  threshold: "integer",
  used: "integer",
  total: "integer",
};
const link: EventFields = {
  ...node,
  status: "string",
  message: "string",
  warnings: "string[]",
  notices: "NodeNotice[]",
};

export const fleetEvents = defineEvents("node", "nodes:read", {
  connected: ["a node started answering; warnings lists what it is not running, notices the same as codes", link],
  disconnected: [
    "a node stopped answering; message is the error, cause the same as a code with values",
    { ...link, cause: "NodeCause" },
  ],
  limit_reached: [
    "the periodic traffic limit was reached and the node switched off",
    { ...node, used: "integer", limit: "integer", period: "string" },
  ],
  usage_refused: [
    "usage that a node told of was not counted; once an hour per node, with all since; code is the one with most bytes",
    { ...node, code: "string", users: "integer", bytes: "integer" },
  ],
  disk_high: ["the root filesystem crossed the disk threshold; once per crossing", host],
  disk_recovered: ["the root filesystem fell back under the threshold by at least five points", host],
  memory_high: ["memory crossed the threshold; once per crossing", host],
  memory_recovered: ["memory fell back under the threshold by at least five points", host],
  rejections_high: [
    "a block outbound refused more connections inside an hour than the threshold; once per crossing",
    { ...node, outbound: "string", count: "integer", threshold: "integer", window: "string" },
  ],
});
