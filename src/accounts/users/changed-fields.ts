// Which fields of an account a change wrote, by their names on the wire: what `changed` of its events says (rules
// users.event). Counters and what use leaves behind (`onlineAt`, `subSeenAt` …) are not among them.
import { isDeepStrictEqual } from "node:util";
import type { ActorRow } from "../../runtime/index.ts";
import type { UserRow } from "../records/user.entity.ts";

/** Columns with the field that shows them; empty: none of their own. */
const FIELDS = {
  name: "name",
  enable: "enable",
  disabledReason: "disabledReason",
  config: "config",
  description: "desc",
  contact: "contact",
  contactText: "",
  subToken: "subToken",
  subId: "subId",
  externalId: "externalId",
  remark: "remark",
  volume: "volume",
  speedLimit: "speedLimit",
  ipLimit: "ipLimit",
  deviceLimit: "deviceLimit",
  expiry: "expiry",
  duration: "duration",
  term: "term",
  activatedAt: "activatedAt",
  armedTotal: "",
  subFetchedAt: "",
  subSeenAt: "",
  subClient: "",
  subFetchIp: "",
  autoReset: "autoReset",
  resetDays: "resetDays",
  resetPeriod: "resetPeriod",
  resetStartDay: "resetStartDay",
  resetStartMonth: "resetStartMonth",
  resetCalendar: "resetCalendar",
  nextReset: "nextReset",
  groupLabel: "group",
  adminId: "adminId",
  allTemplates: "allTemplates",
  templateIds: "templateIds",
  inboundIds: "inboundIds",
} as const satisfies Readonly<Record<Exclude<keyof UserRow, Unsaid>, string>>;

/** The key, what the runtime keeps, and what moves with every write. */
type Unsaid = "id" | keyof ActorRow | "createdAt" | "updatedAt";

const NAMED = Object.entries(FIELDS).flatMap(([column, field]) =>
  field === "" ? [] : [{ column: column as keyof typeof FIELDS, field }],
);

type Fields = Readonly<Pick<UserRow, keyof typeof FIELDS>>;

/** `before` undefined: a new account, of which those are named that hold something. */
export function changedFields(before: Fields | undefined, after: Fields): string[] {
  return NAMED.filter(({ column }) =>
    before ? !isDeepStrictEqual(before[column], after[column]) : holds(after[column]),
  ).map(({ field }) => field);
}

function holds(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
