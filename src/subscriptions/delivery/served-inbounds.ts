// What each template serves, ready for subscriptions: parsed once and kept until the pool or the fleet changes.
import type { Committer, Reader } from "../../db/index.ts";
import {
  allTemplateContents,
  type FrontRow,
  FrontRows,
  frontsOf,
  type HandedOn,
  handedOn,
  InboundRows,
  isApart,
  readStoredInbound,
  takesFronts,
  TemplateRows,
  type InboundRow,
} from "../../pool/index.ts";
import type { EntryNode, ServingFleet } from "../serving-fleet.ts";
import { reachedAt } from "../documents/entries.ts";
import type { RefusedInbound, ServedCertificate, ServedInbound, ServingNode } from "../documents/model.ts";

export interface ServedOptions extends Pick<ServingFleet, "entryNodes"> {
  readonly reads: Reader;
  readonly commits: Committer;
  /** The certificate that an inbound shows on a node; undefined when the panel does not know it. */
  readonly certificateOf: (inbound: Readonly<InboundRow>, nodeId: number) => ServedCertificate | undefined;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** How long what other processes may have changed is believed, in milliseconds. On SQLite there is no other process. */
const BELIEVED = 3000;
/** Lists of inbounds that are kept for accounts with inbounds of their own. */
const LISTS = 2000;
const TABLES: readonly string[] = [InboundRows.name, FrontRows.name, TemplateRows.name];

/** What is served at one moment. `version` differs whenever anything in it may. */
export interface Served {
  readonly version: number;
  /** Inbounds for an account: those of every template, or of the ones it names; of them those it is limited to. */
  of(account: Member): readonly ServedInbound[];
  /** The account's inbounds that this version refuses. For that reason no subscription lists them. */
  refused(account: Member): readonly RefusedInbound[];
  /**
   * Those by their tags with the nodes where clients reach them; how many are on loopback, beyond their reach; and how
   * many inbounds its templates carry.
   */
  reach(account: Member): {
    readonly placed: ReadonlyMap<string, ReadonlySet<number>>;
    readonly beyond: number;
    readonly carried: number;
  };
}

/** The fields of an account that say to which templates and inbounds it belongs. */
interface Member {
  readonly allTemplates: boolean;
  readonly templateIds: readonly number[];
  readonly inboundIds: readonly number[] | null;
}

/** An inbound with the nodes that serve it for some template. */
interface Placed {
  readonly refused?: undefined;
  readonly inbound: Omit<ServedInbound, "nodes">;
  readonly nodes: ReadonlyMap<number, ServingNode>;
}

/** Keeps `Served` current. Built at the first request after a change; requests that come meanwhile share the work. */
export class ServedInbounds {
  readonly #options: ServedOptions;
  #built: Promise<Served> | undefined;
  /** What `#built` resolved to. */
  #ready: Served | undefined;
  #nodes: readonly EntryNode[] = [];
  #builtAt = 0;
  #version = 0;
  readonly #stopListening: () => void;

