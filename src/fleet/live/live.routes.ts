// Lists connected clients, by asking the agents (rules nodes.live).
import { z } from "zod";
import { lock, sql, type Reader } from "../../db/index.ts";
import {
  type Caller,
  count,
  idParams,
  invalid,
  notFound,
  pathId,
  route,
  type Route,
  rule,
  visibleTo,
} from "../../http/index.ts";
import { MAX_SESSIONS, type SessionRow, type SessionSelection } from "../../protocol/messages.ts";
import { present } from "../../lib/present.ts";
import type { NodeCause } from "../../../machines/node-cause.ts";
import { ShownCause } from "../records/cause.schema.ts";
import { believedAddresses, believedClosed, believedSessions, knownNodes } from "./answer-bounds.ts";
import type { Fleet } from "./fleet.ts";
import { toldCause } from "../link/disclosure.ts";
import { cause, causeOf, messageOf } from "../link/link-failure.ts";
import { NodeRows } from "../records/node.entity.ts";
import type { Asked, Questions } from "./questions.ts";
import { reached, refuseUnreached } from "./agent-answer.ts";
import { NodeNotConnected, type Question } from "./read-links.ts";
import type { ServedAccounts } from "../usage/served-accounts.ts";
import type { UserSets } from "../desired/user-sets.ts";

export interface LiveRouteDeps {
  readonly reads: Reader;
  readonly fleet: Fleet;
  /** The rows of accounts: they tell who owns an account. */
  readonly accounts: Pick<ServedAccounts, "rows">;
  /** Unix seconds. */
  readonly now: () => number;
}

/** A node that does not answer in time is left out of a merged answer. */
const ASK_MS = 3000;
const ROWS = 500;

const AddressRow = z
  .object({ address: z.string(), nodeId: count, node: z.string(), inbound: z.string(), lastSeenAt: count })
  .meta({ id: "UserAddress" });
const ConnectionRow = z
  .object({ nodeId: count, node: z.string(), inbound: z.string(), sessions: count })
  .meta({ id: "UserConnections" });
const tally = z.array(z.object({ tag: z.string(), sessions: count }));
const NodeConnections = z
  .object({
    nodeId: count,
    supported: z.boolean(),
    truncated: z.boolean(),
    total: count,
    inbounds: tally,
    outbounds: tally,
    rows: z.array(
      z.object({
        id: z.string(),
        inbound: z.string(),
        outbound: z.string(),
        network: z.enum(["tcp", "udp"]),
        source: z.string(),
        destination: z.string(),
        up: count,
        down: count,
        startedAt: count,
      }),
    ),
  })
  .meta({ id: "NodeConnections" });
const CloseAnswer = z
  .object({
    results: z.array(
      z.object({
        nodeId: count,
        node: z.string(),
        closed: count,
        error: z.string().optional(),
        cause: ShownCause.optional(),
      }),
    ),
  })
  .meta({ id: "ConnectionsClosed" });
const tags = { inbound: z.string().max(200).optional(), outbound: z.string().max(200).optional() };

