// Verbs of nodes: what a person has done with one at once (rules nodes.switch, nodes.pin).
import { z } from "zod";
import { idParams, integer, notFound, route, type AuditAction, type Caller, type Route } from "../../http/index.ts";
import { present } from "../../lib/present.ts";
import { dialAgent, readFingerprint } from "../link/dial.ts";
import { mayKnowPorts } from "../link/disclosure.ts";
import type { LinkIdentity } from "../link/identity.ts";
import { enteringAddress } from "./node-addresses.ts";
import { auditOf, SENDS_ACCOUNTS, viewer, type NodeRouteDeps } from "./node-answers.ts";
import { findNode, moveNode, nodeLock, repinNode, requireRunning, switchNode } from "./node.commands.ts";
import { NodeRows, type NodeRow } from "../records/node.entity.ts";
import { NodeMove, NodeView } from "./node.schema.ts";
import { ShownNotice } from "../records/notice.schema.ts";
import { reached } from "../live/agent-answer.ts";
import { leftOutInbounds } from "../live/account-standings.ts";

/** How long `sync` waits for the agent. */
const SYNC_MS = 30_000;

const SyncAnswer = z
  .object({ revision: integer, applied: z.boolean(), warnings: z.array(z.string()), notices: z.array(ShownNotice) })
  .meta({ id: "NodeSync" });

export function nodeVerbRoutes(deps: NodeRouteDeps): Route[] {
  const { reads, fleet, supervisor, actor, identity } = deps;
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
      description:
        "Answers what the agent acknowledged after the request; inbounds that it leaves out for their ports are tried again first. `applied` is false while an inbound is left out; `notices` say which, and why.",
      params: idParams,
      answer: SyncAnswer,
      audit: audit("sync"),
      statuses: [404, 502],
      codes: ["node_off"],
      handle: async ({ params, commit, caller }) => {
        const node = await found(params.id);
        requireRunning(node);
        const result = await reached(fleet.holderRequests.sync(params.id, SYNC_MS), caller, node);
        return commit({
          locks: [],
          decide: () => ({
            answer: {
              revision: result.revision,
              applied: leftOutInbounds(result.notices).size === 0,
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
      handle: async ({ params, commit, origin, caller }) => {
        const shown = await view(params.id, caller);
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
      handle: async ({ params, commit, origin, caller }) => {
        const node = await found(params.id);
        // A local agent's key is in its directory, whoever answers on its port.
        const here = node.isLocal ? fleet.localKey(node.id) : undefined;
        const [shown, fingerprint] = await Promise.all([
          view(params.id, caller),
          here ?? reached(presentedKey(identity, node, caller), caller, node),
        ]);
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
      handle: async ({ params, body, commit, origin, caller }) => {
        const shown = await view(params.id, caller);
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
      handle: async ({ params, body, commit, origin, caller }) => {
        const shown = await view(params.id, caller);
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
 * The key that answers at the node's address. Every TLS server has one; who may not know what answers on which port is
 * told that of an agent alone, which takes the panel's own certificate.
 */
async function presentedKey(identity: LinkIdentity, node: Readonly<NodeRow>, { scopes }: Caller): Promise<string> {
  if (mayKnowPorts(scopes)) return readFingerprint(node);
  const { socket, fingerprint } = await dialAgent(identity, node, "", new AbortController().signal);
  socket.on("error", () => {});
  socket.terminate();
  return fingerprint;
}