  constructor(options: ServedOptions) {
    this.#options = options;
    this.#stopListening = options.commits.onCommit(({ changes }) => {
      if (changes.some(({ table }) => TABLES.includes(table))) this.#built = this.#ready = undefined;
    });
  }

  /** What `current` would resolve to, where that is in memory. */
  ready(): Served | undefined {
    return this.#isCurrent(this.#options.entryNodes()) ? this.#ready : undefined;
  }

  current(): Promise<Served> {
    const { entryNodes, now } = this.#options;
    const nodes = entryNodes();
    if (this.#built && this.#isCurrent(nodes)) return this.#built;
    this.#nodes = nodes;
    this.#builtAt = now();
    this.#ready = undefined;
    const built = this.#build(nodes, ++this.#version);
    this.#built = built;
    built.then(
      (served) => {
        if (this.#built === built) this.#ready = served;
      },
      // A failed read is not kept: the next request reads again.
      () => {
        if (this.#built === built) this.#built = undefined;
      },
    );
    return built;
  }

  #isCurrent(nodes: readonly EntryNode[]): boolean {
    const { reads, now } = this.#options;
    return nodes === this.#nodes && (reads.dialect === "sqlite" || now() - this.#builtAt <= BELIEVED);
  }

  stop(): void {
    this.#stopListening();
  }

  async #build(nodes: readonly EntryNode[], version: number): Promise<Served> {
    const contents = await allTemplateContents(this.#options.reads);
    const fronts = await frontsOf(
      this.#options.reads,
      contents.flatMap(({ inbounds }) => inbounds),
    );
    const byTemplate = new Map<number, Placed[]>();
    const refusedBy = new Map<number, RefusedInbound[]>();
    for (const { template, inbounds } of contents) {
      const serving = nodes.filter((node) => node.templateId === template.id);
      const led = handedOn(inbounds.map(({ config }) => config));
      const read = inbounds.map((row) => this.#placed(row, fronts.get(row.id) ?? [], serving, led));
      byTemplate.set(
        template.id,
        read.flatMap((one) => (one.refused ? [] : [one])),
      );
      refusedBy.set(
        template.id,
        read.flatMap((one) => one.refused ?? []),
      );
    }
    const all = union([...byTemplate.values()]);
    const chosen = new Map<string, readonly ServedInbound[]>();
    const carriedFor = ({ allTemplates, templateIds }: Member) => {
      if (allTemplates) return all;
      const key = templateIds.join(",");
      let served = chosen.get(key);
      if (!served) chosen.set(key, (served = union(templateIds.map((id) => byTemplate.get(id) ?? []))));
      return served;
    };
    // The same list for the same inbounds: documents are compiled for a list.
    const limited = new Map<string, readonly ServedInbound[]>();
    const servedTo = (account: Member) => {
      const carried = carriedFor(account);
      if (account.inboundIds === null) return carried;
      const left = ofThese(account, carried, ({ id }) => id);
      const key = `${account.allTemplates ? "all" : account.templateIds.join(",")}:${left.map(({ id }) => id).join(",")}`;
      const known = limited.get(key);
      if (known) return known;
      if (limited.size >= LISTS) limited.clear();
      limited.set(key, left);
      return left;
    };
    return {
      version,
      of: servedTo,
      refused(account) {
        const templates = account.allTemplates ? [...refusedBy.keys()] : account.templateIds;
        const found = new Map(templates.flatMap((id) => refusedBy.get(id) ?? []).map((one) => [one.id, one]));
        return ofThese(account, [...found.values()], ({ id }) => id);
      },
      reach(account) {
        const templates = account.allTemplates ? [...byTemplate.keys()] : account.templateIds;
        const carried = templates.flatMap((id) => byTemplate.get(id) ?? []);
        const placed = ofThese(account, carried, ({ inbound }) => inbound.id);
        const byTag = new Map<string, Set<number>>();
        const beyond = new Set<string>();
        for (const { inbound, nodes: on } of placed) {
          const reached = [...on.values()].filter((node) => isReachedOn(inbound, node)).map(({ id }) => id);
          if (on.size > 0 && reached.length === 0) beyond.add(inbound.tag);
          else byTag.set(inbound.tag, new Set([...(byTag.get(inbound.tag) ?? []), ...reached]));
        }
        return { placed: byTag, beyond: beyond.size, carried: new Set(carried.map(({ inbound }) => inbound.tag)).size };
      },
    };
  }

  /** An inbound that no longer passes the checks of today is left out rather than ending every subscription. */
  #placed(
    row: Readonly<InboundRow>,
    fronts: readonly FrontRow[],
    serving: readonly EntryNode[],
    led: HandedOn,
  ): Placed | { readonly refused: RefusedInbound } {
    const { dialect, client, refused, untold } = readStoredInbound(row);
    if (!dialect) return { refused: { id: row.id, tag: row.tag, fields: refused } };
    const nodes = serving.map(({ templateId: _, ...node }): [number, ServingNode] => [
      node.id,
      { ...node, certificate: this.#options.certificateOf(row, node.id) },
    ]);
    const inbound = {
      id: row.id,
      tag: row.tag,
      remark: row.remark,
      dialect,
      client,
      untold,
      frontedOnly: row.frontedOnly,
      apart: isApart({ tag: row.tag, listen: dialect.listen, port: dialect.listenPort, client }, led),
      fronts,
    };
    return { inbound, nodes: new Map(nodes) };
  }
}

/** Whether clients elsewhere reach an inbound on a node, straight or by a front. */
function isReachedOn(inbound: Placed["inbound"], node: ServingNode): boolean {
  const fronted = inbound.fronts.some(({ enabled }) => enabled) && takesFronts(inbound.dialect);
  return fronted || reachedAt(inbound, node).length > 0;
}

/** What is left where an account names its inbounds. */
function ofThese<T>({ inboundIds }: Member, carried: readonly T[], idOf: (one: T) => number): readonly T[] {
  return inboundIds === null ? carried : carried.filter((one) => inboundIds.includes(idOf(one)));
}

/** Inbounds in the order of the templates; one that several templates carry is served by the nodes of all of them. */
function union(templates: readonly (readonly Placed[])[]): ServedInbound[] {
  const byTag = new Map<string, { inbound: Placed["inbound"]; nodes: Map<number, ServingNode> }>();
  for (const { inbound, nodes } of templates.flat()) {
    const known = byTag.get(inbound.tag);
    if (!known) byTag.set(inbound.tag, { inbound, nodes: new Map(nodes) });
    else for (const [id, node] of nodes) known.nodes.set(id, node);
  }
  return [...byTag.values()].map(({ inbound, nodes }) => ({ ...inbound, nodes: [...nodes.values()] }));
}
