// What is kept of a deleted account: its row, its counters and its devices, as they were.
import type { KeptAccount } from "../records/deleted-user.entity.ts";
import type { UserRow, UserUsageRow } from "../records/user.entity.ts";

/**
 * What a column holds in accounts that were deleted before it was there: the default of the migration that added it.
 */
const ABSENT_ROW: Omit<UserRow, "id"> = {
  rev: 0,
  mstate: "disabled.manual",
  mctx: {},
  mver: 1,
  msince: 0,
  mlast: null,
  dueAt: null,
  faultAt: null,
  faultCount: 0,
  faultMessage: "",
  faultCause: null,
  name: "",
  enable: false,
  disabledReason: "manual",
  config: { uuid: "", password: "", ss16: "", ss32: "" },
  description: "",
  contact: null,
  contactText: "",
  subToken: "",
  subId: "",
  externalId: null,
  remark: "",
  volume: 0,
  speedLimit: 0,
  ipLimit: 0,
  deviceLimit: 0,
  expiry: 0,
  duration: 0,
  term: 0,
  activatedAt: 0,
  armedTotal: 0,
  subFetchedAt: 0,
  subSeenAt: 0,
  subClient: "",
  subFetchIp: "",
  autoReset: false,
  resetDays: 0,
  resetPeriod: "",
  resetStartDay: 0,
  resetStartMonth: 0,
  resetCalendar: "",
  nextReset: 0,
  groupLabel: "",
  adminId: 0,
  allTemplates: false,
  templateIds: [],
  inboundIds: null,
  createdAt: 0,
  updatedAt: 0,
};

const ABSENT_USAGE: Omit<UserUsageRow, "id"> = {
  adminId: 0,
  up: 0,
  down: 0,
  totalUp: 0,
  totalDown: 0,
  upRest: 0,
  downRest: 0,
  onlineAt: 0,
  lastInboundId: 0,
  wakeAt: null,
  movedAt: 0,
  setAt: 0,
};

/** The rows of a kept account with the columns that this panel has. */
export function rowsOf(id: number, { row, usage }: KeptAccount): { row: UserRow; usage: UserUsageRow } {
  return { row: { ...laidOver(ABSENT_ROW, row), id }, usage: { ...laidOver(ABSENT_USAGE, usage), id } };
}

function laidOver<T extends object>(absent: T, kept: Partial<T>): T {
  const known = Object.entries(kept).filter(([column, value]) => column in absent && value !== undefined);
  return { ...absent, ...Object.fromEntries(known) };
}
