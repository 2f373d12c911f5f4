// The desired structures of the fleet's nodes, kept by what they are made of: nodes of one template and routing share
// one.
import type { Reader } from "../../db/index.ts";
import { isLoopback } from "../../pool/index.ts";
import { NodeRows, type NodeRow } from "../records/node.entity.ts";
import { apartNotices, structureOf, type DesiredStructure, type TemplateContent } from "./structure.ts";

/** What a node should run now: its template by id, and the structure made of it. */
export interface DesiredNode {
  /** 0: no template. */
  readonly templateId: number;
  readonly structure: DesiredStructure;
}

/** Where clients are told to connect. */
function addressesOf({ linkAddress, address }: Readonly<NodeRow>): string[] {
  const named = linkAddress.split(",").map((entry) => entry.slice(entry.lastIndexOf("|") + 1).trim());
  const given = named.filter((entry) => entry !== "");
  return given.length > 0 ? given : [address];
}

type Routing = Record<string, unknown> | null;

/**
 * Structures kept. Those that nobody asked for longest are made again when they are wanted: routings that were replaced
 * are not kept for ever.
 */
const KEPT = 1024;

export class Structures {
  readonly #reads: Reader;
  readonly #template: (id: number) => Promise<TemplateContent | undefined>;
  /** By template and routing; least recently wanted first. */
  readonly #kept = new Map<string, Promise<DesiredStructure>>();

  constructor(reads: Reader, template: (id: number) => Promise<TemplateContent | undefined>) {
    this.#reads = reads;
    this.#template = template;
  }

  /** What a node should run now. */
  async of(nodeId: number): Promise<DesiredNode> {
    const node = await this.#reads.find(NodeRows, nodeId);
    const templateId = node?.templateId ?? 0;
    const routing = node?.routing ?? null;
    const key = `${templateId} ${JSON.stringify(routing)}`;
    const structure = this.#kept.get(key) ?? this.#make(key, templateId, routing);
    this.#kept.delete(key);
    this.#kept.set(key, structure);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(oldest);
    }
    const made = await structure;
    // Clients of a node that is named by a loopback address are on the machine itself.
    if (!node || made.apart.length === 0 || addressesOf(node).every(isLoopback)) return { templateId, structure: made };
    return { templateId, structure: { ...made, notices: [...made.notices, ...apartNotices(made)] } };
  }

  /** Something that structures are made of has changed. */
  forget(): void {
    this.#kept.clear();
  }

  #make(key: string, templateId: number, routing: Routing): Promise<DesiredStructure> {
    const structure = this.#read(templateId, routing);
    structure.catch(() => {
      if (this.#kept.get(key) === structure) this.#kept.delete(key);
    });
    return structure;
  }

  async #read(templateId: number, routing: Routing): Promise<DesiredStructure> {
    return structureOf(templateId === 0 ? undefined : await this.#template(templateId), routing);
  }
}
