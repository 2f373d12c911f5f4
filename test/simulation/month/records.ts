// Accounts and nodes as rows, with everything that does not matter for a month left empty.
import type { UserRow, UserUsageRow } from "../../../src/accounts/index.ts";
import type { NodeRow } from "../../../src/fleet/index.ts";
import type { MACHINE_COLUMNS } from "../../../src/runtime/definition.ts";

type Machine = (typeof MACHINE_COLUMNS)[number];

export function userRow(id: number, now: number, plan: Partial<UserRow>): Omit<UserRow, Machine> {
  return {
    id,
    name: `user-${id}`,
    enable: true,
    disabledReason: "",
    config: { uuid: "", password: "", ss16: "", ss32: "" },
    description: "",
    contact: null,
    contactText: "",
    subToken: `token-${id}`,
    subId: `sub-${id}`,
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
    resetCalendar: "gregorian",
    nextReset: 0,
    groupLabel: "",
    adminId: 0,
    allTemplates: true,
    templateIds: [],
    createdAt: now,
    updatedAt: now,
    ...plan,
  };
}

export function usageRow(id: number): UserUsageRow {
  return {
    id,
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
}

export function nodeRow(id: number, now: number, limit: Partial<NodeRow>): Omit<NodeRow, Machine> {
  return {
    id,
    name: `node-${id}`,
    address: "192.0.2.1",
    port: 443,
    remark: "",
    linkAddress: "",
    isLocal: false,
    routing: null,
    templateId: null,
    multiplierMicros: 0,
    enabled: true,
    limitBytes: 0,
    limitPeriod: "",
    limitStartDay: 0,
    limitStartMonth: 0,
    fallbackCertMode: "",
    fallbackCertId: null,
    sshHost: "",
    sshPort: 0,
    sshUser: "",
    sshKeyId: null,
    sshKeyInstalled: false,
    limitDisabled: false,
    message: "",
    warnings: [],
    fingerprint: "",
    coreVersion: "",
    nodeVersion: "",
    arch: "",
    setup: "",
    engine: "",
    infoSeenAt: 0,
    troubleSince: 0,
    createdAt: now,
    updatedAt: now,
    ...limit,
  };
}
