// What a new panel still lacks before somebody is served. Pure.

export interface Progress {
  readonly templates: number;
  readonly nodes: number;
  readonly connected: number;
  readonly users: number;
  /** Users whose subscription a client has fetched. */
  readonly fetched: number;
}

export type FirstStep = "serve" | "node" | "user" | "link";

export interface Step {
  readonly id: FirstStep;
  readonly done: boolean;
}

export function firstSteps({ templates, nodes, connected, users, fetched }: Progress): readonly Step[] {
  return [
    { id: "serve", done: templates > 0 },
    { id: "node", done: nodes > 0 && connected > 0 },
    { id: "user", done: users > 0 },
    { id: "link", done: fetched > 0 },
  ];
}

/** The first step that is not done; undefined when somebody is served. */
export function nextStep(steps: readonly Step[]): FirstStep | undefined {
  return steps.find(({ done }) => !done)?.id;
}

/** What a caller must be allowed to take the steps. */
export const START_SCOPES = ["nodes:write", "pool:write", "templates:write", "users:write", "stats:read"] as const;
