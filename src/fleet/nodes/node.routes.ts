// Routes of nodes: the record (rules nodes.record). Verbs, statistics and health have files of their own.
import { z } from "zod";
import {
  type AuditAction,
  count,
  type Extra,
  idParams,
  listRoute,
  notFound,
  okAnswer,
  queryBoolean,
  refuseOutdated,
  route,
  type Route,
  toPoint,
} from "../../http/index.ts";
import {
  changesRecipient,
  createNode,
  deleteNode,
  findNode,
  givesOtherAddress,
  nodeLock,
  updateNode,
} from "./node.commands.ts";
import { RECIPIENT_FIELDS } from "./node-points.ts";
import { enteringAddress } from "./node-addresses.ts";
import { auditOf, SENDS_ACCOUNTS, viewer, type NodeRouteDeps } from "./node-answers.ts";
import { nodeVerbRoutes } from "./node-verbs.routes.ts";
import { NO_PROGRESS, progressAfter } from "../records/node-progress.ts";
import { NodeRows, NodeUsageRows } from "../records/node.entity.ts";
import { forbiddenOf, NO_USAGE, nodePage } from "./node.queries.ts";
import { RefusalCode, UsageRefusal } from "../records/usage-refusal.schema.ts";
import { refusalPage } from "../usage/usage-refusals.ts";
import { NodeCreate, NodeUpdate, NodeView, nodeView, type NodeWrite } from "./node.schema.ts";

/** How long a deletion waits for the agent. */
const STOP_MS = 5000;

const RECIPIENT: Extra = {
  ...SENDS_ACCOUNTS,
  when: `to change ${RECIPIENT_FIELDS.map((field) => `\`${field}\``).join(", ")}`,
};
const ADDRESS = toPoint("for an address in `linkAddress` that is not there yet");

export function nodeRoutes(deps: NodeRouteDeps): Route[] {
  const { reads, fleet, identity, privateTargets } = deps;
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
      handle: ({ list, query, caller }) => nodePage(reads, fleet, list, query, privateTargets, caller),
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
              const answer = nodeView(
                node.row,
                node.usage,
                undefined,
                undefined,
                progressAfter(NO_PROGRESS, undefined, node.row),
                forbiddenOf(node.row, privateTargets),
              );
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
      handle: async ({ params, caller }) => {
        const row = await found(params.id);
        const [usage, shown] = await Promise.all([reads.find(NodeUsageRows, row.id), view(row.id, caller)]);
        return shown({ row, usage: usage ?? NO_USAGE });
      },
    }),
    route({
      ...common,
      method: "PUT",
      path: "/nodes/{id}",
      summary: "Change a node",
      body: NodeUpdate,
      extra: [RECIPIENT, ADDRESS],
      audit: audit("update"),
      statuses: [400, 402, 404],
      codes: ["forbidden_key", "node_on", "agent_taken"],
      handle: async ({ params, body: { version, ...fields }, caller, commit, origin, requireExtra }) => {
        const shown = await view(params.id, caller);
        return enteringAddress(() =>
          commit({
            locks: nodeLock(params.id),
            decide(draft) {
              const now = findNode(draft, params.id);
              if (changesRecipient(now.row, fields)) requireExtra(RECIPIENT);
              if (givesOtherAddress(now.row, fields)) requireExtra(ADDRESS);
              refuseOutdated(version, now.row, () => shown(now));
              const { before, after } = updateNode(draft, deps, params.id, fields, origin);
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
        const stopped = await fleet.holderRequests.standDown(params.id, STOP_MS);
        return commit({
          locks: nodeLock(params.id),
          decide(draft) {
            const row = deleteNode(draft, deps, params.id, origin);
            return { answer: { ok: true as const, stopped }, audit: { entityId: params.id, before: auditOf(row) } };
          },
        });
      },
    }),
    ...nodeVerbRoutes(deps),
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
  ];
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
      handle: async ({ params, body: written, caller, commit, origin }) => {
        const shown = await view(params.id, caller);
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
