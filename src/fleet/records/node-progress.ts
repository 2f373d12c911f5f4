// How far a node is: the number of the state that it should run, and of the one that its agent acknowledged.
//
// A number is given to a push. One that was not acknowledged is given again, to all that is wanted by then. So an agent
// that acknowledged a number runs all that was wanted when somebody read that number.
import { BUCKETS, digestBuckets, digestStructure, EMPTY_BUCKET } from "../../protocol/digest.ts";
import type { AppliedState } from "../../protocol/messages.ts";
import type { NodeProgressRow, NodeRow } from "./node.entity.ts";

/** What an agent acknowledged last. */
export type Acknowledged = Omit<NodeProgressRow, "id" | "fence">;

/** A node that was given nothing yet. */
export const NOTHING_ACKNOWLEDGED: Acknowledged = {
  revision: 0,
  applied: 0,
  appliedAt: 0,
  structure: digestStructure({}),
  users: digestBuckets(Array.from({ length: BUCKETS }, () => EMPTY_BUCKET)),
};

/**
 * What an agent has acknowledged that says it runs this; `last` itself where that is known already. `now`: Unix
 * seconds.
 */
export function acknowledgedBy(last: Acknowledged, said: AppliedState, now: number): Acknowledged {
  const { structure, users } = said;
  const applied = believedRevision(said.revision);
  if (last.applied === applied && last.structure === structure && last.users === users) return last;
  return { revision: Math.max(last.revision, applied), applied, appliedAt: now, structure, users };
}

/** How callers see it. `appliedAt`: Unix seconds. */
export type ShownProgress = Pick<Acknowledged, "revision" | "applied" | "appliedAt">;

/** How far a node is, and `next`: the number that a change made now gets. */
export interface NodeProgress extends ShownProgress {
  readonly next: number;
}

/** Beyond it no panel has come, whatever an agent says: the numbers go on from what the panel itself gave. */
const HIGHEST_BELIEVED = 2 ** 48;

/** The revision that an agent says it has, as far as a panel may have given it. */
function believedRevision(revision: number): number {
  return revision <= HIGHEST_BELIEVED ? revision : 0;
}

/** Number of a push to an agent that acknowledged this. */
export function nextRevision({ revision, applied }: Pick<Acknowledged, "revision" | "applied">): number {
  return Math.max(revision, applied + 1);
}

/** A node that was given nothing, and should run nothing. */
export const NO_PROGRESS: NodeProgress = { revision: 0, applied: 0, appliedAt: 0, next: 1 };

/** The same of a node whose agent is another one now, and has acknowledged nothing. */
export function unacknowledged(progress: NodeProgress): NodeProgress {
  return progress.applied === 0 ? progress : { ...progress, revision: progress.next, applied: 0, appliedAt: 0 };
}

/** How far a node is once it was edited: a command shows it before anything of it is compared. */
export function progressAfter(
  progress: NodeProgress,
  before: Pick<NodeRow, "templateId" | "routing"> | undefined,
  { templateId, routing }: Pick<NodeRow, "templateId" | "routing">,
): NodeProgress {
  const same =
    (before?.templateId ?? 0) === (templateId ?? 0) &&
    JSON.stringify(before?.routing ?? null) === JSON.stringify(routing);
  return same ? progress : { ...progress, revision: progress.next };
}

/** How far a node is that should run something else, or the same as its agent acknowledged. */
export function progressOf(word: Acknowledged, agrees: boolean): NodeProgress {
  const { applied, appliedAt } = word;
  const next = nextRevision(word);
  return { revision: agrees ? applied : next, applied, appliedAt, next };
}
