// The desired structures of the fleet's nodes: the shared part is made once for a template, a node's own part once for
// equal routings.
import type { Reader } from "../../db/index.ts";
import { isLoopback } from "../../pool/index.ts";
import { NodeRows, type NodeRow } from "../records/node.entity.ts";
import { DesiredStructure, NOTHING_OWN, type StructurePart } from "./structure-part.ts";
import { ownPart, sharedStructure, type SharedStructure, type TemplateContent } from "./structure.ts";

/** What a node should run now: its template by id, and the structure made of it. */
export interface DesiredNode {
  /** 0: no template. */
  readonly templateId: number;
  readonly structure: DesiredStructure;
}

/** Where clients are told to connect. */
function addressesOf({ linkAddress, address }: Pick<NodeRow, "linkAddress" | "address">): string[] {
  const named = linkAddress.split(",").map((entry) => entry.slice(entry.lastIndexOf("|") + 1).trim());
  const given = named.filter((entry) => entry !== "");
  return given.length > 0 ? given : [address];
}

/** The columns of a node that its structure is made of. */
type NodeOwn = Pick<NodeRow, "templateId" | "routing" | "linkAddress" | "address">;

const NO_NODE: NodeOwn = { templateId: null, routing: null, linkAddress: "", address: "" };

/** Parts kept of nodes that this process has no link to. */
const KEPT = 1024;

export class Structures {
  readonly #reads: Reader;
  readonly #template: (id: number) => Promise<TemplateContent | undefined>;
  readonly #shared: Kept<number, Promise<SharedStructure>>;
  /** By routing. */
  readonly #own: Kept<string, StructurePart>;

  /**
   * `links`: how many nodes this process keeps synced. Each of them has one part of each kind at most, so none is made
   * again while it is wanted, however many there are.
   */
  constructor(
    reads: Reader,
    template: (id: number) => Promise<TemplateContent | undefined>,
    links: () => number = () => 0,
  ) {
    this.#reads = reads;
    this.#template = template;
    this.#shared = new Kept(() => KEPT + links());
    this.#own = new Kept(() => KEPT + links());
  }

  /** What a node should run now. */
  async of(nodeId: number): Promise<DesiredNode> {
    return this.ofNode((await this.#reads.find(NodeRows, nodeId)) ?? NO_NODE);
  }

  /** The same of a row that was read. */
  async ofNode(node: NodeOwn): Promise<DesiredNode> {
    const templateId = node.templateId ?? 0;
    const { part, elsewhere } = await this.#shared.get(templateId, () => this.#make(templateId));
    // Clients of a node that is named by a loopback address are on the machine itself.
    const told = elsewhere.length === 0 || addressesOf(node).every(isLoopback) ? [] : elsewhere;
    return { templateId, structure: new DesiredStructure(part, this.#ownOf(node.routing), told) };
  }

  /** Something that templates are made of has changed. */
  forget(): void {
    this.#shared.clear();
  }

  #ownOf(routing: NodeOwn["routing"]): StructurePart {
    return routing ? this.#own.get(JSON.stringify(routing), () => ownPart(routing)) : NOTHING_OWN;
  }

  #make(templateId: number): Promise<SharedStructure> {
    const made = this.#read(templateId);
    made.catch(() => this.#shared.drop(templateId, made));
    return made;
  }

  async #read(templateId: number): Promise<SharedStructure> {
    return sharedStructure(templateId === 0 ? undefined : await this.#template(templateId));
  }
}

/** Values by key. Past the limit, those that nobody asked for longest go. */
class Kept<K, V> {
  readonly #limit: () => number;
  /** Least recently wanted first. */
  readonly #values = new Map<K, V>();

  constructor(limit: () => number) {
    this.#limit = limit;
  }

  get(key: K, make: () => V): V {
    const value = this.#values.get(key) ?? make();
    this.#values.delete(key);
    this.#values.set(key, value);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#limit()) break;
      this.#values.delete(oldest);
    }
    return value;
  }

  /** Takes the value away, unless the key has another one meanwhile. */
  drop(key: K, value: V): void {
    if (this.#values.get(key) === value) this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
  }
}
