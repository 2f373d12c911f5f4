// What a new panel still lacks before somebody is served. Pure.

export interface Progress {
  readonly templates: number;
  readonly nodes: number;
  readonly connected: number;
  readonly users: number;
  /** Users whose subscription a client has fetched. */
  readonly fetched: number;
}

/** A record that a step made. */
export interface MadeRecord {
  readonly id: number;
  readonly name: string;
}

/** The last one of each kind, as far as it is known. */
export interface MadeRecords {
  readonly template?: MadeRecord | undefined;
  readonly node?: MadeRecord | undefined;
  readonly user?: MadeRecord | undefined;
  /** A user whose subscription a client has fetched. */
  readonly fetched?: MadeRecord | undefined;
}

export type FirstStep = "serve" | "node" | "user" | "link";

export interface Step {
  readonly id: FirstStep;
  readonly done: boolean;
  /** What it made, and the way there. */
  readonly made?: { readonly name: string; readonly href: string };
  /** Where the step is taken, if not at its usual place. */
  readonly at?: string;
  /** The record that it began with and that is not ready: another one would not help. */
  readonly begun?: string;
}

export function firstSteps(
  { templates, nodes, connected, users, fetched }: Progress,
  made: MadeRecords = {},
): readonly Step[] {
  const link = made.fetched ?? made.user;
  return [
    step("serve", templates > 0, "/templates", made.template),
    nodeStep(nodes > 0 && connected > 0, made.node),
    step("user", users > 0, "/users", made.user),
    // The link of the last user is at hand: Copy and its code.
    { ...step("link", fetched > 0, "/users", made.fetched), ...(link && { at: `/users/new?made=${link.id}` }) },
  ];
}

function step(id: FirstStep, done: boolean, list: string, made: MadeRecord | undefined): Step {
  return { id, done, ...(done && made && { made: { name: made.name, href: `${list}/${made.id}` } }) };
}

/** A node that does not serve yet says at its page why, and what to do. */
function nodeStep(done: boolean, node: MadeRecord | undefined): Step {
  const taken = step("node", done, "/nodes", node);
  return done || !node ? taken : { ...taken, at: `/nodes/start?id=${node.id}`, begun: node.name };
}

/** The first step that is not done; undefined when somebody is served. */
export function nextStep(steps: readonly Step[]): FirstStep | undefined {
  return steps.find(({ done }) => !done)?.id;
}

/** What a caller must be allowed to take the steps. */
export const START_SCOPES = ["nodes:write", "pool:write", "templates:write", "users:write", "stats:read"] as const;
