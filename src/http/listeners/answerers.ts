// The table of answerers: all that answer on the panel's listeners, in the order in which they are asked, and on which
// listeners each of them is. `docs/architecture.md` has the same table (test/http/answerers.test.ts).
import type { IncomingMessage } from "node:http";

export interface Answerer {
  readonly name: string;
  /** Requests that it answers. */
  readonly what: string;
  /** Whether they lie inside the base path, outside, or anywhere. Without a base path everything is inside. */
  readonly where: "inside" | "outside" | "anywhere";
  /** Whether it may also be on listeners besides the main one: those of `sub_listen`, and what a feature opens. */
  readonly further: boolean;
  /** Whether it answers while setup is pending; `token`: who has the setup token. */
  readonly pending: "yes" | "no" | "token";
}

export const ANSWERERS = [
  {
    name: "proofs",
    what: "`/.well-known/acme-challenge/<token>`, for a token in flight",
    where: "anywhere",
    further: true,
    pending: "no",
  },
  {
    name: "health",
    what: "`/healthz`; without the base path too, for programs of this machine",
    where: "inside",
    further: false,
    pending: "yes",
  },
  {
    name: "subscriptions",
    what: "what lies below `sub_basepath`, under the names of `sub_domain`",
    where: "outside",
    further: true,
    pending: "no",
  },
  {
    name: "panel",
    what: "API, WebSockets, pages and their files",
    where: "inside",
    further: false,
    pending: "token",
  },
  { name: "site", what: "files of `web_masquerade_dir`", where: "outside", further: false, pending: "no" },
  {
    name: "strays",
    what: "everything else, as a server does that has nothing",
    where: "anywhere",
    further: true,
    pending: "yes",
  },
] as const satisfies readonly Answerer[];

export type AnswererName = (typeof ANSWERERS)[number]["name"];
/** The answerers that a further listener may be opened for. Strays are on each. */
export type FurtherAnswerer = Exclude<Extract<(typeof ANSWERERS)[number], { further: true }>["name"], "strays">;

/** The answerers of the main listener. */
export function mainAnswerers(pending: boolean): ReadonlySet<AnswererName> {
  return new Set(ANSWERERS.filter((each) => !pending || each.pending !== "no").map(({ name }) => name));
}

/** The answerers of a listener that was opened for these. */
export function furtherAnswerers(names: readonly FurtherAnswerer[]): ReadonlySet<AnswererName> {
  return new Set<AnswererName>([...names, "strays"]);
}

const arrivedOn = new WeakMap<IncomingMessage, ReadonlySet<AnswererName>>();

/** Notes that a request came over a further listener, and who answers there. */
export function arriveOn(request: IncomingMessage, answerers: ReadonlySet<AnswererName>): void {
  arrivedOn.set(request, answerers);
}

/** The answerers of the further listener over which a request came; undefined: it came over the main one. */
export function answerersFor(request: IncomingMessage): ReadonlySet<AnswererName> | undefined {
  return arrivedOn.get(request);
}