export function liveRoutes({ reads, fleet: { questions, users: served }, accounts, now }: LiveRouteDeps): Route[] {
  const admit = async (caller: Caller, { id }: { id: number }) => {
    const user = await reads.find(accounts.rows, id);
    if (!user || !visibleTo(caller, user.adminId)) notFound("user", id);
  };
  const common = { scope: "users:read", params: idParams, admit, statuses: [404] } as const;

  return [
    route({
      ...common,
      method: "GET",
      path: "/users/{id}/addresses",
      summary: "Live source addresses of a user",
      answer: z.array(AddressRow),
      handle: async ({ params }) => {
        const answers = answersOf(await questions.askAll("addresses.list", { userId: params.id }, ASK_MS));
        const nodes = await knownNodes(reads, served, idsOf(answers));
        const believed = answers.flatMap(({ nodeId, answer }) =>
          believedAddresses(nodes.get(nodeId), params.id, answer.rows, now()).map((row) => ({ ...row, nodeId })),
        );
        const inbounds = await inboundTags(
          reads,
          believed.map((row) => row.inboundId),
        );
        return believed
          .map(({ address, nodeId, inboundId, lastSeenAt }) => ({
            address,
            nodeId,
            node: nodes.get(nodeId)?.name ?? "",
            inbound: inbounds.get(inboundId) ?? "",
            lastSeenAt,
          }))
          .toSorted((a, b) => b.lastSeenAt - a.lastSeenAt);
      },
    }),
    route({
      ...common,
      method: "GET",
      path: "/users/{id}/connections",
      summary: "Open sessions of a user by node and inbound",
      answer: z.array(ConnectionRow),
      handle: async ({ params }) => {
        const asked = { userId: params.id, limit: MAX_SESSIONS };
        const answers = answersOf(await questions.askAll("sessions.list", asked, ASK_MS));
        const nodes = await knownNodes(reads, served, idsOf(answers));
        return answers.flatMap(({ nodeId, answer }) =>
          tallyOf(believedSessions(nodes.get(nodeId), asked, answer, now()).rows, (row) => row.inbound).map(
            ({ tag, sessions }) => ({
              nodeId,
              node: nodes.get(nodeId)?.name ?? "",
              inbound: tag,
              sessions,
            }),
          ),
        );
      },
    }),
    route({
      ...common,
      method: "GET",
      path: "/users/{id}/connections/{nodeId}",
      params: z.object({ id: pathId, nodeId: pathId }),
      query: z.object(tags),
      statuses: [404, 502],
      summary: "Open sessions of a user on one node",
      answer: NodeConnections,
      handle: async ({ params, query, caller }) => {
        const node =
          (await knownNodes(reads, served, [params.nodeId])).get(params.nodeId) ?? notFound("node", params.nodeId);
        const asked = { userId: params.id, limit: MAX_SESSIONS };
        const listed = believedSessions(
          node,
          asked,
          await reached(questions.ask(params.nodeId, "sessions.list", asked, ASK_MS), caller),
          now(),
        );
        const chosen = listed.rows.filter(
          (row) => (query.inbound ?? row.inbound) === row.inbound && (query.outbound ?? row.outbound) === row.outbound,
        );
        const rows = chosen.toSorted((a, b) => b.startedAt - a.startedAt).slice(0, ROWS);
        return {
          nodeId: params.nodeId,
          supported: listed.supported,
          truncated: listed.truncated || rows.length < chosen.length,
          total: listed.total,
          inbounds: tallyOf(listed.rows, (row) => row.inbound),
          outbounds: tallyOf(listed.rows, (row) => row.outbound),
          rows: rows.map(({ userId: _user, inboundId: _inbound, ...row }) => row),
        };
      },
    }),
    route({
      ...common,
      method: "POST",
      path: "/users/{id}/connections/close",
      scope: "users:write",
      summary: "Close open sessions of a user; not a ban",
      body: z.object({ nodeId: count.optional(), ...tags }).optional(),
      answer: CloseAnswer,
      audit: { key: "users", action: "connections.close" },
      statuses: [404, 502],
      handle: async ({ params, body, commit, caller }) => {
        const { nodeId = 0, inbound, outbound } = body ?? {};
        // A tag that is empty, as a node that is 0, names none.
        const tagged = present({ inbound: inbound || undefined, outbound: outbound || undefined });
        const selection = { userId: params.id, ...tagged };
        const results = await close({ reads, questions, served, caller }, nodeId, selection);
        const closed = results.reduce((sum, each) => sum + each.closed, 0);
        const obj = { ...selection, ...(nodeId === 0 ? {} : { nodeId }), closed };
        return commit({
          locks: [lock(accounts.rows, params.id)],
          decide: () => ({ answer: { results }, audit: { entityId: params.id, obj } }),
        });
      },
    }),
  ];
}

interface Closing {
  readonly reads: Reader;
  readonly questions: Questions;
  readonly served: UserSets;
  readonly caller: Caller;
}

async function close(
  { reads, questions, served, caller }: Closing,
  nodeId: number,
  selection: SessionSelection & { readonly userId: number },
) {
  if (nodeId !== 0 && !(await reads.find(NodeRows, nodeId))) invalid("nodeId", rule("absent", "node", nodeId));
  const asked =
    nodeId === 0
      ? await questions.askAll("sessions.close", selection, ASK_MS)
      : [await askOne(questions, caller, nodeId, selection)];
  const nodes = await knownNodes(reads, served, idsOf(asked));
  return asked.map((each) => {
    const node = nodes.get(each.nodeId);
    const about = { nodeId: each.nodeId, node: node?.name ?? "" };
    if (!each.ok) return { ...about, closed: 0, ...untold(each.error, caller) };
    if (!each.answer.supported)
      return { ...about, closed: 0, ...failed(cause("unsupported"), "the node's engine cannot close sessions") };
    return { ...about, closed: believedClosed(node, selection.userId, each.answer.closed) };
  });
}

function untold(error: unknown, { scopes }: Caller) {
  const why = toldCause({ ...causeOf(error), detail: messageOf(error) }, scopes);
  return { error: why.detail, cause: why };
}

const failed = (why: NodeCause, error: string) => ({ error, cause: { ...why, detail: error } });

/** A node that is not connected at all is 502; one that does not answer is told of in the results. */
async function askOne(
  questions: Questions,
  caller: Caller,
  nodeId: number,
  selection: SessionSelection,
): Promise<Asked<"sessions.close">> {
  try {
    return { nodeId, ok: true, answer: await questions.ask(nodeId, "sessions.close", selection, ASK_MS) };
  } catch (error) {
    if (error instanceof NodeNotConnected) return refuseUnreached(error, caller);
    return { nodeId, ok: false, error };
  }
}

const idsOf = (each: readonly { readonly nodeId: number }[]): number[] => each.map(({ nodeId }) => nodeId);

/** Answers of the nodes that gave one in time. */
function answersOf<M extends Question>(asked: readonly Asked<M>[]) {
  return asked.flatMap((each) => (each.ok ? [{ nodeId: each.nodeId, answer: each.answer }] : []));
}

function tallyOf(rows: readonly SessionRow[], tagOf: (row: SessionRow) => string): { tag: string; sessions: number }[] {
  const sessions = new Map<string, number>();
  for (const row of rows) sessions.set(tagOf(row), (sessions.get(tagOf(row)) ?? 0) + 1);
  return [...sessions].map(([tag, number]) => ({ tag, sessions: number })).toSorted((a, b) => b.sessions - a.sessions);
}

async function inboundTags(reads: Reader, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await reads.query<{ id: number; tag: string }>(
    sql`select id, tag from inbounds where id in (${sql.join([...new Set(ids)])})`,
  );
  return new Map(rows.map((row) => [row.id, row.tag]));
}
