// What accounts ask of the fleet that serves them: a question of this room, which `fleet` answers. Neither room imports
// the other.

/** A node that serves accounts, as subscriptions list it. */
export interface EntryNode {
  readonly id: number;
  /** 0 = none. */
  readonly templateId: number;
  readonly name: string;
  readonly remark: string;
  readonly address: string;
  readonly linkAddress: string;
  /** Whether its engine can do xtls-rprx-vision. */
  readonly vision: boolean;
  /** Whether its engine takes many connections in one. */
  readonly multiplex: boolean;
}

/** A node whose agent answers. */
export interface AnsweringNode {
  /** It runs what is wanted; otherwise its engine refuses that, and runs what it ran before. */
  readonly current: boolean;
  /** Tags of the inbounds that it leaves out. */
  readonly leftOut: ReadonlySet<string>;
}

export interface ServingFleet {
  /** Nodes that are switched on, in id order: the same array until one of them changes. */
  readonly entryNodes: () => readonly EntryNode[];
  /** The template that a node runs, 0 = none; undefined when there is no such node. */
  readonly nodeTemplate: (nodeId: number) => Promise<number | undefined>;
  /** Those of the nodes whose agents answer. */
  readonly answeringNodes: (ids: readonly number[]) => Promise<ReadonlyMap<number, AnsweringNode>>;
}
