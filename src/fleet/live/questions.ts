// Questions to agents, from any process: over the own link where this process holds it, else over a read-only one.
import { sql, type Reader } from "../../db/index.ts";
import type { Understanding } from "../../protocol/abilities.ts";
import type { PanelResult } from "../../protocol/messages.ts";
import type { NodeLink } from "../link/link.ts";
import type { Question, QuestionParams, ReadLinks } from "./read-links.ts";

export interface QuestionPorts {
  readonly reads: Reader;
  /** Links of this process, by node. */
  readonly links: ReadonlyMap<number, NodeLink>;
  readonly readLinks: ReadLinks;
  /** Other processes may hold links. */
  readonly shared: boolean;
}

/** What became of a question to one of several nodes. */
export type Asked<M extends Question> = { readonly nodeId: number } & (
  | { readonly ok: true; readonly answer: PanelResult<M> }
  | { readonly ok: false; readonly error: unknown }
);

export class Questions {
  readonly #ports: QuestionPorts;

  constructor(ports: QuestionPorts) {
    this.#ports = ports;
  }

  /** Asks one node. Rejects with `NodeNotConnected`, or with why there is no answer within `timeoutMs`. */
  async ask<M extends Question>(
    nodeId: number,
    method: M,
    params: QuestionParams<M>,
    timeoutMs: number,
  ): Promise<PanelResult<M>> {
    const own = this.#ports.links.get(nodeId)?.peer;
    return own ? own.call(method, params, { timeoutMs }) : this.#ports.readLinks.ask(nodeId, method, params, timeoutMs);
  }

  /** What a node's agent understands, as it said to whoever asked it last. */
  understands(nodeId: number): Understanding {
    return this.#ports.links.get(nodeId)?.peer?.understands ?? this.#ports.readLinks.understands(nodeId);
  }

  /** Asks every node that is connected to any process; never rejects for what a node does. */
  async askAll<M extends Question>(method: M, params: QuestionParams<M>, timeoutMs: number): Promise<Asked<M>[]> {
    const nodes = await this.#connected();
    return Promise.all(
      nodes.map(async (nodeId): Promise<Asked<M>> => {
        try {
          return { nodeId, ok: true, answer: await this.ask(nodeId, method, params, timeoutMs) };
        } catch (error) {
          return { nodeId, ok: false, error };
        }
      }),
    );
  }

  async #connected(): Promise<number[]> {
    const { links, reads, shared } = this.#ports;
    const own = [...links.values()].filter((link) => link.peer).map(({ nodeId }) => nodeId);
    if (!shared) return own;
    const rows = await reads.query<{ id: number }>(
      sql`select id from nodes where (mstate = 'linked.connected' or mstate like 'linked.refused.%') order by id`,
    );
    return [...new Set([...own, ...rows.map(({ id }) => id)])];
  }
}
