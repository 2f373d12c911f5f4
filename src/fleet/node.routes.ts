// Routes of nodes (document 2, Nodes; decisions 9). Statistics, health and installation have files of their own.
import { z } from "zod";
import type { Reader } from "../db/index.ts";
import { count, idParams, integer, listRoute, notFound, okAnswer, refuse, route, type Route } from "../http/index.ts";
import { present } from "../lib/present.ts";
import { readFingerprint } from "./dial.ts";
import type { Fleet } from "./fleet.ts";
import type { LinkIdentity } from "./identity.ts";
import { messageOf } from "./link.ts";
import {
  createNode,
  deleteNode,
  findNode,
  moveNode,
  nodeLock,
  repinNode,
  requireEnabled,
  switchNode,
  updateNode,
  type NodeCommandDeps,
  type NodeWithUsage,
} from "./node.commands.ts";
import { NodeRows, NodeUsageRows, type NodeRow } from "./node.entity.ts";
import { NO_USAGE, nodePage } from "./node.queries.ts";
import { NodeCreate, NodeMove, NodeView, nodeView, NodeWrite } from "./node.schema.ts";

export interface NodeRouteDeps extends NodeCommandDeps {
  readonly reads: Reader;
  readonly fleet: Fleet;
  readonly identity: LinkIdentity;
}

/** How long a route waits for an agent. */
const SYNC_MS = 30_000;
const STOP_MS = 5000;

const SyncAnswer = z.object({ revision: integer, applied: z.boolean(), warnings: z.array(z.string()) }).meta({ id: "NodeSync" });

