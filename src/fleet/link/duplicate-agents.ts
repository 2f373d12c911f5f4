// Nodes whose agent serves another node, and the moment when that one lets go: the resident effect of the chart's state
// `error.duplicate`.
import type { Reader, RowChange } from "../../db/index.ts";
import type { ResidentEffect, Send } from "../../runtime/index.ts";
import { NodeRows, type NodeRow } from "../records/node.entity.ts";

export interface TurnPorts {
  readonly reads: Reader;
  readonly log: (level: "warn", message: string, fields: Record<string, unknown>) => void;
}

export class Turns {
  readonly #ports: TurnPorts;
  /** Waiting nodes, by id. */
  readonly #waiting = new Map<number, Turn>();

  constructor(ports: TurnPorts) {
    this.#ports = ports;
  }

  readonly start: ResidentEffect["start"] = ({ id, send }) => {
    const turn = new Turn(send);
    this.#waiting.set(id, turn);
    // Should the look fail, the chart's own deadline takes it.
    this.#look(id, turn).catch((error: unknown) =>
      this.#ports.log("warn", "whether a node's agent is free was not found out", { nodeId: id, error }),
    );
    return () => {
      turn.over = true;
      if (this.#waiting.get(id) === turn) this.#waiting.delete(id);
    };
  };

  /** A node was written or deleted, here or by another process. */
  changed({ id, after }: RowChange): void {
    for (const turn of this.#waiting.values()) if (turn.holder === Number(id)) turn.ask(after as NodeRow | undefined);
  }

  /** Looks up which node has the agent, and whether that node released it meanwhile. */
  async #look(id: number, turn: Turn): Promise<void> {
    const { reads } = this.#ports;
    turn.holder = Number((await reads.find(NodeRows, id))?.mctx["holder"] ?? 0);
    turn.ask(await reads.find(NodeRows, turn.holder));
  }
}

class Turn {
  holder = 0;
  over = false;
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** A node that was moved has no key any more until it has reached its new agent. */
  ask(holder: Readonly<NodeRow> | undefined): void {
    if (this.over || (holder?.enabled && holder.fingerprint !== "")) return;
    this.over = true;
    void this.#send({ type: "link.freed" });
  }
}
