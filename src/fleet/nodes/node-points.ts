// Where the fields of a node lead, and which of them say who is sent the accounts' credentials (rules admins.scope.6,
// admins.point.2).
import { nowhere, traffic, whole, type Pointing, type Points } from "../../http/index.ts";
import type { NodeRow } from "../records/node.entity.ts";
import type { NodeWrite } from "./node.schema.ts";

/** Says which machine is sent credentials, and whose: any change counts, and needs a fresh second factor. */
const recipient: Pointing = (value) => whole(value);

/** The addresses that clients are given; their labels are words. */
const clientAddresses: Pointing<string> = (list) =>
  list
    .split(",")
    .map((entry) => entry.slice(entry.lastIndexOf("|") + 1).trim())
    .filter((address) => address !== "");

export const NODE_POINTS: Points<NodeWrite> = {
  name: nowhere,
  address: recipient,
  port: recipient,
  remark: nowhere,
  linkAddress: clientAddresses,
  isLocal: recipient,
  routing: traffic,
  templateId: recipient,
  multiplier: nowhere,
  enabled: nowhere,
  limitBytes: nowhere,
  limitPeriod: nowhere,
  limitStartDay: nowhere,
  limitStartMonth: nowhere,
  fallbackCertMode: nowhere,
  fallbackCertId: nowhere,
  // Nothing installs over SSH yet.
  sshHost: nowhere,
  sshPort: nowhere,
  sshUser: nowhere,
  sshKeyId: nowhere,
};

/** Fields that say who is sent the accounts' credentials, and whose. */
export const RECIPIENT_FIELDS = (Object.keys(NODE_POINTS) as (keyof NodeWrite & keyof NodeRow)[]).filter(
  (field) => NODE_POINTS[field] === recipient,
);