export function nodeRoutes(deps: NodeRouteDeps): Route[] {
  const { reads, fleet, supervisor, actor, identity } = deps;
  const view = ({ row, usage }: NodeWithUsage) => nodeView(row, usage, fleet.live(row.id));
  const found = async (id: number) => (await reads.find(NodeRows, id)) ?? notFound("node", id);
  const audit = (action: string) => ({ key: "nodes", action });
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
        sorts: { id: "id", name: "name", created_at: "created_at", updated_at: "updated_at" },
      },
      query: z.object({ status: z.enum(["connecting", "connected", "error", "disabled"]).optional() }),
      handle: ({ list, query }) => nodePage(reads, fleet, list, query.status),
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
      method: "POST",
      path: "/nodes",
      scope: "nodes:write",
      summary: "Add a node",
      body: NodeCreate,
      answer: NodeView,
      audit: audit("create"),
      statuses: [400],
      handle: ({ body, commit, origin }) =>
        commit({
          locks: [],
          decide(draft) {
            const node = createNode(draft, deps, body, origin);
            return { answer: view(node), audit: { entityId: node.row.id, after: auditOf(node.row) } };
          },
        }),
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
        const usage = await reads.find(NodeUsageRows, row.id);
        return nodeView(row, usage ?? NO_USAGE, fleet.live(row.id));
      },
    }),
    route({
      ...common,
      method: "PUT",
      path: "/nodes/{id}",
      summary: "Change a node",
      body: NodeWrite,
      audit: audit("update"),
      statuses: [400, 402, 404, 409],
      handle: ({ params, body, commit, origin }) =>
        commit({
          locks: nodeLock(params.id),
          decide(draft) {
            const { before, after } = updateNode(draft, deps, params.id, body, origin);
            return { answer: view(after), audit: { entityId: params.id, before: auditOf(before.row), after: auditOf(after.row) } };
          },
        }),
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
        const stopped = await stopEngine(fleet, params.id);
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
      statuses: [404, 409, 502],
      handle: async ({ params, commit }) => {
        requireEnabled(await found(params.id));
        const result = await syncNow(fleet, params.id);
        return commit({
          locks: [],
          decide: () => ({
            answer: { revision: result.revision, applied: true, warnings: [...result.warnings] },
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
      statuses: [404, 409],
      handle: ({ params, commit, origin }) =>
        commit({
          locks: nodeLock(params.id),
          decide(draft) {
            requireEnabled(findNode(draft, params.id).row);
            supervisor.step(draft, actor, params.id, { type: "reconnect" }, origin);
            return { answer: view(findNode(draft, params.id)), audit: { entityId: params.id } };
          },
        }),
    }),
    route({
      ...common,
      method: "POST",
      path: "/nodes/{id}/repin",
      summary: "Pin the key that answers now",
      answer: NodeView.extend({ fingerprint: z.string() }).meta({ id: "NodeRepinned" }),
      audit: audit("repin"),
      statuses: [404, 502],
      handle: async ({ params, commit, origin }) => {
        const node = await found(params.id);
        const fingerprint = await reached(readFingerprint(node));
        return commit({
          locks: nodeLock(params.id),
          decide(draft) {
            repinNode(draft, deps, params.id, fingerprint, origin);
            return { answer: { ...view(findNode(draft, params.id)), fingerprint }, audit: { entityId: params.id } };
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
      handle: ({ params, body, commit, origin }) =>
        commit({
          locks: nodeLock(params.id),
          decide(draft) {
            const before = findNode(draft, params.id);
            switchNode(draft, deps, params.id, body.enabled, origin);
            const after = findNode(draft, params.id);
            return {
              answer: view(after),
              audit: {
                entityId: params.id,
                before: auditOf(before.row),
                after: auditOf(after.row),
                action: body.enabled ? "enable" : "disable",
              },
            };
          },
        }),
    }),
    ...partialRoutes(deps, view),
    route({
      ...common,
      method: "POST",
      path: "/nodes/{id}/move",
      summary: "Re-point a node at another machine",
      body: NodeMove,
      audit: audit("move"),
      statuses: [400, 404],
      handle: ({ params, body, commit, origin }) =>
        commit({
          locks: nodeLock(params.id),
          decide(draft) {
            const before = findNode(draft, params.id);
            moveNode(draft, deps, params.id, present(body), origin);
            const after = findNode(draft, params.id);
            return { answer: view(after), audit: { entityId: params.id, before: auditOf(before.row), after: auditOf(after.row) } };
          },
        }),
    }),
  ];
}

/** The two routes that write one field. */
function partialRoutes(deps: NodeRouteDeps, view: (node: NodeWithUsage) => z.input<typeof NodeView>): Route[] {
  const one = (path: `/nodes/{id}/${string}`, summary: string, body: z.ZodType<NodeWrite>) =>
    route({
      method: "PUT",
      path,
      scope: "nodes:write",
      summary,
      params: idParams,
      body,
      answer: NodeView,
      audit: { key: "nodes", action: "update" },
      statuses: [400, 402, 404],
      handle: ({ params, body: written, commit, origin }) =>
        commit({
          locks: nodeLock(params.id),
          decide(draft) {
            const { before, after } = updateNode(draft, deps, params.id, written, origin);
            return { answer: view(after), audit: { entityId: params.id, before: auditOf(before.row), after: auditOf(after.row) } };
          },
        }),
    });
  return [
    one("/nodes/{id}/template", "Give a node another template", z.object({ templateId: count.nullable() })),
    one("/nodes/{id}/routing", "Override the template's route", z.object({ routing: z.record(z.string(), z.unknown()).nullable() })),
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
    dueAt: _due,
    faultAt: _fault,
    faultCount: _count,
    faultMessage: _message,
    updatedAt: _updated,
    ...rest
  } = row;
  return rest;
}

async function syncNow(fleet: Fleet, nodeId: number) {
  const link = fleet.link(nodeId);
  if (!link?.peer) return refuse("upstream", { message: "the node is not connected" });
  return reached(withinTime(link.syncNow(), SYNC_MS));
}

/** Tells the agent of a node that is going away to stop; false when it cannot be told. */
async function stopEngine(fleet: Fleet, nodeId: number): Promise<boolean> {
  const peer = fleet.link(nodeId)?.peer;
  if (!peer) return false;
  try {
    return (await peer.call("engine.stop", {}, { timeoutMs: STOP_MS })).stopped;
  } catch {
    // Unreachable: it keeps serving until its process restarts, which the answer says.
    return false;
  }
}

async function reached<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    return refuse("upstream", { message: `the node did not answer: ${messageOf(cause)}`, cause });
  }
}

function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
