// Routes of nodes (rules nodes.record, nodes.switch). Statistics, health and installation have files of their own.
import { z } from "zod";
import type { Reader } from "../db/index.ts";
import {
  type AuditAction,
  count,
  idParams,
  integer,
  listRoute,
  notFound,
  okAnswer,
  queryBoolean,
  route,
  type Route,
} from "../http/index.ts";
import { present } from "../lib/present.ts";
import { readFingerprint } from "./dial.ts";
import type { Fleet } from "./fleet.ts";
import type { LinkIdentity } from "./identity.ts";
import {
  changesRecipient,
  createNode,
  deleteNode,
  findNode,
  moveNode,
  nodeLock,
  RECIPIENT_FIELDS,
  repinNode,
  requireRunning,
  switchNode,
  updateNode,
  type NodeCommandDeps,
  type NodeWithUsage,
} from "./node.commands.ts";
import { enteringAddress } from "./node-addresses.ts";
import { NodeRows, NodeUsageRows, type NodeRow } from "./node.entity.ts";
import { forbiddenOf, NO_USAGE, nodePage } from "./node.queries.ts";
import { RefusalCode, UsageRefusal } from "./refusal.schema.ts";
import { reached } from "./reached.ts";
import { refusalPage } from "./usage-refusals.ts";
import { NodeCreate, NodeMove, NodeView, nodeView, NodeWrite } from "./node.schema.ts";
import { ShownNotice } from "./notice.schema.ts";

export interface NodeRouteDeps extends NodeCommandDeps {
  readonly reads: Reader;
  readonly fleet: Fleet;
  readonly identity: LinkIdentity;
}

/** How long a route waits for an agent. */
const SYNC_MS = 30_000;
const STOP_MS = 5000;

/**
 * A node is sent the credentials of every account of its template. A caller who chooses the node's address or template
 * can read them there, so this needs the right to read accounts.
 */
const SENDS_ACCOUNTS = { also: ["users:read"], sensitive: true } as const;

const SyncAnswer = z
  .object({ revision: integer, applied: z.boolean(), warnings: z.array(z.string()), notices: z.array(ShownNotice) })
  .meta({ id: "NodeSync" });

