// Verbs of nodes: what a person has done with one at once (rules nodes.switch, nodes.pin).
import { z } from "zod";
import { idParams, integer, notFound, route, type AuditAction, type Route } from "../http/index.ts";
import { present } from "../lib/present.ts";
import { readFingerprint } from "./dial.ts";
import { enteringAddress } from "./node-addresses.ts";
import { auditOf, SENDS_ACCOUNTS, viewer, type NodeRouteDeps } from "./node-answers.ts";
import { findNode, moveNode, nodeLock, repinNode, requireRunning, switchNode } from "./node.commands.ts";
import { NodeRows } from "./node.entity.ts";
import { NodeMove, NodeView } from "./node.schema.ts";
import { ShownNotice } from "./notice.schema.ts";
import { reached } from "./reached.ts";

/** How long `sync` waits for the agent. */
const SYNC_MS = 30_000;

const SyncAnswer = z
  .object({ revision: integer, applied: z.boolean(), warnings: z.array(z.string()), notices: z.array(ShownNotice) })
  .meta({ id: "NodeSync" });

export function nodeVerbRoutes(deps: NodeRouteDeps): Route[] {
  const { reads, fleet, supervisor, actor } = deps;
  const view = viewer(deps);
  const found = async (id: number) => (await reads.find(NodeRows, id)) ?? notFound("node", id);
  const audit = (action: AuditAction) => ({ key: "nodes", action });
  const common = { scope: "nodes:write", params: idParams, answer: NodeView } as const;

  return [
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
