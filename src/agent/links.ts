// The links of one node: who may speak (hello, fence), who is the writer, and that there is only one (rules
// agents.hello).
//
// At any time at most one link is the writer: the one that showed the highest fence last. It alone changes state and
// gets heartbeats and usage; a new one replaces (closes) it.
import PQueue from "p-queue";
import { OWN_ABILITIES } from "../protocol/abilities.ts";
import { CloseCode, PROTOCOL_VERSION, RpcErrorCode } from "../protocol/messages.ts";
import type { PanelParams, PanelResult } from "../protocol/messages.ts";
import { RpcError } from "../protocol/rpc-error.ts";
import { Link } from "./link.ts";
import type { LinkTimes } from "./link.ts";
import type { Caller } from "./listener.ts";
import type { ServedNode } from "./served-node.ts";
import { told } from "./notices.ts";

const MAX_LINKS = 32;
const TOO_MANY = 1013;
/** Maximum bytes of the notices in a greeting, which `HELLO_BYTES` bounds. Heartbeats carry all notices. */
const HELLO_WARNING_BYTES = 8 * 1024;

export interface LinksOptions {
  readonly node: ServedNode;
  readonly times: LinkTimes;
  readonly onProblem: (problem: string, error?: unknown) => void;
  /** A link became the writer. */
  readonly onWriter?: (nodeId: number) => void;
}

export class NodeLinks {
  readonly #options: LinksOptions;
  readonly #links = new Set<Link>();
  /** Greetings one after another: each decides on the fence that the one before left. */
  readonly #greetings = new PQueue({ concurrency: 1 });
  #writer: Link | undefined;

  constructor(options: LinksOptions) {
    this.#options = options;
    options.node.onNews((news) => this.#writer?.tell(news));
  }

  /** 1 while a panel holds the node, else 0. */
  get writers(): number {
    return this.#writer === undefined ? 0 : 1;
  }

  accept({ socket, panel }: Caller): void {
    if (this.#links.size >= MAX_LINKS && !this.#makeRoom()) {
      socket.close(TOO_MANY, "too many connections");
      return;
    }
    const { node, times, onProblem } = this.#options;
    const link = new Link({
      socket,
      node,
      times,
      onProblem,
      greet: (params) => this.#greet(link, panel, params),
      mayWrite: () => {
        if (this.#writer !== link)
          throw new RpcError(RpcErrorCode.fenced, "another connection of the panel has taken this node over");
      },
    });
    this.#links.add(link);
    void link.closed.then(() => {
      this.#links.delete(link);
      if (this.#writer === link) this.#writer = undefined;
    });
  }

  close(): void {
    for (const link of this.#links) link.close(1001, "the agent stops");
  }

  /** Readers that were left open must not keep the holder out: the oldest one goes. */
  #makeRoom(): boolean {
    for (const link of this.#links) {
      if (!link.reader) continue;
      this.#links.delete(link);
      link.close(TOO_MANY, "too many connections");
      return true;
    }
    return false;
  }

  async #greet(link: Link, panel: string, params: PanelParams<"hello">): Promise<PanelResult<"hello">> {
    const { node } = this.#options;
    if (makesWriter(params, node.agentId)) await this.#greetings.add(() => this.#makeWriter(link, panel, params));
    return {
      agentId: node.agentId,
      protocol: Math.min(params.protocol, PROTOCOL_VERSION),
      agentVersion: node.agentVersion,
      arch: node.arch,
      setup: node.setup,
      abilities: [...OWN_ABILITIES],
      ledger: { ...node.ledger() },
      engine: node.engine(),
      applied: node.applied(),
      ...told(node.notices(), HELLO_WARNING_BYTES),
    };
  }

  async #makeWriter(link: Link, panel: string, { fence, nodeId }: PanelParams<"hello">): Promise<void> {
    const seen = this.#options.node.fence.seen(panel, nodeId);
    if (fence < seen)
      throw new RpcError(RpcErrorCode.fenced, `fence ${fence} is smaller than ${seen}, which this agent has seen`);
    if (fence > seen) await this.#options.node.fence.raise(panel, nodeId, fence);
    if (!link.open) throw new RpcError(RpcErrorCode.internal, "the connection closed during its greeting");
    const before = this.#writer;
    this.#writer = link;
    if (before !== undefined && before !== link) before.close(CloseCode.replaced, "replaced by a newer connection");
    this.#options.onWriter?.(nodeId);
  }
}

/**
 * Whether a greeting asks for this agent's node. One that is meant for another agent is only told which one this is.
 */
function makesWriter(
  { readOnly, agentId }: Pick<PanelParams<"hello">, "readOnly" | "agentId">,
  ownId: string,
): boolean {
  return !readOnly && (agentId === undefined || agentId === ownId);
}
