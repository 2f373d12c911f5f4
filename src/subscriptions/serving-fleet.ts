// What subscriptions ask of the fleet that serves accounts: a question of this room, which `fleet` answers. Neither
// room imports the other.

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

/** How a node serves an account at this moment, as its agent says. */
export interface NodeStanding {
  readonly name: string;
  /**
   * `away`: no agent is linked. `silent`: its agent is linked and did not answer in time. `idle`: it answers, and its
   * engine runs nothing. `serving`: its engine runs.
   */
  readonly state: "away" | "silent" | "idle" | "serving";
  /** The agent has acknowledged the account as it stands. */
  readonly latest: boolean;
  /** Unix seconds since which it runs what it runs; 0: its agent has acknowledged nothing. */
  readonly appliedAt: number;
  /** Its engine refuses what is wanted of it, and runs what it ran before. */
  readonly refused: boolean;
  /** Tags of the inbounds that it serves as they are wanted. */
  readonly listens: ReadonlySet<string>;
}

export interface ServingFleet {
  /** Nodes that are switched on, in id order: the same array until one of them changes. */
  readonly entryNodes: () => readonly EntryNode[];
  /** How these nodes serve an account. */
  readonly nodeStandings: (ids: readonly number[], userId: number) => Promise<ReadonlyMap<number, NodeStanding>>;
}
