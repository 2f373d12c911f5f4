// What changes nodes: each is one commit of the record, its actor's step and the events they raise.
import { CertificateRows } from "../../certificates/index.ts";
import { lock, type Committer, type Draft } from "../../db/index.ts";
import { invalid, notFound, partsOf, pointsAnew, refuse, rule, ruleSaying } from "../../http/index.ts";
import { systemOrigin, type Origin } from "../../lib/origin.ts";
import { present } from "../../lib/present.ts";
import { type PrivateTargets, refuseFragment, withForbidden } from "../../pool/index.ts";
import type { Supervisor } from "../../runtime/index.ts";
import type { NodeActor } from "./node.actor.ts";
import { releaseAgent } from "../link/agent-holders.ts";
import { agentAddress, enterAddress, refuseSharedAddress, refuseTakenAddress } from "./node-addresses.ts";
import {
  freshCounters,
  NodeLiveRows,
  NodeProgressRows,
  NodeRows,
  NodeUsageRows,
  UsageCursorRows,
  UsageLedgerRows,
  UsageRefusalRows,
  type NodeRow,
  type NodeUsageRow,
} from "../records/node.entity.ts";
import type { ShownCause } from "../records/cause.schema.ts";
import { NODE_POINTS, RECIPIENT_FIELDS } from "./node-points.ts";
import { microsOf, type NodeWrite } from "./node.schema.ts";
import { nodeCause } from "../records/node-trouble.ts";

export interface NodeCommandDeps {
  readonly supervisor: Supervisor;
  readonly actor: NodeActor;
  /** Holds a template that a node is given; false when there is none. */
  readonly claimTemplate: (draft: Draft, id: number) => boolean;
  readonly privateTargets: PrivateTargets;
}

export interface NodeWithUsage {
  readonly row: Readonly<NodeRow>;
  readonly usage: Readonly<NodeUsageRow>;
}

/** A node with its counters, locked; 404 when there is none. */
export function findNode(draft: Draft, id: number): NodeWithUsage {
  const row = draft.find(NodeRows, id);
  const usage = draft.find(NodeUsageRows, id);
  if (!row || !usage) return notFound("node", id);
  return { row, usage };
}

/** Inserts a node; if it is enabled, its chart starts to connect immediately. It needs no lock: the id is new. */
export function createNode(
  draft: Draft,
  { supervisor, actor, claimTemplate, privateTargets }: NodeCommandDeps,
  body: NodeWrite & { name: string; address: string; port: number },
  origin: Origin,
): NodeWithUsage {
  checkTemplate(draft, claimTemplate, body.templateId);
  checkReferences(draft, body);
  checkRouting(body, privateTargets);
  const { multiplier, name, address, port, ...rest } = { ...body, ...noneForZero(body) };
  const columns = {
    name,
    address,
    port,
    id: draft.nextId("nodes"),
    remark: "",
    linkAddress: "",
    isLocal: false,
    routing: null,
    templateId: null,
    multiplierMicros: microsOf(multiplier ?? 1),
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
    createdAt: draft.time,
    updatedAt: draft.time,
    ...present(rest),
  };
  checkPeriod(columns);
  refuseTakenAddress(draft, columns, columns.id);
  enterAddress(draft, undefined, columns);
  draft.insert(NodeUsageRows, freshCounters(columns.id, draft.now));
  supervisor.create(draft, actor, columns, origin);
  return findNode(draft, columns.id);
}

/**
 * Whether the body changes who is sent credentials, or whose. Taking the template away sends nothing to anybody, but
 * counts too: the rule is the field.
 */
export function changesRecipient(row: Readonly<NodeRow>, body: NodeWrite): boolean {
  const wanted = { ...body, ...noneForZero(body) };
  return RECIPIENT_FIELDS.some((field) => wanted[field] !== undefined && wanted[field] !== row[field]);
}

/** Whether the body gives clients an address that the node did not give them. */
export function givesOtherAddress({ linkAddress }: Readonly<NodeRow>, body: NodeWrite): boolean {
  return pointsAnew(partsOf(NODE_POINTS, { linkAddress }), partsOf(NODE_POINTS, { linkAddress: body.linkAddress }));
}