export function nodeRoutes(deps: NodeRouteDeps): Route[] {
  const { reads, fleet, supervisor, actor, identity, privateTargets } = deps;
  const view = viewer(deps);
  const found = async (id: number) => (await reads.find(NodeRows, id)) ?? notFound("node", id);
  const audit = (action: AuditAction) => ({ key: "nodes", action });
  const common = { scope: "nodes:write", params: idParams, answer: NodeView } as const;

  return [
    listRoute({
      path: "/nodes",
      scope: "nodes:read",
      summary: "Nodes",
      item: NodeView,
      list: {
        q: ["name", "address", "remark", "link_address"],
        updatedAt: "updated_at",
        order: "id",
        sorts: {
          id: "id",
          name: "name",
          created_at: "created_at",
          updated_at: "updated_at",
          trouble_since: "trouble_since",
        },
      },
      description:
        "`troubled=true`: those that should serve and do not, also while they are tried again; sorted by `trouble_since` those longest without service come first.",
      query: z.object({
        status: z.enum(["connecting", "connected", "error", "disabled"]).optional(),
        troubled: queryBoolean.optional(),
      }),
      handle: ({ list, query }) => nodePage(reads, fleet.live, list, query, privateTargets),
    }),
    route({
      method: "GET",
      path: "/nodes/install/trust",
      scope: "nodes:install",
      summary: "What an agent must trust as the panel",
      answer: z.object({ certificate: z.string(), fingerprint: z.string() }).meta({ id: "PanelTrust" }),
      handle: () => ({ certificate: identity.certificate, fingerprint: identity.fingerprint }),
    }),
    route({
      ...SENDS_ACCOUNTS,
      method: "POST",
      path: "/nodes",
      scope: "nodes:write",
      summary: "Add a node",
      body: NodeCreate,
      answer: NodeView,
      audit: audit("create"),
      statuses: [400],
      codes: ["forbidden_key"],
      handle: ({ body, commit, origin }) =>
        enteringAddress(() =>
          commit({
            locks: [],
            decide(draft) {
              const node = createNode(draft, deps, body, origin);
              const answer = nodeView(node.row, node.usage, undefined, forbiddenOf(node.row, privateTargets));
              return { answer, audit: { entityId: node.row.id, after: auditOf(node.row) } };
            },
          }),
        ),
    }),
    route({
      method: "GET",
      path: "/nodes/{id}",
      scope: "nodes:read",
      summary: "One node",
      params: idParams,
      answer: NodeView,
      statuses: [404],
      handle: async ({ params }) => {
        const row = await found(params.id);
        const [usage, shown] = await Promise.all([reads.find(NodeUsageRows, row.id), view(row.id)]);
        return shown({ row, usage: usage ?? NO_USAGE });
      },
    }),
    route({
      ...common,
      method: "PUT",
      path: "/nodes/{id}",
      summary: "Change a node",
      body: NodeWrite,
      extra: { ...SENDS_ACCOUNTS, when: `to change ${RECIPIENT_FIELDS.map((field) => `\`${field}\``).join(", ")}` },
      audit: audit("update"),
      statuses: [400, 402, 404],
      codes: ["forbidden_key", "node_on", "agent_taken"],
      handle: async ({ params, body, commit, origin, requireExtra }) => {
        const shown = await view(params.id);
        return enteringAddress(() =>
          commit({
            locks: nodeLock(params.id),
            decide(draft) {
              if (changesRecipient(findNode(draft, params.id).row, body)) requireExtra();
              const { before, after } = updateNode(draft, deps, params.id, body, origin);
              return {
                answer: shown(after),
                audit: { entityId: params.id, before: auditOf(before.row), after: auditOf(after.row) },
              };
            },
          }),
        );
      },
    }),
    route({
      method: "DELETE",
      path: "/nodes/{id}",
      scope: "nodes:write",
      summary: "Delete a node and stop its engine",
      params: idParams,
      answer: okAnswer.extend({ stopped: z.boolean() }),
      audit: audit("delete"),
      statuses: [404],
      handle: async ({ params, commit, origin }) => {
        await found(params.id);
        const stopped = await fleet.errands.standDown(params.id, STOP_MS);
        return commit({
          locks: nodeLock(params.id),
          decide(draft) {
            const row = deleteNode(draft, deps, params.id, origin);
            return { answer: { ok: true as const, stopped }, audit: { entityId: params.id, before: auditOf(row) } };
          },
        });
      },
    }),
    route({
      method: "POST",
      path: "/nodes/{id}/sync",
      scope: "nodes:write",
      summary: "Compare and push now",
      params: idParams,
      answer: SyncAnswer,
      audit: audit("sync"),
      statuses: [404, 502],
      codes: ["node_off"],
      handle: async ({ params, commit }) => {
        const node = await found(params.id);
        requireRunning(node);
        const result = await reached(fleet.errands.sync(params.id, SYNC_MS), node);
        return commit({
          locks: [],
          decide: () => ({
            answer: {
              revision: result.revision,
              applied: true,
              warnings: result.notices.map(({ detail }) => detail),
              notices: [...result.notices],
            },
            audit: { entityId: params.id },
          }),
        });
      },
    }),
    route({
      ...common,
      method: "POST",
      path: "/nodes/{id}/reconnect",
      summary: "Give up the connection for a new one",
      audit: audit("reconnect"),
      statuses: [404],
      codes: ["node_off"],
      handle: async ({ params, commit, origin }) => {
        const shown = await view(params.id);
        return commit({
          locks: nodeLock(params.id),
          decide(draft) {
            requireRunning(findNode(draft, params.id).row);
            supervisor.step(draft, actor, params.id, { type: "reconnect" }, origin);
            return { answer: shown(findNode(draft, params.id)), audit: { entityId: params.id } };
          },
        });
      },
    }),
    route({
      ...common,
      ...SENDS_ACCOUNTS,
      method: "POST",
      path: "/nodes/{id}/repin",
      summary: "Trust the key that answers now",
      answer: NodeView.extend({ fingerprint: z.string() }).meta({ id: "NodeRepinned" }),
      audit: audit("repin"),
      statuses: [404, 502],
      handle: async ({ params, commit, origin }) => {
        const node = await found(params.id);
        const [shown, fingerprint] = await Promise.all([view(params.id), reached(readFingerprint(node))]);
        return commit({
          locks: nodeLock(params.id),
          decide(draft) {
            repinNode(draft, deps, params.id, fingerprint, origin);
            return { answer: { ...shown(findNode(draft, params.id)), fingerprint }, audit: { entityId: params.id } };
          },
        });
      },
    }),
    route({
      ...common,
      method: "POST",
      path: "/nodes/{id}/enabled",
      summary: "Switch a node on or off",
      body: z.object({ enabled: z.boolean() }),
      audit: audit("update"),
      statuses: [400, 402, 404],
      codes: ["agent_taken"],
      handle: async ({ params, body, commit, origin }) => {
        const shown = await view(params.id);
        return enteringAddress(() =>
          commit({
            locks: nodeLock(params.id),
            decide(draft) {
              const before = findNode(draft, params.id);
              switchNode(draft, deps, params.id, body.enabled, origin);
              const after = findNode(draft, params.id);
              return {
                answer: shown(after),
                audit: {
                  entityId: params.id,
                  before: auditOf(before.row),
                  after: auditOf(after.row),
                  action: body.enabled ? "enable" : "disable",
                },
              };
            },
          }),
        );
      },
    }),
    ...partialRoutes(deps),
    listRoute({
      path: "/nodes/{id}/usage-refusals",
      scope: "nodes:read",
      summary: "Usage of a node that was not counted, newest first",
      params: idParams,
      query: z.object({ code: RefusalCode.optional() }),
      item: UsageRefusal,
      list: { q: ["code"], order: "id desc" },
      admit: async (_caller, { id }) => void (await found(id)),
      handle: ({ params, query, list }) => refusalPage(reads, params.id, list, query.code),
    }),
    route({
      ...common,
      ...SENDS_ACCOUNTS,
      method: "POST",
      path: "/nodes/{id}/move",
      summary: "Re-point a node at another machine",
      body: NodeMove,
      audit: audit("move"),
      statuses: [400, 404],
      handle: async ({ params, body, commit, origin }) => {
        const shown = await view(params.id);
        return enteringAddress(() =>
          commit({
            locks: nodeLock(params.id),
            decide(draft) {
              const before = findNode(draft, params.id);
              moveNode(draft, deps, params.id, present(body), origin);
              const after = findNode(draft, params.id);
              return {
                answer: shown(after),
                audit: { entityId: params.id, before: auditOf(before.row), after: auditOf(after.row) },
              };
            },
          }),
        );
      },
    }),
  ];
}

/**
 * How a node is shown in the answer of a command: what it said last is read before the command, whose decision awaits
 * nothing.
 */
function viewer({ fleet, privateTargets }: NodeRouteDeps) {
  return async (id: number): Promise<(node: NodeWithUsage) => z.input<typeof NodeView>> => {
    const said = (await fleet.live.of([id])).get(id);
    return ({ row, usage }) => nodeView(row, usage, said, forbiddenOf(row, privateTargets));
  };
}

/** The two routes that write one field. */
function partialRoutes(deps: NodeRouteDeps): Route[] {
  const view = viewer(deps);
  const one = (
    path: `/nodes/{id}/${string}`,
    summary: string,
    body: z.ZodType<NodeWrite>,
    more: Partial<typeof SENDS_ACCOUNTS> = {},
  ) =>
    route({
      ...more,
      method: "PUT",
      path,
      scope: "nodes:write",
      summary,
      params: idParams,
      body,
      answer: NodeView,
      audit: { key: "nodes", action: "update" },
      statuses: [400, 402, 404],
      codes: ["forbidden_key"],
      handle: async ({ params, body: written, commit, origin }) => {
        const shown = await view(params.id);
        return commit({
          locks: nodeLock(params.id),
          decide(draft) {
            const { before, after } = updateNode(draft, deps, params.id, written, origin);
            return {
              answer: shown(after),
              audit: { entityId: params.id, before: auditOf(before.row), after: auditOf(after.row) },
            };
          },
        });
      },
    });
  return [
    one(
      "/nodes/{id}/template",
      "Give a node another template",
      z.object({ templateId: count.nullable() }),
      SENDS_ACCOUNTS,
    ),
    one(
      "/nodes/{id}/routing",
      "Override the template's route",
      z.object({ routing: z.record(z.string(), z.unknown()).nullable() }),
    ),
  ];
}

/** What the audit log keeps of a node: the columns that people write. */
function auditOf(row: Readonly<NodeRow>): object {
  const {
    rev: _rev,
    mstate: _state,
    mctx: _context,
    mver: _version,
    msince: _since,
    mlast: _last,
    dueAt: _due,
    faultAt: _fault,
    faultCount: _count,
    faultMessage: _message,
    faultCause: _cause,
    troubleSince: _trouble,
    updatedAt: _updated,
    ...rest
  } = row;
  return rest;
}