/** Writes the fields that differ. Address and port of a node that is switched on move only by `move` (409). */
export function updateNode(
  draft: Draft,
  deps: NodeCommandDeps,
  id: number,
  body: NodeWrite,
  origin: Origin,
): { before: NodeWithUsage; after: NodeWithUsage } {
  const before = findNode(draft, id);
  checkTemplate(draft, deps.claimTemplate, body.templateId);
  checkReferences(draft, body);
  checkRouting(body, deps.privateTargets);
  const { multiplier, enabled, ...rest } = { ...body, ...noneForZero(body) };
  const wanted: Partial<NodeRow> = {
    ...present(rest),
    ...(multiplier === undefined ? {} : { multiplierMicros: microsOf(multiplier) }),
  };
  const patch = differing(before.row, wanted);
  if (before.row.enabled && (patch.address !== undefined || patch.port !== undefined)) {
    refuse("conflict", {
      code: "node_on",
      message: "the address of a node that is switched on changes only by POST /nodes/{id}/move",
      field: patch.address === undefined ? "port" : "address",
    });
  }
  // What answered at another address says nothing of this one.
  if (patch.address !== undefined || patch.port !== undefined) patch.infoSeenAt = 0;
  const readdressed = { ...before.row, ...patch };
  checkPeriod(readdressed);
  if (agentAddress(readdressed) !== agentAddress(before.row)) refuseTakenAddress(draft, readdressed, id);
  if (Object.keys(patch).length > 0) writeNode(draft, before.row, patch);
  if (enabled !== undefined && enabled !== before.row.enabled) switchNode(draft, deps, id, enabled, origin);
  else if (Object.keys(patch).length > 0) deps.supervisor.step(draft, deps.actor, id, { type: "edited" }, origin);
  return { before, after: findNode(draft, id) };
}

/** Switches a node on or off by hand. */
export function switchNode(
  draft: Draft,
  { supervisor, actor }: Pick<NodeCommandDeps, "supervisor" | "actor">,
  id: number,
  enabled: boolean,
  origin: Origin,
): void {
  const { row } = findNode(draft, id);
  if (row.enabled === enabled) return;
  if (enabled) refuseSharedAddress(draft, row, id);
  enterAddress(draft, row, { ...row, enabled });
  if (!enabled) releaseAgent(draft, id);
  writeNode(draft, row, { enabled });
  supervisor.step(draft, actor, id, { type: enabled ? "switchOn" : "switchOff" }, origin);
}

/** Switches a node off for the panel itself, in a commit of its own; nothing happens to one that is off, or gone. */
export function switchOffNode(
  commits: Pick<Committer, "submit">,
  deps: Pick<NodeCommandDeps, "supervisor" | "actor">,
  id: number,
): Promise<void> {
  return commits.submit({
    name: "node.foreign",
    locks: nodeLock(id),
    decide(draft) {
      if (draft.find(NodeRows, id)) switchNode(draft, deps, id, false, systemOrigin("restore"));
    },
  });
}

/** Re-points a node: pin, SSH host key and facts of the old machine go together. */
export function moveNode(
  draft: Draft,
  { supervisor, actor }: NodeCommandDeps,
  id: number,
  to: Partial<NodeRow>,
  origin: Origin,
): void {
  const { row } = findNode(draft, id);
  const moved = { ...row, ...to };
  // Setting the value that it already has is allowed.
  if (agentAddress(moved) !== agentAddress(row)) refuseTakenAddress(draft, moved, id);
  enterAddress(draft, row, moved);
  releaseAgent(draft, id);
  writeNode(draft, row, {
    ...to,
    fingerprint: "",
    coreVersion: "",
    nodeVersion: "",
    arch: "",
    setup: "",
    engine: "",
    infoSeenAt: 0,
    sshKeyInstalled: false,
  });
  supervisor.step(draft, actor, id, { type: "moved" }, origin);
}

/** Pins the key that answers now. */
export function repinNode(
  draft: Draft,
  { supervisor, actor }: NodeCommandDeps,
  id: number,
  fingerprint: string,
  origin: Origin,
): void {
  const { row } = findNode(draft, id);
  if (fingerprint !== row.fingerprint) releaseAgent(draft, id);
  writeNode(draft, row, { fingerprint });
  supervisor.step(draft, actor, id, { type: "repinned" }, origin);
}

/** Deletes a node with its counters, ledger cursors, refusals and last words. */
export function deleteNode(draft: Draft, { supervisor, actor }: NodeCommandDeps, id: number, origin: Origin): NodeRow {
  const { row } = findNode(draft, id);
  supervisor.remove(draft, actor, id, origin);
  enterAddress(draft, row, undefined);
  releaseAgent(draft, id);
  draft.delete(NodeUsageRows, id);
  draft.purge(UsageCursorRows, { nodeId: id });
  draft.purge(UsageRefusalRows, { nodeId: id });
  draft.purge(UsageLedgerRows, { nodeId: id });
  draft.purge(NodeLiveRows, { id });
  draft.purge(NodeProgressRows, { id });
  return row;
}

/** Refuses a node that is off, with the cause: `sync` and `reconnect` need one that should run. */
export function requireRunning(node: Readonly<NodeRow>): void {
  if (!node.enabled) refuseOff({ code: "off", values: [], detail: "switched off" }, "the node is switched off");
  const cause = nodeCause(node);
  if (!node.mstate.startsWith("disabled.") || !cause) return;
  const { limitBytes, message } = node;
  if (node.mstate === "disabled.limit")
    refuseOff(cause, `the node is off: its usage limit of ${limitBytes} bytes is reached (limitBytes)`);
  refuseOff(cause, `the node is off: ${message}`);
}

function refuseOff(cause: ShownCause, message: string): never {
  return refuse("conflict", { code: "node_off", message, extra: { cause } });
}

function writeNode(draft: Draft, row: Readonly<NodeRow>, patch: Partial<NodeRow>): void {
  draft.touch(NodeRows, row.id, patch);
}

function differing(row: Readonly<NodeRow>, wanted: Partial<NodeRow>): Partial<NodeRow> {
  const entries = Object.entries(wanted).filter(
    ([field, value]) => JSON.stringify(row[field as keyof NodeRow]) !== JSON.stringify(value),
  );
  return Object.fromEntries(entries);
}

/** A reference of 0 names nothing, as elsewhere on the wire. */
function noneForZero({
  templateId,
  fallbackCertId,
  sshKeyId,
}: NodeWrite): Partial<Pick<NodeRow, "templateId" | "fallbackCertId" | "sshKeyId">> {
  return {
    ...(templateId === 0 ? { templateId: null } : {}),
    ...(fallbackCertId === 0 ? { fallbackCertId: null } : {}),
    ...(sshKeyId === 0 ? { sshKeyId: null } : {}),
  };
}

/** A node names only what there is (rule nodes.record.2); the panel keeps no SSH keys, so there is none to name. */
function checkReferences(draft: Draft, { fallbackCertId, sshKeyId }: NodeWrite): void {
  if (fallbackCertId && !draft.find(CertificateRows, fallbackCertId, "read"))
    invalid("fallbackCertId", rule("absent", "certificate", fallbackCertId));
  if (sshKeyId) invalid("sshKeyId", rule("absent", "SSH key", sshKeyId));
}

function checkRouting({ routing }: NodeWrite, privateTargets: PrivateTargets): void {
  if (!routing) return;
  const fragment = { collection: "route", type: "", value: routing } as const;
  refuseFragment("routing", fragment, withForbidden("route", "", routing, []), privateTargets);
}

function checkTemplate(
  draft: Draft,
  claim: NodeCommandDeps["claimTemplate"],
  templateId: number | null | undefined,
): void {
  if (templateId && !claim(draft, templateId)) invalid("templateId", rule("no_template"));
}

/**
 * A period's days must fit it: weekly 0-6, monthly and yearly 1-31; yearly also 1-12 for the month (rule
 * nodes.record.6).
 */
function checkPeriod({
  limitPeriod,
  limitStartDay,
  limitStartMonth,
}: Pick<NodeRow, "limitPeriod" | "limitStartDay" | "limitStartMonth">): void {
  if (limitPeriod === "weekly" && limitStartDay > 6)
    invalid("limitStartDay", ruleSaying("must be 0 to 6 for a weekly period", "between", 0, 6));
  if ((limitPeriod === "monthly" || limitPeriod === "yearly") && limitStartDay < 1)
    invalid("limitStartDay", ruleSaying("must be 1 to 31", "between", 1, 31));
  if (limitPeriod === "yearly" && limitStartMonth < 1)
    invalid("limitStartMonth", ruleSaying("must be 1 to 12", "between", 1, 12));
}

export const nodeLock = (id: number) => [lock(NodeRows, id), lock(NodeUsageRows, id)];
